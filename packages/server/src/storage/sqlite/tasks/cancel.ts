import { move as moveTask } from '../../moves/move.ts';
import { type Stored, toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { shelfOn, stillReady } from './shelf.ts';
import { taskAt } from './stored.ts';

export const cancel: Operation<TasksStore['cancel']> = (db, move) => {
  const { by, reason, now } = move;
  const shelf = shelfOn(db);
  const next: Stored[] = [];
  const found = db.all<{ seq: number }>(move.tree ? TREE : ONE, move);
  const cancelled = found.map(({ seq }) => {
    const task = taskAt(db, seq);
    task.epoch += 1;
    const freed = moveTask(shelf, task, { cause: 'cancelled', now, by, reason });
    if (freed !== undefined) next.push(freed);
    return task;
  });
  return { cancelled: cancelled.map(toRow), next: stillReady(db, next).map(toRow) };
};

const ONE = `
  SELECT seq FROM tasks WHERE tenant = :tenant AND task_id = :taskId AND ended_at IS NULL`;

/**
 * Generation by generation, for a recursive query without ORDER BY is a queue. Ids are chosen by
 * callers, so that a tree may be a circle: UNION meets each task once.
 */
const TREE = `
  WITH RECURSIVE tree (seq, id) AS (
    SELECT seq, task_id FROM tasks WHERE tenant = :tenant AND task_id = :taskId
    UNION
    SELECT child.seq, child.task_id FROM tree
    CROSS JOIN tasks AS child ON child.tenant = :tenant AND child.parent_id = tree.id
  )
  SELECT tree.seq FROM tree CROSS JOIN tasks USING (seq) WHERE ended_at IS NULL LIMIT 1000`;
