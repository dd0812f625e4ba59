import { type Delivery, formatTraceparent } from '@agent-reach/core';
import type { InboundCall } from '../inbound.ts';

/**
 * A pushed task does not say how long its lease is. Taken for so short, it is extended within a
 * second, and the answer to that says it.
 */
const LEASE_MS_ASSUMED = 3_000;

/**
 * A task that the gateway sent to the agent's address, as one that was asked for; undefined for a
 * call. Its deadline is left out: what the call says is how long the gateway waits for an answer,
 * and a receipt is one. When the task's own time is over, its lease is.
 */
export function deliveryOf(call: InboundCall, payload: unknown): Delivery | undefined {
  const { taskId, lease, traceId, spanId, traceFlags: flags, sourceId } = call;
  if (taskId === undefined || lease === undefined) return undefined;
  return {
    task_id: taskId,
    task_type: call.capability,
    kind: 'task',
    payload,
    lease,
    lease_ms: LEASE_MS_ASSUMED,
    attempt: call.attempt,
    trace_id: traceId,
    traceparent: formatTraceparent({ traceId, spanId, flags }),
    call_token: call.callToken ?? '',
    caller: call.caller,
    idempotency_key: call.idempotencyKey ?? taskId,
    ...(sourceId === undefined ? {} : { source_id: sourceId }),
  };
}
