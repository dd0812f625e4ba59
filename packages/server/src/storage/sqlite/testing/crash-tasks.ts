import assert from 'node:assert/strict';
import type { Storage } from '../../spi/storage.ts';
import type { NewTask, TaskName, TaskRow } from '../../spi/tasks.ts';
import type { CrashMove } from './crash-move.ts';

export type TaskKind = 'submit' | 'bulk' | 'complete' | 'retry' | 'chain' | 'tree' | 'share';

const NOW = 1_800_000_000_000;
const TENANT = 'crash';

/**
 * Moves of tasks for the process that is killed. Each task has an agent of its own, but those of
 * `share`, which all writers claim from one queue.
 */
export const TASK_MOVES: Readonly<Record<TaskKind, CrashMove>> = {
  submit: {
    make: (storage, id) => submit(storage, task(id)),
    async check(storage, id) {
      const found = await storage.tasks.get(name(id));
      assert.equal(found?.payload, bodyOf(id));
      assert.equal(found?.state, 'queued');
    },
  },
  bulk: {
    make: (storage, id) =>
      submit(storage, task(`${id}.1`), task(`${id}.2`), task(`${id}.3`, { chain: id })),
    async check(storage, id) {
      for (const part of ['1', '2', '3']) await assertTale(storage, `${id}.${part}`, 'submitted');
    },
  },
  complete: {
    async make(storage, id) {
      await submit(storage, task(id));
      await complete(storage, await start(storage, id));
    },
    async check(storage, id) {
      await assertTale(storage, id, 'submitted claimed acked completed');
      assert.equal((await storage.tasks.get(name(id)))?.result, bodyOf(id));
    },
  },
  retry: {
    async make(storage, id) {
      await submit(storage, task(id));
      const lease = await start(storage, id);
      const fail = { end: 'fail', retryable: true, reason: 'busy', delayMs: 1 } as const;
      await storage.tasks.settle({ ...lease, settlement: fail, now: NOW });
    },
    check: (storage, id) => assertTale(storage, id, 'submitted claimed acked retry'),
  },
  chain: {
    async make(storage, id) {
      await submit(storage, task(`${id}.1`, { chain: id }), task(`${id}.2`, { chain: id }));
      await complete(storage, await start(storage, `${id}.1`));
    },
    async check(storage, id) {
      await assertTale(storage, `${id}.1`, 'submitted claimed acked completed');
      await assertTale(storage, `${id}.2`, 'submitted unblocked');
    },
  },
  tree: {
    async make(storage, id) {
      await submit(storage, task(id), task(`${id}.1`, { parentId: id }));
      await storage.tasks.cancel({ ...name(id), tree: true, now: NOW });
    },
    async check(storage, id) {
      for (const part of [id, `${id}.1`]) await assertTale(storage, part, 'submitted cancelled');
    },
  },
  share: {
    async make(storage, id) {
      await submit(storage, task(id, { agentId: 'shared' }));
      const claim = { tenant: TENANT, agentId: 'shared', holder: id, leaseMs: 1e9, now: NOW };
      const taken = await storage.tasks.claim({ ...claim, limit: 3 });
      await Promise.all(taken.map((row) => complete(storage, row)));
    },
    async check(storage, id) {
      // Somebody else may have claimed it, and have been killed then.
      const history = await storage.tasks.history(name(id));
      const claims = history.filter(({ cause }) => cause === 'claimed');
      assert.ok(claims.length <= 1);
    },
  },
};

function task(taskId: string, facts: Partial<NewTask> = {}): NewTask {
  return {
    ...name(taskId),
    taskType: 'query',
    kind: 'task',
    fingerprint: taskId,
    principal: 'shop',
    traceId: taskId,
    agentId: taskId,
    effect: 'read',
    priority: 4,
    attemptsMax: 4,
    selector: '{}',
    payload: bodyOf(taskId),
    key: { scope: TENANT, key: taskId, fingerprint: 'f', pinned: '{}', answer: '{}', ttlMs: 1e9 },
    ...facts,
  };
}

function name(taskId: string): TaskName {
  return { tenant: TENANT, taskId };
}

async function submit({ tasks }: Storage, ...batch: NewTask[]): Promise<void> {
  const answers = await tasks.submit({ tasks: batch, pendingMax: 1e9, reserve: 0, now: NOW });
  for (const { outcome } of answers) assert.equal(outcome, 'accepted');
}

async function start({ tasks }: Storage, agentId: string): Promise<TaskRow> {
  const claim = { tenant: TENANT, agentId, holder: 'i-1', limit: 1, leaseMs: 1e9, now: NOW };
  const [row] = await tasks.claim(claim);
  assert.ok(row);
  await tasks.ack({ ...row, leaseMs: 1e9, now: NOW });
  return row;
}

async function complete({ tasks }: Storage, row: TaskRow): Promise<void> {
  const settlement = { end: 'complete', result: bodyOf(row.taskId) } as const;
  const { outcome } = await tasks.settle({ ...row, settlement, now: NOW });
  assert.equal(outcome, 'ok');
}

/** Compares what happened to a task, in words. */
async function assertTale(storage: Storage, taskId: string, tale: string): Promise<void> {
  const history = await storage.tasks.history(name(taskId));
  assert.equal(history.map(({ cause }) => cause).join(' '), tale, taskId);
}

/** Long enough to fill pages, so that a torn write would show. */
function bodyOf(id: string): string {
  return JSON.stringify({ id, text: id.repeat(40) });
}
