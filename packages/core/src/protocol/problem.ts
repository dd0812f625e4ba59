import { scrubText } from '../kernel/scrub.ts';
import { ERRORS, type ErrorCode, type ErrorFacts, type Issue, ReachError } from './errors.ts';

/** RFC 9457 problem details with our extension members. `code` is what programs switch on. */
export interface Problem extends ErrorFacts {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  code: ErrorCode;
  retryable: boolean;
  executed: 'no' | 'yes' | 'unknown';
  request_id?: string;
  trace_id?: string;
}

/** The media type of every failure under /v1. */
export const PROBLEM_TYPE = 'application/problem+json';

/** The document that tells a caller of a failure. */
export function toProblem(
  error: ReachError,
  about: { request_id?: string; trace_id?: string } = {},
): Problem {
  const { instance: _, ...facts } = error.facts;
  const { request_id: requestId } = about;
  const standard = {
    type: `/problems/${error.code}`,
    title: ERRORS[error.code].title,
    status: error.status,
    detail: scrubText(error.message),
    ...(requestId === undefined ? {} : { instance: encodeURI(`/v1/calls/${requestId}`) }),
    code: error.code,
    retryable: error.retryable,
    executed: error.executed,
  };
  // First for the reader's eye, and last so that no fact passes for a standard member.
  return { ...standard, ...facts, ...standard, ...about };
}

/** Members that say nothing beyond code and sentence, and one that is no member at all. */
const NO_FACTS = new Set(['type', 'title', 'status', 'detail', 'instance', 'code', '__proto__']);

/** Facts that decide what happens next: one of another form is not believed. */
const FORMS: Record<string, (value: unknown) => boolean> = {
  executed: (value) => value === 'no' || value === 'yes' || value === 'unknown',
  retryable: (value) => typeof value === 'boolean',
  retry_after_ms: (value) => Number.isFinite(value) && (value as number) >= 0,
  errors: (value) => Array.isArray(value) && value.every(isIssue),
};

function isIssue(value: unknown): boolean {
  const { pointer, detail } = (value ?? {}) as Partial<Issue>;
  return typeof pointer === 'string' && typeof detail === 'string';
}

/** Reads a problem document back; undefined if it is not one of ours. */
export function fromProblem(body: unknown): ReachError | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { code, detail } = body as Partial<Problem>;
  if (typeof code !== 'string' || !Object.hasOwn(ERRORS, code)) return undefined;
  const facts: ErrorFacts = {};
  for (const [name, value] of Object.entries(body)) {
    if (NO_FACTS.has(name)) continue;
    if (!Object.hasOwn(FORMS, name) || FORMS[name]?.(value) === true) facts[name] = value;
  }
  return new ReachError(code, typeof detail === 'string' ? detail : ERRORS[code].title, facts);
}
