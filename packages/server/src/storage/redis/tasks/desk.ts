import { demandAtMost, demandOneOf, demandWhole } from '../../spi/demand.ts';
import type { DeskOutcome, TaskRow, TasksStore } from '../../spi/tasks.ts';
import { list, PIECE, pieces, record, records } from '../arguments.ts';
import type { Engine, Reply } from '../engine.ts';
import { items } from '../rows.ts';
import { toTask, toTasks } from './row.ts';
import { Turns } from './turns.ts';

type DeskMoves = Pick<
  TasksStore,
  'bind' | 'cancel' | 'kill' | 'edit' | 'skip' | 'hasten' | 'redrive'
>;

/** The moves of people, and of the gateway on their behalf. */
export function deskMoves(engine: Engine): DeskMoves {
  return {
    bind: (move) => bind(engine, move),
    cancel: (move) => cancel(engine, move),
    kill: async (move) => toDeskOutcome(await engine.run('tasks/kill', record(move))),
    edit: async (move) => toDeskOutcome(await engine.run('tasks/edit', record(move))),
    skip: async (move) => toDeskOutcome(await engine.run('tasks/skip', record(move))),
    hasten: async (move) => {
      demandWhole('delayMs', move.delayMs, 0);
      return toDeskOutcome(await engine.run('tasks/hasten', record(move)));
    },
    redrive: async (move) => {
      demandWhole('deadlineMs', move.deadlineMs ?? 0, 0);
      return toDeskOutcome(await engine.run('tasks/redrive', record(move)));
    },
  };
}

type Move<Name extends keyof TasksStore> = Parameters<TasksStore[Name]>[0];

async function bind(engine: Engine, { tasks, now }: Move<'bind'>): Promise<TaskRow[]> {
  demandAtMost('tasks', tasks.length, 1_000);
  for (const { effect } of tasks) {
    demandOneOf('effect', effect, ['read', 'idempotent_write', 'write']);
  }
  const moved: TaskRow[] = [];
  for (const piece of pieces(tasks)) {
    moved.push(...toTasks(await engine.run('tasks/bind', [now, ...records(piece)])));
  }
  return moved;
}

/**
 * Generation by generation. The children of a task are asked for after it was cancelled, when no more
 * can come, so that none slips through between two scripts. Ids are chosen by callers: a tree may be
 * a circle.
 */
async function cancel(engine: Engine, { tree, ...move }: Move<'cancel'>) {
  const cancelled: TaskRow[] = [];
  const turns = new Turns();
  const met = new Set([move.taskId]);
  let generation = [move.taskId];
  while (generation.length > 0 && cancelled.length < CANCELLED_MAX) {
    const size = Math.min(PIECE, CANCELLED_MAX - cancelled.length);
    const ids = generation.slice(0, size);
    const reply = await engine.run('tasks/cancel', [...record(move), ...list(ids)]);
    const [ended, next] = items(reply).map(toTasks);
    turns.take(cancelled, ended, next);
    generation = generation.slice(size);
    if (!tree) continue;
    const children = await Promise.all(ids.map((id) => childrenOf(engine, move.tenant, id)));
    for (const id of children.flat()) {
      if (!met.has(id)) generation.push(id);
      met.add(id);
    }
  }
  return { cancelled, next: turns.left() };
}

/** What one call may cancel. */
const CANCELLED_MAX = 1_000;

async function childrenOf(engine: Engine, tenant: string, parentId: string): Promise<string[]> {
  const ids: string[] = [];
  let from: Reply | undefined = 0;
  while (from !== null && from !== undefined) {
    const words = [tenant, parentId, String(from), CHILDREN_MAX];
    const [page, next]: readonly Reply[] = items(await engine.run('tasks/children', words));
    ids.push(...items(page).map(String));
    from = next;
  }
  return ids;
}

/** Ids a script: each costs it a look. */
const CHILDREN_MAX = 500;

function toDeskOutcome(reply: Reply): DeskOutcome {
  const [outcome, task, next] = items(reply);
  if (outcome === 'unknown') return { outcome };
  if (outcome === 'refused') return { outcome, row: toTask(task) };
  return { outcome: 'ok', row: toTask(task), ...(next ? { next: toTask(next) } : {}) };
}
