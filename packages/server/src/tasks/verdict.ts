import type { Effect, ErrorCode, ReachError } from '@agent-reach/core';
import type { AttemptOutcome } from '../pipeline/deliver.ts';
import { mayRepeat } from '../resilience/retry.ts';

/**
 * What the outcome of one push means for its task.
 *
 * - `complete`: the answer is receipt and result. `receipt`: the result comes later, by the lease.
 * - `return`: it did not run, and another place or moment may take it; nothing is burnt.
 * - `retry`: it failed, and running again does no harm; an attempt is burnt.
 * - `fail`: a final verdict; `unreadable` is the result that came, as far as it can be shown.
 * - `leave`: it may have run, and must not run twice. The lease is left to its holder, who may
 *   still send the result; when it lapses the task waits for a person's decision.
 */
export type Verdict =
  | { do: 'complete'; result: unknown }
  | { do: 'receipt' }
  | { do: 'return'; error: ReachError; pauseMs: number | undefined }
  | { do: 'retry'; error: ReachError }
  | { do: 'fail'; error: ReachError; unreadable?: string }
  | { do: 'leave'; error: ReachError };

/** Causes that lie with the place or the moment, not with the work. */
const ELSEWHERE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'connect-failed',
  'stale-address',
  'agent-busy',
  'circuit-open',
  'rate-limited',
  'draining',
  'fenced',
  'no-reachable-agent',
  'overloaded',
]);

/** Judges one push by `executed` and the capability's effect. */
export function judge(outcome: AttemptOutcome, effect: Effect | undefined): Verdict {
  if (outcome.ok) {
    return outcome.isReceipt === true
      ? { do: 'receipt' }
      : { do: 'complete', result: outcome.result };
  }
  const { error, unreadable } = outcome;
  if (error.executed === 'no' && ELSEWHERE.has(error.code)) {
    return { do: 'return', error, pauseMs: error.facts.retry_after_ms };
  }
  // A result came, in a form that nobody was promised. Running again would not mend the agent.
  if (unreadable !== undefined) return { do: 'fail', error, unreadable };
  if (error.code === 'schema-drift' || isTooLarge(error)) return { do: 'fail', error };
  if (error.executed === 'yes' || error.facts.retryable === false) return { do: 'fail', error };
  // The task's id is the key of all its runs, so idempotent work is always keyed.
  return mayRepeat(effect, true, error.executed) ? { do: 'retry', error } : { do: 'leave', error };
}

function isTooLarge({ code, facts }: ReachError): boolean {
  return code === 'bad-response' && facts.limit !== undefined;
}

/** An error as the reason of a task: its code and its sentence. */
export function reasonOf(error: ReachError): string {
  return `${error.code}: ${error.message}`.slice(0, REASON_CHARS_MAX).toWellFormed();
}

/** A reason is read in a table. */
export const REASON_CHARS_MAX = 2_048;
