import { SELECT_TASK, type Stored } from '../../moves/stored.ts';
import type { Now } from '../../spi/now.ts';
import type { TaskName } from '../../spi/tasks.ts';
import type { Transaction } from '../transaction.ts';
import { CHAINS_NAMED, passGates } from './chains.ts';
import { TaskShelf } from './shelf.ts';
import { LOCK, namesOf, tasksOf } from './stored.ts';

/** A task that is locked, with who would get its turn after it on the shelf. */
export interface Locked {
  shelf: TaskShelf;
  task: Stored | undefined;
  /** Of the moment at which it was locked. */
  now: number;
}

/** Locks one task, behind the gate of its chain, in one round trip. */
export async function lockNamed(tx: Transaction, name: TaskName & { now: Now }): Promise<Locked> {
  const { tenant, taskId } = name;
  const [, [task], next, now] = await Promise.all([
    passGates(tx, CHAINS_NAMED, namesOf([name])),
    tasksOf(tx, LOCK, [tenant, taskId]),
    tasksOf(tx, NEXT_OF_NAMED, [tenant, taskId]),
    tx.clock(name.now),
  ]);
  const shelf = new TaskShelf();
  if (task === undefined) return { shelf, task, now };
  shelf.hold([task, ...next]);
  if (task.chain !== null) shelf.holdChain(tenant, task.chain);
  return { shelf, task, now };
}

/** The first of its chain that is blocked, and not the task itself. */
const NEXT_OF_NAMED = `
  SELECT next.* FROM tasks AS own CROSS JOIN LATERAL (
    ${SELECT_TASK} FROM tasks
    WHERE tasks.tenant = own.tenant AND tasks.chain = own.chain AND state = 'blocked'
      AND tasks.seq <> own.seq
    ORDER BY coalesce(chain_seq, 0), seq LIMIT 1 FOR NO KEY UPDATE) AS next
  WHERE own.tenant = $1 AND own.task_id = $2`;
