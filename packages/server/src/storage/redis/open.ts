import { ReachError } from '@agent-reach/core';
import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import type { Storage } from '../spi/storage.ts';
import type { Line } from '../moves/line.ts';
import { channelOn } from './channel.ts';
import { loadLibrary } from './client.ts';
import { Connection } from './connection.ts';
import { factsOf, judge } from './durability.ts';
import { Engine } from './engine.ts';
import { failureOf } from './failure.ts';
import { items } from './rows.ts';
import { readScripts, type Source } from './scripts.ts';
import { storesOn } from './stores.ts';
import { chainOldLines } from './traces/audit-writer.ts';

/** What a store in Redis needs. */
export interface RedisOptions {
  /** `redis://[user:password@]host[:port][/db]`, or `rediss://` for TLS. */
  url: string;
  /**
   * What all keys begin with, in braces: their hash tag, which keeps a store in one slot of a
   * cluster. Letters, digits and `_.:-`, at most 64. Gateways that share a prefix share a store.
   * Default: `reach`.
   */
  prefix?: string;
  /**
   * Takes a server that evicts keys, with a warning. Price: a full memory loses tasks that were
   * accepted. Default: false.
   */
  allowEviction?: boolean;
  clock: Clock;
  random: Random;
  log: Log;
}

/**
 * Opens a store in Redis, 7.0 or newer, for any number of gateways (ADR 5).
 *
 * Throws `store-unavailable` when the server cannot be reached within two seconds, when it evicts
 * keys, when a newer release wrote the store, or when the client library is missing.
 */
export function openRedis(options: RedisOptions): Promise<Storage> {
  return openWith(options);
}

/** The same, of other sources: for tests that plant faults in the scripts. */
export async function openWith(options: RedisOptions, source?: Source): Promise<Storage> {
  const { clock, random, log, allowEviction = false } = options;
  const prefix = prefixOf(options.prefix ?? 'reach');
  const url = urlOf(options.url);
  const library = await loadLibrary();
  const connection = new Connection({ library, url, clock, random, log });
  try {
    const powerSafe = judge(await askFacts(connection), allowEviction, log);
    const engine = new Engine(connection, readScripts(source), prefix);
    const channel = channelOn(connection, `${prefix}signals`, { library, url, clock, random, log });
    const time = () => timeOf(connection);
    const epoch = await epochOf(engine, random);
    return bundle({ engine, shared: { time, channel }, log, powerSafe, epoch });
  } catch (error) {
    await connection.close();
    throw failureOf(error);
  }
}

/** Of what the keys mean. A release that cannot read an older layout refuses it, and the reverse. */
const LAYOUT = 3;

/** In which the audit was one log and no chains; all else was as it is. */
const LAYOUT_BEFORE = 2;

function prefixOf(name: string): string {
  if (/^[\w.:-]{1,64}$/.test(name)) return `{${name}}:`;
  throw new RangeError(`the prefix ${name} is not 1 to 64 of letters, digits and _.:-`);
}

/** It may carry a password, so what is wrong with it is said without it. */
function urlOf(text: string): string {
  const isOurs = URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol);
  if (isOurs) return text;
  throw new RangeError('the address of Redis is not redis://host[:port] or rediss://…');
}

async function askFacts(connection: Connection) {
  const info = await connection.send(['INFO'], true);
  // Who may not read the configuration, as with most hosted servers, is told what INFO says.
  const config = await connection.send(['CONFIG', 'GET', 'appendfsync'], true).catch(() => []);
  return factsOf(String(info), (config as string[])[1]);
}

async function epochOf(engine: Engine, random: Random): Promise<string> {
  const proposed = Buffer.from(random.bytes(8)).toString('hex');
  const [layout, epoch] = items(await engine.run('lua/open', [LAYOUT, proposed]));
  const isBefore = Number(layout) === LAYOUT_BEFORE;
  if (isBefore || Number(layout) === LAYOUT) {
    // Also where the layout is ours: a gateway of the release before may have gone on for a while.
    await chainOldLines(engine);
    if (isBefore) await engine.run('lua/relayout', [LAYOUT_BEFORE, LAYOUT]);
    return String(epoch);
  }
  const detail = `The store has layout ${String(layout)}; this release reads ${LAYOUT}.`;
  throw new ReachError('store-unavailable', detail, { retryable: false });
}

/** In whole milliseconds, as scripts count. */
async function timeOf(connection: Connection): Promise<number> {
  const [seconds, micros] = (await connection.send(['TIME'], true)) as [string, string];
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

interface House {
  engine: Engine;
  shared: { time: () => Promise<number>; channel: Line };
  log: Log;
  powerSafe: boolean;
  epoch: string;
}

function bundle({ engine, shared, log, powerSafe, epoch }: House): Storage {
  const close = async () => {
    await shared.channel.close();
    await engine.close();
  };
  return {
    driver: 'redis',
    // Another process keeps what was answered, whatever becomes of this one.
    capabilities: { sharedByProcesses: true, durable: true, powerSafe },
    epoch,
    ...storesOn(engine, log),
    shared,
    close,
    [Symbol.asyncDispose]: close,
  };
}
