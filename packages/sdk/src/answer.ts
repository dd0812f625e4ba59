import { PROBLEM_TYPE, ReachError, toProblem } from '@agent-reach/core';
import type { InboundCall } from './inbound.ts';
import { Rejection } from './rejection.ts';

/** What goes back over HTTP. */
export interface AgentAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** By what a failed call is found again. */
export type About = Partial<Pick<InboundCall, 'requestId' | 'traceId'>>;

/** The bare result. A handler that returns nothing answers `null`. */
export function resultAnswer(json: string): AgentAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: json };
}

/** A task was taken; what comes of it is told under its lease. */
export function receiptAnswer(): AgentAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status: 202, headers, body: '{"status":"accepted"}' };
}

/** A failure as a problem document. `Rejection`s keep their own code and status. */
export function problemAnswer(error: ReachError | Rejection, about: About = {}): AgentAnswer {
  const ids = {
    ...(about.requestId === undefined ? {} : { request_id: about.requestId }),
    ...(about.traceId === undefined ? {} : { trace_id: about.traceId }),
  };
  const problem = Rejection.is(error) ? rejected(error, ids) : toProblem(error, ids);
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE };
  const { retry_after_ms: retryAfterMs } = error.facts;
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(retryAfterMs / 1_000));
  return { status: problem.status, headers, body: JSON.stringify(problem) };
}

function rejected(error: Rejection, ids: object) {
  return {
    type: 'about:blank',
    title: 'The agent refused the request.',
    detail: error.message,
    ...error.facts,
    status: error.status,
    code: error.code,
    retryable: false,
    executed: 'yes',
    ...ids,
  };
}
