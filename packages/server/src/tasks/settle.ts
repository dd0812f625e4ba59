import {
  type Asker,
  type HolderAnswer,
  type Input,
  ReachError,
  validationFailed,
} from '@agent-reach/core';
import { noteHeld, noteHolder } from '../pipeline/deliver.ts';
import { resultFaults } from '../pipeline/plan.ts';
import { recordDelivery } from '../pipeline/record-task.ts';
import type { Run } from '../pipeline/run.ts';
import { driftOf } from '../pipeline/send.ts';
import { mayRepeat } from '../resilience/retry.ts';
import type { LeaseName, Settlement, TaskRow, WhenSpent } from '../storage/spi/tasks.ts';
import type { Presented } from './lease-token.ts';
import { freed, isOver, logTask, queueOf, reached, recordOver, told, toldTurn } from './news.ts';
import { retryWaitMs } from './retry-wait.ts';
import type { TaskRoom } from './room.ts';
import { REASON_CHARS_MAX } from './verdict.ts';
import { runOf } from './work.ts';
import { answerOf, demandHeld, demandLease, leaseName, taskNotFound } from './words.ts';

/** What is kept of a result that is over the limit. */
const HEAD_CHARS = 4_096;

/** A run as its holder reports it: found in memory, or made anew from the store after a restart. */
interface Reported {
  row: TaskRow;
  run: Run;
}

/** How work ends that did not succeed. */
type Failed = Extract<Settlement, { end: 'fail' | 'doubt' }>;

/** The result. One that breaks its schema or the limit fails the task, and is told so. */
export async function complete(
  input: Input<'tasks.complete'>,
  asker: Asker,
  room: TaskRoom,
): Promise<HolderAnswer> {
  const lease = await demandLease(input, asker, room);
  const held = await reportedOf(lease, room);
  const { settlement, fault } =
    asker.unsafe === undefined
      ? judgeResult(held.row, input.result ?? null, room)
      : judgeUnsafe(asker.unsafe, String(input.result));
  const end = { settlement, error: fault, isSpoken: true };
  const answer = await settleHeld(held, leaseName(lease), end, room);
  const heldAnswer = demandHeld(answer, lease);
  if (fault !== undefined && heldAnswer.outcome !== 'ended') throw fault;
  return answerOf(heldAnswer);
}

/** What a result means: the settlement, and the fault that makes it a failure. */
export function judgeResult(
  row: TaskRow,
  result: unknown,
  room: TaskRoom,
): { settlement: Settlement; fault: ReachError | undefined } {
  const text = JSON.stringify(result) ?? 'null';
  const size = Buffer.byteLength(text);
  const limit = room.options.resultBytesMax;
  if (size > limit) {
    const fault = new ReachError(
      'payload-too-large',
      `The result has ${size} bytes, and ${limit} is the most. The task has failed.`,
      { limit, size, executed: 'yes', retryable: false },
    );
    const reason = `result-too-large: ${size} bytes, limit ${limit}`;
    return { settlement: failFinal(reason, headOf(text, size)), fault };
  }
  const at = { tenant: row.tenant, agentId: row.agentId ?? '', capability: row.taskType };
  const drift = driftOf(resultFaults(at, result, room.road), {
    agent: at.agentId,
    capability: at.capability,
  });
  if (drift === undefined)
    return { settlement: { end: 'complete', result: text }, fault: undefined };
  const fault = new ReachError('schema-drift', drift.message, { ...drift.facts, executed: 'yes' });
  return { settlement: failFinal(`schema-drift: ${drift.message}`, text), fault };
}

/** What is kept of what is too long. JSON. */
function headOf(text: string, size: number): string {
  return JSON.stringify({ truncated: true, size, head: text.slice(0, HEAD_CHARS).toWellFormed() });
}

/** A result that cannot be read without loss: it ran, and running again would not mend its agent. */
function judgeUnsafe(
  error: ReachError,
  text: string,
): { settlement: Settlement; fault: ReachError } {
  const fault = new ReachError(
    'unsafe-json',
    `${error.message} The task has failed; its result is kept as text, escaped.`,
    { ...error.facts, executed: 'yes', retryable: false },
  );
  return { settlement: unreadableResult(error.message, text), fault };
}

/** The settlement of a result that nobody can read: kept, escaped and flagged, to be looked at. */
export function unreadableResult(why: string, text: string): Settlement {
  const kept = JSON.stringify({ unreadable: true, why, text });
  return failFinal(`result-unreadable: ${why}`, kept);
}

/**
 * It did not work, says its holder. What may be retried is run again after a wait, unless it may
 * have taken effect and must not twice: then it waits for a person.
 */
export async function fail(
  input: Input<'tasks.fail'>,
  asker: Asker,
  room: TaskRoom,
): Promise<HolderAnswer> {
  demandSense(input);
  const lease = await demandLease(input, asker, room);
  const held = await reportedOf(lease, room);
  const { retryable, code, retry_after_ms: waitMs } = input;
  const executed = input.executed ?? (retryable ? 'unknown' : 'yes');
  const reason = code === undefined ? input.reason : `${code}: ${input.reason}`;
  // Who says nothing but that it may be retried, answers for that. The task's id is the key of all
  // its runs, so idempotent work is always keyed.
  const settlement: Failed =
    input.executed === 'unknown' && retryable && !mayRepeat(held.row.effect, true, 'unknown')
      ? { end: 'doubt', reason: cut(reason) }
      : failureOf(held.row, { reason, retryable, waitMs }, room);
  const error = new ReachError(retryable ? 'agent-error' : 'agent-rejected', reason, { executed });
  const end = { settlement: withDetails(settlement, input.details, room), error, isSpoken: true };
  const answer = await settleHeld(held, leaseName(lease), end, room);
  return answerOf(demandHeld(answer, lease));
}

