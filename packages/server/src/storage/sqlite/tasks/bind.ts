import { isBindable, moveIn, placeOf, type Target } from '../../moves/bind.ts';
import { demandBind } from '../../moves/demand.ts';
import { type Stored, toRow } from '../../moves/stored.ts';
import type { TaskRow, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import { laneOf } from './lanes.ts';
import { shelfOn } from './shelf.ts';
import { findTask } from './stored.ts';

export const bind: Operation<TasksStore['bind']> = (db, move) => {
  demandBind(move);
  const moved: TaskRow[] = [];
  for (const target of move.tasks) {
    const task = findTask(db, target);
    if (task === undefined || !isBindable(task, target)) continue;
    rebind(db, task, target, move.now);
    moved.push(toRow(task));
  }
  return moved;
};

function rebind(db: Database, task: Stored, target: Target, now: number): void {
  const { lane: before } = task;
  const place = placeOf(target);
  Object.assign(task, place);
  Object.assign(task, laneOf(db, task));
  db.run(PLACE, { ...place, queue: task.queue, lane: task.lane, seq: task.seq });
  moveIn(shelfOn(db), task, before, now);
}

const PLACE = `
  UPDATE tasks
  SET queue = :queue, lane = :lane, agent_id = :agentId, grp = :group, home = :home,
      effect = :effect
  WHERE seq = :seq`;
