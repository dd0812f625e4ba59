import { legacyTraceId, parseTraceparent } from '@agent-reach/core';
import type { Ids } from '@agent-reach/core/kernel';
import type { CallChain } from './call-token.ts';

/** Where a call stands in its trace. */
export interface TraceSpot {
  traceId: string;
  /** The caller's own trace id when it is not a W3C one; found by search all the same. */
  legacyTraceId: string | undefined;
  spanId: string;
  parentSpanId: string | undefined;
  /** W3C flags, copied. */
  flags: number;
  /** False when this gateway made the trace: nobody can have spent of its budget yet. */
  given: boolean;
}

/** Flags of a trace we make: sampled, and random (W3C Trace Context Level 2). */
const OUR_FLAGS = 3;

/**
 * The trace of a call: the token's, which cannot be forged, before the header's, before the one
 * in the body, before a new one. A valid given one is kept.
 */
export function traceSpot(
  given: { header: string | undefined; body: string | undefined; chain: CallChain | undefined },
  tenant: string,
  ids: Ids,
): TraceSpot {
  const header = parseTraceparent(given.header);
  const spanId = ids.span();
  if (given.chain !== undefined) {
    const { traceId } = given.chain;
    const ours = header?.traceId === traceId ? header : undefined;
    return {
      traceId,
      legacyTraceId: undefined,
      spanId,
      parentSpanId: ours?.parentSpanId ?? given.chain.spanId,
      flags: ours?.flags ?? OUR_FLAGS,
      given: true,
    };
  }
  if (header !== undefined) {
    return {
      traceId: header.traceId,
      legacyTraceId: undefined,
      spanId,
      parentSpanId: header.parentSpanId,
      flags: header.flags,
      given: true,
    };
  }
  const rest = { spanId, parentSpanId: undefined, flags: OUR_FLAGS };
  if (given.body === undefined) {
    return { ...rest, traceId: ids.trace(), legacyTraceId: undefined, given: false };
  }
  if (/^[0-9a-f]{32}$/.test(given.body) && !/^0+$/.test(given.body)) {
    return { ...rest, traceId: given.body, legacyTraceId: undefined, given: true };
  }
  const traceId = legacyTraceId(tenant, given.body);
  return { ...rest, traceId, legacyTraceId: given.body, given: true };
}
