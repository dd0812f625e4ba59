import { isBindable, moveIn, placeOf } from '../../moves/bind.ts';
import { demandBind } from '../../moves/demand.ts';
import { SELECT_TASK, toRow } from '../../moves/stored.ts';
import type { TaskRow, TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { CHAINS_NAMED, passGates } from './chains.ts';
import { Lanes } from './lanes.ts';
import { TaskShelf } from './shelf.ts';
import { LOCK_NAMED, NAMED_TASKS, namesOf, tasksOf } from './stored.ts';

export const bind: Operation<TasksStore['bind']> = async (tx, move) => {
  demandBind(move);
  const names = namesOf(move.tasks);
  const shelf = new TaskShelf();
  // A first look, without a lock: what a task's lane is called by never changes but for its place.
  const known = new TaskShelf();
  known.hold(await tasksOf(tx, LOOK, names));
  const places = move.tasks.flatMap((target) => {
    const task = known.byName(target);
    if (task === undefined || !isBindable(task, target)) return [];
    // Where it would stand for a target that names it again.
    return { ...Object.assign(task, placeOf(target)) };
  });
  if (places.length === 0) return [];

  const lanes = new Lanes();
  const gates = passGates(tx, CHAINS_NAMED, names);
  await Promise.all([gates, lanes.find(tx, places)]);
  await lanes.make(tx, places);
  const [found, now] = await Promise.all([tasksOf(tx, LOCK_NAMED, names), tx.clock(move.now)]);
  shelf.hold(found);
  const moved: TaskRow[] = [];
  for (const target of move.tasks) {
    const task = shelf.byName(target);
    const lane = task && lanes.laneOf({ ...task, ...placeOf(target) });
    if (task === undefined || lane === undefined || !isBindable(task, target)) continue;
    const { lane: before } = task;
    Object.assign(task, placeOf(target), { queue: lane.queue, lane: lane.lane });
    moveIn(shelf, task, before, now);
    moved.push(toRow(task));
  }
  shelf.write(tx);
  return moved;
};

const LOOK = `${SELECT_TASK} FROM ${NAMED_TASKS}`;
