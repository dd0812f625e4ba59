import type { TraceRecord } from '@agent-reach/core';
import type { TraceQuery, TracesStore } from '../../spi/traces.ts';
import type { Engine } from '../engine.ts';
import { auditOn, forgetSegment } from './audit-log.ts';
import { AuditWriter } from './audit-writer.ts';
import { wordOf } from './search.ts';
import { TextLog } from './text-log.ts';

/** Hops of traces and the audit: a log, and a chain for each tenant. */
export function tracesOn(engine: Engine): TracesStore {
  const hops = new TextLog<TraceRecord>(engine, 'hops', (hop) => [
    `trace ${hop.trace_id}`,
    ...(hop.legacy_trace_id === undefined ? [] : [`trace ${hop.legacy_trace_id}`]),
    `request ${hop.request_id}`,
  ]);
  const writer = new AuditWriter(engine);
  return {
    append: (records) => hops.append(records),
    appendAudit: (records) => writer.append(records),
    ...auditOn(engine),
    find: async (query) => {
      const found = await hops.find({ ...query, word: wordOf(query) }, (hop) => isHop(hop, query));
      return found.map(({ record }) => record);
    },
    prune: async ({ before, rowsMax, auditBefore, limit }) => {
      const old = await hops.forgetOld(before, limit);
      const surplus = await hops.forgetFirst(rowsMax, limit - old);
      return { traces: old + surplus, audit: await forgetSegment(engine, auditBefore) };
    },
  };
}

function isHop(hop: TraceRecord, { traceId, requestId, agent, capability }: TraceQuery): boolean {
  return (
    (traceId === undefined || traceId === hop.trace_id || traceId === hop.legacy_trace_id) &&
    (requestId === undefined || requestId === hop.request_id) &&
    (agent === undefined || agent === hop.agent_from || agent === hop.agent_to) &&
    (capability === undefined || capability === hop.capability)
  );
}
