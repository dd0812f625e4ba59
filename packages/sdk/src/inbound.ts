import type { IncomingHttpHeaders } from 'node:http';
import { HEADERS, OPEN_TENANT, parseTraceparent, validationFailed } from '@agent-reach/core';
import type { Ids } from '@agent-reach/core/kernel';

/** A call as its headers describe it. The body is the parameters alone. */
export interface InboundCall {
  capability: string;
  requestId: string;
  traceId: string;
  spanId: string;
  traceFlags: number;
  caller: string;
  tenant: string;
  attempt: number;
  /** Remaining when the call was sent; undefined when nobody said. */
  deadlineMs: number | undefined;
  idempotencyKey: string | undefined;
  callToken: string | undefined;
  onBehalfOf: string | undefined;
  userStamp: string | undefined;
  sourceId: string | undefined;
  /** The confirmation under which it is done, or prepared. */
  confirmation: string | undefined;
  /** It is to be prepared, and not done. */
  isPreparation?: true;
  /** Set when the call is a delivery of a task. */
  taskId: string | undefined;
  /** With it one speaks for the task. A credential, as the call token is. */
  lease: string | undefined;
  /** How long the lease is without a word. */
  leaseMs: number | undefined;
  /** Until the task itself fails; `deadlineMs` is how long the gateway waits for an answer. */
  taskDeadlineMs: number | undefined;
}

const DEADLINE_MS_MAX = 3_600_000;
const LEASE_MS_MAX = 86_400_000;
const TASK_DEADLINE_MS_MAX = 2_592_000_000;

/**
 * Reads what the gateway says of a call. Whatever is missing gets a value that stands for "nobody
 * said", because anybody with curl may call an agent directly. What is there and malformed throws
 * `validation-failed`: a key that was silently dropped would let a write run twice.
 */
export function readCall(headers: IncomingHttpHeaders, capability: string, ids: Ids): InboundCall {
  const text = (name: string) => decoded(one(headers[name]));
  const trace = parseTraceparent(one(headers[HEADERS.traceparent]));
  return {
    capability,
    requestId: text(HEADERS.requestId) ?? ids.next('call'),
    traceId: trace?.traceId ?? ids.trace(),
    spanId: trace?.parentSpanId ?? ids.span(),
    traceFlags: trace?.flags ?? 0b11,
    caller: text(HEADERS.caller) ?? 'anonymous',
    tenant: text(HEADERS.tenant) ?? OPEN_TENANT,
    attempt: integer(headers, HEADERS.attempt, 1_000) ?? 1,
    deadlineMs: integer(headers, HEADERS.deadlineMs, DEADLINE_MS_MAX),
    idempotencyKey: keyOf(one(headers[HEADERS.idempotencyKey])),
    callToken: one(headers[HEADERS.callToken]),
    onBehalfOf: text(HEADERS.onBehalfOf),
    userStamp: text(HEADERS.userStamp),
    sourceId: text(HEADERS.sourceId),
    confirmation: one(headers[HEADERS.confirmation]),
    taskId: one(headers[HEADERS.taskId]),
    lease: one(headers[HEADERS.lease]),
    leaseMs: integer(headers, HEADERS.leaseMs, LEASE_MS_MAX),
    taskDeadlineMs: integer(headers, HEADERS.taskDeadlineMs, TASK_DEADLINE_MS_MAX),
  };
}

/** Node joins repeated headers of ours into one text, with commas; only `set-cookie` is a list. */
function one(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Free text is percent-encoded where it is not ASCII, and readers decode once. */
function decoded(value: string | undefined): string | undefined {
  if (value === undefined || !value.includes('%')) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // A lone percent sign was meant as one.
  }
}

function integer(headers: IncomingHttpHeaders, name: string, max: number): number | undefined {
  const text = one(headers[name]);
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw headerFault(name, `must be an integer from 1 to ${max}`);
}

/** Quoted as the draft of the header wants it, or bare. */
function keyOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const key = /^"(.*)"$/.exec(text)?.[1] ?? text;
  if (/^[!#-+\--[\]-~]{1,255}$/.test(key)) return key;
  throw headerFault(
    HEADERS.idempotencyKey,
    'must be one key of 1 to 255 visible ASCII characters without comma, quote and backslash',
  );
}

function headerFault(name: string, detail: string) {
  return validationFailed('The call', [{ pointer: `header ${name}`, detail }]);
}
