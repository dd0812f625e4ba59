import { type ErrorFacts, ReachError } from '@agent-reach/core';
import { type Try, Unanswered } from './course.ts';
import type { Patience } from './patience.ts';

/** What was tried, for the error that says it failed. */
export interface Tried {
  /** The capability, else the operation. */
  what: string;
  limitMs: number;
  /** By which the call is found in traces and audit, should it have arrived. */
  facts: ErrorFacts;
}

/** An exchange that gave no answer, as the error that a caller can act on. */
export function toReachError(failure: Unanswered, patience: Patience, tried: Tried): ReachError {
  const { what } = tried;
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
  const [only, ...others] = failure.tries.map(reasonOf);
  const detail =
    others.length === 0
      ? `the gateway at ${only}`
      : `no gateway answers: ${[only, ...others].join('; ')}`;
  return new ReachError('connect-failed', `${what}: ${detail}.`, facts, failure);
}

function reasonOf({ endpoint, failure }: Try): string {
  if (!failure.sent) return `${endpoint} cannot be reached (${failure.message})`;
  const did =
    failure.kind === 'timeout' ? 'does not answer' : 'broke the connection before it answered';
  return `${endpoint} ${did} (${failure.message})`;
}

/** The connection broke: a gateway may have got the message, and did not say so. */
export function isBroken(error: unknown): boolean {
  return (
    ReachError.is(error) &&
    error.code === 'connect-failed' &&
    error.cause instanceof Unanswered &&
    error.cause.sent
  );
}
