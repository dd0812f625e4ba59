import { isTaskEnd, isTaskLeased } from '@agent-reach/core/task-states';
import type { HolderOutcome, LeaseName } from '../spi/tasks.ts';
import { move as moveTask } from './move.ts';
import type { Shelf } from './shelf.ts';
import { type Stored, toRow } from './stored.ts';

/** How whoever names a lease stands to the task: `late` may still bring a verdict, `lost` may not. */
export type Standing = 'holds' | 'late' | 'lost' | 'stale' | 'ended';

/** Judges a lease by its fence, then by what has become of the task. */
export function standingOf(task: Stored, { epoch }: Pick<LeaseName, 'epoch'>): Standing {
  if (task.epoch !== epoch) return 'stale';
  if (isTaskEnd(task.state)) return 'ended';
  if (isTaskLeased(task.state)) return 'holds';
  // Without a holder nobody had this epoch: it rose when the task was taken away from another.
  return task.state === 'blocked' || task.holder === null ? 'lost' : 'late';
}

/** The receipt of one who holds the task. */
export function receive(shelf: Shelf, task: Stored, move: Word): void {
  lengthen(task, move);
  beginOrSave(shelf, task, move.now);
}

/** A word of progress of one who holds the task. */
export function advance(
  shelf: Shelf,
  task: Stored,
  move: Word & { percent: number; note?: string },
): void {
  lengthen(task, move);
  task.progress = JSON.stringify(furthest(task, move));
  task.updatedAt = move.now;
  beginOrSave(shelf, task, move.now);
}

/** A short word does not take back a long one: a grace, or the holder's own. */
export function lengthen(task: Stored, { leaseMs, now }: Word): number {
  task.leaseEndsAt = Math.max(task.leaseEndsAt ?? 0, now + leaseMs);
  return task.leaseEndsAt;
}

/** What one is told who has no say and whose task has not ended. */
export function deniedOutcome(task: Stored, standing: Standing): HolderOutcome {
  return { outcome: standing === 'stale' ? 'stale' : 'lost', row: toRow(task) };
}

/** An end, with what is stored of it. */
export function endedOutcome(task: Stored, result: string | undefined): HolderOutcome {
  const row = toRow(task);
  return result === undefined ? { outcome: 'ended', row } : { outcome: 'ended', row, result };
}

interface Word {
  leaseMs: number;
  now: number;
}

function beginOrSave(shelf: Shelf, task: Stored, now: number): void {
  if (task.state !== 'delivered') {
    shelf.save(task);
    return;
  }
  task.attempts += 1;
  moveTask(shelf, task, { cause: 'acked', now });
}

/** Progress as it stands after a word of it: a number that falls is an older word. */
function furthest(task: Stored, move: { percent: number; note?: string; now: number }): object {
  const before = task.progress === null ? 0 : (JSON.parse(task.progress) as Progress).percent;
  const percent = Math.max(before, move.percent);
  return { percent, note: move.note, at: move.now };
}

interface Progress {
  percent: number;
}
