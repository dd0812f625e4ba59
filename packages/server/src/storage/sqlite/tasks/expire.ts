import type { TaskCause } from '@agent-reach/core/task-states';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation, Timed } from '../operation.ts';
import { demandOneOf, demandWhole } from '../../spi/demand.ts';
import { move as moveTask } from './move.ts';
import { SELECT_TASK, type Stored, tasksOf, toRow } from './stored.ts';

type Expire = Timed<Parameters<TasksStore['expire']>[0]>;

export const expire: Operation<TasksStore['expire']> = (db, move) => {
  demandWhole('limit', move.limit, 1);
  demandWhole('deliveriesMax', move.deliveriesMax, 1);
  for (const delayMs of move.delaysMs) demandWhole('delaysMs', delayMs, 0);
  demandOneOf('whenSpent', move.whenSpent, ['dead', 'failed']);
  const next: Stored[] = [];
  const expired = tasksOf(db, LAPSED, move);
  for (const task of expired) {
    const cause = causeOf(task, move);
    if (cause === 'lease-lost' && task.state === 'running') {
      task.dueAt = move.now + delayAfter(task.attempts, move.delaysMs);
    }
    const freed = moveTask(db, task, { cause, now: move.now, reason: sentence(cause, task) });
    if (freed !== undefined) next.push(freed);
  }
  return { expired: expired.map(toRow), next: next.map(toRow) };
};

export const grace: Operation<TasksStore['grace']> = (db, move) => {
  demandWhole('leaseMs', move.leaseMs, 1);
  return db.run(GRACE, { until: move.now + move.leaseMs });
};

/** What becomes of a task whose holder was not heard of in time. */
function causeOf(task: Stored, { deliveriesMax, whenSpent }: Expire): TaskCause {
  const isSpent = task.deliveries >= deliveriesMax;
  const isCall = task.kind === 'call';
  const isKept = !isCall && whenSpent !== 'failed';
  if (task.state === 'delivered') {
    if (!isSpent) return 'lease-lost';
    return isKept ? 'deliveries-spent' : 'given-up';
  }
  // It has begun, so it may have been done: only who said that twice is no harm is run again.
  const isRepeatable = task.effect === 'read' || task.effect === 'idempotent_write';
  if (!isRepeatable) return isCall ? 'given-up' : 'needs-decision';
  if (!isSpent && task.attempts < task.attemptsMax) return 'lease-lost';
  if (!isKept) return 'given-up';
  return task.attempts >= task.attemptsMax ? 'attempts-spent' : 'deliveries-spent';
}

/** In whose hands it was, for whoever asks why it moved. */
function sentence(cause: TaskCause, task: Stored): string {
  const lost = `${task.holder} was not heard of in time`;
  return cause === 'needs-decision' ? `${lost}; the work may have been done` : lost;
}

function delayAfter(attempts: number, delaysMs: readonly number[]): number {
  return delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0;
}

const LAPSED = `
  ${SELECT_TASK} FROM tasks
  WHERE state IN ('delivered', 'running') AND lease_ends_at <= :now
  ORDER BY lease_ends_at, seq LIMIT :limit`;

const GRACE = `
  UPDATE tasks SET lease_ends_at = :until
  WHERE state IN ('delivered', 'running') AND lease_ends_at < :until`;
