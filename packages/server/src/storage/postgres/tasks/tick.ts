import { demandLimit } from '../../moves/demand.ts';
import { isReady, move as moveTask } from '../../moves/move.ts';
import { SELECT_TASK, toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { holdNext } from './chains.ts';
import { TaskShelf } from './shelf.ts';
import { tasksOf } from './stored.ts';
import { lockFound } from './sweep.ts';

export const tick: Operation<TasksStore['tick']> = async (tx, move) => {
  demandLimit(move);
  const shelf = new TaskShelf();
  const now = await tx.clock(move.now);
  const overdue = await lockFound(tx, shelf, OVERDUE, [now, move.limit]);
  await holdNext(tx, shelf, overdue);
  const next = overdue.flatMap((task) => moveTask(shelf, task, { cause: 'timeout', now }) ?? []);
  // What is due is looked for after that: what has failed is not, what got its turn may be.
  shelf.write(tx);
  const due = shelf.hold(await tasksOf(tx, DUE, [now, move.limit]));
  for (const task of due) {
    task.readyAt = task.dueAt;
    moveTask(shelf, task, { cause: 'due', now });
  }
  shelf.write(tx);
  return {
    overdue: overdue.map(toRow),
    due: due.map(toRow),
    next: next.filter(isReady).map(toRow),
  };
};

const OVERDUE = `
  FROM tasks
  WHERE deadline_at <= $1 AND deadline_at IS NOT NULL
    AND state IN ('blocked', 'queued', 'waiting', 'delivered', 'running')
  ORDER BY deadline_at, seq LIMIT $2`;

/** It has its turn already and keeps it, so no gate is passed. */
const DUE = `
  ${SELECT_TASK} FROM tasks WHERE state = 'waiting' AND due_at <= $1
  ORDER BY due_at, seq LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`;
