import { isTaskEnd, isTaskLeased, type TaskCause } from '@agent-reach/core';
import type {
  HolderOutcome,
  LeaseName,
  LeaseOutcome,
  Settlement,
  TaskRow,
  TasksStore,
} from '../spi/tasks.ts';
import { compact, type Kept, type TasksModel } from './tasks-model.ts';

/** The moves of those who do the work. */
export type HolderMoves = Pick<TasksStore, 'claim' | 'ack' | 'extend' | 'progress' | 'settle'>;

export function holderMoves(model: TasksModel): HolderMoves {
  return {
    claim: async (move) => claim(model, timed(move)),
    ack: async (move) =>
      speak(model, move, (task) => {
        model.lengthen(task, timed(move).now + move.leaseMs);
        if (task.row.state === 'delivered') begin(model, task, timed(move).now);
      }),
    extend: async (move) =>
      move.leases.map((lease) => {
        const until = timed(move).now + move.leaseMs;
        const answer = speak(model, lease, (task) => model.lengthen(task, until));
        return leaseOutcome(answer);
      }),
    progress: async (move) =>
      speak(model, move, (task) => {
        const { now, percent, note, leaseMs } = timed(move);
        const furthest = Math.max(task.row.progress?.percent ?? 0, percent);
        model.lengthen(task, now + leaseMs);
        task.row.progress = compact({ percent: furthest, note, at: now });
        if (task.row.state === 'delivered') begin(model, task, now);
        task.row.updatedAt = now;
      }),
    settle: async (move) => settle(model, timed(move)),
  };
}

/** Histories know what time it is. */
export function timed<Move extends { now: number | 'store' }>(move: Move) {
  return move as Move & { now: number };
}

/** A copy that later moves do not change. */
export function shown({ row }: Kept): TaskRow {
  return row.progress === undefined ? { ...row } : { ...row, progress: { ...row.progress } };
}

/** Of tasks that got their turn in the course of a move, those that have it at its end. */
export function stillReady(next: (Kept | undefined)[]): TaskRow[] {
  return next
    .filter((task) => task !== undefined)
    .filter(({ row }) => row.state === 'queued' || row.state === 'waiting')
    .map(shown);
}

type Claim = Parameters<TasksStore['claim']>[0] & { now: number };
type Settle = Parameters<TasksStore['settle']>[0] & { now: number };

function claim(model: TasksModel, move: Claim) {
  const name = `${move.tenant}/${move.agentId}`;
  const queue = model.queues.get(name);
  const claimed: (TaskRow & { payload: string })[] = [];
  if (queue === undefined) return claimed;
  while (claimed.length < move.limit) {
    const ready = model.tasks.filter(({ row }) => row.state === 'queued' && isServed(row, move));
    const isAgedTurn = (queue.taken + 1) % (move.fairness?.agingEvery ?? Infinity) === 0;
    const aged = isAgedTurn ? longestReady(model, ready, move) : undefined;
    const task = aged ?? model.nextInTurn(ready, queue.turns);
    if (task === undefined) break;
    queue.taken += 1;
    model.takeAway(task);
    task.row.deliveries += 1;
    task.row.holder = move.holder;
    task.row.leaseEndsAt = move.now + move.leaseMs;
    delete task.row.progress;
    model.move(task, { to: 'delivered', cause: 'claimed', now: move.now });
    claimed.push({ ...shown(task), payload: task.payload });
  }
  return claimed;
}

function isServed(row: TaskRow, { tenant, agentId, groups, taskTypes, homes }: Claim): boolean {
  return (
    row.tenant === tenant &&
    row.agentId === agentId &&
    (row.group === undefined || groups === undefined || groups.includes(row.group)) &&
    (taskTypes === undefined || taskTypes.includes(row.taskType)) &&
    (row.home === undefined || (homes ?? []).includes(row.home))
  );
}

function longestReady(model: TasksModel, ready: Kept[], { fairness, now }: Claim) {
  if (fairness === undefined || model.highest(ready) === 10) return undefined;
  const [first] = ready
    .filter((task) => model.isAged(task, fairness, now))
    .toSorted((a, b) => (a.row.readyAt ?? 0) - (b.row.readyAt ?? 0) || a.row.seq - b.row.seq);
  return first;
}

