import { type HandlersOf, ReachError, type TraceRecord } from '@agent-reach/core';
import type { TracesStore } from '../storage/spi/traces.ts';
import type { Recorder } from './recorder.ts';

const LIMIT = 100;
/** A trace makes at most 64 calls a window; this shows several windows whole. */
const TRACE_HOPS_MAX = 1_000;

/** What telemetry answers. Flushes before it reads: who asks after an answer finds its trace. */
export function telemetryHandlers(ports: {
  store: TracesStore;
  recorder: Recorder;
}): HandlersOf<'traces' | 'audit'> & Pick<HandlersOf<'calls'>, 'calls.get'> {
  const { store, recorder } = ports;
  return {
    async 'traces.search'(input, { tenant }) {
      await recorder.flush();
      const { trace_id: traceId, request_id: requestId, limit, ...rest } = input;
      const hops = await store.find({
        tenant,
        limit: limit ?? LIMIT,
        ...(traceId === undefined ? {} : { traceId }),
        ...(requestId === undefined ? {} : { requestId }),
        ...rest,
      });
      return { hops };
    },
    async 'traces.get'(input, { tenant }) {
      await recorder.flush();
      const hops = await store.find({ tenant, traceId: input.trace_id, limit: TRACE_HOPS_MAX });
      if (hops.length === 0) {
        throw new ReachError('not-found', `No hop of trace ${input.trace_id} is known.`);
      }
      return { trace_id: hops[0]?.trace_id ?? input.trace_id, hops: asTheyBegan(hops) };
    },
    async 'calls.get'(input, { tenant }) {
      await recorder.flush();
      const hops = await store.find({ tenant, requestId: input.request_id, limit: LIMIT });
      if (hops.length === 0) {
        throw new ReachError('not-found', `No call with request id ${input.request_id} is known.`);
      }
      return { request_id: input.request_id, hops: asTheyBegan(hops) };
    },
    async 'audit.search'(input, { tenant }) {
      await recorder.flush();
      const { trace_id: traceId, request_id: requestId, limit, ...rest } = input;
      const lines = await store.findAudit({
        tenant,
        limit: limit ?? LIMIT,
        ...(traceId === undefined ? {} : { traceId }),
        ...(requestId === undefined ? {} : { requestId }),
        ...rest,
      });
      return { lines };
    },
  };
}

/**
 * Newest first as they are kept, in the order in which they began. A hop is kept when it has ended, so
 * of a call and one below it that began in the same millisecond the inner one was kept first.
 */
function asTheyBegan(hops: readonly TraceRecord[]): TraceRecord[] {
  return hops.toReversed().sort((a, b) => a.at - b.at || a.hop - b.hop);
}