/** Throws for a failure that took effect and shall be retried all the same. */
function demandSense({ retryable, executed }: Input<'tasks.fail'>): void {
  if (!retryable || executed !== 'yes') return;
  throw validationFailed('The failure', [
    { pointer: '#/executed', detail: 'is yes, and what took effect is not to be retried' },
  ]);
}

/** The facts of a failure are kept where a result would be, and bounded as one. */
function withDetails(settlement: Failed, details: unknown, room: TaskRoom): Failed {
  if (details === undefined) return settlement;
  const text = JSON.stringify(details);
  const size = Buffer.byteLength(text);
  const result = size > room.options.resultBytesMax ? headOf(text, size) : text;
  return { ...settlement, result };
}

/** Work that comes back as it was given: no attempt is burnt. */
export async function release(
  input: Input<'tasks.release'>,
  asker: Asker,
  room: TaskRoom,
): Promise<HolderAnswer> {
  const lease = await demandLease(input, asker, room);
  const held = await reportedOf(lease, room);
  const settlement = {
    end: 'release',
    ...(input.reason === undefined ? {} : { reason: input.reason }),
  } as const;
  const answer = await settleHeld(held, leaseName(lease), { settlement, error: undefined }, room);
  return answerOf(demandHeld(answer, lease));
}

/** A failure as it was reported. */
export interface Failure {
  reason: string;
  retryable: boolean;
  /** The holder asks for at least so long a wait. */
  waitMs?: number | undefined;
}

/** The settlement of a failure: another run after a wait, or the end. */
export function failureOf(row: TaskRow, failure: Failure, room: TaskRoom): Failed {
  const { options } = room;
  const reason = cut(failure.reason);
  if (!failure.retryable) return failFinal(reason);
  // Counted at the receipt; a failure without one counts as both.
  const attempts = Math.max(1, row.state === 'delivered' ? row.attempts + 1 : row.attempts);
  const ownMs = retryWaitMs(options, attempts, room.road.random);
  const delayMs = Math.max(ownMs, Math.min(failure.waitMs ?? 0, options.retryWaitMaxMs));
  return { end: 'fail', retryable: true, reason, delayMs, whenSpent: whenSpent(room) };
}

/** What becomes of tasks whose runs are spent here. */
export function whenSpent({ options }: TaskRoom): WhenSpent {
  return options.deadLetters ? 'dead' : 'failed';
}

function failFinal(reason: string, result?: string): Failed {
  return {
    end: 'fail',
    retryable: false,
    reason: cut(reason),
    ...(result === undefined ? {} : { result }),
  };
}

function cut(reason: string): string {
  return reason.slice(0, REASON_CHARS_MAX).toWellFormed();
}

async function reportedOf(lease: Presented, room: TaskRoom): Promise<Reported> {
  const held = room.holds.of(lease);
  if (held !== undefined) return held;
  const row = await room.store.get(lease);
  if (row === undefined) throw taskNotFound(lease.taskId);
  return runOf(row, lease.holder, room);
}

/** How a run ends: what the store is told, and the error if it was one. */
export interface RunEnd {
  settlement: Settlement;
  error: ReachError | undefined;
  /** Its holder said so by his lease; else the answer to a push did, which is noted already. */
  isSpoken?: boolean;
}

/**
 * Settles a run: the store's move, then the hop, the figures, those who wait. The line of a task
 * that is over is awaited where it may have changed the world.
 */
export async function settleHeld(
  { row: before, run }: Reported,
  lease: LeaseName,
  { settlement, error, isSpoken }: RunEnd,
  room: TaskRoom,
) {
  const answer = await room.store.settle({ ...lease, settlement, now: room.now() });
  if (answer.outcome !== 'ok' && answer.outcome !== 'late_ok') {
    if (room.holds.of(lease) !== undefined) room.holds.drop(lease);
    return answer;
  }
  const { row, next } = answer;
  // When others handed it out, nobody here knows how long it took.
  const isOurs = room.holds.of(lease) !== undefined;
  room.holds.drop(lease);
  told(row, answer.outcome === 'ok' ? 'held' : 'pending', room);
  toldTurn(next, room);
  freed(row, room);
  if (settlement.end === 'release') {
    logTask('a task came back', row, room);
    return answer;
  }
  // A late one was counted when its lease lapsed.
  if (answer.outcome === 'ok') reached(row, true, room);
  if (isSpoken === true) noteHeld(run, { status: error?.status ?? 200, error }, room.road);
  // A call writes its own hop and line, where it was made.
  if (row.kind === 'call') return answer;
  if (isSpoken === true) {
    const { tenant, agentId = '', holder = '' } = before;
    noteHolder({ tenant, agentId, instanceId: holder }, error?.code, room.road);
  }
  recordDelivery(
    run,
    {
      status: error?.status ?? 200,
      ...(error === undefined ? {} : { error }),
      executed: error?.executed ?? 'yes',
    },
    room.road,
  );
  if (settlement.end === 'complete' && isOurs) {
    room.book.ran(queueOf(row), room.clock.monotonic() - run.startedAt);
  }
  if (!isOver(row)) {
    logTask('a task will be retried', row, room, { cause: row.cause });
    return answer;
  }
  const line = recordOver(row, room, resultIn(settlement));
  if (before.effect !== 'read') await line;
  return answer;
}

function resultIn(settlement: Settlement): unknown {
  return settlement.end === 'complete' ? JSON.parse(settlement.result) : undefined;
}
