import { after } from 'node:test';
import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { createClient } from '@redis/client';
import type { Storage } from '../../spi/storage.ts';
import { openWith, type RedisOptions } from '../open.ts';
import type { Source } from '../scripts.ts';

/** Where tests find a server: `REACH_REDIS_ADDR`, or the usual place. */
export const REDIS_URL = `redis://${process.env['REACH_REDIS_ADDR'] ?? '127.0.0.1:6379'}`;

/** A client beside the driver, for looking under it. */
export function bareClient(url = REDIS_URL) {
  const client = createClient({ url, RESP: 2, socket: { reconnectStrategy: false } });
  client.on('error', () => {}); // What fails of it says so, too.
  return client;
}

export type BareClient = ReturnType<typeof bareClient>;

/** Why there is no server to test against; undefined: there is one. In CI that is a failure. */
export async function whyNoRedis(): Promise<string | undefined> {
  const client = bareClient();
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const why = `no Redis at ${REDIS_URL}: ${String(error)}`;
    if (process.env['CI'] === 'true') throw new Error(why, { cause: error });
    return why;
  } finally {
    client.destroy();
  }
}

/** What a store needs. */
export function optionsOf(url = REDIS_URL): RedisOptions {
  const house = { clock: systemClock, random: systemRandom(), log: silentLog };
  return { url, ...house };
}

/** Stores of their own on one server. The keys of a store go when it is closed. */
export async function tempStores() {
  const client = bareClient();
  await client.connect();
  after(() => client.destroy());
  const run = Buffer.from(systemRandom().bytes(6)).toString('hex');
  const prefixes = new WeakMap<Storage, string>();
  const kept = new WeakSet<Storage>();
  let count = 0;
  const prefixOf = (storage: Storage) => prefixes.get(storage) ?? '';

  const open = async (source?: Source, prefix = `reach-test-${run}-${++count}`) => {
    const opened = await openWith({ ...optionsOf(), prefix }, source);
    const close = async () => {
      await opened.close();
      if (!kept.has(storage)) await dropKeys(client, prefix);
    };
    const storage: Storage = { ...opened, close, [Symbol.asyncDispose]: close };
    prefixes.set(storage, prefix);
    return storage;
  };
  /** Its keys stay when it is closed: another store has them. */
  const keep = (storage: Storage) => kept.add(storage);
  const reopen = async (storage: Storage) => {
    keep(storage);
    await storage.close();
    return open(undefined, prefixOf(storage));
  };
  /** The same store once more, as another process has it open. */
  const beside = async (storage: Storage) => {
    const other = await open(undefined, prefixOf(storage));
    keep(other);
    return other;
  };
  return { open, reopen, keep, beside, prefixOf, client };
}

/** The keys of a store, without their prefix. */
export async function keysOf(client: BareClient, prefix: string): Promise<string[]> {
  const start = `{${prefix}}:`;
  const found: string[] = [];
  for await (const keys of client.scanIterator({ MATCH: `${start}*`, COUNT: 5_000 })) {
    found.push(...keys.map((key) => key.slice(start.length)));
  }
  return found;
}

async function dropKeys(client: BareClient, prefix: string): Promise<void> {
  const keys = await keysOf(client, prefix);
  if (keys.length > 0) await client.unlink(keys.map((key) => `{${prefix}}:${key}`));
}
