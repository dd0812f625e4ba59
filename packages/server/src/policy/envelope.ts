import {
  type CallRequest,
  HEADERS,
  type Issue,
  type MatchStrategy,
  type Prefer,
  ReachError,
  type RouteRequest,
  validationFailed,
} from '@agent-reach/core';
import { parseDurationMs } from '@agent-reach/core/kernel';

/** What a request asks for, with its aliases resolved. */
export interface Envelope {
  capability: string | undefined;
  intent: string | undefined;
  tags: Record<string, string>;
  strictTags: boolean;
  strategy?: MatchStrategy | undefined;
  prefer?: Prefer | undefined;
  agent: string | undefined;
  version: string | undefined;
  params: unknown;
  requestId: string | undefined;
  idempotencyKey: string | undefined;
  /** What was given for the confirmation that it needs. */
  confirmationCode: string | undefined;
  /** How long the caller waits, if it says; the smallest of all places where it may. */
  patienceMs: number | undefined;
  /** How long it lets the agent take, if it says; bounded by what the agent allows. */
  askedMs: number | undefined;
  onBehalfOf: string | undefined;
  userStamp: string | undefined;
  sourceId: string | undefined;
  /** What may stand in where it cannot be reached, in this order. */
  fallback: readonly string[];
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const DEADLINE_MAX_MS = 3_600_000;

/** Resolves aliases and refuses what contradicts itself. */
export function readEnvelope(request: CallRequest | RouteRequest, headers: Headers): Envelope {
  const { context } = request;
  const call = request as CallRequest;
  const envelope: Envelope = {
    capability: one('capability', request.capability, 'action', request.action),
    intent: request.intent,
    tags: tagMap(request.tags),
    strictTags: request.strict_tags === true,
    strategy: request.strategy,
    prefer: request.prefer,
    agent: request.agent,
    version: request.version,
    params: params(request),
    requestId: request.request_id,
    idempotencyKey: one(
      'idempotency_key',
      call.idempotency_key,
      `header ${HEADERS.idempotencyKey}`,
      readKeyHeader(headers),
    ),
    confirmationCode: call.confirmation_code,
    patienceMs: smallest([
      context?.deadline_ms,
      call.timeout_ms,
      timeout(call.timeout),
      deadlineHeader(headers),
    ]),
    askedMs: smallest([call.timeout_ms, timeout(call.timeout)]),
    onBehalfOf: context?.on_behalf_of,
    userStamp: context?.user_stamp,
    sourceId: context?.source_id,
    fallback: context?.fallback ?? [],
  };
  const { capability, intent, tags } = envelope;
  if (capability === undefined && intent === undefined && Object.keys(tags).length === 0) {
    throw validationFailed('The request', [
      {
        pointer: '#/capability',
        detail: 'is missing; name a capability, an action, an intent or tags',
      },
    ]);
  }
  demandWhatDecides(envelope);
  return envelope;
}

/** A strategy needs what it decides by, and no name that it would not look at. */
function demandWhatDecides({ strategy, capability, intent, tags }: Envelope): void {
  const isThere = {
    auto: true,
    exact: capability !== undefined,
    tags: Object.keys(tags).length > 0,
    semantic: intent !== undefined,
  };
  const needs = { auto: '', exact: 'a capability', tags: 'tags', semantic: 'an intent' };
  const say = (detail: string) =>
    validationFailed('The request', [{ pointer: '#/strategy', detail }]);
  if (strategy === undefined || strategy === 'auto') return;
  if (!isThere[strategy]) throw say(`is ${strategy}, which needs ${needs[strategy]}`);
  if (strategy !== 'exact' && capability !== undefined) {
    throw say(`is ${strategy}, which looks at no name; leave out capability, or say auto`);
  }
}

function params(request: CallRequest | RouteRequest): unknown {
  if (request.params !== undefined && request.payload !== undefined) {
    throw validationFailed('The request', [
      { pointer: '#/payload', detail: 'is another name of params; give one of them' },
    ]);
  }
  return request.params ?? request.payload ?? {};
}

function one(
  name: string,
  value: string | undefined,
  alias: string,
  other: string | undefined,
): string | undefined {
  if (value === undefined || other === undefined || value === other) return value ?? other;
  throw validationFailed('The request', [
    { pointer: `#/${name}`, detail: `says ${value}, but ${alias} says ${other}` },
  ]);
}

/** Tags of one form: a list item is a key with an empty value. */
export function tagMap(tags: CallRequest['tags']): Record<string, string> {
  if (tags === undefined) return {};
  return Array.isArray(tags) ? Object.fromEntries(tags.map((tag) => [tag, ''])) : { ...tags };
}

function timeout(given: CallRequest['timeout']): number | undefined {
  if (given === undefined) return undefined;
  const ms = parseDurationMs(given);
  if (ms === undefined || ms < 1 || ms > 60_000) {
    throw validationFailed('The request', [
      { pointer: '#/timeout', detail: `must be 1ms to 60s, is ${String(given).slice(0, 40)}` },
    ]);
  }
  return ms;
}

/** A header that may come once. A comma means that it came twice, or that somebody hides one. */
export function single(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined || (typeof value === 'string' && !value.includes(','))) return value;
  const issue: Issue = { pointer: `#/headers/${name}`, detail: 'may come only once' };
  throw new ReachError('validation-failed', `The header ${name} may come only once.`, {
    errors: [issue],
  });
}

function deadlineHeader(headers: Headers): number | undefined {
  const value = single(headers, HEADERS.deadlineMs);
  if (value === undefined) return undefined;
  const ms = /^\d{1,15}$/.test(value) ? Number(value) : 0;
  if (ms < 1) {
    throw validationFailed('The request', [
      {
        pointer: `#/headers/${HEADERS.deadlineMs}`,
        detail: `must be whole milliseconds from 1, is ${value.slice(0, 40)}`,
      },
    ]);
  }
  return Math.min(ms, DEADLINE_MAX_MS);
}

/** The key of the header: a structured-field string, or the bare text. */
export function readKeyHeader(headers: Headers): string | undefined {
  const value = single(headers, HEADERS.idempotencyKey);
  if (value === undefined) return undefined;
  const bare = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (/^[!#-+\--[\]-~]{1,255}$/.test(bare)) return bare;
  throw validationFailed('The request', [
    {
      pointer: `#/headers/${HEADERS.idempotencyKey}`,
      detail: 'must be 1 to 255 visible ASCII characters without comma, quote and backslash',
    },
  ]);
}

function smallest(values: readonly (number | undefined)[]): number | undefined {
  let least: number | undefined;
  for (const value of values) {
    if (value !== undefined && (least === undefined || value < least)) least = value;
  }
  return least;
}
