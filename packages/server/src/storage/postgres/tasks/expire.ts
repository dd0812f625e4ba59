import { demandExpire, demandLease } from '../../moves/demand.ts';
import { lapse } from '../../moves/lapse.ts';
import { toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import { TIME, timeOf } from '../ledger.ts';
import type { Operation } from '../operation.ts';
import { holdNext } from './chains.ts';
import { TaskShelf } from './shelf.ts';
import { lockFound } from './sweep.ts';

export const expire: Operation<TasksStore['expire']> = async (tx, move) => {
  demandExpire(move);
  const shelf = new TaskShelf();
  const now = await tx.clock(move.now);
  const expired = await lockFound(tx, shelf, LAPSED, [now, move.limit]);
  await holdNext(tx, shelf, expired);
  const next = expired.flatMap((task) => lapse(shelf, task, { ...move, now }) ?? []);
  shelf.write(tx);
  return { expired: expired.map(toRow), next: next.map(toRow) };
};

export const grace: Operation<TasksStore['grace']> = (tx, move) => {
  demandLease(move);
  return tx.write(GRACE, [timeOf(move.now), move.leaseMs]);
};

const LAPSED = `
  FROM tasks
  WHERE state IN ('delivered', 'running') AND lease_ends_at <= $1
  ORDER BY lease_ends_at, seq LIMIT $2`;

// In the order in which whoever else takes several would lock them.
const GRACE = `
  UPDATE tasks SET lease_ends_at = ${TIME} + $2::bigint FROM (
    SELECT seq FROM tasks
    WHERE state IN ('delivered', 'running') AND lease_ends_at < ${TIME} + $2::bigint
    ORDER BY seq FOR NO KEY UPDATE) AS short
  WHERE tasks.seq = short.seq`;
