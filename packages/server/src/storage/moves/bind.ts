import { isTaskEnd, isTaskLeased } from '@agent-reach/core/task-states';
import type { TasksStore } from '../spi/tasks.ts';
import type { Shelf } from './shelf.ts';
import type { Stored } from './stored.ts';

/** Where a task is to stand, and as what. */
export type Target = Parameters<TasksStore['bind']>[0]['tasks'][number];

/** Whether a task may be put to another place: nobody holds it, and it is not there yet. */
export function isBindable(task: Stored, target: Target): boolean {
  if (isTaskEnd(task.state) || isTaskLeased(task.state)) return false;
  const place = placeOf(target);
  return (
    task.agentId !== place.agentId ||
    task.group !== place.group ||
    task.home !== place.home ||
    task.effect !== place.effect
  );
}

/** The place that a target names, as a row holds it. */
export function placeOf(target: Target): Pick<Stored, 'agentId' | 'group' | 'home' | 'effect'> {
  return {
    agentId: target.agentId ?? null,
    group: target.group ?? null,
    home: target.home ?? null,
    effect: target.effect ?? null,
  };
}

/**
 * Moves a task from the lane it was in to the one it stands in now: its place has been changed, and
 * the caller saves it.
 */
export function moveIn(shelf: Shelf, task: Stored, before: number, now: number): void {
  task.epoch += 1;
  task.version += 1;
  task.holder = null;
  task.progress = null;
  task.updatedAt = now;
  shelf.save(task);
  shelf.writeLine(task, { from: task.state, cause: 'bound', agentId: task.agentId });
  shelf.recount(before, task.state, undefined);
  shelf.recount(task.lane, undefined, task.state);
}
