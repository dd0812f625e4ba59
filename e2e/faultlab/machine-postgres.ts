import { Client } from 'pg';

/** The PostgreSQL of the machine; `REACH_POSTGRES_DSN` names another. */
export const MACHINE_DSN =
  process.env['REACH_POSTGRES_DSN'] ?? 'postgres://root@127.0.0.1:5432/test';

/** Why it cannot be used; undefined: it can. */
export async function whyNoPostgres(): Promise<string | undefined> {
  try {
    await ask('SELECT 1');
    return undefined;
  } catch (error) {
    return `no PostgreSQL at ${new URL(MACHINE_DSN).host}: ${(error as Error).message}`;
  }
}

export function dropSchema(schema: string): Promise<void> {
  return ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
}

async function ask(query: string): Promise<void> {
  const client = new Client({ connectionString: MACHINE_DSN, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(query);
  } finally {
    await client.end();
  }
}
