import { demandExtend } from '../../moves/demand.ts';
import { lengthen, standingOf } from '../../moves/hold.ts';
import type { Stored } from '../../moves/stored.ts';
import type { LeaseOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { TaskShelf } from './shelf.ts';
import { LOCK_NAMED, namesOf, placeOf, tasksOf } from './stored.ts';

export const extend: Operation<TasksStore['extend']> = async (tx, move) => {
  demandExtend(move);
  const shelf = new TaskShelf();
  const [found, now] = await Promise.all([
    tasksOf(tx, LOCK_NAMED, namesOf(move.leases)),
    tx.clock(move.now),
  ]);
  shelf.hold(found);
  const held = new Set<Stored>();
  const outcomes = move.leases.map((lease): LeaseOutcome => {
    const task = shelf.byName(lease);
    if (task === undefined) return { outcome: 'unknown' };
    const standing = standingOf(task, lease);
    const { state } = task;
    if (standing !== 'holds') return { outcome: standing === 'late' ? 'lost' : standing, state };
    held.add(task);
    return { outcome: 'ok', state, leaseEndsAt: lengthen(task, { leaseMs: move.leaseMs, now }) };
  });
  if (held.size > 0) {
    const tasks = [...held];
    tx.put(LENGTHEN, [tasks.map(({ seq }) => seq), tasks.map(({ leaseEndsAt }) => leaseEndsAt)]);
  }
  return outcomes;
};

const LENGTHEN = `
  UPDATE tasks SET lease_ends_at = held.ends_at
  FROM unnest($1::bigint[], $2::bigint[]) AS held (seq, ends_at)
  CROSS JOIN LATERAL ${placeOf('held.seq')} AS stored
  WHERE tasks.ctid = stored.place`;
