import { after, test } from 'node:test';
import { type Log, silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import type { Storage } from '../../spi/storage.ts';
import { Client } from 'pg';
import { openPostgres, type PostgresOptions } from '../open.ts';

/** Where the tests' database is; `REACH_POSTGRES_DSN` names another. */
export const DSN = process.env['REACH_POSTGRES_DSN'] ?? 'postgres://root@127.0.0.1:5432/test';

/** What a store needs of the house, with the machine's own clock: nothing here waits for time. */
export function houseOf(log: Log = silentLog): Pick<PostgresOptions, 'clock' | 'random' | 'log'> {
  return { clock: systemClock, random: systemRandom(), log };
}

/**
 * Runs `tests` if PostgreSQL is there. Where it must be, on a machine that builds, its absence is a
 * failure; elsewhere one test is skipped that says why.
 */
export async function withPostgres(tests: () => void): Promise<void> {
  const missing = await reasonOfAbsence();
  if (missing === undefined) {
    tests();
    return;
  }
  test('PostgreSQL is there', { skip: process.env['CI'] === 'true' ? false : missing }, () => {
    throw new Error(missing);
  });
}

async function reasonOfAbsence(): Promise<string | undefined> {
  try {
    await onDatabase((client) => client.query('SELECT 1'));
    return undefined;
  } catch (error) {
    return `no PostgreSQL at ${new URL(DSN).host}: ${(error as Error).message}`;
  }
}

/** A connection of its own beside those of a store. */
export async function onDatabase<T>(act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: DSN, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

/**
 * Stores in schemas of their own, which are dropped when the tests of the file have run. To make and
 * drop one takes a second, so a schema whose store was closed is emptied and used again.
 */
export function ownSchemas() {
  const made = new Set<string>();
  const free: string[] = [];
  const schemaOf = new WeakMap<Storage, string>();
  const kept = new WeakMap<Storage, Storage>();
  after(async () => {
    // One at a time: a transaction holds a lock on each table it drops.
    for (const schema of made) {
      await onDatabase((client) => client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`));
    }
  });
  /** The name of a schema that is not there yet. */
  const name = () => {
    const schema = `reach_test_${Buffer.from(systemRandom().bytes(6)).toString('hex')}`;
    made.add(schema);
    return schema;
  };
  const openIn = async (schema: string, options: Partial<PostgresOptions> = {}) => {
    // A machine that runs other tests beside these is slow, which is no failure of the store.
    const patient = { timeoutMs: 30_000, ...houseOf() };
    const storage = await openPostgres({ url: DSN, schema, ...patient, ...options });
    schemaOf.set(storage, schema);
    return storage;
  };
  /** A new store with nothing in it. */
  const open = async () => {
    const schema = free.pop() ?? name();
    const storage = await openIn(schema);
    const closeOnce = async () => {
      await storage.close();
      await empty(schema);
      free.push(schema);
    };
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= closeOnce());
    const own = { ...storage, close, [Symbol.asyncDispose]: close };
    schemaOf.set(own, schema);
    kept.set(own, storage);
    return own;
  };
  /** What is kept of a store, opened once more. */
  const reopen = async (storage: Storage) => {
    await kept.get(storage)?.close();
    return openIn(schemaOf.get(storage) ?? name());
  };
  return {
    name,
    open,
    openIn,
    reopen,
    schemaOf: (storage: Storage) => schemaOf.get(storage) ?? '',
  };
}

async function empty(schema: string): Promise<void> {
  const deletions = TABLES.map((table) => `DELETE FROM ${schema}.${table}`);
  await onDatabase((client) => client.query(`BEGIN; ${deletions.join('; ')}; COMMIT`));
}

const TABLES = `
  meta versions instances definitions keys spent budgets budget_holds confirmations rules traces audit audit_heads audit_seals
  task_turns task_lanes task_queues tasks task_payloads task_results
  task_history task_orphans task_edits`
  .trim()
  .split(/\s+/);
