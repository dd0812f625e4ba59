import { HEADERS, ReachError, type SigningKey } from '@agent-reach/core';
import {
  type Fetch,
  FetchFailure,
  type FetchRequest,
  type FetchResponse,
} from '@agent-reach/core/kernel';
import { shown } from './foreign-text.ts';
import type { Attempt, AttemptTask, Link } from './link.ts';
import { isUnverified, readAnswer } from './read-answer.ts';
import { type Signing, signedPush } from './signing.ts';

/** Answers beyond this are cut off: a result is a message, not a file. */
export const RESULT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The HTTP link: `POST {base_url}/abilities/{capability}`, the body is the parameters alone
 * and the answer the result alone; all that is ours travels in headers, so that an agent needs to
 * know nothing of us. What is to be prepared goes to the path below it, `…/prepare`.
 */
export function httpLink(fetch: Fetch, signing?: Signing): Link {
  return async (attempt) => {
    const request: FetchRequest = {
      method: 'POST',
      url: urlOf(attempt),
      headers: headersOf(attempt),
      body: JSON.stringify(attempt.params ?? {}),
      timeoutMs: attempt.gatewayMs,
      responseBytesMax: RESULT_BYTES_MAX,
      signal: attempt.signal,
    };
    try {
      const [first, second] = (await signing?.keys.of(attempt)) ?? [];
      const response =
        signing === undefined || first === undefined
          ? await fetch(request)
          : await fetchSigned(request, attempt, [first, second], { fetch, signing });
      return readAnswer(response, attempt);
    } catch (failure) {
      if (ReachError.is(failure)) return { ok: false, status: 0, error: failure };
      if (!(failure instanceof FetchFailure)) throw failure;
      return { ok: false, status: 0, error: toError(failure, attempt) };
    }
  };
}

function urlOf({ baseUrl, capability, isPreparation }: Attempt): string {
  const ability = `${baseUrl}/abilities/${encodeURIComponent(capability)}`;
  return isPreparation === true ? `${ability}/prepare` : ability;
}

/**
 * Sends it signed by the likeliest key. Processes of one agent change to a new key one after the other,
 * so where one does not know the first key the second is tried: a signature that does not verify has
 * run nothing.
 */
async function fetchSigned(
  request: FetchRequest,
  attempt: Attempt,
  [first, second]: [SigningKey, SigningKey | undefined],
  { fetch, signing }: { fetch: Fetch; signing: Signing },
): Promise<FetchResponse> {
  const { keys, clock } = signing;
  const startedAt = clock.monotonic();
  const response = await fetch(signedPush(request, first, signing));
  if (!isUnverified(response)) {
    keys.took(attempt, first);
    return response;
  }
  const timeoutMs = request.timeoutMs - (clock.monotonic() - startedAt);
  if (second === undefined || timeoutMs < 1) return response;
  const again = await fetch(signedPush({ ...request, timeoutMs }, second, signing));
  if (!isUnverified(again)) keys.took(attempt, second);
  return again;
}

function headersOf(attempt: Attempt): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, application/problem+json',
    [HEADERS.requestId]: attempt.requestId,
    [HEADERS.tenant]: attempt.tenant,
    [HEADERS.caller]: asciiOf(attempt.caller),
    [HEADERS.capability]: attempt.capability,
    [HEADERS.instance]: attempt.instanceId,
    [HEADERS.addrVersion]: attempt.addrVersion,
    [HEADERS.attempt]: String(attempt.number),
    [HEADERS.deadlineMs]: String(Math.max(1, Math.floor(attempt.agentMs))),
    [HEADERS.traceparent]: attempt.traceparent,
    [HEADERS.callToken]: attempt.callToken,
  };
  if (attempt.fenceEpoch !== undefined) headers[HEADERS.fenceEpoch] = String(attempt.fenceEpoch);
  if (attempt.idempotencyKey !== undefined) {
    headers[HEADERS.idempotencyKey] = `"${attempt.idempotencyKey}"`;
  }
  if (attempt.onBehalfOf !== undefined) headers[HEADERS.onBehalfOf] = asciiOf(attempt.onBehalfOf);
  if (attempt.userStamp !== undefined) headers[HEADERS.userStamp] = asciiOf(attempt.userStamp);
  if (attempt.sourceId !== undefined) headers[HEADERS.sourceId] = asciiOf(attempt.sourceId);
  if (attempt.confirmation !== undefined) headers[HEADERS.confirmation] = attempt.confirmation;
  return attempt.task === undefined ? headers : { ...headers, ...taskHeaders(attempt.task) };
}

function taskHeaders({ taskId, lease, leaseMs, deadlineMs }: AttemptTask): Record<string, string> {
  return {
    [HEADERS.taskId]: taskId,
    [HEADERS.lease]: lease,
    [HEADERS.leaseMs]: String(leaseMs),
    ...(deadlineMs === undefined
      ? {}
      : { [HEADERS.taskDeadlineMs]: String(Math.ceil(deadlineMs)) }),
  };
}

/** Visible ASCII without `%`, with blanks inside only: a peer strips those at the ends. */
const PLAIN = /^(?:[\x21-\x24\x26-\x7e](?:[\x20-\x24\x26-\x7e]*[\x21-\x24\x26-\x7e])?)?$/;

/**
 * Header values are ASCII; anything else, line breaks first of all, is percent-encoded as UTF-8
 * (readers decode once). Half a surrogate pair, which has no UTF-8, becomes U+FFFD.
 */
function asciiOf(value: string): string {
  return PLAIN.test(value) ? value : encodeURIComponent(value.toWellFormed());
}

function toError(failure: FetchFailure, attempt: Attempt): ReachError {
  const executed = failure.sent ? 'unknown' : 'no';
  const facts = { agent: attempt.agentId, capability: attempt.capability, executed } as const;
  const who = `${attempt.agentId} (${attempt.instanceId})`;
  switch (failure.kind) {
    case 'bad-url':
    case 'refused-address':
      return new ReachError('egress-blocked', `${who}: ${shown(failure.message)}`, facts, failure);
    case 'resolve':
    case 'connect':
    case 'tls':
      return new ReachError('connect-failed', `${who}: ${shown(failure.message)}`, facts, failure);
    case 'timeout':
      return new ReachError(
        'deadline-exceeded',
        `${who} did not answer within ${Math.round(attempt.gatewayMs)} ms.`,
        facts,
        failure,
      );
    case 'reset':
      return new ReachError(
        failure.sent ? 'agent-error' : 'connect-failed',
        `${who} closed the connection before it answered.`,
        facts,
        failure,
      );
    case 'too-large':
      return new ReachError(
        'bad-response',
        `${who} answered more than ${RESULT_BYTES_MAX} bytes.`,
        { ...facts, limit: RESULT_BYTES_MAX },
        failure,
      );
    case 'aborted':
      if (attempt.signal?.aborted === true) {
        return new ReachError('cancelled', 'The caller went away.', facts, failure);
      }
      return new ReachError('overloaded', 'The gateway is closing.', facts, failure);
  }
}
