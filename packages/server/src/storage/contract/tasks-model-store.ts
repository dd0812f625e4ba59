import { isTaskEnd, isTaskLeased, type TaskCause, type TaskState } from '@agent-reach/core';
import type { NewTask, SubmitOutcome, TaskRow, TasksStore } from '../spi/tasks.ts';
import { bySeq, compact, type Kept, type TasksModel } from './tasks-model.ts';
import { deskMoves } from './tasks-model-desk.ts';
import { holderMoves, shown, stillReady, timed } from './tasks-model-holders.ts';
import { isOfQueue, reads } from './tasks-model-reads.ts';

/** The store that a model stands for. */
export interface ModelStore extends TasksStore {
  /** Its own rows, as they stand, in the order they were stored. */
  rows(): TaskRow[];
}

export function modelStore(model: TasksModel): ModelStore {
  return {
    ...holderMoves(model),
    ...keeperMoves(model),
    ...deskMoves(model),
    ...reads(model),
    rows: () => model.tasks.map(({ row }) => row),
  };
}

type KeeperMoves = Pick<TasksStore, 'submit' | 'expire' | 'tick' | 'grace' | 'bind' | 'prune'>;

/** The moves of the gateway itself. */
function keeperMoves(model: TasksModel): KeeperMoves {
  return {
    submit: async (move) => move.tasks.map((task) => submit(model, task, timed(move))),
    expire: async (move) => {
      const { now, limit, deliveriesMax, delaysMs, whenSpent } = timed(move);
      const expired = model.lapsed(now, limit);
      const next = expired.map((task) => {
        const { to, cause } = lapse(task.row, deliveriesMax, model.isKept(task, whenSpent));
        const { attempts, holder } = task.row;
        if (to === 'waiting')
          task.row.dueAt = now + (delaysMs[attempts - 1] ?? delaysMs.at(-1) ?? 0);
        const lost = `${holder} was not heard of in time`;
        const reason = cause === 'needs-decision' ? `${lost}; the work may have been done` : lost;
        return model.move(task, { to, cause, now, reason });
      });
      return { expired: expired.map(shown), next: stillReady(next) };
    },
    tick: async (move) => {
      const { now, limit } = timed(move);
      const overdue = model.overdue(now, limit);
      const next = overdue.map((task) => model.move(task, { to: 'failed', cause: 'timeout', now }));
      const due = model.tasks
        .filter(({ row }) => row.state === 'waiting' && (row.dueAt ?? 0) <= now)
        .toSorted((a, b) => (a.row.dueAt ?? 0) - (b.row.dueAt ?? 0) || bySeq(a, b))
        .slice(0, limit);
      for (const task of due) {
        if (task.row.dueAt !== undefined) task.row.readyAt = task.row.dueAt;
        model.move(task, { to: 'queued', cause: 'due', now });
      }
      return { overdue: overdue.map(shown), due: due.map(shown), next: stillReady(next) };
    },
    grace: async (move) => {
      const until = timed(move).now + move.leaseMs;
      const isShort = ({ row }: Kept) => isTaskLeased(row.state) && (row.leaseEndsAt ?? 0) < until;
      const short = model.tasks.filter(isShort);
      for (const task of short) model.lengthen(task, until);
      return short.length;
    },
    bind: async (move) => move.tasks.flatMap((target) => bind(model, target, timed(move).now)),
    prune: async (move) => prune(model, timed(move)),
  };
}

function submit(
  model: TasksModel,
  task: NewTask,
  move: { pendingMax: number; reserve: number; now: number },
): SubmitOutcome {
  const known = model.find(task);
  if (known !== undefined) {
    const isSame = known.row.fingerprint === task.fingerprint;
    return { outcome: isSame ? 'same' : 'conflict', row: shown(known) };
  }
  const record = task.key && model.keys.get(`${task.key.scope} ${task.key.key}`);
  if (record !== undefined && record.expiresAt > move.now) {
    return { outcome: 'key-held', record: structuredClone(record) };
  }
  const parent = model.tasks.find(
    ({ row }) => row.tenant === task.tenant && row.taskId === task.parentId,
  );
  if (parent?.row.state === 'cancelled')
    return { outcome: 'parent-cancelled', parent: shown(parent) };

  const queue = model.tasks.filter(({ row }) => isOfQueue(row, task));
  const pending = queue.filter(({ row }) => isPending(row.state)).length;
  const room = move.pendingMax + (task.priority === 10 ? move.reserve : 0);
  if (pending >= room) return { outcome: 'busy', pending };
  const ahead = queue.filter(
    ({ row }) => row.state === 'queued' && row.priority >= task.priority,
  ).length;
  return { outcome: 'accepted', row: shown(store(model, task, move.now)), ahead };
}

