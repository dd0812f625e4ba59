import type { TaskCause } from '@agent-reach/core/task-states';
import type { WhenSpent } from '../spi/tasks.ts';
import { move as moveTask } from './move.ts';
import type { Shelf } from './shelf.ts';
import { inDoubt, isKeptWhenSpent } from './spent.ts';
import type { Stored } from './stored.ts';

/** What becomes of leases whose time is up. */
export interface LapseRule {
  deliveriesMax: number;
  whenSpent?: WhenSpent | undefined;
  delaysMs: readonly number[];
  now: number;
}

/** Ends the lease of a task whose holder was not heard of in time; answers as `move` does. */
export function lapse(shelf: Shelf, task: Stored, rule: LapseRule): Stored | undefined {
  const cause = causeOf(task, rule);
  if (cause === 'lease-lost' && task.state === 'running') {
    task.dueAt = rule.now + delayAfter(task.attempts, rule.delaysMs);
  }
  return moveTask(shelf, task, { cause, now: rule.now, reason: sentence(cause, task) });
}

/** What becomes of a task whose holder was not heard of in time. */
function causeOf(task: Stored, { deliveriesMax, whenSpent }: LapseRule): TaskCause {
  const isSpent = task.deliveries >= deliveriesMax;
  const isKept = isKeptWhenSpent(task, whenSpent);
  if (task.state === 'delivered') {
    if (!isSpent) return 'lease-lost';
    return isKept ? 'deliveries-spent' : 'given-up';
  }
  // It has begun, so it may have been done: only who said that twice is no harm is run again.
  const isRepeatable = task.effect === 'read' || task.effect === 'idempotent_write';
  if (!isRepeatable) return inDoubt(task);
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
