import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { demandWhole } from '../../spi/demand.ts';
import { move as moveTask, stillReady } from './move.ts';
import { SELECT_TASK, type Stored, taskAt, tasksOf, toRow } from './stored.ts';

export const tick: Operation<TasksStore['tick']> = (db, move) => {
  demandWhole('limit', move.limit, 1);
  const { now } = move;
  const next: Stored[] = [];
  // By number, for the end of one may have given the next one its turn.
  const overdue = db.all<{ seq: number }>(OVERDUE, move).map(({ seq }) => {
    const task = taskAt(db, seq);
    const freed = moveTask(db, task, { cause: 'timeout', now });
    if (freed !== undefined) next.push(freed);
    return task;
  });
  const due = tasksOf(db, DUE, move);
  for (const task of due) {
    task.readyAt = task.dueAt;
    moveTask(db, task, { cause: 'due', now });
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
