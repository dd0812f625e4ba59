import { demandExtend, demandLease, demandProgress } from '../../moves/demand.ts';
import {
  advance,
  deniedOutcome,
  endedOutcome,
  lengthen,
  receive,
  standingOf,
} from '../../moves/hold.ts';
import { SELECT_TASK, type Stored, toRow } from '../../moves/stored.ts';
import type { Now } from '../../spi/now.ts';
import type { HolderOutcome, LeaseName, LeaseOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { TaskShelf } from './shelf.ts';
import { IS_NAMED, NAMED, namesOf, tasksOf } from './stored.ts';

export const ack: Operation<TasksStore['ack']> = (tx, move) => {
  demandLease(move);
  return speak(tx, move, (shelf, task, now) => receive(shelf, task, { ...move, now }));
};

export const progress: Operation<TasksStore['progress']> = (tx, move) => {
  demandProgress(move);
  return speak(tx, move, (shelf, task, now) => advance(shelf, task, { ...move, now }));
};

export const extend: Operation<TasksStore['extend']> = async (tx, move) => {
  demandExtend(move);
  const shelf = new TaskShelf();
  const [found, now] = await Promise.all([
    tasksOf(tx, LOCK_NAMED, namesOf(move.leases)),
    tx.clock(move.now),
  ]);
  shelf.hold(found);
  const held = new Set<Stored>();
  const outcomes = move.leases.map((lease): LeaseOutcome => {
    const task = shelf.byName(lease);
    if (task === undefined) return { outcome: 'unknown' };
    const standing = standingOf(task, lease);
    const { state } = task;
    if (standing !== 'holds') return { outcome: standing === 'late' ? 'lost' : standing, state };
    held.add(task);
    return { outcome: 'ok', state, leaseEndsAt: lengthen(task, { leaseMs: move.leaseMs, now }) };
  });
  if (held.size > 0) {
    const tasks = [...held];
    tx.put(LENGTHEN, [tasks.map(({ seq }) => seq), tasks.map(({ leaseEndsAt }) => leaseEndsAt)]);
  }
  return outcomes;
};

/** Lets whoever holds the task do something to it; anybody else is told how he stands. */
async function speak(
  tx: Transaction,
  lease: LeaseName & { now: Now },
  act: (shelf: TaskShelf, task: Stored, now: number) => void,
): Promise<HolderOutcome> {
  const shelf = new TaskShelf();
  const [[task], now] = await Promise.all([
    tasksOf(tx, LOCK, [lease.tenant, lease.taskId]),
    tx.clock(lease.now),
  ]);
  if (task === undefined) return { outcome: 'unknown' };
  const standing = standingOf(task, lease);
  if (standing === 'ended') return endedOutcome(task, await resultOf(tx, task));
  if (standing !== 'holds') return deniedOutcome(task, standing);
  shelf.hold([task]);
  act(shelf, task, now);
  shelf.write(tx);
  return { outcome: 'ok', row: toRow(task) };
}

/** What is stored as a task's result. */
export async function resultOf(tx: Transaction, { seq }: Stored): Promise<string | undefined> {
  const [found] = (await tx.lists(RESULT, [seq])) as [string][];
  return found?.[0];
}

/** Locks a task by its name. */
export const LOCK = `
  ${SELECT_TASK} FROM tasks WHERE tenant = $1 AND task_id = $2 FOR NO KEY UPDATE`;

/** Locks tasks by their names, in the order of their numbers. */
export const LOCK_NAMED = `
  ${SELECT_TASK} FROM ${NAMED} JOIN tasks ON ${IS_NAMED}
  ORDER BY tasks.seq FOR NO KEY UPDATE OF tasks`;

const LENGTHEN = `
  UPDATE tasks SET lease_ends_at = held.ends_at
  FROM unnest($1::bigint[], $2::bigint[]) AS held (seq, ends_at) WHERE tasks.seq = held.seq`;

const RESULT = 'SELECT body FROM task_results WHERE seq = $1';
