import { type Delivery, formatTraceparent } from '@agent-reach/core';
import type { InboundCall } from '../inbound.ts';

/** For a gateway that does not say: extended within a second, and the answer to that says it. */
const LEASE_MS_ASSUMED = 3_000;

/** A task that the gateway sent to the agent's address, as one that was asked for; undefined for a call. */
export function deliveryOf(call: InboundCall, payload: unknown): Delivery | undefined {
  const { taskId, lease, traceId, spanId, traceFlags: flags, sourceId, taskDeadlineMs } = call;
  if (taskId === undefined || lease === undefined) return undefined;
  return {
    task_id: taskId,
    task_type: call.capability,
    kind: 'task',
    payload,
    lease,
    lease_ms: call.leaseMs ?? LEASE_MS_ASSUMED,
    attempt: call.attempt,
    trace_id: traceId,
    traceparent: formatTraceparent({ traceId, spanId, flags }),
    call_token: call.callToken ?? '',
    caller: call.caller,
    idempotency_key: call.idempotencyKey ?? taskId,
    ...(taskDeadlineMs === undefined ? {} : { deadline_ms: taskDeadlineMs }),
    ...(sourceId === undefined ? {} : { source_id: sourceId }),
  };
}
