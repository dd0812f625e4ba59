import { isTaskEnd, isTaskLeased } from '@agent-reach/core/task-states';
import type { TaskRow, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation, Timed } from '../operation.ts';
import { demandAtMost, demandOneOf } from '../../spi/demand.ts';
import { writeLine } from './history.ts';
import { laneOf, recount } from './lanes.ts';
import { findTask, saveTask, type Stored, toRow } from './stored.ts';

type Bind = Timed<Parameters<TasksStore['bind']>[0]>;
type Target = Bind['tasks'][number];

export const bind: Operation<TasksStore['bind']> = (db, move) => {
  demandAtMost('tasks', move.tasks.length, 1_000);
  for (const { effect } of move.tasks) {
    demandOneOf('effect', effect, ['read', 'idempotent_write', 'write']);
  }
  const moved: TaskRow[] = [];
  for (const target of move.tasks) {
    const task = findTask(db, target);
    if (task === undefined || isTaskEnd(task.state) || isTaskLeased(task.state)) continue;
    if (!rebind(db, task, target, move.now)) continue;
    moved.push(toRow(task));
  }
  return moved;
};

/** False: it stands there already. */
function rebind(db: Database, task: Stored, target: Target, now: number): boolean {
  const place = {
    agentId: target.agentId ?? null,
    group: target.group ?? null,
    home: target.home ?? null,
    effect: target.effect ?? null,
  };
  const isThere =
    task.agentId === place.agentId &&
    task.group === place.group &&
    task.home === place.home &&
    task.effect === place.effect;
  if (isThere) return false;

  const { lane: before } = task;
  Object.assign(task, place);
  Object.assign(task, laneOf(db, task));
  task.epoch += 1;
  task.version += 1;
  task.holder = null;
  task.progress = null;
  task.updatedAt = now;
  saveTask(db, task);
  db.run(PLACE, { ...place, queue: task.queue, lane: task.lane, seq: task.seq });
  writeLine(db, task, { from: task.state, cause: 'bound', agentId: task.agentId });
  recount(db, before, task.state, undefined);
  recount(db, task.lane, undefined, task.state);
  return true;
}

const PLACE = `
  UPDATE tasks
  SET queue = :queue, lane = :lane, agent_id = :agentId, grp = :group, home = :home,
      effect = :effect
  WHERE seq = :seq`;
