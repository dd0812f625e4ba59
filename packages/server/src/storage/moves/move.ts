import { isTaskEnd, isTaskLeased, moveTask, type TaskCause } from '@agent-reach/core/task-states';
import { hasTurn, overtakes } from './chain.ts';
import type { Shelf } from './shelf.ts';
import type { Stored } from './stored.ts';

/** Why a task moves. */
export interface Why {
  cause: TaskCause;
  now: number;
  by?: string | undefined;
  reason?: string | undefined;
}

/**
 * The one door through which a task changes its state: checks the move, saves the row with whatever
 * else the caller changed in it, writes the line, recounts the lane. Answers the chain's next task
 * if the turn passed on to it.
 */
export function move(shelf: Shelf, task: Stored, why: Why): Stored | undefined {
  const from = task.state;
  const to = moveTask(from, why.cause);
  if (to === undefined) throw new Error(`task ${task.taskId} is ${from}: not to be ${why.cause}`);
  const hadTurn = hasTurn(task);
  task.state = to;
  task.cause = why.cause;
  task.reason = why.reason ?? null;
  task.version += 1;
  task.updatedAt = why.now;
  if (!isTaskLeased(to)) task.leaseEndsAt = null;
  if (to !== 'waiting' && to !== 'blocked') task.dueAt = null;
  if (isTaskEnd(to)) task.endedAt = why.now;
  shelf.save(task);
  shelf.writeLine(task, { from, cause: why.cause, by: why.by, reason: why.reason });
  shelf.recount(task.lane, from, to);
  // Whoever was overtaken gave its turn to one that the caller knows.
  if (task.chain === null || !hadTurn || to === 'blocked' || hasTurn(task)) return undefined;
  return passTurn(shelf, { tenant: task.tenant, chain: task.chain }, why.now);
}

/** Gives the turn of a chain to the first of those that are blocked, if there is one. */
export function passTurn(
  shelf: Shelf,
  { tenant, chain }: { tenant: string; chain: string },
  now: number,
): Stored | undefined {
  const next = shelf.turnAfter(tenant, chain);
  if (next === undefined) return undefined;
  const isLater = next.dueAt !== null && next.dueAt > now;
  if (!isLater) next.readyAt = now;
  move(shelf, next, { cause: isLater ? 'delayed' : 'unblocked', now });
  return next;
}

/**
 * Whether one that comes to a chain stands behind the task that has the turn. If it does not, the
 * turn, if anybody has it, is taken away for it.
 */
export function standsBehind(
  shelf: Shelf,
  task: Pick<Stored, 'tenant' | 'chain' | 'chainSeq' | 'seq'>,
  now: number,
): boolean {
  const holder = task.chain === null ? undefined : shelf.turnOf(task.tenant, task.chain);
  if (holder === undefined) return false;
  if (!overtakes(task, holder)) return true;
  holder.readyAt = null;
  move(shelf, holder, { cause: 'overtaken', now });
  return false;
}

/** Of tasks that got their turn in the course of a move, whether one still has it at its end. */
export function isReady({ state }: Stored): boolean {
  return state === 'queued' || state === 'waiting';
}