function store(model: TasksModel, task: NewTask, now: number): Kept {
  const { payload, delayMs = 0, deadlineMs, key, ...facts } = task;
  const row: TaskRow = {
    ...compact<typeof facts>(facts),
    seq: (model.tasks.at(-1)?.row.seq ?? 0) + 1,
    state: 'queued',
    version: 1,
    epoch: 0,
    deliveries: 0,
    attempts: 0,
    createdAt: now,
    updatedAt: now,
  };
  const kept: Kept = { row, payload, history: [], orphans: [], edits: [] };
  if (model.standsBehind(kept, now)) row.state = 'blocked';
  else if (delayMs > 0) row.state = 'waiting';
  else row.readyAt = now;
  if (delayMs > 0) row.dueAt = now + delayMs;
  if (deadlineMs !== undefined) row.deadlineAt = now + deadlineMs;
  model.tasks.push(kept);
  const { state, agentId } = row;
  const line = { version: 1, at: now, to: state, cause: 'submitted' as const, epoch: 0, agentId };
  kept.history.push(compact(line));
  rememberQueue(model, row);
  if (key !== undefined) {
    const { scope, key: word, ttlMs, ...record } = key;
    const name = `${scope} ${word}`;
    kept.key = { name, until: now + ttlMs };
    model.keys.set(name, {
      ...record,
      token: row.taskId,
      expiresAt: Number.MAX_SAFE_INTEGER,
      state: 'done',
    });
  }
  return kept;
}

function rememberQueue(model: TasksModel, { tenant, agentId }: TaskRow): void {
  const name = `${tenant}/${agentId}`;
  if (!model.queues.has(name)) model.queues.set(name, { taken: 0, turns: new Map() });
}

/** Who did not begin costs nothing; who did is run again only where that is no harm. */
function lapse(
  row: TaskRow,
  deliveriesMax: number,
  isKept: boolean,
): { to: TaskState; cause: TaskCause } {
  const isSpent = row.deliveries >= deliveriesMax;
  const isRepeatable = row.effect === 'read' || row.effect === 'idempotent_write';
  const spent = (cause: TaskCause): { to: TaskState; cause: TaskCause } =>
    isKept ? { to: 'dead', cause } : { to: 'failed', cause: 'given-up' };
  if (row.state === 'delivered') {
    return isSpent ? spent('deliveries-spent') : { to: 'queued', cause: 'lease-lost' };
  }
  if (!isRepeatable) {
    return row.kind === 'call' ? spent('needs-decision') : { to: 'dead', cause: 'needs-decision' };
  }
  if (row.attempts >= row.attemptsMax) return spent('attempts-spent');
  return isSpent ? spent('deliveries-spent') : { to: 'waiting', cause: 'lease-lost' };
}

type Target = Parameters<TasksStore['bind']>[0]['tasks'][number];

function bind(model: TasksModel, target: Target, now: number): TaskRow[] {
  const task = model.find(target);
  if (task === undefined || isTaskEnd(task.row.state) || isTaskLeased(task.row.state)) return [];
  const { agentId, group, home, effect } = target;
  const { row } = task;
  const isThere =
    row.agentId === agentId && row.group === group && row.home === home && row.effect === effect;
  if (isThere) return [];
  Object.assign(row, { agentId, group, home, effect });
  task.row = compact<TaskRow>(row);
  model.takeAway(task);
  delete task.row.holder;
  delete task.row.progress;
  model.note(task, { from: row.state, cause: 'bound', now });
  rememberQueue(model, task.row);
  return [shown(task)];
}

function prune(
  model: TasksModel,
  move: { endedBefore: number; deadBefore: number; limit: number; now: number },
) {
  const byTime = (time: (row: TaskRow) => number) => (a: Kept, b: Kept) =>
    time(a.row) - time(b.row) || bySeq(a, b);
  const ended = model.tasks
    .filter(({ row }) => row.endedAt !== undefined && row.endedAt < move.endedBefore)
    .toSorted(byTime((row) => row.endedAt ?? 0));
  const dead = model.tasks
    .filter(({ row }) => row.state === 'dead' && row.updatedAt < move.deadBefore)
    .toSorted(byTime((row) => row.updatedAt));
  const gone = [...ended, ...dead].slice(0, move.limit);
  model.tasks = model.tasks.filter((task) => !gone.includes(task));
  for (const { key } of gone) {
    const record = key && model.keys.get(key.name);
    if (record !== undefined && key !== undefined) record.expiresAt = key.until;
  }
  const next = gone
    .filter((task) => model.hasTurn(task))
    .map(({ row }) => model.passTurn(row, move.now));
  for (const name of model.queues.keys()) {
    const livesThere = ({ row }: Kept) =>
      !isTaskEnd(row.state) && `${row.tenant}/${row.agentId}` === name;
    if (!model.tasks.some(livesThere)) model.queues.delete(name);
  }
  return { forgotten: gone.length, next: stillReady(next) };
}

function isPending(state: TaskState): boolean {
  return state === 'blocked' || state === 'queued' || state === 'waiting';
}
