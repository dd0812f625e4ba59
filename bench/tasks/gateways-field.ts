import { setTimeout as pause } from 'node:timers/promises';
import { Reach } from '@agent-reach/sdk';
import { type Server, startServer } from '../call/processes.ts';
import { machineMs } from '../call/role.ts';
import { ended, PENDING_MAX, submitSome } from './http.ts';
import { quantile } from './pace.ts';
import type { RedisServer } from './redis-server.ts';
import { WORK } from './task-types.ts';

/** Gateways on one Redis, as many agents that fetch and as many submitters. */
export interface GatewaysField extends AsyncDisposable {
  name: string;
  round(): Promise<GatewaysFigures>;
}

/** What one round did; µs of processor a task, of all processes of a kind together. */
export interface GatewaysFigures {
  endedPerSecond: number;
  gatewayUs: number;
  redisUs: number;
  /** From submission to start. */
  waitedP50Ms: number;
  waitedP99Ms: number;
}

/** The same in each field: two agents and two submitters, spread over the gateways there are. */
const SIDES = 2;
const WRITERS = 16;
const TASKS = 2_000;
/** What is written behind the last answer belongs to the tasks before it. */
const SETTLE_MS = 200;

/** Starts `count` gateways on a store of their own; returns when a task has passed. */
export async function openGateways(
  redis: RedisServer,
  count: number,
  dir: string,
): Promise<GatewaysField> {
  await using started = new AsyncDisposableStack();
  const settings = [
    `flowcontrol.max-pending=${PENDING_MAX}`,
    'storage.driver=redis',
    `redis.addr=${redis.url}`,
    `redis.prefix=bench-${process.pid}-${count}`,
  ];
  const gateways: Server[] = [];
  for (let n = 0; n < count; n++) {
    gateways.push(started.use(await startServer('gateway', [dir, ...settings])));
  }
  const origins = Array.from({ length: SIDES }, (_, n) => gateways[n % count]?.origin ?? '');
  const workers: Server[] = [];
  for (const origin of origins) {
    workers.push(started.use(await startServer('../tasks/worker', [origin])));
  }
  const callers = origins.map((endpoint) => new Reach({ endpoint, agentId: 'bench' }));
  started.defer(async () => {
    for (const reach of callers) await reach.close();
  });
  for (const reach of callers) await submitSome(reach, WORK, 1);
  await ended(workers, callers.length);
  const held = started.move();
  return {
    name: count === 1 ? 'one gateway' : `${count} gateways`,
    round: () => round({ gateways, workers, callers, redis }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function round(at: {
  gateways: Server[];
  workers: Server[];
  callers: Reach[];
  redis: RedisServer;
}): Promise<GatewaysFigures> {
  const { gateways, workers, callers, redis } = at;
  const before = await usage(gateways, redis);
  const begin = machineMs();
  let left = TASKS;
  const write = async (reach: Reach) => {
    while (left-- > 0) await submitSome(reach, WORK, 1);
  };
  const places = Array.from({ length: WRITERS / SIDES });
  await Promise.all(callers.flatMap((reach) => places.map(() => write(reach))));
  const { lastAt, waitedMs } = await ended(workers, TASKS);
  await pause(SETTLE_MS);
  const after = await usage(gateways, redis);
  return {
    endedPerSecond: (TASKS / (lastAt - begin)) * 1_000,
    gatewayUs: (after.gatewayUs - before.gatewayUs) / TASKS,
    redisUs: (after.redisUs - before.redisUs) / TASKS,
    waitedP50Ms: quantile(waitedMs, 0.5),
    waitedP99Ms: quantile(waitedMs, 0.99),
  };
}

async function usage(gateways: readonly Server[], redis: RedisServer) {
  let gatewayUs = 0;
  for (const gateway of gateways) gatewayUs += (await gateway.usage()).cpuUs;
  return { gatewayUs, redisUs: await redis.serverUs() };
}
