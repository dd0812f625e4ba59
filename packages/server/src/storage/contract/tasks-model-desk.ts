import type { TaskState } from '@agent-reach/core';
import type { DeskOutcome, TaskName, TasksStore } from '../spi/tasks.ts';
import { compact, type Kept, type TasksModel } from './tasks-model.ts';
import { shown, stillReady, timed } from './tasks-model-holders.ts';

type DeskMoves = Pick<TasksStore, 'cancel' | 'kill' | 'edit' | 'skip' | 'hasten' | 'redrive'>;

/** The moves of people. */
export function deskMoves(model: TasksModel): DeskMoves {
  return {
    cancel: async (move) => {
      const { now, by, reason } = timed(move);
      const tree = treeOf(model, move, move.tree).filter((task) => !model.isOver(task));
      const cancelled = tree.slice(0, 1_000);
      const next = cancelled.map((task) => {
        model.takeAway(task);
        return model.move(task, { to: 'cancelled', cause: 'cancelled', now, by, reason });
      });
      return { cancelled: cancelled.map(shown), next: stillReady(next) };
    },
    kill: async (move) =>
      decide(model, move, ['queued', 'waiting'], (task) => {
        const { now, by, reason } = timed(move);
        return model.move(task, { to: 'dead', cause: 'killed', now, by, reason });
      }),
    edit: async (move) =>
      decide(model, move, ['dead'], (task) => {
        if (!model.isAsSeen(task, move.version)) return 'refused';
        edit(model, task, timed(move));
        return undefined;
      }),
    skip: async (move) =>
      decide(model, move, ['dead'], (task) => {
        const { now, by, reason } = timed(move);
        const { row } = task;
        if (row.chain === undefined || row.onDead === 'skip') return 'refused';
        row.onDead = 'skip';
        model.note(task, { from: 'dead', cause: 'skipped', now, by, reason });
        return model.passTurn(row, now);
      }),
    hasten: async (move) =>
      decide(model, move, ['blocked', 'waiting'], (task) => {
        const { now, delayMs, reason } = timed(move);
        const { row } = task;
        if (row.dueAt === undefined || row.dueAt <= now + delayMs) return 'refused';
        row.dueAt = now + delayMs;
        model.note(task, { from: row.state, cause: 'hastened', now, reason });
        return undefined;
      }),
    redrive: async (move) =>
      decide(model, move, ['dead'], (task) => {
        const { now, by, reason, payload, deadlineMs } = timed(move);
        if (payload !== undefined) edit(model, task, { payload, now, by, reason });
        const { row } = task;
        delete task.result;
        delete row.holder;
        delete row.progress;
        delete row.deadlineAt;
        if (deadlineMs !== undefined) row.deadlineAt = now + deadlineMs;
        row.attempts = 0;
        row.deliveries = 0;
        model.takeAway(task);
        const isBehind = row.onDead === 'skip' && model.standsBehind(task, now);
        if (!isBehind) row.readyAt = now;
        return isBehind
          ? model.move(task, { to: 'blocked', cause: 'overtaken', now, by, reason })
          : model.move(task, { to: 'queued', cause: 'redriven', now, by, reason });
      }),
  };
}

/** Generation by generation. Ids are chosen by callers: a tree may be a circle. */
function treeOf(model: TasksModel, name: TaskName, isWhole: boolean): Kept[] {
  const root = model.find(name);
  const found = root === undefined ? [] : [root];
  if (!isWhole) return found;
  for (const { row } of found) {
    const isChild = (task: Kept) =>
      task.row.tenant === row.tenant && task.row.parentId === row.taskId && !found.includes(task);
    found.push(...model.tasks.filter(isChild));
  }
  return found;
}

function decide(
  model: TasksModel,
  name: TaskName,
  states: TaskState[],
  act: (task: Kept) => Kept | 'refused' | undefined,
): DeskOutcome {
  const task = model.find(name);
  if (task === undefined) return { outcome: 'unknown' };
  if (!states.includes(task.row.state)) return { outcome: 'refused', row: shown(task) };
  const next = act(task);
  if (next === 'refused') return { outcome: 'refused', row: shown(task) };
  return compact({
    outcome: 'ok' as const,
    row: shown(task),
    next: next && shown(next),
  }) as DeskOutcome;
}

interface Edit {
  payload: string;
  now: number;
  by: string;
  reason?: string | undefined;
}

function edit(model: TasksModel, task: Kept, { payload, now, by, reason }: Edit): void {
  const before = task.payload;
  task.payload = payload;
  model.note(task, { from: task.row.state, cause: 'edited', now, by, reason });
  const { version } = task.row;
  task.edits = [compact({ version, at: now, by, reason, payload: before }), ...task.edits].slice(
    0,
    20,
  );
}
