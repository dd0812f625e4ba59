import { formatTraceparent } from '@agent-reach/core';
import type { Ids } from '@agent-reach/core/kernel';
import type { Scope } from './scope.ts';

/** The trace that a request joins or begins. */
export interface Trace {
  id: string;
  /** The `traceparent` header; undefined when the request's body says the trace. */
  header?: string;
}

/** Flags of a trace that begins here: sampled, and random (W3C Trace Context Level 2). */
const NEW_TRACE_FLAGS = 0b11;

/**
 * The trace of the handled call before the one that the caller names before a new one. A new one
 * begins on this side so that a call that never arrived can be looked for all the same.
 */
export function traceOf(scope: Scope | undefined, named: string | undefined, ids: Ids): Trace {
  if (scope !== undefined) {
    const { traceId, spanId, traceFlags: flags } = scope;
    return { id: traceId, header: formatTraceparent({ traceId, spanId, flags }) };
  }
  if (named !== undefined) return { id: named };
  const traceId = ids.trace();
  const span = { traceId, spanId: ids.span(), flags: NEW_TRACE_FLAGS };
  return { id: traceId, header: formatTraceparent(span) };
}
