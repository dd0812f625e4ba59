import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPEN_TENANT } from '@agent-reach/core';
import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openRedis } from '@agent-reach/server/redis';
import { ownRedis, type RedisServer } from '../tasks/redis-server.ts';
import { nameOf, type Storage, settle } from './fleet.ts';

/** Processor time of the Redis server for what gateways do while nothing happens, µs each. */
export interface StoreCost {
  agents: number;
  renew: number;
  idleClaim: number;
  /** Of one agent, in a look at all. */
  surveyEach: number;
  /** Of one queue, in a look at all. */
  countEach: number;
  tick: number;
}

const SIZES = [1_000, 10_000];
const AT_ONCE = 50;

/** Measured on a server of our own; undefined where none can be started. */
export async function redisCosts(): Promise<StoreCost[] | undefined> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  try {
    await using redis = await ownRedis(dir, 'everysec');
    if (redis === undefined) return undefined;
    const costs: StoreCost[] = [];
    for (const agents of SIZES) costs.push(await costsOf(redis, agents));
    return costs;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function costsOf(redis: RedisServer, agents: number): Promise<StoreCost> {
  await using storage = await openRedis({
    url: redis.url,
    prefix: `scale-${agents}`,
    clock: systemClock,
    random: systemRandom(),
    log: silentLog,
  });
  await settle(storage, agents);
  await queueEach(storage, agents);
  const cost = (count: number, work: (n: number) => Promise<unknown>, each = 1) =>
    serverUs(redis, count, work).then((us) => us / each);
  const at = (n: number) => ({ tenant: OPEN_TENANT, agentId: nameOf(n % agents) });
  const now = 'store' as const;
  return {
    agents,
    renew: await cost(5_000, (n) => {
      const lease = { instanceId: `${nameOf(n % agents)}-1`, leaseMs: 45_000, reported: {} };
      return storage.agents.renew({ ...at(n), ...lease, now });
    }),
    idleClaim: await cost(5_000, (n) =>
      storage.tasks.claim({
        ...at(n),
        agentId: 'nobody',
        holder: 'h',
        limit: 1,
        leaseMs: 30_000,
        fairness: { agingMs: 60_000, agingEvery: 8 },
        now,
      }),
    ),
    surveyEach: await cost(10, () => storage.agents.survey(), agents),
    countEach: await cost(10, () => storage.tasks.counts({}), agents),
    tick: await cost(2_000, () => storage.tasks.tick({ limit: 100, now })),
  };
}

/** One task waits for each agent. */
async function queueEach(storage: Storage, agents: number): Promise<void> {
  const SLICE = 100;
  for (let from = 0; from < agents; from += SLICE) {
    const tasks = Array.from({ length: SLICE }, (_, n) => ({
      tenant: OPEN_TENANT,
      taskId: `t-${from + n}`,
      taskType: 'look_up',
      principal: 'shop',
      agentId: nameOf(from + n),
      traceId: 'f'.repeat(32),
      priority: 5,
      payload: '{"order_no":"ORD1"}',
      fingerprint: 'f'.repeat(64),
      attemptsMax: 4,
      deadlineMs: 3_600_000,
      kind: 'task' as const,
      selector: '{}',
    }));
    await storage.tasks.submit({
      tasks,
      pendingMax: 1_000,
      reserve: 50,
      now: 'store',
    });
  }
}

async function serverUs(
  redis: RedisServer,
  count: number,
  work: (n: number) => Promise<unknown>,
): Promise<number> {
  const before = await redis.serverUs();
  let next = 0;
  const hand = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, hand));
  return ((await redis.serverUs()) - before) / count;
}
