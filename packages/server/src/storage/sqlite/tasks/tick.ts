import { demandLimit } from '../../moves/demand.ts';
import { move as moveTask } from '../../moves/move.ts';
import { SELECT_TASK, type Stored, toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { shelfOn, stillReady } from './shelf.ts';
import { taskAt, tasksOf } from './stored.ts';

export const tick: Operation<TasksStore['tick']> = (db, move) => {
  demandLimit(move);
  const { now } = move;
  const shelf = shelfOn(db);
  const next: Stored[] = [];
  // By number, for the end of one may have given the next one its turn.
  const overdue = db.all<{ seq: number }>(OVERDUE, move).map(({ seq }) => {
    const task = taskAt(db, seq);
    const freed = moveTask(shelf, task, { cause: 'timeout', now });
    if (freed !== undefined) next.push(freed);
    return task;
  });
  const due = tasksOf(db, DUE, move);
  for (const task of due) {
    task.readyAt = task.dueAt;
    moveTask(shelf, task, { cause: 'due', now });
  }
  return {
    overdue: overdue.map(toRow),
    due: due.map(toRow),
    next: stillReady(db, next).map(toRow),
  };
};

const OVERDUE = `
  SELECT seq FROM tasks
  WHERE deadline_at <= :now AND deadline_at IS NOT NULL
    AND state IN ('blocked', 'queued', 'waiting', 'delivered', 'running')
  ORDER BY deadline_at, seq LIMIT :limit`;

const DUE = `
  ${SELECT_TASK} FROM tasks WHERE state = 'waiting' AND due_at <= :now
  ORDER BY due_at, seq LIMIT :limit`;
