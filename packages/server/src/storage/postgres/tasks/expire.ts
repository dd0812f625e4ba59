import { demandExpire, demandLease } from '../../moves/demand.ts';
import { lapse } from '../../moves/lapse.ts';
import { toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import { TIME, timeOf } from '../ledger.ts';
import type { Operation } from '../operation.ts';
import { holdNext } from './chains.ts';
import { TaskShelf } from './shelf.ts';
import { IN_ORDER, placeOf } from './stored.ts';
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

export const grace: Operation<TasksStore['grace']> = async (tx, move) => {
  demandLease(move);
  const times = [timeOf(move.now), move.leaseMs];
  const short = (await tx.lists(LOCK_SHORT, times)).map(([seq]) => seq as number);
  return short.length === 0 ? 0 : tx.write(LENGTHEN, [...times, short]);
};

const LAPSED = `
  FROM tasks
  WHERE state IN ('delivered', 'running') AND lease_ends_at <= $1
  ORDER BY lease_ends_at, seq LIMIT $2`;

const LOCK_SHORT = `
  SELECT seq FROM tasks
  WHERE state IN ('delivered', 'running') AND lease_ends_at < ${TIME} + $2::bigint
  ${IN_ORDER} FOR NO KEY UPDATE`;

const LENGTHEN = `
  UPDATE tasks SET lease_ends_at = ${TIME} + $2::bigint
  FROM unnest($3::bigint[]) AS short (seq) CROSS JOIN LATERAL ${placeOf('short.seq')} AS stored
  WHERE tasks.ctid = stored.place`;
