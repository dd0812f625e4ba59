import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { Deadline } from '@agent-reach/core/kernel';

// Design. A handler that calls on must hand its deadline, trace and call token to the next hop, or
// depth limits and traces break where somebody forgot. Nobody can forget what travels by itself:
// the call being handled lives in an AsyncLocalStorage, where every Reach looks before it sends.

/** What the calls made inside a handler inherit from the call that it handles. */
export interface Scope {
  /** The agent whose handler runs: the caller of the nested calls. */
  agentId: string;
  traceId: string;
  /** The span of the gateway's hop, so that nested hops hang below it. */
  spanId: string;
  traceFlags: number;
  /** Proves depth and ancestry to the gateway; absent when somebody called the agent directly. */
  callToken?: string | undefined;
  deadline: Deadline;
  signal: AbortSignal;
  idempotencyKey?: string | undefined;
  /** The task that is being done; absent in a call. Tasks that it submits are its children. */
  taskId?: string | undefined;
  userStamp?: string | undefined;
  onBehalfOf?: string | undefined;
  /** How often each selector was called so far, for `nestedRequestId`. */
  nestedCalls: Map<string, number>;
}

const storage = new AsyncLocalStorage<Scope>();

/** The call whose handler runs here; undefined outside of handlers. */
export function currentScope(): Scope | undefined {
  return storage.getStore();
}

/** Runs `work`, and everything it awaits, inside the scope of one call. */
export function runInScope<T>(scope: Scope, work: () => T): T {
  return storage.run(scope, work);
}

/** Runs `work` as if no handler ran: for what the SDK itself says in the middle of one. */
export function outOfScope<T>(work: () => T): T {
  return storage.exit(work);
}

/**
 * The request id of the next nested call to `selector`; undefined when the handled call has no key,
 * and then a fresh id serves.
 *
 * A handler that is run again under the same idempotency key must not do its nested writes again.
 * So their ids, which key writes, follow from its own key and from how often it has
 * called that selector. Parameters are left out on purpose: a second run that sends others is
 * refused by the gateway, where a new id would let it take effect twice.
 */
export function nestedRequestId(scope: Scope, selector: string): string | undefined {
  if (scope.idempotencyKey === undefined) return undefined;
  const count = (scope.nestedCalls.get(selector) ?? 0) + 1;
  scope.nestedCalls.set(selector, count);
  const parts = [scope.agentId, scope.idempotencyKey, selector, count];
  return `nest_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}
