import { type ErrorFacts, ReachError } from '@agent-reach/core';
import type { FetchFailure } from '@agent-reach/core/kernel';
import type { Patience } from './patience.ts';

/** What was tried, for the error that says it failed. */
export interface Tried {
  /** The capability, else the operation. */
  what: string;
  endpoint: string;
  limitMs: number;
  /** By which the call is found in traces and audit, should it have arrived. */
  facts: ErrorFacts;
}

/** An exchange that gave no answer, as the error that a caller can act on. */
export function toReachError(failure: FetchFailure, patience: Patience, tried: Tried): ReachError {
  const { what, endpoint } = tried;
  const facts: ErrorFacts = { ...tried.facts, executed: failure.sent ? 'unknown' : 'no' };
  if (patience.cutBy === 'deadline') {
    const detail =
      tried.limitMs < 1
        ? `${what} was not sent: the deadline of the work it belongs to has passed.`
        : `${what} gave no answer within ${Math.round(tried.limitMs)} ms.`;
    return new ReachError('deadline-exceeded', detail, facts, failure);
  }
  if (patience.cutBy === 'caller') {
    return new ReachError('cancelled', `${what} was cancelled by its caller.`, facts, failure);
  }
  if (failure.kind === 'too-large') {
    return new ReachError('bad-response', `${what}: ${failure.message}`, facts, failure);
  }
  const why = failure.sent ? 'broke the connection before it answered' : 'cannot be reached';
  const detail = `${what}: the gateway at ${endpoint} ${why} (${failure.message}).`;
  return new ReachError('connect-failed', detail, facts, failure);
}
