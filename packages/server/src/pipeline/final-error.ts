import { ERRORS, type Executed, ReachError } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import { mayRepeat } from '../resilience/retry.ts';
import { clause } from '../routing/none.ts';
import type { Run } from './run.ts';
import type { RoadState } from './walk.ts';

/** The error a caller gets: with its ids, and in his words instead of those of the last attempt. */
export function finalError(
  error: ReachError,
  { run, failed }: Pick<RoadState, 'run' | 'failed'>,
): ReachError {
  const { fallback } = run;
  const { requestId, trace } = run.admission;
  const executed = overall(error.executed, run);
  const facts = {
    ...error.facts,
    executed,
    ...repeatable(error.code, executed, { run, failed }),
    request_id: requestId,
    trace_id: trace.traceId,
    ...(run.attempts.length > 1 ? { retry_count: run.attempts.length - 1 } : {}),
    ...(fallback === undefined ? {} : { fallback_of: fallback.asked }),
  };
  const gone = error.code === 'connect-failed' || error.code === 'stale-address';
  if (!gone || executed !== 'no' || failed === undefined) {
    return new ReachError(error.code, error.message, facts, error.cause);
  }
  const { row, seenAt } = failed.decision.instance;
  return new ReachError(
    'no-reachable-agent',
    `${row.agentId} offers ${run.capability}, but cannot be reached: ${clause(error.message)}, last seen ${iso(seenAt)}.`,
    { ...facts, agent: row.agentId, last_seen: iso(seenAt), retry_after_ms: 1_000 },
    error.cause,
  );
}

/** Where the table says "by effect", this is the effect's word on it. */
function repeatable(
  code: ReachError['code'],
  executed: Executed,
  { run, failed }: Pick<RoadState, 'run' | 'failed'>,
): { retryable?: boolean } {
  if (ERRORS[code].retryable !== 'by-effect' || failed === undefined) return {};
  if (failed.error.facts.retryable === false) return { retryable: false };
  const { effect } = failed.decision.provider.capability;
  return { retryable: mayRepeat(effect, run.admission.key !== undefined, executed) };
}

/** A last attempt that provably did not run says nothing of one before it that may have. */
function overall(last: Executed, run: Run): Executed {
  return last === 'no' && run.attempts.some((a) => a.executed === 'unknown') ? 'unknown' : last;
}
