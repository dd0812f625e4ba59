import { join } from 'node:path';
import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openPostgres } from '@agent-reach/server/postgres';
import { openRedis } from '@agent-reach/server/redis';
import { openSqlite } from '@agent-reach/server/sqlite';
import { runningPostgres } from '../tasks/postgres.ts';
import { ownRedis } from '../tasks/redis-server.ts';

type Storage = Awaited<ReturnType<typeof openSqlite>>;

/** A store whose audit is measured. */
export interface AuditStore extends AsyncDisposable {
  name: string;
  storage: Storage;
}

const SCHEMA = 'reach_bench_audit';
const house = () => ({ clock: systemClock, random: systemRandom(), log: silentLog });

/** The embedded store, a Redis of each way of syncing, and the PostgreSQL that runs; those that there are. */
export async function openStores(dir: string, dsn: string): Promise<AuditStore[]> {
  const stores: AuditStore[] = [await embedded(dir)];
  for (const fsync of ['everysec', 'always'] as const) {
    const server = await ownRedis(dir, fsync);
    if (server === undefined) continue;
    const storage = await openRedis({ url: server.url, prefix: 'audit', ...house() });
    stores.push({
      name: `Redis, AOF ${fsync}`,
      storage,
      async [Symbol.asyncDispose]() {
        await storage.close();
        await server[Symbol.asyncDispose]();
      },
    });
  }
  const postgres = await onPostgres(dsn);
  return postgres === undefined ? stores : [...stores, postgres];
}

async function embedded(dir: string): Promise<AuditStore> {
  const storage = await openSqlite({ dir: join(dir, 'sqlite'), ...house() });
  const close = () => storage.close();
  return { name: 'embedded, synced', storage, [Symbol.asyncDispose]: close };
}

async function onPostgres(dsn: string): Promise<AuditStore | undefined> {
  const postgres = await runningPostgres(dsn);
  if (postgres === undefined) return undefined;
  await postgres.drop(SCHEMA);
  const at = { url: postgres.url, schema: SCHEMA, timeoutMs: 30_000 };
  const storage = await openPostgres({ ...at, ...house() });
  return {
    name: `PostgreSQL ${postgres.version}`,
    storage,
    async [Symbol.asyncDispose]() {
      await storage.close();
      await postgres.drop(SCHEMA);
      await postgres[Symbol.asyncDispose]();
    },
  };
}
