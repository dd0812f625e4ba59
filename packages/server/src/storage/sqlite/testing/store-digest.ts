import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Storage } from '../../spi/storage.ts';
import type { Database } from '../database.ts';
import { databaseOf } from '../open.ts';

/**
 * One word for all rows of all tables: two equal words mean that nothing was written in between.
 * Tables in `except` may change.
 */
export async function digestOf(storage: Storage, except: readonly string[] = []): Promise<string> {
  const tables = Object.entries(await digestsOf(storage));
  const counted = tables.filter(([table]) => !except.includes(table));
  return createHash('sha256').update(JSON.stringify(counted)).digest('hex');
}

/** The same by table, as `rows:hash`: comparing these says where a difference is. */
export async function digestsOf(storage: Storage): Promise<Record<string, string>> {
  const db = databaseOf(storage);
  assert.ok(db, 'not an open sqlite store');
  // A search hurries what lingers, so that a row on its way is not taken for one never written.
  await storage.traces.find({ tenant: '', limit: 1 });
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  return Object.fromEntries(tables.map(({ name }) => [name, digestTable(db, name)]));
}

function digestTable(db: Database, table: string): string {
  const hash = createHash('sha256');
  const rows = db.all(`SELECT * FROM ${table}`);
  for (const row of rows) hash.update(JSON.stringify(row));
  return `${rows.length}:${hash.digest('hex')}`;
}
