import { SELECT_TASK, type Stored } from '../../moves/stored.ts';
import type { Transaction } from '../transaction.ts';
import type { Value } from '../values.ts';
import { passGates } from './chains.ts';
import { pairKey, type TaskShelf } from './shelf.ts';
import { tasksOf } from './stored.ts';

/**
 * Locks the tasks that `from` (a text from FROM to LIMIT) finds, behind the gates of their chains.
 *
 * What somebody else is at work on is passed over, and so is what came up after the gates were
 * passed: the next sweep is soon.
 */
export async function lockFound(
  tx: Transaction,
  shelf: TaskShelf,
  from: string,
  values: readonly Value[],
): Promise<Stored[]> {
  const [passed, found] = await Promise.all([
    passGates(tx, `SELECT tenant, chain ${from}`, values),
    tasksOf(tx, `${SELECT_TASK} ${from} FOR NO KEY UPDATE SKIP LOCKED`, values),
  ]);
  return shelf.hold(
    found.filter(({ tenant, chain }) => chain === null || passed.has(pairKey(tenant, chain))),
  );
}
