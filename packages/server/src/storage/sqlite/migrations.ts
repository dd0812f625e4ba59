import { createHash } from 'node:crypto';
import { ReachError } from '@agent-reach/core';
import { CHAIN_SCHEMA, chainOldLines } from './audit.ts';
import { BUDGETS_SCHEMA } from './budgets-schema.ts';
import { CONFIRMATIONS_SCHEMA } from './confirmations.ts';
import type { Database } from './database.ts';
import { TASK_PLACES, TASKS_SCHEMA } from './tasks/schema.ts';

/** One step of the schema. Forward only: a step that has shipped is never edited, a new one follows. */
export interface Migration {
  name: string;
  sql: string;
  /** What SQL cannot do of it, after it and in the same transaction. Part of the step, though not of its checksum. */
  run?: (db: Database) => void;
}

/**
 * The schema, step by step; the version of a database is how many steps it has taken.
 *
 * Tables are STRICT, so a wrong type is refused where it is written, not where it is read. What is
 * never searched is JSON text.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: 'agents, ledger, rules, traces',
    sql: `
      CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
      CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
      INSERT INTO counters VALUES ('addr_version', 0);

      CREATE TABLE definitions (
        tenant TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        manifest_version INTEGER NOT NULL,
        digest TEXT NOT NULL,
        manifest TEXT NOT NULL,
        breaking TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        operator_intent TEXT,
        operator_reason TEXT,
        PRIMARY KEY (tenant, agent_id)
      ) STRICT;

      CREATE TABLE versions (
        tenant TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        manifest_version INTEGER NOT NULL,
        digest TEXT NOT NULL,
        manifest TEXT NOT NULL,
        breaking TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (tenant, agent_id, manifest_version),
        FOREIGN KEY (tenant, agent_id) REFERENCES definitions ON DELETE CASCADE
      ) STRICT;

      CREATE TABLE instances (
        tenant TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        instance_id TEXT NOT NULL,
        boot_id TEXT,
        mode TEXT NOT NULL,
        base_url TEXT,
        tags TEXT NOT NULL,
        addr_version INTEGER NOT NULL,
        intent TEXT NOT NULL,
        intent_by TEXT NOT NULL,
        intent_reason TEXT,
        heartbeat_interval_ms INTEGER NOT NULL,
        lease_ms INTEGER NOT NULL,
        lease_ends_at INTEGER NOT NULL,
        last_heartbeat_at INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        reported TEXT NOT NULL,
        PRIMARY KEY (tenant, agent_id, instance_id),
        FOREIGN KEY (tenant, agent_id) REFERENCES definitions ON DELETE CASCADE
      ) STRICT;
      CREATE INDEX instances_by_lease ON instances (lease_ends_at);

      CREATE TABLE keys (
        scope TEXT NOT NULL,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        pinned TEXT NOT NULL,
        token TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('claimed', 'done', 'unknown')),
        claim_ends_at INTEGER,
        answer TEXT,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (scope, key)
      ) STRICT;
      CREATE INDEX keys_by_expiry ON keys (expires_at);
      CREATE INDEX keys_claimed ON keys (claim_ends_at) WHERE state = 'claimed';

      CREATE TABLE rules (
        tenant TEXT NOT NULL,
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        doc TEXT NOT NULL,
        by TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (tenant, name, version)
      ) STRICT;

      -- Random ids would dirty a random page of an index for each row. Ids are therefore indexed
      -- in blocks of 2048 rows: a write stays within the few pages of the present block, a search
      -- asks each block once (traces.ts).
      CREATE TABLE traces (
        seq INTEGER PRIMARY KEY,
        tenant TEXT NOT NULL,
        at INTEGER NOT NULL,
        trace_id TEXT NOT NULL,
        legacy_trace_id TEXT,
        request_id TEXT NOT NULL,
        agent_from TEXT NOT NULL,
        agent_to TEXT,
        capability TEXT,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX traces_by_time ON traces (tenant, at, agent_to, agent_from, capability);
      CREATE INDEX traces_by_trace ON traces (seq >> 11, trace_id);
      CREATE INDEX traces_by_request ON traces (seq >> 11, request_id);
      CREATE INDEX traces_by_legacy ON traces (seq >> 11, legacy_trace_id)
        WHERE legacy_trace_id IS NOT NULL;

      -- AUTOINCREMENT: the number of a line is never given again, not even after all were pruned.
      CREATE TABLE audit (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant TEXT NOT NULL,
        at INTEGER NOT NULL,
        trace_id TEXT,
        request_id TEXT,
        principal TEXT NOT NULL,
        target TEXT,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX audit_by_time ON audit (tenant, at, principal, target);
      CREATE INDEX audit_by_trace ON audit (seq >> 11, trace_id) WHERE trace_id IS NOT NULL;
      CREATE INDEX audit_by_request ON audit (seq >> 11, request_id) WHERE request_id IS NOT NULL;
    `,
  },
  { name: 'tasks', sql: TASKS_SCHEMA },
  { name: 'places of chains', sql: TASK_PLACES },
  { name: 'budgets', sql: BUDGETS_SCHEMA },
  { name: 'confirmations', sql: CONFIRMATIONS_SCHEMA },
  { name: 'chains of the audit', sql: CHAIN_SCHEMA, run: chainOldLines },
];

/** Marks a file as ours ("RCH1"): another program's database is not to be migrated. */
const APPLICATION_ID = 0x52434831;

