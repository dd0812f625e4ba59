import { ReachError } from '@agent-reach/core';
import type { Failure, Outcome } from './outcome.ts';

/** The value of an outcome, or throws what failed. */
export function answerOf(outcome: Outcome): unknown {
  if ('value' in outcome) return outcome.value;
  throw toError(outcome.failed);
}

/** A failure as callers of the store meet it. */
export function toError({ code, detail, cause }: Failure): ReachError {
  return new ReachError(code, detail, {}, cause);
}
