import { type Effect, ReachError } from '@agent-reach/core';
import { type Aim, aimWithin, deliverOnce } from '../pipeline/deliver.ts';
import { offered, type Place } from '../pipeline/plan.ts';
import { recordDelivery } from '../pipeline/record-task.ts';
import { withMargin } from '../resilience/timeouts.ts';
import type { LeaseName, Settlement, TaskRow } from '../storage/spi/tasks.ts';
import { parkUndone, whyNotDone } from './granted.ts';
import type { Held } from './holds.ts';
import { logTask, reached, told } from './news.ts';
import { moveOn, park } from './rebind.ts';
import type { TaskRoom } from './room.ts';
import { failureOf, judgeResult, settleHeld, unreadableResult } from './settle.ts';
import { judge, reasonOf, type Verdict } from './verdict.ts';
import { hold, type StoredTask } from './work.ts';

/** Where a task is sent, and how whoever sends learns that the place takes nothing now. */
export interface PushGoal {
  place: Place;
  /** Called before the task goes back, so that it does not come straight here again. */
  closed: (pauseMs: number | undefined) => void;
}

/** What became of a push: whether the place took it. */
export type PushEnd = 'taken' | 'returned';

/** A result may be written just before the time is up. */
const LEASE_GRACE_MS = 5_000;

/** The lease of what is pushed to an agent: at least as long as its slowest capability may take. */
export function pushLeaseMs(ackTimeoutMs: number, longestMs: number): number {
  return Math.max(ackTimeoutMs, withMargin(longestMs) + LEASE_GRACE_MS);
}

/**
 * Sends one task that was claimed for `place` and sees it through: routed within its agent, sent
 * once, settled by what came of it. Never throws. Work that must not run twice is noted as started
 * before it is sent: if this gateway dies meanwhile, nobody may take it for unsent.
 */
export async function push(row: StoredTask, goal: PushGoal, room: TaskRoom): Promise<PushEnd> {
  const lease = { tenant: row.tenant, taskId: row.taskId, epoch: row.epoch };
  try {
    const why = whyNotDone(row, room);
    if (why !== undefined) {
      await parkUndone(row, why, room);
      return 'taken';
    }
    const held = hold(row, goal.place.instanceId, room);
    const to = { agentId: row.agentId ?? '', group: row.group };
    const aim = aimWithin(held.run, to, room.road);
    if ('error' in aim) return await unaimed(held, goal, aim.error, room);
    if (!(await startFirst(held, lease, room))) return 'taken';
    logTask('a task was delivered', row, room);
    const outcome = await deliverOnce(aim, room.road);
    const verdict = judge(outcome, effectOf(aim));
    if (verdict.do !== 'return') {
      await settleVerdict(held, lease, verdict, room);
      return 'taken';
    }
    const { error } = verdict;
    if (error.code === 'circuit-open') {
      // Of this capability alone: the place takes others, so the task waits and not the place.
      await giveBack(held, error, room, verdict.pauseMs);
      return 'returned';
    }
    if (error.code === 'rate-limited') {
      // We keep the agent's pace: it has not been asked, so that nothing is learned of it.
      goal.closed(verdict.pauseMs);
      await giveBack(held, error, room);
      return 'returned';
    }
    reached(row, false, room);
    goal.closed(verdict.pauseMs);
    recordDelivery(held.run, { status: error.status, error, executed: 'no' }, room.road);
    await giveBack(held, error, room);
    return 'returned';
  } catch (error) {
    // The lease stays: it lapses, and the task is delivered again or, in the end, parked.
    room.log.error({ err: error, task: row.taskId }, 'a task could not be sent or settled');
    room.holds.drop(lease);
    return 'taken';
  }
}

