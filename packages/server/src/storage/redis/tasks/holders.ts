import type { TaskState } from '@agent-reach/core/task-states';
import { demandAtMost, demandNewTask, demandWhole } from '../../spi/demand.ts';
import type { HolderOutcome, LeaseOutcome, SubmitOutcome, TasksStore } from '../../spi/tasks.ts';
import { type Argument, optionalList, pieces, record, records } from '../arguments.ts';
import type { Engine, Reply } from '../engine.ts';
import { toKeyRecord } from '../ledger/row.ts';
import { items } from '../rows.ts';
import { FIXED, PLACED } from './names.ts';
import { toRow, toTask, valuesOf } from './row.ts';

type HolderMoves = Pick<TasksStore, 'submit' | 'claim' | 'ack' | 'extend' | 'progress' | 'settle'>;

/** The moves of those who send work and of those who do it. */
export function holderMoves(engine: Engine): HolderMoves {
  return {
    submit: (move) => submit(engine, move),
    claim: (move) => claim(engine, move),
    extend: (move) => extend(engine, move),
    ack: async (move) => {
      demandWhole('leaseMs', move.leaseMs, 1);
      return toHolderOutcome(await engine.runTogether('tasks/ack', record(move)));
    },
    progress: async (move) => {
      demandWhole('leaseMs', move.leaseMs, 1);
      if (!(move.percent >= 0 && move.percent <= 100)) throw new RangeError('percent is 0 to 100');
      return toHolderOutcome(await engine.runTogether('tasks/progress', record(move)));
    },
    settle: async ({ settlement, ...lease }) => {
      if ('delayMs' in settlement) demandWhole('delayMs', settlement.delayMs ?? 0, 0);
      const reply = await engine.runTogether('tasks/settle', record({ ...lease, ...settlement }));
      return toHolderOutcome(reply);
    },
  };
}

type Move<Name extends keyof TasksStore> = Parameters<TasksStore[Name]>[0];

async function submit(engine: Engine, move: Move<'submit'>): Promise<SubmitOutcome[]> {
  const { tasks, pendingMax, reserve, now } = move;
  demandAtMost('tasks', tasks.length, 1_000);
  demandWhole('pendingMax', pendingMax, 0);
  demandWhole('reserve', reserve, 0);
  for (const task of tasks) demandNewTask(task);
  const outcomes: SubmitOutcome[] = [];
  for (const piece of pieces(tasks)) {
    const fixed = piece.map((task) => valuesOf(task, FIXED));
    const words: Argument[] = [now, pendingMax, reserve, piece.length];
    for (const [n, task] of piece.entries()) {
      words.push(JSON.stringify(fixed[n]), JSON.stringify(valuesOf(task, PLACED)), task.payload);
      words.push(...record(task.key ?? {}));
    }
    const replies = items(await engine.runTogether('tasks/submit', words, piece.length));
    outcomes.push(...replies.map((reply, n) => toSubmitOutcome(reply, fixed[n] ?? [])));
  }
  return outcomes;
}

async function claim(engine: Engine, move: Move<'claim'>) {
  const { groups, taskTypes, homes, fairness, ...asked } = move;
  demandWhole('limit', move.limit, 1, 100);
  demandWhole('leaseMs', move.leaseMs, 1);
  demandWhole('agingMs', fairness?.agingMs ?? 0, 0);
  demandWhole('agingEvery', fairness?.agingEvery ?? 1, 1);
  const lists = [groups, taskTypes, homes].flatMap(optionalList);
  const words = [...record({ ...asked, ...fairness }), ...lists];
  const reply = await engine.runTogether('tasks/claim', words, move.limit);
  return items(reply).map((claimed) => {
    const [task, payload] = items(claimed);
    return { ...toTask(task), payload: String(payload) };
  });
}

async function extend(engine: Engine, move: Move<'extend'>): Promise<LeaseOutcome[]> {
  const { leases, leaseMs, now } = move;
  demandWhole('leaseMs', leaseMs, 1);
  demandAtMost('leases', leases.length, 1_000);
  const outcomes: LeaseOutcome[] = [];
  for (const piece of pieces(leases)) {
    const named = piece.map(({ tenant, taskId, epoch }) => ({ tenant, taskId, epoch }));
    const words = [now, leaseMs, ...records(named)];
    const reply = await engine.runTogether('tasks/extend', words, piece.length);
    outcomes.push(...items(reply).map(toLeaseOutcome));
  }
  return outcomes;
}

function toSubmitOutcome(reply: Reply, fixed: Parameters<typeof toRow>[0]): SubmitOutcome {
  const [word, about, ahead] = items(reply);
  const outcome = word as SubmitOutcome['outcome'];
  switch (outcome) {
    case 'accepted':
      return { outcome, row: toRow(fixed, about), ahead: Number(ahead) };
    case 'key-held':
      return { outcome, record: toKeyRecord(about) };
    case 'parent-cancelled':
      return { outcome, parent: toTask(about) };
    case 'busy':
      return { outcome, pending: Number(about) };
    case 'same':
    case 'conflict':
      return { outcome, row: toTask(about) };
  }
}

function toHolderOutcome(reply: Reply): HolderOutcome {
  const [word, task, more] = items(reply);
  const outcome = word as HolderOutcome['outcome'];
  switch (outcome) {
    case 'unknown':
      return { outcome };
    case 'ok':
    case 'late_ok':
      return { outcome, row: toTask(task), ...(more ? { next: toTask(more) } : {}) };
    case 'ended': {
      const result = typeof more === 'string' ? { result: more } : {};
      return { outcome, row: toTask(task), ...result };
    }
    case 'stale':
    case 'lost':
      return { outcome, row: toTask(task) };
  }
}

function toLeaseOutcome(reply: Reply): LeaseOutcome {
  const [word, at, leaseEndsAt] = items(reply);
  const outcome = word as LeaseOutcome['outcome'];
  if (outcome === 'unknown') return { outcome };
  const state = at as TaskState;
  if (outcome === 'ok') return { outcome, state, leaseEndsAt: Number(leaseEndsAt) };
  return { outcome, state };
}
