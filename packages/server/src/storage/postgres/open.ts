import { ReachError } from '@agent-reach/core';
import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import type { Line } from '../moves/line.ts';
import type { Storage } from '../spi/storage.ts';
import { channelOn } from './channel.ts';
import { loadPg } from './client.ts';
import { Connections } from './connections.ts';
import { sqlStateOf } from './failure.ts';
import { MIGRATIONS, migrate } from './migrations.ts';
import { type House, storesOn } from './stores.ts';
import type { Transaction } from './transaction.ts';

/** What a store in PostgreSQL needs. */
export interface PostgresOptions {
  /**
   * `postgres://user:password@host:port/database`, with `?sslmode=verify-full` over a network; what
   * it leaves out comes from the `PG…` variables.
   */
  url: string;
  /**
   * Where the tables are, made if it is not there: lower case letters, digits and `_`, at most 63.
   * Default: `agent_reach`.
   */
  schema?: string;
  /**
   * Price: each costs the server some 10 MB, and all gateways together must stay below its
   * `max_connections`. A move holds one for two or three round trips. Default: 10.
   */
  connectionsMax?: number;
  /**
   * When a move that was not answered fails with `store-unavailable`, in ms. Price: longer ones
   * hold up who waits behind a server that is gone, shorter ones give up on one that is only slow.
   * Default: 2000.
   */
  timeoutMs?: number;
  /**
   * Whether a pooler that hands out connections by the transaction stands between (PgBouncer in
   * `transaction` mode). Then nothing is kept in a session: every transaction says all its settings,
   * and every statement is parsed anew. Price: twice the work for the server. Where it is not said,
   * such a pooler refuses the connection. Default: false.
   */
  isPooled?: boolean;
  clock: Clock;
  random: Random;
  log: Log;
}

/**
 * Opens the store that several gateways share: one schema of a PostgreSQL database, 13 or newer,
 * brought to this release's version first (ADR 6).
 *
 * Throws `store-unavailable` when the client package is missing, the server does not answer or is
 * too old, or a newer release wrote the schema.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { schema = 'agent_reach', timeoutMs = 2_000, clock, log } = options;
  if (!NAME.test(schema)) {
    const detail = `${schema} is no name for a schema: lower case letters, digits and _, at most 63.`;
    throw new ReachError('store-unavailable', detail, { retryable: false });
  }
  const pg = await loadPg();
  const place = { url: options.url, schema, timeoutMs };
  const connections = new Connections({
    pg,
    ...place,
    connectionsMax: options.connectionsMax ?? 10,
    isPooled: options.isPooled ?? false,
    clock,
    log,
  });
  try {
    const token = Buffer.from(options.random.bytes(8)).toString('hex');
    const server = await connections.run((tx) => prepare(tx, schema, token), 'migration');
    const channel = channelOn(pg, place, options);
    return bundle(connections, server, { clock, log, timeoutMs, channel });
  } catch (error) {
    await connections.close();
    throw isRefusedByPooler(error) ? poolerUnsaid(error) : error;
  }
}

/** What a pooler says that hands out connections by the transaction and is given session settings. */
function isRefusedByPooler(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    sqlStateOf(cause) === '08P01' && (cause as Error).message.includes('startup parameter: options')
  );
}

function poolerUnsaid(cause: unknown): ReachError {
  const detail =
    'A pooler stands before PostgreSQL: say so by `isPooled` (the option db.pooled), or have it pool sessions.';
  return new ReachError('store-unavailable', detail, { retryable: false }, cause);
}

const NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** What is to be known of a server before it is used. */
interface Server {
  version: number;
  encoding: string;
  isPowerSafe: boolean;
  epoch: string;
}

/** Brings the schema up to date and answers what stands there now. */
async function prepare(tx: Transaction, schema: string, token: string): Promise<Server> {
  const [found] = await tx.rows<Omit<Server, 'epoch'>>(SERVER);
  if (found === undefined) throw new Error('the server did not say what it is');
  refuseUnfit(found);
  await migrate(tx, schema, MIGRATIONS);
  tx.put(MAKE_EPOCH, [token]);
  const [[epoch]] = (await tx.lists(EPOCH)) as [[string]];
  return { ...found, epoch };
}

function refuseUnfit({ version, encoding }: Omit<Server, 'epoch'>): void {
  const detail =
    version < VERSION_MIN
      ? `The server is PostgreSQL ${Math.floor(version / 10_000)}; 13 is the oldest that will do.`
      : encoding === 'UTF8'
        ? undefined
        : `The database is encoded in ${encoding}; it must be UTF8, or names would be lost.`;
  if (detail !== undefined) throw new ReachError('store-unavailable', detail, { retryable: false });
}

const VERSION_MIN = 130_000;

const SERVER = `
  SELECT current_setting('server_version_num')::int AS version,
         current_setting('server_encoding') AS encoding,
         current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off'
           AS "isPowerSafe"`;

const MAKE_EPOCH = "INSERT INTO meta VALUES ('epoch', $1) ON CONFLICT (name) DO NOTHING";

const EPOCH = "SELECT value FROM meta WHERE name = 'epoch'";

function bundle(
  connections: Connections,
  { epoch, isPowerSafe }: Server,
  { channel, ...house }: House & { channel: Line },
): Storage {
  const { stores, flush } = storesOn(connections, house);
  let closing: Promise<void> | undefined;
  const closeOnce = async () => {
    await channel.close();
    await flush();
    await connections.close();
  };
  const close = () => (closing ??= closeOnce());
  return {
    driver: 'postgres',
    capabilities: { sharedByProcesses: true, durable: true, powerSafe: isPowerSafe },
    epoch,
    ...stores,
    shared: { channel, time: () => connections.run((tx) => tx.clock('store')) },
    close,
    [Symbol.asyncDispose]: close,
  };
}
