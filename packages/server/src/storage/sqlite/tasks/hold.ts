import { isTaskEnd, isTaskLeased } from '@agent-reach/core/task-states';
import type { HolderOutcome, LeaseName, LeaseOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import { demandAtMost, demandWhole } from '../../spi/demand.ts';
import { move as moveTask } from './move.ts';
import { findTask, saveTask, type Stored, toRow } from './stored.ts';

/** How whoever names a lease stands to the task: `late` may still bring a verdict, `lost` may not. */
export type Standing = 'holds' | 'late' | 'lost' | 'stale' | 'ended';

/** Judges a lease by its fence, then by what has become of the task. */
export function standingOf(task: Stored, { epoch }: LeaseName): Standing {
  if (task.epoch !== epoch) return 'stale';
  if (isTaskEnd(task.state)) return 'ended';
  if (isTaskLeased(task.state)) return 'holds';
  // Without a holder nobody had this epoch: it rose when the task was taken away from another.
  return task.state === 'blocked' || task.holder === null ? 'lost' : 'late';
}

export const ack: Operation<TasksStore['ack']> = (db, move) => {
  demandWhole('leaseMs', move.leaseMs, 1);
  return speak(db, move, (task) => {
    lengthen(task, move);
    if (task.state === 'delivered') begin(db, task, move.now);
    else saveTask(db, task);
  });
};

export const extend: Operation<TasksStore['extend']> = (db, move) => {
  demandWhole('leaseMs', move.leaseMs, 1);
  demandAtMost('leases', move.leases.length, 1_000);
  return move.leases.map((lease): LeaseOutcome => {
    const task = findTask(db, lease);
    if (task === undefined) return { outcome: 'unknown' };
    const standing = standingOf(task, lease);
    const { state } = task;
    if (standing !== 'holds') return { outcome: standing === 'late' ? 'lost' : standing, state };
    const leaseEndsAt = lengthen(task, move);
    db.write(LENGTHEN, leaseEndsAt, task.seq);
    return { outcome: 'ok', state, leaseEndsAt };
  });
};

export const progress: Operation<TasksStore['progress']> = (db, move) => {
  demandWhole('leaseMs', move.leaseMs, 1);
  if (!(move.percent >= 0 && move.percent <= 100)) throw new RangeError('percent is 0 to 100');
  return speak(db, move, (task) => {
    lengthen(task, move);
    task.progress = JSON.stringify(furthest(task, move));
    task.updatedAt = move.now;
    if (task.state === 'delivered') begin(db, task, move.now);
    else saveTask(db, task);
  });
};

/** Lets whoever holds the task do something to it; anybody else is told how he stands. */
function speak(db: Database, lease: LeaseName, act: (task: Stored) => void): HolderOutcome {
  const task = findTask(db, lease);
  if (task === undefined) return { outcome: 'unknown' };
  const standing = standingOf(task, lease);
  if (standing === 'ended') return endedOutcome(db, task);
  if (standing !== 'holds') {
    return { outcome: standing === 'late' ? 'lost' : standing, row: toRow(task) };
  }
  act(task);
  return { outcome: 'ok', row: toRow(task) };
}

/** An end, with what is stored of it. */
export function endedOutcome(db: Database, task: Stored): HolderOutcome {
  const result = db.first<{ body: string }>(RESULT, task.seq)?.body;
  const row = toRow(task);
  return result === undefined ? { outcome: 'ended', row } : { outcome: 'ended', row, result };
}

function begin(db: Database, task: Stored, now: number): void {
  task.attempts += 1;
  moveTask(db, task, { cause: 'acked', now });
}

/** A short word does not take back a long one: a grace, or the holder's own. */
function lengthen(task: Stored, { leaseMs, now }: { leaseMs: number; now: number }): number {
  task.leaseEndsAt = Math.max(task.leaseEndsAt ?? 0, now + leaseMs);
  return task.leaseEndsAt;
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

const LENGTHEN = 'UPDATE tasks SET lease_ends_at = ? WHERE seq = ?';

const RESULT = 'SELECT body FROM task_results WHERE seq = ?';
