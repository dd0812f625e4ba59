import { userInfo } from 'node:os';
import { Client, type Pool } from 'pg';
import { processUs } from './processor-time.ts';

/** A PostgreSQL to measure on, and whoever asks it how much it has worked. */
export interface Postgres extends AsyncDisposable {
  url: string;
  version: string;
  /** Of our sessions and of the one process that writes the log for all. */
  serverUs(): Promise<number>;
  /** Takes away a schema with all that is in it. */
  drop(schema: string): Promise<void>;
}

const NAME = 'reach-bench';

/** The PostgreSQL that runs already; undefined where none does. */
export async function runningPostgres(address: string): Promise<Postgres | undefined> {
  const url = new URL(address);
  // As psql does; the driver looks into the environment alone.
  url.username ||= userInfo().username;
  url.searchParams.set('application_name', NAME);
  const client = new Client({ connectionString: url.href });
  try {
    await client.connect();
  } catch {
    return undefined;
  }
  const shown = await client.query<{ server_version: string }>('SHOW server_version');
  const workers = `SELECT pid FROM pg_stat_activity
    WHERE application_name = '${NAME}' OR backend_type = 'walwriter'`;
  return {
    url: url.href,
    version: shown.rows[0]?.server_version.split(' ')[0] ?? '',
    async serverUs() {
      const { rows } = await client.query<{ pid: number }>(workers);
      return rows.reduce((sum, { pid }) => sum + processUs(pid), 0);
    },
    async drop(schema) {
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Opens every session that a pool may have, so that none ends between two looks at their time. */
export async function fill(pool: Pool, size: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: size }, () => pool.connect()));
  for (const client of clients) client.release();
}
