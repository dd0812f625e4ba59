import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemRandom } from '@agent-reach/core/kernel';
import { claim, newTask, openStore, submit, type Tasks } from './ours.ts';
import { quantile } from './pace.ts';

/** What was asked of a store, and how long it took, ms. */
export interface QueueRow {
  what: string;
  p50Ms: number;
  p99Ms: number;
}

const CLAIMS = 300;
const QUESTIONS = 100;
const random = systemRandom();

/** Claims out of one queue that is long, and what else is asked while it is. */
export async function longQueue(dir: string, queued: number): Promise<QueueRow[]> {
  const rows: QueueRow[] = [];
  // Two stores with the same rows: on the disk, and in memory, where a claim has no sync to wait for.
  for (const where of ['memory', 'file'] as const) {
    await using storage = await openStore(where === 'file' ? join(dir, `q-${queued}`) : ':memory:');
    await fill(storage.tasks, queued);
    for (const limit of [1, 10]) {
      const what = `claim of ${limit} out of ${queued}, ${where}`;
      rows.push({ what, ...(await timeClaims(storage.tasks, limit)) });
    }
    if (where === 'memory') rows.push(...(await timeQuestions(storage.tasks, queued)));
  }
  return rows;
}

/** Ten callers, all priorities, five types. */
async function fill(tasks: Tasks, queued: number): Promise<void> {
  for (let n = 0; n < queued; n += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, i) =>
      newTask('agent-0', {
        principal: `caller-${random.below(10)}`,
        priority: random.below(11),
        taskType: `query.t${i % 5}`,
      }),
    );
    await submit(tasks, batch);
    await pause(0);
  }
}

function timeClaims(tasks: Tasks, limit: number): Promise<Omit<QueueRow, 'what'>> {
  let claimed: Awaited<ReturnType<typeof claim>> = [];
  return time(
    CLAIMS,
    async () => {
      claimed = await claim(tasks, 'agent-0', limit);
      if (claimed.length !== limit) throw new Error(`${claimed.length} of ${limit} were claimed`);
    },
    async () => {
      // Back with them, so that the queue stays as long as it is.
      for (const { tenant, taskId, epoch } of claimed) {
        const settlement = { end: 'release' } as const;
        await tasks.settle({ tenant, taskId, epoch, settlement, now: 'store' });
      }
    },
  );
}

/** What is asked again and again while a queue is that long. */
async function timeQuestions(tasks: Tasks, queued: number): Promise<QueueRow[]> {
  const [newest] = await tasks.list({ tenant: 'internal', limit: 1 });
  const name = { tenant: 'internal', taskId: newest?.taskId ?? '' };
  const rule = { deliveriesMax: 12, delaysMs: [2_000], limit: 100 };
  const questions: Record<string, () => Promise<unknown>> = {
    'submit of one more': () => submit(tasks, [newTask('agent-0')]),
    'ahead of the newest': () => tasks.ahead(name),
    counts: () => tasks.counts({}),
    'expire, nothing lapsed': () => tasks.expire({ ...rule, now: 'store' }),
    'tick, nothing due': () => tasks.tick({ limit: 100, now: 'store' }),
    'prune, nothing old': () =>
      tasks.prune({ endedBefore: 0, deadBefore: 0, limit: 100, now: 'store' }),
    'list of an agent’s newest 50': () =>
      tasks.list({ tenant: 'internal', agentId: 'agent-0', states: ['queued'], limit: 50 }),
  };
  const rows: QueueRow[] = [];
  for (const [what, ask] of Object.entries(questions)) {
    rows.push({ what: `${what}, ${queued} queued, memory`, ...(await time(QUESTIONS, ask)) });
  }
  return rows;
}

/** Times `act`, so many times, and not what is done `after` it. */
async function time(
  times: number,
  act: () => Promise<unknown>,
  after?: () => Promise<unknown>,
): Promise<Omit<QueueRow, 'what'>> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const begin = performance.now();
    await act();
    took.push(performance.now() - begin);
    await after?.();
  }
  return { p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) };
}
