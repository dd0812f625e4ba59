import {
  advance,
  deniedOutcome,
  endedOutcome,
  lengthen,
  receive,
  standingOf,
} from '../../moves/hold.ts';
import { demandExtend, demandLease, demandProgress } from '../../moves/demand.ts';
import { type Stored, toRow } from '../../moves/stored.ts';
import type { HolderOutcome, LeaseName, LeaseOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import { shelfOn } from './shelf.ts';
import { findTask } from './stored.ts';

export const ack: Operation<TasksStore['ack']> = (db, move) => {
  demandLease(move);
  return speak(db, move, (task) => receive(shelfOn(db), task, move));
};

export const extend: Operation<TasksStore['extend']> = (db, move) => {
  demandExtend(move);
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
  demandProgress(move);
  return speak(db, move, (task) => advance(shelfOn(db), task, move));
};

/** Lets whoever holds the task do something to it; anybody else is told how he stands. */
function speak(db: Database, lease: LeaseName, act: (task: Stored) => void): HolderOutcome {
  const task = findTask(db, lease);
  if (task === undefined) return { outcome: 'unknown' };
  const standing = standingOf(task, lease);
  if (standing === 'ended') return endedOutcome(task, resultOf(db, task));
  if (standing !== 'holds') return deniedOutcome(task, standing);
  act(task);
  return { outcome: 'ok', row: toRow(task) };
}

/** What is stored as a task's result. */
export function resultOf(db: Database, { seq }: Stored): string | undefined {
  return db.first<{ body: string }>(RESULT, seq)?.body;
}

const LENGTHEN = 'UPDATE tasks SET lease_ends_at = ? WHERE seq = ?';

const RESULT = 'SELECT body FROM task_results WHERE seq = ?';