/** Nobody of the agent can take it: it waits, or goes elsewhere; what nobody takes is parked. */
async function unaimed(
  held: Held,
  goal: PushGoal,
  error: ReachError,
  room: TaskRoom,
): Promise<PushEnd> {
  goal.closed(error.facts.retry_after_ms);
  await giveBack(held, error, room);
  if (error.code === 'no-reachable-agent') return 'returned';
  if (error.code === 'validation-failed') await park(held.row, reasonOf(error), room);
  else await moveOn([held.row], room);
  return 'taken';
}

function effectOf({ decision }: Aim): Effect | undefined {
  return decision.provider.capability.effect;
}

/** False: the task is no longer ours to send. */
async function startFirst({ row }: Held, lease: LeaseName, room: TaskRoom): Promise<boolean> {
  const at = { tenant: row.tenant, agentId: row.agentId ?? '', capability: row.taskType };
  const effect = offered(at, room.road)?.effect ?? row.effect;
  if (effect === 'read' || effect === 'idempotent_write') return true;
  const answer = await room.store.ack({
    ...lease,
    leaseMs: room.options.runLeaseMs,
    now: room.now(),
  });
  if (answer.outcome === 'ok') row.state = answer.row.state;
  else room.holds.drop(lease);
  return answer.outcome === 'ok';
}

async function settleVerdict(
  held: Held,
  lease: LeaseName,
  verdict: Exclude<Verdict, { do: 'return' }>,
  room: TaskRoom,
): Promise<void> {
  const { row, run } = held;
  switch (verdict.do) {
    case 'receipt':
      return receive(held, lease, room);
    case 'complete': {
      const { settlement, fault } = judgeResult(row, verdict.result, room);
      await settleHeld(held, lease, { settlement, error: fault }, room);
      return;
    }
    case 'fail':
    case 'retry': {
      const { error } = verdict;
      const settlement = failureByPush(row, verdict, room);
      await settleHeld(held, lease, { settlement, error }, room);
      return;
    }
    case 'leave': {
      const { error } = verdict;
      recordDelivery(run, { status: error.status, error, executed: 'unknown' }, room.road);
      const said = { why: error.message };
      logTask('a task may have run; its lease is left to lapse', row, room, said);
    }
  }
}

function failureByPush(
  row: TaskRow,
  verdict: Extract<Verdict, { do: 'fail' | 'retry' }>,
  room: TaskRoom,
): Settlement {
  const { error } = verdict;
  if (verdict.do === 'fail' && verdict.unreadable !== undefined) {
    return unreadableResult(error.message, verdict.unreadable);
  }
  const isTooLarge = error.facts.limit !== undefined;
  const reason = isTooLarge ? `result-too-large: ${error.message}` : reasonOf(error);
  const waitMs = error.facts.retry_after_ms;
  return failureOf(row, { reason, retryable: verdict.do === 'retry', waitMs }, room);
}

/** 202: it was received; from now on its holder speaks by the lease. */
async function receive(held: Held, lease: LeaseName, room: TaskRoom): Promise<void> {
  const answer = await room.store.ack({
    ...lease,
    leaseMs: room.options.runLeaseMs,
    now: room.now(),
  });
  if (answer.outcome === 'ok') {
    held.row.state = answer.row.state;
    logTask('a task was started', answer.row, room);
  } else if (answer.outcome !== 'ended') room.holds.drop(lease);
}

/** It did not run: back to its place, unburnt, for another place or moment. */
async function giveBack(
  { row, run }: Held,
  error: ReachError,
  room: TaskRoom,
  delayMs = 0,
): Promise<void> {
  const { tenant, taskId, epoch } = row;
  const settlement = {
    end: 'release',
    reason: reasonOf(error),
    ...(delayMs > 0 ? { delayMs: Math.ceil(delayMs) } : {}),
  } as const;
  const end = { settlement, error: undefined };
  await settleHeld({ row, run }, { tenant, taskId, epoch }, end, room);
}

/** The queue's figures after a claim. */
export function toldClaimed(rows: readonly StoredTask[], room: TaskRoom): void {
  for (const row of rows) told(row, 'queued', room);
}