/**
 * Brings a database to the newest version, each step in a transaction of its own.
 *
 * Throws `store-unavailable` for a file that a newer release wrote, whose steps differ from ours,
 * or that is not ours at all; nothing is changed then.
 */
export function migrate(db: Database, migrations: readonly Migration[], now: number): void {
  const version = versionOf(db);
  refuseForeign(db, version);
  if (version > migrations.length) {
    throw refusal(
      `has schema version ${version}; this release knows up to ${migrations.length}. ` +
        'A newer release wrote it: start that one.',
    );
  }
  if (version > 0) refuseEdited(db, migrations.slice(0, version));
  for (const [index, step] of migrations.entries()) {
    if (index >= version) db.atomically(() => take(db, step, { version: index + 1, now }));
  }
}

/** How many steps a database has taken. */
export function versionOf(db: Database): number {
  return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

function take(db: Database, step: Migration, at: { version: number; now: number }): void {
  if (at.version === 1) {
    db.exec(`
      PRAGMA application_id = ${APPLICATION_ID};
      CREATE TABLE migrations (
        version INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        checksum TEXT NOT NULL,
        at INTEGER NOT NULL
      ) STRICT;
    `);
  }
  db.exec(step.sql);
  step.run?.(db);
  db.run('INSERT INTO migrations VALUES (:version, :name, :checksum, :now)', {
    ...at,
    name: step.name,
    checksum: checksumOf(step),
  });
  db.exec(`PRAGMA user_version = ${at.version}`);
}

function refuseForeign(db: Database, version: number): void {
  const id = db.get<{ application_id: number }>('PRAGMA application_id')?.application_id;
  if (id === APPLICATION_ID) return;
  const tables = db.get<{ n: number }>('SELECT count(*) AS n FROM sqlite_schema')?.n ?? 0;
  if (version > 0 || tables > 0) throw refusal('is not a database of Agent-Reach.');
}

function refuseEdited(db: Database, known: readonly Migration[]): void {
  const rows = db.all<{ version: number; name: string; checksum: string }>(
    'SELECT version, name, checksum FROM migrations ORDER BY version',
  );
  for (const [index, step] of known.entries()) {
    const row = rows[index];
    if (row?.checksum === checksumOf(step)) continue;
    throw refusal(
      `took step ${index + 1} as "${row?.name ?? 'nothing'}", which differs from "${step.name}" ` +
        'of this release: another build wrote it.',
    );
  }
}

/** Layout may change with the formatter, so it does not count. */
function checksumOf(step: Migration): string {
  return createHash('sha256').update(step.sql.replaceAll(/\s+/g, ' ').trim()).digest('hex');
}

function refusal(what: string): ReachError {
  return new ReachError('store-unavailable', `The data file ${what}`, { retryable: false });
}
