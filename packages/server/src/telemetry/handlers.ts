import {
  type AuditLinkView,
  type HandlersOf,
  ReachError,
  type TraceRecord,
} from '@agent-reach/core';
import type { TracesStore } from '../storage/spi/traces.ts';
import { exportHops } from './export.ts';
import type { Recorder } from './recorder.ts';
import { type VerifyPorts, verifyChain } from './verify.ts';

const LIMIT = 100;
/** A trace makes at most 64 calls a window; this shows several windows whole. */
const TRACE_HOPS_MAX = 1_000;

/** What telemetry answers. Flushes before it reads: who asks after an answer finds its trace. */
export function telemetryHandlers(
  ports: VerifyPorts & { recorder: Recorder },
): HandlersOf<'traces' | 'audit'> &
  Pick<HandlersOf<'calls'>, 'calls.get'> &
  Pick<HandlersOf<'routes'>, 'routes.export'> {
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
    async 'routes.export'(input, asker) {
      await recorder.flush();
      return exportHops(input, asker, ports);
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
    async 'audit.verify'(input, { tenant, signal }) {
      await recorder.flush();
      const { from = 1, to, records_max: recordsMax = VERIFIED_MAX } = input;
      return verifyChain({ tenant, from, to, recordsMax }, ports, signal);
    },
    async 'audit.export'({ after = 0, limit = LIMIT }, { tenant }) {
      await recorder.flush();
      return exportPage(store, { tenant, after, limit });
    },
  };
}

/** A tenth of a second: the answer says where to go on. */
const VERIFIED_MAX = 20_000;

/** Records as they stand in the store, with the seals that end with one of them. */
async function exportPage(
  store: TracesStore,
  query: { tenant: string; after: number; limit: number },
) {
  const { tenant, after, limit } = query;
  const links = await store.auditLinks(query);
  const first = links[0]?.seq ?? after + 1;
  const last = links.at(-1)?.seq ?? after;
  // Of a beginning that is gone the last seal comes along: it vouches for what comes next.
  const isGone = first > after + 1;
  const seals = await store.auditSeals({ tenant, from: isGone ? first - 1 : first, limit: 1_000 });
  return {
    tenant,
    links: links.map(({ record, ...link }) => ({ ...link, record: recordIn(record) })),
    seals: seals.filter(({ last_seq: end }) => end <= last),
    ...(links.length < limit ? {} : { next: last }),
  };
}

/** What no longer is JSON was tampered with, and is shown as the text that it is. */
function recordIn(text: string): AuditLinkView['record'] {
  try {
    return JSON.parse(text) as AuditLinkView['record'];
  } catch {
    return text as unknown as AuditLinkView['record'];
  }
}

/**
 * Newest first as they are kept, in the order in which they began. A hop is kept when it has ended, so
 * of a call and one below it that began in the same millisecond the inner one was kept first.
 */
function asTheyBegan(hops: readonly TraceRecord[]): TraceRecord[] {
  return hops.toReversed().sort((a, b) => a.at - b.at || a.hop - b.hop);
}
