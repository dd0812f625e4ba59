import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openRedis } from '@agent-reach/server/redis';
import { Redis } from 'ioredis';
import type { Contender, Lane } from './contender.ts';
import { laneOf, places } from './ours.ts';
import type { RedisServer } from './redis-server.ts';

let lanes = 0;

/**
 * Our store in Redis, on the server that BullMQ is measured on. Each lane is a store with a prefix of
 * its own, so that nothing is left of it.
 */
export function oursOnRedis(server: RedisServer): Contender {
  return {
    name: `Agent-Reach, ${server.appendfsync}`,
    what: `the Redis store on the same server as BullMQ, ${server.what}; a life leaves three lines of history, every completion names its epoch, a queue is bounded and serves its callers in turn`,
    open: () => openLane(server.url),
    serverUs: server.serverUs,
    [Symbol.asyncDispose]: async () => {},
  };
}

async function openLane(url: string): Promise<Lane> {
  const prefix = `reach-bench-${process.pid}-${++lanes}`;
  const house = { clock: systemClock, random: systemRandom(), log: silentLog };
  const storage = await openRedis({ url, prefix, ...house });
  return {
    ...laneOf(storage.tasks, 'lane'),
    drain: async (count, onDone) => places(storage.tasks, 'lane', { count, onDone }),
    async [Symbol.asyncDispose]() {
      await storage.close();
      await dropKeys(url, prefix);
    },
  };
}

async function dropKeys(url: string, prefix: string): Promise<void> {
  const client = new Redis(url);
  for await (const keys of client.scanStream({ match: `{${prefix}}:*`, count: 5_000 })) {
    const some = keys as string[];
    if (some.length > 0) await client.unlink(...some);
  }
  await client.quit();
}
