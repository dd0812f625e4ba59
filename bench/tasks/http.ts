import { setTimeout as pause } from 'node:timers/promises';
import { Reach } from '@agent-reach/sdk';
import { type Server, startServer } from '../call/processes.ts';
import { type LoopDelay, machineMs, type TasksDone } from '../call/role.ts';
import { newJob } from './contender.ts';
import { quantile, steadily } from './pace.ts';
import { QUICK, WORK } from './task-types.ts';

/** A gateway, an agent that fetches, and this process, which submits. */
export interface HttpField extends AsyncDisposable {
  gateway: Server;
  worker: Server;
  reach: Reach;
}

/** What one way of submitting did in one round; times are of one message. */
export interface HttpFigures {
  acceptedPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** From the first submission to the last end. */
  endedPerSecond: number;
  /** µs a task. */
  gatewayUs: number;
  gatewayMainUs: number;
  workerUs: number;
  ownUs: number;
}

/** What a burst did to its gateway. */
export interface BurstFigures {
  acceptedMs: number;
  endedMs: number;
  /** While the burst came in, and while it was worked off. */
  coming: LoopDelay;
  working: LoopDelay;
}

/** One round over HTTP. */
export interface HttpRound {
  ways: Record<string, HttpFigures>;
  waited: number[];
  burst: BurstFigures;
}

/** How tasks are submitted: so many in a message, so many messages at once, so many tasks in all. */
const WAYS = [
  { name: 'one at a time', type: WORK, bulk: 1, writers: 1, tasks: 500 },
  { name: '32 at once', type: WORK, bulk: 1, writers: 32, tasks: 1_500 },
  { name: '500 a message', type: WORK, bulk: 500, writers: 1, tasks: 2_000 },
  {
    name: '500 a message, receipt with the result',
    type: QUICK,
    bulk: 500,
    writers: 1,
    tasks: 2_000,
  },
] as const;

export const BURST = 10_000;
/** The bound of a queue is 1,000 by default: a burst would be told 503, which is not what is measured. */
export const PENDING_MAX = 4 * BURST;
const MANY_MS = 60_000;
const LOOK_MS = 20;
/** What is written behind the last answer belongs to the tasks before it. */
const SETTLE_MS = 200;

/** Starts gateway and agent; returns when a task has passed. */
export async function openHttp(dir: string): Promise<HttpField> {
  await using started = new AsyncDisposableStack();
  const settings = [`flowcontrol.max-pending=${PENDING_MAX}`];
  const gateway = started.use(await startServer('gateway', [dir, ...settings]));
  const worker = started.use(await startServer('../tasks/worker', [gateway.origin]));
  const reach = new Reach({ endpoint: gateway.origin, agentId: 'bench' });
  started.defer(() => reach.close());
  const { task_id: id } = await reach.tasks.submit(taskOf(WORK));
  await reach.tasks.wait(id);
  await worker.tasks();
  const held = started.move();
  return { gateway, worker, reach, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** One round: every way of submitting, a steady few a second, and a burst. */
export async function httpRound(field: HttpField, seconds: number): Promise<HttpRound> {
  const ways: HttpRound['ways'] = {};
  for (const way of WAYS) ways[way.name] = await submitAndEnd(field, way);
  const count = Math.round(seconds * 2 * 50);
  await steadily(() => field.reach.tasks.submit(taskOf(WORK)), { count, perSecond: 50 });
  const { waitedMs: waited } = await ended(field.worker, count);
  return { ways, waited, burst: await burst(field) };
}

async function submitAndEnd(
  { gateway, worker, reach }: HttpField,
  { type, bulk, writers, tasks }: (typeof WAYS)[number],
): Promise<HttpFigures> {
  const before = await usages(gateway, worker);
  const took: number[] = [];
  const begin = machineMs();
  let left = tasks;
  const write = async () => {
    while (left > 0) {
      left -= bulk;
      const sentAt = performance.now();
      await submitSome(reach, type, bulk);
      took.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const acceptedMs = machineMs() - begin;
  const { lastAt } = await ended(worker, tasks);
  await pause(SETTLE_MS);
  const after = await usages(gateway, worker);
  const each = (name: keyof typeof after) => (after[name] - before[name]) / tasks;
  return {
    acceptedPerSecond: (tasks / acceptedMs) * 1_000,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    endedPerSecond: (tasks / (lastAt - begin)) * 1_000,
    gatewayUs: each('gatewayUs'),
    gatewayMainUs: each('gatewayMainUs'),
    workerUs: each('workerUs'),
    ownUs: each('ownUs'),
  };
}

/** All of it at once, in messages of the size that the SDK sends. */
async function burst({ gateway, worker, reach }: HttpField): Promise<BurstFigures> {
  const begin = machineMs();
  const MESSAGES = 10;
  const { delay: coming } = await gateway.loopDelay(() =>
    Promise.all(Array.from({ length: MESSAGES }, () => submitSome(reach, WORK, BURST / MESSAGES))),
  );
  const acceptedMs = machineMs() - begin;
  const { result, delay: working } = await gateway.loopDelay(() => ended(worker, BURST));
  return { acceptedMs, endedMs: result.lastAt - begin, coming, working };
}

export async function submitSome(reach: Reach, type: string, count: number): Promise<void> {
  if (count === 1) {
    await reach.tasks.submit(taskOf(type), { timeoutMs: MANY_MS });
    return;
  }
  const tasks = Array.from({ length: count }, () => taskOf(type));
  const outcomes = await reach.tasks.submitMany(tasks, { timeoutMs: MANY_MS });
  const refused = outcomes.find(({ error }) => error !== undefined)?.error;
  if (refused !== undefined) throw refused;
}

function taskOf(type: string) {
  return { task_type: type, payload: { ...newJob(), sent_at: machineMs() } };
}

/** Returns when so many more tasks have ended, whoever of the workers had them. */
export async function ended(
  workers: Server | readonly Server[],
  count: number,
): Promise<TasksDone> {
  const all: TasksDone = { count: 0, waitedMs: [], lastAt: 0 };
  const end = machineMs() + MANY_MS;
  while (all.count < count) {
    if (machineMs() > end) throw new Error(`${count - all.count} of ${count} tasks did not end.`);
    await pause(LOOK_MS);
    for (const worker of [workers].flat()) {
      const more = await worker.tasks();
      all.count += more.count;
      all.lastAt = Math.max(all.lastAt, more.lastAt);
      all.waitedMs.push(...more.waitedMs);
    }
  }
  return all;
}

async function usages(gateway: Server, worker: Server) {
  const [at, of] = [await gateway.usage(), await worker.usage()];
  const { user, system } = process.cpuUsage();
  return {
    gatewayUs: at.cpuUs,
    gatewayMainUs: at.mainUs,
    workerUs: of.cpuUs,
    ownUs: user + system,
  };
}
