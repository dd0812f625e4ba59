import { demandExpire, demandLease } from '../../moves/demand.ts';
import { lapse } from '../../moves/lapse.ts';
import { SELECT_TASK, toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { shelfOn } from './shelf.ts';
import { tasksOf } from './stored.ts';

export const expire: Operation<TasksStore['expire']> = (db, move) => {
  demandExpire(move);
  const expired = tasksOf(db, LAPSED, move);
  const next = expired.flatMap((task) => lapse(shelfOn(db), task, move) ?? []);
  return { expired: expired.map(toRow), next: next.map(toRow) };
};

export const grace: Operation<TasksStore['grace']> = (db, move) => {
  demandLease(move);
  return db.run(GRACE, { until: move.now + move.leaseMs });
};

const LAPSED = `
  ${SELECT_TASK} FROM tasks
  WHERE state IN ('delivered', 'running') AND lease_ends_at <= :now
  ORDER BY lease_ends_at, seq LIMIT :limit`;

const GRACE = `
  UPDATE tasks SET lease_ends_at = :until
  WHERE state IN ('delivered', 'running') AND lease_ends_at < :until`;
