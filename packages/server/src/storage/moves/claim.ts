import type { Fairness } from '../spi/tasks.ts';
import { move as moveTask } from './move.ts';
import type { Shelf } from './shelf.ts';
import type { Stored } from './stored.ts';

/** Whether the `n`-th task that a queue hands out is to be an aged one. */
export function isAgedTurn(n: number, fairness: Fairness | undefined): fairness is Fairness {
  return fairness !== undefined && n % fairness.agingEvery === 0;
}

/** Whether a task has been ready too long for its priority. */
export function isAged(
  task: { readyAt: number; priority: number },
  { agingMs }: Fairness,
  now: number,
): boolean {
  return now - task.readyAt > agingMs * (10 - task.priority);
}

/** The order of names: by the bytes of their UTF-8, as engines compare. */
export function byName(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Gives a queued task to a holder, under a lease of a new epoch. */
export function give(
  shelf: Shelf,
  task: Stored,
  { holder, leaseMs, now }: { holder: string; leaseMs: number; now: number },
): void {
  task.epoch += 1;
  task.deliveries += 1;
  task.holder = holder;
  task.leaseEndsAt = now + leaseMs;
  task.progress = null;
  moveTask(shelf, task, { cause: 'claimed', now });
}
