import { createHash } from 'node:crypto';
import { ReachError } from '@agent-reach/core';
import { CHAIN_SCHEMA, chainOldLines } from './audit.ts';
import { BUDGETS_SCHEMA } from './budgets-schema.ts';
import { CONFIRMATIONS_SCHEMA } from './confirmations.ts';
import { FIRST_SCHEMA } from './schema.ts';
import { TASKS_SCHEMA } from './tasks/schema.ts';
import type { Transaction } from './transaction.ts';

/** One step of the schema. Forward only: a step that has shipped is never edited, a new one follows. */
export interface Migration {
  name: string;
  sql: string;
  /** What SQL cannot do of it, after it and in the same transaction. Part of the step, though not of its checksum. */
  run?: (tx: Transaction) => Promise<void>;
}

/** The schema, step by step; the version of a database is how many steps it has taken. */
export const MIGRATIONS: readonly Migration[] = [
  { name: 'agents, ledger, rules, traces', sql: FIRST_SCHEMA },
  { name: 'tasks', sql: TASKS_SCHEMA },
  { name: 'budgets', sql: BUDGETS_SCHEMA },
  { name: 'confirmations', sql: CONFIRMATIONS_SCHEMA },
  { name: 'chains of the audit', sql: CHAIN_SCHEMA, run: chainOldLines },
];

/**
 * Brings a schema to the newest version, in the one transaction that is given: all steps or none.
 * Gateways that start together wait for each other, and all but the first find nothing to do.
 *
 * Throws `store-unavailable` where a newer release wrote the schema or its steps differ from ours.
 */
export async function migrate(
  tx: Transaction,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  // Of the transaction, not of the session: behind a pooler a session is anybody's.
  tx.put("SELECT pg_advisory_xact_lock(hashtextextended('agent-reach ' || $1, 0))", [schema]);
  const [[isThere]] = (await tx.lists(IS_THERE, [schema])) as [[boolean]];
  if (!isThere) {
    tx.put(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    tx.put(MIGRATIONS_TABLE);
  }
  const taken = await tx.rows<Taken>('SELECT version, checksum, name FROM migrations ORDER BY 1');
  refuseNewer(schema, taken.length, migrations.length);
  for (const [index, step] of migrations.entries()) {
    const version = index + 1;
    const row = taken[index];
    if (row === undefined) await take(tx, version, step);
    else if (row.checksum !== checksumOf(step)) throw otherBuild(schema, row, step);
  }
}

interface Taken {
  version: number;
  name: string;
  checksum: string;
}

const IS_THERE = `
  SELECT EXISTS (
    SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'migrations')`;

const MIGRATIONS_TABLE = `
  CREATE TABLE migrations (
    version bigint PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  )`;

const TAKEN = 'INSERT INTO migrations (version, name, checksum) VALUES ($1, $2, $3)';

async function take(tx: Transaction, version: number, step: Migration): Promise<void> {
  // A parsed statement is one statement, so a script goes as one that is not parsed ahead.
  await tx.script(step.sql);
  await step.run?.(tx);
  await tx.write(TAKEN, [version, step.name, checksumOf(step)]);
}

/** Layout may change with the formatter, so it does not count. */
function checksumOf(step: Migration): string {
  return createHash('sha256').update(step.sql.replaceAll(/\s+/g, ' ').trim()).digest('hex');
}

function refuseNewer(schema: string, version: number, known: number): void {
  if (version <= known) return;
  throw refusal(
    `Schema ${schema} has version ${version}; this release knows up to ${known}. ` +
      'A newer release wrote it: start that one.',
  );
}

function otherBuild(schema: string, row: Taken, step: Migration): ReachError {
  return refusal(
    `Schema ${schema} took step ${row.version} as "${row.name}", which differs from ` +
      `"${step.name}" of this release: another build wrote it.`,
  );
}

function refusal(detail: string): ReachError {
  return new ReachError('store-unavailable', detail, { retryable: false });
}
