import type { ErrorCode } from '@agent-reach/core';

/** How the last runs at one endpoint ended, the newest counting most. */
export interface Outcomes {
  /** Decayed counts as of `at`. */
  good: number;
  bad: number;
  /** Monotonic milliseconds. */
  at: number;
}

/** What one outcome still counts after this long is half: about the last minute matters. */
const HALF_LIFE_MS = 30_000;
/** One failure proves nothing. It is free, and so are the last traces of a bad hour. */
const FREE_FAILURES = 1;
/** An endpoint of which nothing is known is believed to have answered so often. */
const PRIOR = 2;
/** What an unreliable endpoint keeps: without any work it could never show that it is well again. */
export const RELIABILITY_MIN = 0.1;

export const NO_OUTCOMES: Outcomes = { good: 0, bad: 0, at: 0 };

/** The outcomes after one more run. */
export function withOutcome(before: Outcomes, isGood: boolean, at: number): Outcomes {
  const left = decay(before, at);
  return {
    good: before.good * left + (isGood ? 1 : 0),
    bad: before.bad * left + (isGood ? 0 : 1),
    at,
  };
}

/**
 * How far an endpoint is trusted with work by how its last runs ended: 1 (nothing speaks against
 * it) down to 0.1. It is the share of runs that went well, less one failure that is forgiven, so it
 * falls smoothly, and rises with successes and with time.
 */
export function reliability(outcomes: Outcomes, now: number): number {
  const left = decay(outcomes, now);
  const bad = Math.max(0, outcomes.bad * left - FREE_FAILURES);
  if (bad === 0) return 1;
  const good = outcomes.good * left + PRIOR;
  return Math.max(RELIABILITY_MIN, good / (good + bad));
}

function decay({ at }: Outcomes, now: number): number {
  return 0.5 ** (Math.max(0, now - at) / HALF_LIFE_MS);
}

/** Errors that are the endpoint's own doing. */
const FAULTS: ReadonlySet<ErrorCode> = new Set([
  'agent-error',
  'connect-failed',
  'bad-response',
  'schema-drift',
  'deadline-exceeded',
]);

/**
 * Whether the end of a run speaks for its endpoint or against it; undefined: it says nothing of it.
 * A refusal speaks for it: it was there, and judged.
 */
export function speaksFor(code: ErrorCode | undefined): boolean | undefined {
  if (code === undefined || code === 'agent-rejected') return true;
  return FAULTS.has(code) ? false : undefined;
}
