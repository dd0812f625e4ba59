import { isReady, move as moveTask } from '../../moves/move.ts';
import { SELECT_TASK, type Stored, toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { holdNext, passGates } from './chains.ts';
import { TaskShelf } from './shelf.ts';
import { IN_ORDER, tasksOf } from './stored.ts';

export const cancel: Operation<TasksStore['cancel']> = async (tx, move) => {
  const { by, reason } = move;
  const shelf = new TaskShelf();
  const doomed = await lockTree(tx, shelf, move);
  const now = await tx.clock(move.now);
  await holdNext(tx, shelf, doomed);
  const next = doomed.flatMap((task) => {
    task.epoch += 1;
    return moveTask(shelf, task, { cause: 'cancelled', now, by, reason }) ?? [];
  });
  shelf.write(tx);
  return { cancelled: doomed.map(toRow), next: next.filter(isReady).map(toRow) };
};

/**
 * Locks a task and its descendants, as far as they have not ended; parents first. A child that is
 * being submitted holds its parent, so locking waits for it; then the tree is looked at again, until
 * nothing is found that was not locked.
 */
async function lockTree(
  tx: Transaction,
  shelf: TaskShelf,
  { tenant, taskId, tree }: { tenant: string; taskId: string; tree: boolean },
): Promise<Stored[]> {
  const name = [tenant, taskId];
  const part = tree ? TREE : ONE;
  for (;;) {
    const [, locked, listed] = await Promise.all([
      passGates(tx, chainsOf(part), name),
      tasksOf(tx, lockThe(part), name),
      tx.lists(part, name) as Promise<[number][]>,
    ]);
    shelf.hold(locked);
    const found = listed.flatMap(([seq]) => shelf.at(seq) ?? []);
    if (found.length === listed.length) return found;
  }
}

const chainsOf = (part: string) => `
  SELECT tasks.tenant, chain FROM (${part}) AS doomed CROSS JOIN LATERAL (
    SELECT * FROM tasks WHERE tasks.seq = doomed.seq LIMIT 1) AS tasks`;

const lockThe = (part: string) => `
  ${SELECT_TASK} FROM (SELECT seq FROM (${part}) AS tasks ${IN_ORDER}) AS doomed
  CROSS JOIN LATERAL (
    SELECT * FROM tasks WHERE tasks.seq = doomed.seq LIMIT 1 FOR NO KEY UPDATE) AS tasks`;

const ONE = `
  SELECT seq FROM tasks WHERE tenant = $1 AND task_id = $2 AND ended_at IS NULL`;

/**
 * Generation by generation, for a recursive query is a queue. Ids are chosen by callers, so that a
 * tree may be a circle: UNION meets each task once.
 */
const TREE = `
  WITH RECURSIVE tree (seq, task_id, ended_at) AS (
    SELECT seq, task_id, ended_at FROM tasks WHERE tenant = $1 AND task_id = $2
    UNION
    SELECT child.seq, child.task_id, child.ended_at FROM tree
    JOIN tasks AS child ON child.tenant = $1 AND child.parent_id = tree.task_id
  )
  SELECT seq FROM tree WHERE ended_at IS NULL LIMIT 1000`;
