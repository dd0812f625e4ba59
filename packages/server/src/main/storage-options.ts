import { ReachError } from '@agent-reach/core';
import {
  address,
  choice,
  duration,
  flag,
  integer,
  text,
  type Values,
} from '@agent-reach/core/kernel';

/** Where everything is kept. */
export const STORAGE_OPTIONS = {
  driver: choice({
    key: 'storage.driver',
    words: ['auto', 'sqlite', 'redis', 'postgres', 'mixed'],
    default: 'auto',
    doc: '`sqlite`: one file, one process, nothing to install. `redis`, `postgres`: a server that any number of gateways share. `mixed`: tasks and keys in Redis, agents, rules and traces in PostgreSQL. `auto`: by the addresses that are given: both, one, or none (`sqlite`).',
  }),
  waitMs: duration({
    key: 'storage.wait',
    default: 30_000,
    min: 0,
    max: 600_000,
    doc: 'How long a start waits for a Redis or PostgreSQL that does not answer yet. Longer rides out a store that starts more slowly, shorter tells sooner of an address that is wrong.',
  }),
  dataDir: text({
    key: 'data.dir',
    default: '.reach',
    doc: 'Folder of the embedded store; `:memory:` keeps nothing. One gateway a folder.',
  }),
  redisAddr: address({
    key: 'redis.addr',
    default: '',
    form: 'host:port, or redis://[user:password@]host[:port][/db] (rediss:// for TLS)',
    parse: (said) => serverUrl(said, 'redis', /^rediss?:$/),
    doc: 'The Redis, 7.0 or newer, that gateways share. It should keep a log on disk (`appendonly yes`): without one, what it accepted goes with its process.',
  }),
  redisPrefix: text({
    key: 'redis.prefix',
    default: 'reach',
    doc: 'What all keys begin with: gateways that share a prefix share a store. Letters, digits and `_.:-`, at most 64.',
  }),
  redisEvicts: flag({
    key: 'redis.allow-eviction',
    default: false,
    doc: 'Takes a Redis whose `maxmemory-policy` throws keys away. Price: a full memory loses tasks that were accepted, in silence.',
  }),
  dbDsn: address({
    key: 'db.dsn',
    default: '',
    form: 'postgres://user:password@host:port/database',
    parse: (said) => serverUrl(said, 'postgres', /^postgres(ql)?:$/),
    doc: 'The PostgreSQL, 13 or newer, that gateways share; `?sslmode=verify-full` over a network.',
  }),
  dbSchema: text({
    key: 'db.schema',
    default: 'agent_reach',
    doc: 'The schema that holds the tables, made if it is not there: lower case letters, digits and `_`, at most 63.',
  }),
  dbConnections: integer({
    key: 'db.connections',
    default: 10,
    min: 1,
    max: 200,
    doc: 'Connections of this gateway to PostgreSQL at most. Each costs the server some 10 MB, and all gateways together must stay below its `max_connections`.',
  }),
  dbPooled: flag({
    key: 'db.pooled',
    default: false,
    doc: 'Says that a pooler that hands out connections by the transaction (PgBouncer in `transaction` mode) stands before PostgreSQL. Price: statements are parsed anew each time, and gateways do not hear of each other’s changes but find them, in 20 s at most.',
  }),
} as const;

/** What the options of the store say. */
export type StorageSettings = Values<typeof STORAGE_OPTIONS>;

/** The engines that a gateway may stand on. */
export type Driver = Exclude<StorageSettings['driver'], 'auto'>;

/** The driver that is meant: the one that is named, or what the addresses that are given call for. */
export function driverOf({ driver, redisAddr, dbDsn }: StorageSettings): Driver {
  if (driver !== 'auto') return driver;
  if (redisAddr !== '') return dbDsn === '' ? 'redis' : 'mixed';
  return dbDsn === '' ? 'sqlite' : 'postgres';
}

/**
 * Refuses a driver without its address, and an address that the driver would not use: somebody
 * believes that his data is there.
 */
export function demandStorage(settings: StorageSettings): void {
  const { driver, redisAddr, dbDsn } = settings;
  const wanted = driverOf(settings);
  const needs = {
    redis: wanted === 'redis' || wanted === 'mixed',
    db: wanted === 'postgres' || wanted === 'mixed',
  };
  const said = `storage.driver is ${driver}`;
  if (needs.redis && redisAddr === '')
    throw refused(`${said}, and redis.addr (REACH_REDIS_ADDR) is not given`);
  if (needs.db && dbDsn === '') throw refused(`${said}, and db.dsn (REACH_DB_DSN) is not given`);
  if (!needs.redis && redisAddr !== '') throw refused(waysOut(said, 'redis.addr', wanted));
  if (!needs.db && dbDsn !== '') throw refused(waysOut(said, 'db.dsn', wanted));
}

function waysOut(said: string, unused: string, driver: Driver): string {
  const other = driver === 'sqlite' ? 'auto' : 'mixed';
  return `${said}, which does not use ${unused}: say storage.driver=${other} to use both, or take ${unused} away`;
}

function refused(detail: string): ReachError {
  return new ReachError('validation-failed', `${detail}.`, {
    errors: [{ pointer: '#/storage.driver', detail }],
  });
}

/** `host:port` or a whole URL; undefined: neither. */
function serverUrl(said: string, scheme: string, schemes: RegExp): URL | undefined {
  const whole = said.includes('://') ? said : `${scheme}://${said}`;
  const url = URL.parse(whole);
  return url !== null && schemes.test(url.protocol) && url.hostname !== '' ? url : undefined;
}
