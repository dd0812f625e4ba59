import type { ErrorCode, ReachError } from '@agent-reach/core';
import type { Verdict } from './breaker-machine.ts';

/** The endpoint's own doing, or the way to it. */
const FAILURES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'agent-error',
  'connect-failed',
  'bad-response',
  'schema-drift',
  'deadline-exceeded',
  'agent-busy',
  'draining',
  'fenced',
]);

/** Said of what was not run, these are no failure. */
const LEFT_ALONE: ReadonlySet<ErrorCode> = new Set(['agent-busy', 'draining', 'fenced']);

/**
 * What the end of an attempt says of whether its endpoint can be reached: an error, or none. Any
 * final verdict of the endpoint proves that it can, a refusal as well as a result, and so does a 429.
 * A bare 503 is a failure, for a proxy before a dead agent says the same; one that is marked as not
 * run says nothing. Nor does what others did, or an attempt that had less than its time.
 */
export function verdictOn(error: ReachError | undefined, hadItsTime: boolean): Verdict {
  if (error === undefined) return 'success';
  const { code, executed, facts } = error;
  const status = facts.downstream?.status;
  if (code === 'agent-rejected' || executed === 'yes' || status === 429) return 'success';
  if (!FAILURES.has(code)) return 'neutral';
  if (code === 'deadline-exceeded') return hadItsTime ? 'failure' : 'neutral';
  const saysItDidNotRun = executed === 'no' && LEFT_ALONE.has(code);
  return saysItDidNotRun ? 'neutral' : 'failure';
}
