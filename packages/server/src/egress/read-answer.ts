import { type ErrorFacts, type Executed, parseJson, ReachError } from '@agent-reach/core';
import type { FetchResponse } from '@agent-reach/core/kernel';
import { shown } from './foreign-text.ts';
import type { Attempt, AttemptOutcome } from './link.ts';

/** Deeper results are refused: nothing honest nests so far, and every reader must walk it. */
const DEPTH_MAX = 64;
/** The answers that can be a result. Others of 2xx promise something else: later, or in parts. */
const RESULT_STATUSES = new Set([200, 201, 203, 204]);
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;
/** Codes of a 503 by which an agent says why it takes nothing. */
const LEFT_ALONE = ['draining', 'fenced'] as const;
const PROBLEM = /^application\/problem\+json\s*(?:;|$)/i;

/**
 * What an agent's HTTP answer means. Only 200, 201, 203 and 204 with readable
 * JSON or nothing at all are a result. A 4xx is the agent's own final verdict, except those by
 * which it says that it did not run.
 */
export function readAnswer(response: FetchResponse, attempt: Attempt): AttemptOutcome {
  const { status } = response;
  if (status === 202 && attempt.task !== undefined) {
    return { ok: true, status, result: undefined, isReceipt: true };
  }
  if (RESULT_STATUSES.has(status)) return readResult(response, attempt);
  return { ok: false, status, error: refusal(response, attempt) };
}

function readResult(response: FetchResponse, attempt: Attempt): AttemptOutcome {
  const { status, body } = response;
  if (body.byteLength === 0) return { ok: true, status, result: null };
  const type = response.headers['content-type'] ?? '';
  const unreadable = (why: string, text?: string): AttemptOutcome => ({
    ok: false,
    status,
    ...(text === undefined ? {} : { unreadable: text }),
    error: new ReachError(
      'bad-response',
      `${attempt.agentId} answered what cannot be read: ${why}.`,
      { agent: attempt.agentId, capability: attempt.capability },
    ),
  });
  // A failure with the status of a success: whatever it means, it is no result.
  if (PROBLEM.test(type)) return unreadable(`a problem document with status ${status}`);
  if (!JSON_TYPE.test(type)) return unreadable(`content type ${shown(type) || '(none)'}`);
  try {
    return { ok: true, status, result: parse(body) };
  } catch (error) {
    const why = ReachError.is(error) ? shown(error.message) : 'it is not UTF-8';
    return unreadable(why, headOf(body));
  }
}

/** What is kept of a result that cannot be read. */
const HEAD_BYTES = 4_096;

/** The head of a body as text that anybody can store: control characters are escaped. */
function headOf(body: Uint8Array): string {
  const head = new TextDecoder('utf-8').decode(body.subarray(0, HEAD_BYTES));
  return head.replaceAll(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

function refusal(response: FetchResponse, attempt: Attempt): ReachError {
  const { status } = response;
  const told = problemOf(response);
  const facts = {
    agent: attempt.agentId,
    capability: attempt.capability,
    downstream: { status, ...told.own },
  };
  const retryAfter = retryAfterMs(response.headers['retry-after']);
  const wait = retryAfter === undefined ? {} : { retry_after_ms: retryAfter };
  const says = told.own.detail === undefined ? '' : `: ${told.own.detail}`;
  const who = attempt.agentId;

  if (status === 421) {
    return new ReachError('stale-address', `${who} no longer lives at this address.`, facts);
  }
  if (status === 429) {
    return new ReachError('agent-busy', `${who} takes no more work now${says}.`, {
      ...facts,
      ...wait,
    });
  }
  if (status === 503) {
    const code = LEFT_ALONE.find((one) => one === told.own.code) ?? 'agent-busy';
    return new ReachError(code, `${who} takes no more work now${says}.`, {
      ...facts,
      ...wait,
      // The one status whose mark is believed when it says that nothing ran.
      executed: told.executed ?? 'unknown',
    });
  }
  if (status >= 400 && status < 500) {
    const detail = `${who} refused with ${status}${says}.`;
    return new ReachError('agent-rejected', detail, { ...facts, executed: ranOn4xx(status, told) });
  }
  if (status >= 500) return failure(response, attempt, { told, facts, says });
  const advice = status === 202 ? ' to a call; only a task may be answered later' : '';
  return new ReachError('bad-response', `${who} answered ${status}${advice}.`, facts);
}

/** The agent ran out of time, or broke. That it will break again it may say; that it did not run, not. */
function failure(
  { status }: FetchResponse,
  { agentId }: Attempt,
  about: { told: Told; facts: ErrorFacts; says: string },
): ReachError {
  const { told, says } = about;
  const facts: ErrorFacts = {
    ...about.facts,
    executed: told.executed === 'yes' ? 'yes' : 'unknown',
    ...(told.final ? { retryable: false } : {}),
  };
  if (status === 504) {
    return new ReachError('deadline-exceeded', `${agentId} ran out of time${says}.`, facts);
  }
  return new ReachError('agent-error', `${agentId} failed with ${status}${says}.`, facts);
}

/**
 * 401 and 403: it looked at who asks, not at what is asked. Any other is its final verdict, unless
 * it says itself that it does not know (its own first run of the key may still go on). A claim
 * that nothing ran is not believed here: it would be repeated.
 */
function ranOn4xx(status: number, told: Told): Executed {
  if (status === 401 || status === 403) return 'no';
  return told.executed === 'unknown' ? 'unknown' : 'yes';
}

/** Whether the agent says that it could not verify who sends: nothing ran. */
export function isUnverified(response: FetchResponse): boolean {
  return response.status === 401 && problemOf(response).own.code === 'signature-invalid';
}

/** What a problem document of the agent says. */
interface Told {
  own: { code?: string; detail?: string };
  executed?: Executed;
  /** It says that another try would fail as well. */
  final: boolean;
}

const NOTHING_TOLD: Told = { own: {}, final: false };

/** Nothing, if it sent none. */
function problemOf(response: FetchResponse): Told {
  if (!JSON_TYPE.test(response.headers['content-type'] ?? '')) return NOTHING_TOLD;
  let body: unknown;
  try {
    body = parse(response.body);
  } catch {
    return NOTHING_TOLD; // The status alone speaks.
  }
  if (typeof body !== 'object' || body === null) return NOTHING_TOLD;
  const { code, detail, executed, retryable } = body as Record<string, unknown>;
  return {
    final: retryable === false,
    own: {
      ...(typeof code === 'string' ? { code: shown(code) } : {}),
      ...(typeof detail === 'string' ? { detail: shown(detail) } : {}),
    },
    ...(executed === 'no' || executed === 'yes' || executed === 'unknown' ? { executed } : {}),
  };
}

const RETRY_AFTER_MAX_S = 3600;

function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,9}$/.test(value)) return undefined;
  return Math.min(RETRY_AFTER_MAX_S, Number(value)) * 1000;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Throws for what is not UTF-8: replaced characters would be a result that nobody gave. */
function parse(body: Uint8Array): unknown {
  return parseJson(decoder.decode(body), { depthMax: DEPTH_MAX });
}
