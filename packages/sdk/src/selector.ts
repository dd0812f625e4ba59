import type { CallRequest, MatchStrategy, Prefer } from '@agent-reach/core';
import { isNamed } from './repeatable.ts';

/**
 * Whom to reach: a capability's name, or the fields of a request (`capability`, `intent`, `tags`,
 * `agent`, …) as the request lists them. A name alone is never taken for anything but a name.
 */
export type Selector = string | CallRequest;

/** What one call may set for itself. */
export interface CallOptions {
  /** Names one effect: whoever sends the same key again gets the first answer. */
  idempotencyKey?: string | undefined;
  /** Fresh for each call when left out, and then the key of a write. */
  requestId?: string | undefined;
  /** Of the confirmation that an earlier try was told it needs; `Reach.confirm` does it by itself. */
  confirmationCode?: string | undefined;
  /** How long the caller waits. Longer costs the caller's own callers patience. */
  timeoutMs?: number | undefined;
  /** Ends the wait with `cancelled`. */
  signal?: AbortSignal | undefined;
  /** What the chosen one must carry: `['eu']`, or `{region: 'eu'}`. */
  tags?: CallRequest['tags'] | undefined;
  /** False lets a tag be relaxed in the order that the gateway's owner set; true never does. */
  strictTags?: boolean | undefined;
  /** What is to decide: a name, tags or the intent; `auto` unless said. */
  strategy?: MatchStrategy | undefined;
  /** What to like of those who are as good as each other, in proportion. */
  prefer?: Prefer | undefined;
  /** Only this agent may serve. */
  agent?: string | undefined;
  /** The answer then says why each candidate was taken or left. */
  explain?: boolean | undefined;
  /** The trace to join. Inside a handler the handled call's own is joined without asking. */
  traceId?: string | undefined;
  /** For whom the caller acts. Inside a handler inherited, as is `userStamp`. */
  onBehalfOf?: string | undefined;
  /** Reaches the downstream system and the audit untouched. */
  userStamp?: string | undefined;
  /** What belongs together: the same source is kept in order and on one instance. */
  sourceId?: string | undefined;
  /** Who may stand in, in this order, where nobody can be reached; the answer is then `degraded`. */
  fallback?: readonly string[] | undefined;
  /** The hint for the user when this call times out. */
  degradeText?: string | undefined;
}

/** What one route decision may set: it runs nothing, so it has no key and no degraded answer. */
export type RouteOptions = Omit<CallOptions, 'idempotencyKey' | 'confirmationCode' | 'degradeText'>;

/** What a call inherits from where it is made, below what its options say. */
export interface Inherited {
  requestId?: string | undefined;
  agentId?: string | undefined;
  tenant?: string | undefined;
  onBehalfOf?: string | undefined;
  userStamp?: string | undefined;
}

/** The request in its wire form: options over selector, selector over what is inherited. */
export function toCallRequest(
  selector: Selector,
  params: unknown,
  options: CallOptions,
  inherited: Inherited,
): CallRequest {
  const given: CallRequest = typeof selector === 'string' ? { capability: selector } : selector;
  const context = withoutGaps({
    on_behalf_of: inherited.onBehalfOf,
    user_stamp: inherited.userStamp,
    ...given.context,
    ...withoutGaps({
      trace_id: options.traceId,
      on_behalf_of: options.onBehalfOf,
      user_stamp: options.userStamp,
      source_id: options.sourceId,
      fallback: options.fallback === undefined ? undefined : [...options.fallback],
    }),
  });
  return {
    ...withoutGaps({
      request_id: inherited.requestId,
      agent_id: inherited.agentId,
      tenant: inherited.tenant,
    }),
    ...given,
    ...withoutGaps({
      params,
      request_id: options.requestId,
      idempotency_key: options.idempotencyKey,
      confirmation_code: options.confirmationCode,
      tags: options.tags,
      strict_tags: options.strictTags,
      strategy: options.strategy,
      prefer: options.prefer,
      agent: options.agent,
      explain: options.explain,
      context: Object.keys(context).length === 0 ? undefined : context,
    }),
  };
}

/** Whether the sender itself names the effect, so that he may send it again under the same name. */
export function isNamedBy(selector: Selector, options: CallOptions): boolean {
  if ((options.idempotencyKey ?? options.requestId) !== undefined) return true;
  return typeof selector === 'object' && isNamed(selector);
}

type WithoutGaps<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** An absent field and an undefined one are the same to a caller, and only the first goes over. */
function withoutGaps<T extends object>(fields: T): WithoutGaps<T> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as WithoutGaps<T>;
}
