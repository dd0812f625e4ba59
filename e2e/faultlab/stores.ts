import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openPostgres } from '@agent-reach/server/postgres';
import { openRedis } from '@agent-reach/server/redis';
import { openSqlite } from '@agent-reach/server/sqlite';
import { clusterOwner, startPostgres, whyNoCluster } from '../kit/own-postgres.ts';
import { startRedis, whyNoRedis } from '../kit/own-redis.ts';
import { openSmallDisk, whyNoSmallDisk } from '../kit/small-disk.ts';
import { dropSchema, MACHINE_DSN, whyNoPostgres } from './machine-postgres.ts';

/** An open store, as far as the laboratory looks into it. */
export type OpenStore = Pick<Awaited<ReturnType<typeof openSqlite>>, 'tasks'> & AsyncDisposable;

/** A store of one round, that nobody else uses. */
export interface Place extends AsyncDisposable {
  /** Where its servers are, by the option that a gateway is told them with. */
  addresses: Readonly<Record<string, string>>;
  /** The other options of a gateway on it. */
  set: Readonly<Record<string, string>>;
  /** Opens what was left. `dataDir`: the data folder of the gateway that it was alone with. */
  open(dataDir: string): Promise<OpenStore>;
  /** What the engine itself finds wrong with what was left. */
  damage(dataDir: string): string[];
  /** Where a gateway alone with it keeps its data, if that is not its own choice. */
  dataDir?: string;
  /** Ends its server as it stands and starts it after so many ms; absent: it is not ours to hurt. */
  crash?(awayMs: number): Promise<void>;
  /** Leaves it room for so many bytes; without a number all that there is. Absent: it cannot be made scarce. */
  leave?(bytes?: number): Promise<void>;
}

/** What a round wants of its store. */
export interface Wishes {
  /** Its room can be taken and given back. */
  isScarce?: boolean;
}

/** A kind of store that the laboratory can put under gateways. */
export interface LabStore {
  name: string;
  /** Whether several gateways may stand on it. */
  isShared: boolean;
  /** What may be gone after a crash of its server; undefined: nothing. */
  loses?: 'last-moment' | 'everything';
  /** Why it cannot be used on this machine; undefined: it can. */
  missing(): Promise<string | undefined>;
  /** Why its room cannot be made scarce; undefined: it can. */
  whyNotScarce(): string | undefined;
  place(wishes?: Wishes): Promise<Place>;
}

const house = () => ({ clock: systemClock, random: systemRandom(), log: silentLog });

/** More than a store needs for its tables, and soon full. */
const DISK_BYTES = 48 * 2 ** 20;

const sqlite: LabStore = {
  name: 'sqlite',
  isShared: false,
  missing: async () => undefined,
  whyNotScarce: whyNoSmallDisk,
  async place({ isScarce = false } = {}) {
    const disk = isScarce ? await openSmallDisk(DISK_BYTES) : undefined;
    return {
      addresses: {},
      set: { 'storage.driver': 'sqlite' },
      open: (dir) => openSqlite({ dir, ...house() }),
      damage: damageOfSqlite,
      ...(disk === undefined
        ? {}
        : { dataDir: join(disk.path, 'data'), leave: (bytes?: number) => disk.leave(bytes) }),
      [Symbol.asyncDispose]: async () => disk?.[Symbol.asyncDispose](),
    };
  },
};

function damageOfSqlite(dataDir: string): string[] {
  const path = join(dataDir, 'reach.db');
  if (!existsSync(path)) return [`there is no ${path}`];
  const db = new DatabaseSync(path);
  try {
    const rows = db.prepare('PRAGMA integrity_check').all();
    return rows.map(({ integrity_check: says }) => String(says)).filter((says) => says !== 'ok');
  } finally {
    db.close();
  }
}

/** A server of this laboratory's own, so that it can be hurt. */
function redis(name: string, settings: readonly string[], loses?: LabStore['loses']): LabStore {
  return {
    name,
    isShared: true,
    ...(loses === undefined ? {} : { loses }),
    missing: async () => whyNoRedis(),
    whyNotScarce: () => undefined,
    async place() {
      const server = await startRedis(settings);
      return {
        addresses: { 'redis.addr': server.url },
        set: { 'storage.driver': 'redis' },
        open: () => openRedis({ url: server.url, ...house() }),
        damage: () => [],
        crash: (awayMs) => server.crash(awayMs),
        leave: async (bytes) => server.leave(bytes),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  };
}

const ALWAYS = ['appendonly yes', 'appendfsync always'];

/** A schema of its own on the machine's server, which is not ours to hurt. */
const postgres: LabStore = {
  name: 'postgres',
  isShared: true,
  missing: whyNoPostgres,
  whyNotScarce: () => 'it is the machine’s, and not ours to hurt',
  async place() {
    const schema = `faultlab_${randomBytes(6).toString('hex')}`;
    return {
      addresses: { 'db.dsn': MACHINE_DSN },
      set: { 'storage.driver': 'postgres', 'db.schema': schema },
      open: () => openPostgres({ url: MACHINE_DSN, schema, ...house() }),
      damage: () => [],
      [Symbol.asyncDispose]: () => dropSchema(schema),
    };
  },
};

/** A cluster of its own, that can be hurt. */
const postgresOwn: LabStore = {
  name: 'postgres-own',
  isShared: true,
  missing: async () => whyNoCluster(),
  whyNotScarce: whyNoSmallDisk,
  async place({ isScarce = false } = {}) {
    const disk = isScarce ? await openSmallDisk(DISK_BYTES, clusterOwner()) : undefined;
    const server = await startPostgres(disk?.path);
    return {
      addresses: { 'db.dsn': server.url },
      set: { 'storage.driver': 'postgres' },
      open: () => openPostgres({ url: server.url, ...house() }),
      damage: () => [],
      crash: (awayMs) => server.crash(awayMs),
      ...(disk === undefined ? {} : { leave: (bytes?: number) => disk.leave(bytes) }),
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await disk?.[Symbol.asyncDispose]();
      },
    };
  },
};

const redisAlways = redis('redis', ALWAYS);

/** Tasks and keys in Redis, agents and traces in PostgreSQL. */
const mixed: LabStore = {
  name: 'mixed',
  isShared: true,
  missing: async () => whyNoRedis() ?? (await whyNoPostgres()),
  whyNotScarce: () => undefined,
  async place() {
    const kept = await postgres.place();
    const moving = await redisAlways.place();
    const { 'db.schema': schema = '' } = kept.set;
    return {
      ...moving, // Tasks are there.
      addresses: { ...moving.addresses, ...kept.addresses },
      set: { 'storage.driver': 'mixed', 'db.schema': schema },
      async [Symbol.asyncDispose]() {
        await moving[Symbol.asyncDispose]();
        await kept[Symbol.asyncDispose]();
      },
    };
  },
};

/** By name: what `--store` takes. */
export const STORES = {
  sqlite,
  redis: redisAlways,
  'redis-everysec': redis(
    'redis-everysec',
    ['appendonly yes', 'appendfsync everysec'],
    'last-moment',
  ),
  'redis-volatile': redis('redis-volatile', ['appendonly no'], 'everything'),
  postgres,
  'postgres-own': postgresOwn,
  mixed,
} as const satisfies Readonly<Record<string, LabStore>>;
