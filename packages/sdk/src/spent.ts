import { Answer, issuesOf, ReachError } from '@agent-reach/core';

/**
 * The answer that a problem document stands for when a budget had not enough: by default a gateway
 * says it with status 429, so that what is on the way sees it. Undefined: it is another failure.
 */
export function spentIn(error: unknown): Answer | undefined {
  if (!ReachError.is(error)) return undefined;
  const { code, facts } = error;
  if (code !== 'budget-paced' && code !== 'budget-exhausted') return undefined;
  const { request_id, trace_id, provider, route, timing, warnings, degrade } = facts;
  const answer = {
    request_id,
    trace_id,
    status: 'degraded',
    degrade,
    result: null,
    provider,
    route,
    timing,
    retry_count: 0,
    replayed: false,
    warnings,
  };
  // A gateway of another make may leave some of it out.
  return issuesOf(Answer, answer).length === 0 ? (answer as Answer) : undefined;
}
