import { type Executed, parseTraceparent, ReachError } from '@agent-reach/core';
import type { Clock, Ids, Log } from '@agent-reach/core/kernel';
import { bindLog } from '../bind-log.ts';
import type { Reach } from '../reach.ts';
import { Rejection } from '../rejection.ts';
import { runInScope, type Scope } from '../scope.ts';
import type { Handled, Task, TaskContext } from '../task-handler.ts';
import { TryLater } from '../try-later.ts';
import { atDeadline } from './at-deadline.ts';
import type { Holding } from './holding.ts';

/** What is said of a task in the end. */
export type Word = { say: 'complete'; result: unknown } | ({ say: 'fail' } & Failure);

/** A failure as it is told. `executed`: whether it took effect, as far as this process knows. */
interface Failure {
  reason: string;
  retryable: boolean;
  executed?: Executed;
  retry_after_ms?: number;
  details?: unknown;
}

/** What running a task handler needs. */
export interface PerformPorts {
  agentId: () => string;
  /** For the nested calls of handlers. */
  reach: Reach;
  progress: (holding: Holding, percent: number, note: string | undefined) => void;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Of a reason, the gateway keeps no more. */
const REASON_CHARS_MAX = 2_048;
/** Loops and spent budgets: each further attempt of this task would end the same way. */
const LOOP_STATUS = 508;

/** Runs a handler. Never rejects: whatever it does, there is a word about it. */
export async function performTask(
  holding: Holding,
  { run, spec }: Handled,
  ports: PerformPorts,
): Promise<Word> {
  const { delivery, deadline } = holding;
  const log = bindLog(ports.log, {
    task_id: delivery.task_id,
    trace_id: delivery.trace_id,
    capability: spec.name,
    attempt: delivery.attempt,
  });
  using _ = atDeadline(ports.clock, deadline, () => {
    const detail = `The time for task ${delivery.task_id} is over.`;
    holding.abort(new ReachError('deadline-exceeded', detail));
  });
  const { task_id: id, kind, payload } = delivery;
  const task: Task = { id, type: spec.name, kind, payload };
  try {
    const ctx = contextOf(holding, ports, log);
    const result = await runInScope(scopeOf(holding, ports), async () => run(task, ctx));
    return { say: 'complete', result: snapshot(result) };
  } catch (error) {
    return failed(spec.name, error, log);
  }
}

function contextOf(holding: Holding, ports: PerformPorts, log: Log): TaskContext {
  const { delivery, deadline, signal } = holding;
  return {
    taskId: delivery.task_id,
    attempt: delivery.attempt,
    traceId: delivery.trace_id,
    caller: delivery.caller,
    idempotencyKey: delivery.idempotency_key,
    sourceId: delivery.source_id,
    deadline,
    signal,
    reach: ports.reach,
    log,
    progress: (percent, note) => ports.progress(holding, percent, note),
  };
}

/** What nested calls inherit. The call token is a credential, and in no context. */
function scopeOf({ delivery, deadline, signal }: Holding, { agentId, ids }: PerformPorts): Scope {
  const trace = parseTraceparent(delivery.traceparent);
  return {
    agentId: agentId(),
    traceId: trace?.traceId ?? ids.trace(),
    spanId: trace?.parentSpanId ?? ids.span(),
    traceFlags: trace?.flags ?? 0b11,
    callToken: delivery.call_token,
    deadline,
    signal,
    idempotencyKey: delivery.idempotency_key,
    taskId: delivery.task_id,
    nestedCalls: new Map(),
  };
}

/**
 * The result as it is now: it may have to be sent more than once, and a handler's object may change
 * in between. What is no JSON can never be sent, so another run would be in vain.
 */
function snapshot(result: unknown): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(result);
  } catch (error) {
    throw new NoJson(error);
  }
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

class NoJson extends Error {
  constructor(cause: unknown) {
    super('The result is no JSON.', { cause });
  }
}

/**
 * The failure as people may read it in the dead letters. A bug's text may hold anything, so it
 * stays in the log; its kind says enough to tell two failures apart.
 */
function failed(name: string, error: unknown, log: Log): Word {
  if (Rejection.is(error)) return rejected(error);
  if (TryLater.is(error)) return postponed(error);
  log.error({ err: error }, `${name} failed`);
  if (error instanceof NoJson) return fail(`${name} returned what is no JSON.`, false);
  if (ReachError.is(error)) {
    const reason = `${name} failed: a call it made ended with ${error.code}.`;
    return error.status === LOOP_STATUS ? fail(reason, false) : broken(reason);
  }
  return broken(`${name} failed (${kindOf(error)}); the agent’s log says why.`);
}

function rejected({ code, message, facts }: Rejection): Word {
  const word = fail(`${code}: ${message}`, false);
  if (Object.keys(facts).length === 0) return word;
  try {
    return { ...word, details: snapshot(facts) };
  } catch {
    return word; // The verdict counts, also without facts that are no JSON.
  }
}

function postponed({ message, afterMs }: TryLater): Word {
  const word = { ...fail(message, true), executed: 'no' as const };
  return afterMs === undefined ? word : { ...word, retry_after_ms: afterMs };
}

/** It broke somewhere in the middle: nobody knows what it had done by then. */
function broken(reason: string): Word {
  return { ...fail(reason, true), executed: 'unknown' };
}

function fail(reason: string, retryable: boolean): Extract<Word, { say: 'fail' }> {
  return { say: 'fail', reason: cleanReason(reason), retryable };
}

/** A reason that no gateway refuses: a word about a failure must not fail for its text. */
export function cleanReason(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
  return clean.slice(0, REASON_CHARS_MAX).toWellFormed();
}

function kindOf(error: unknown): string {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  const words = [name, code].filter((word) => typeof word === 'string' && /^\w{1,64}$/.test(word));
  return words.join(' ') || 'not an error';
}