function begin(model: TasksModel, task: Kept, now: number): void {
  task.row.attempts += 1;
  model.move(task, { to: 'running', cause: 'acked', now });
}

function speak(model: TasksModel, lease: LeaseName, act: (task: Kept) => void): HolderOutcome {
  const task = model.find(lease);
  if (task === undefined) return { outcome: 'unknown' };
  if (!model.isCurrent(task, lease.epoch)) return { outcome: 'stale', row: shown(task) };
  if (isTaskEnd(task.row.state)) return ended(task);
  if (!isTaskLeased(task.row.state)) return { outcome: 'lost', row: shown(task) };
  act(task);
  return { outcome: 'ok', row: shown(task) };
}

function leaseOutcome(answer: HolderOutcome): LeaseOutcome {
  if (answer.outcome === 'unknown') return { outcome: 'unknown' };
  const { state, leaseEndsAt = 0 } = answer.row;
  if (answer.outcome === 'ok') return { outcome: 'ok', state, leaseEndsAt };
  return { outcome: answer.outcome as 'stale' | 'lost' | 'ended', state };
}

function ended(task: Kept): HolderOutcome {
  return compact({ outcome: 'ended' as const, row: shown(task), result: task.result });
}

function settle(model: TasksModel, move: Settle): HolderOutcome {
  const task = model.find(move);
  if (task === undefined) return { outcome: 'unknown' };
  const { settlement, now } = move;
  const isCurrent = model.isCurrent(task, move.epoch);
  const isLate = isCurrent && model.isOpenToLate(task);
  const isHeld = isCurrent && isTaskLeased(task.row.state);
  const isVerdict =
    settlement.end === 'complete' || (settlement.end === 'fail' && !settlement.retryable);
  if (!isHeld && !(isLate && isVerdict)) {
    const isRepeat = isCurrent && task.row.state === 'succeeded';
    if (settlement.end === 'complete' && !isRepeat) {
      model.keepOrphan(task, move, { result: settlement.result, at: now });
    }
    return speak(model, move, () => {});
  }

  if ('result' in settlement && settlement.result !== undefined) task.result = settlement.result;
  if (isHeld && settlement.end === 'release') model.burnNothing(task);
  else if (task.row.state === 'delivered') task.row.attempts += 1;
  const why = consequence(model, task, settlement, isLate);
  if (why.to === 'waiting' && 'delayMs' in settlement) {
    task.row.dueAt = now + (settlement.delayMs ?? 0);
  }
  const reason = settlement.end === 'complete' ? undefined : settlement.reason;
  const next = model.move(task, { ...why, now, reason });
  return compact({
    outcome: isLate ? ('late_ok' as const) : ('ok' as const),
    row: shown(task),
    next: next && shown(next),
  }) as HolderOutcome;
}

function consequence(
  model: TasksModel,
  task: Kept,
  settlement: Settlement,
  isLate: boolean,
): { to: TaskRow['state']; cause: TaskCause } {
  const { row } = task;
  if (settlement.end === 'complete') {
    return { to: 'succeeded', cause: isLate ? 'completed-late' : 'completed' };
  }
  if (settlement.end === 'release') {
    const isLater = (settlement.delayMs ?? 0) > 0;
    return isLater ? { to: 'waiting', cause: 'postponed' } : { to: 'queued', cause: 'released' };
  }
  if (settlement.end === 'doubt') {
    return row.kind === 'call'
      ? { to: 'failed', cause: 'given-up' }
      : { to: 'dead', cause: 'needs-decision' };
  }
  if (!settlement.retryable) return { to: 'failed', cause: isLate ? 'refused-late' : 'refused' };
  if (row.attempts < row.attemptsMax) return { to: 'waiting', cause: 'retry' };
  if (!model.isKept(task, settlement.whenSpent)) return { to: 'failed', cause: 'given-up' };
  return { to: 'dead', cause: 'attempts-spent' };
}
