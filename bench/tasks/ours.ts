import { join } from 'node:path';
import { idsFrom, silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openSqlite } from '@agent-reach/server/sqlite';
import { type Contender, type Lane, keepAt, newJob } from './contender.ts';

type Storage = Awaited<ReturnType<typeof openSqlite>>;
export type Tasks = Storage['tasks'];
export type NewTask = Parameters<Tasks['submit']>[0]['tasks'][number];

const random = systemRandom();
const ids = idsFrom(systemClock, random);
const LEASE_MS = 30_000;
const BULK = 1_000;

/** Our own store, which can be asked for more than contenders have in common. */
export interface Ours extends Contender {
  tasks: Tasks;
}

let lanes = 0;

/**
 * The embedded store, every commit synced. Its thread belongs to this process. All lanes are queues
 * of one store, because a thread that has just been started would be measured as it warms up.
 */
export async function ours(dir: string): Promise<Ours> {
  const storage = await openStore(join(dir, 'ours'));
  const { tasks } = storage;
  return {
    name: 'Agent-Reach',
    what: 'the embedded SQLite store, `synchronous=FULL`: synced before it is answered; history and fence are part of it',
    tasks,
    open: async () => laneOf(tasks, `lane-${++lanes}`),
    serverUs: async () => 0,
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
}

/** The store in a folder, or `:memory:`. */
export function openStore(dir: string): Promise<Storage> {
  return openSqlite({ dir, clock: systemClock, random, log: silentLog });
}

/** A queue of a store, as contenders are measured. */
export function laneOf(tasks: Tasks, agentId: string): Lane {
  return {
    add: () => submit(tasks, [newTask(agentId)]),
    async addMany(count) {
      for (let left = count; left > 0; left -= BULK) {
        const length = Math.min(BULK, left);
        await submit(
          tasks,
          Array.from({ length }, () => newTask(agentId)),
        );
      }
    },
    live: () => life(tasks, agentId, { ack: false }),
    drain: async (places, onDone) =>
      keepAt(async () => {
        const claimed = await claim(tasks, agentId, places);
        await Promise.all(claimed.map((task) => complete(tasks, task)));
        for (const _ of claimed) onDone();
        return claimed.length > 0;
      }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/**
 * So many places, each taken again as soon as it is free: whoever has some free asks for as many tasks,
 * as a worker does. One claim is on its way at a time.
 */
export function places(
  tasks: Tasks,
  agentId: string,
  { count, onDone }: { count: number; onDone: () => void },
): AsyncDisposable {
  const running = new Set<Promise<void>>();
  const begin = (task: Claimed) => {
    const work = complete(tasks, task).then(() => {
      running.delete(work);
      onDone();
    });
    running.add(work);
  };
  return keepAt(async () => {
    const claimed = await claim(tasks, agentId, count - running.size);
    for (const task of claimed) begin(task);
    const isIdle = claimed.length === 0 && running.size === 0;
    // A race without runners never ends.
    if (!isIdle && (running.size >= count || claimed.length === 0)) await Promise.race(running);
    return !isIdle;
  });
}

/** Submit, claim, receipt, completion: four moves. Without the receipt, which is joined, three. */
export async function life(tasks: Tasks, agentId: string, { ack = true } = {}): Promise<void> {
  await submit(tasks, [newTask(agentId)]);
  const [claimed] = await claim(tasks, agentId, 1);
  if (claimed === undefined) throw new Error('nothing was claimed');
  const { tenant, taskId, epoch } = claimed;
  if (ack) await tasks.ack({ tenant, taskId, epoch, leaseMs: LEASE_MS, now: 'store' });
  await complete(tasks, claimed);
}

/** Stores tasks without a bound on their queue. */
export function submit(tasks: Tasks, some: NewTask[]) {
  return tasks.submit({ tasks: some, pendingMax: 1e9, reserve: 0, now: 'store' });
}

/** Takes up to `limit` tasks, as a gateway does with its default settings. */
export function claim(tasks: Tasks, agentId: string, limit: number) {
  const fairness = { agingMs: 60_000, agingEvery: 8 };
  const lease = { holder: 'i-1', limit, leaseMs: LEASE_MS, fairness, now: 'store' } as const;
  return tasks.claim({ tenant: 'internal', agentId, ...lease });
}

type Claimed = Awaited<ReturnType<typeof claim>>[number];

export async function complete(tasks: Tasks, { tenant, taskId, epoch }: Claimed): Promise<void> {
  const result = '{"status":"shipped","eta":"2026-12-01"}';
  const settlement = { end: 'complete', result } as const;
  const { outcome } = await tasks.settle({ tenant, taskId, epoch, settlement, now: 'store' });
  if (outcome !== 'ok') throw new Error(`a completion was ${outcome}`);
}

/** A task as a gateway stores it. */
export function newTask(agentId: string, facts: Partial<NewTask> = {}): NewTask {
  return {
    tenant: 'internal',
    taskId: ids.next('tsk'),
    taskType: 'query.orders',
    kind: 'task',
    fingerprint: ids.trace(),
    principal: 'shop',
    traceId: ids.trace(),
    agentId,
    effect: 'read',
    priority: 4,
    attemptsMax: 4,
    selector: '{"capability":"query.orders"}',
    payload: JSON.stringify(newJob()),
    ...facts,
  };
}
