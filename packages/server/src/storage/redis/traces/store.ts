import type { AuditRecord, TraceRecord } from '@agent-reach/core';
import type { AuditQuery, TraceQuery, TracesStore } from '../../spi/traces.ts';
import type { Engine } from '../engine.ts';
import { TextLog } from './text-log.ts';

/** Hops of traces and lines of the audit: two logs. */
export function tracesOn(engine: Engine): TracesStore {
  const hops = new TextLog<TraceRecord>(engine, 'hops', (hop) => [
    `trace ${hop.trace_id}`,
    ...(hop.legacy_trace_id === undefined ? [] : [`trace ${hop.legacy_trace_id}`]),
    `request ${hop.request_id}`,
  ]);
  const lines = new TextLog<AuditRecord>(engine, 'audit', (line) => [
    ...(line.trace_id === undefined ? [] : [`trace ${line.trace_id}`]),
    ...(line.request_id === undefined ? [] : [`request ${line.request_id}`]),
  ]);
  return {
    append: (records) => hops.append(records),
    appendAudit: (records) => lines.append(records),
    find: async (query) => {
      const found = await hops.find({ ...query, word: wordOf(query) }, (hop) => isHop(hop, query));
      return found.map(({ record }) => record);
    },
    findAudit: async (query) => {
      const isWanted = (line: AuditRecord) => isLine(line, query);
      const found = await lines.find({ ...query, word: wordOf(query) }, isWanted);
      return found.map(({ record, seq }) => ({ ...record, seq }));
    },
    prune: async ({ before, rowsMax, auditBefore, limit }) => {
      const old = await hops.forgetOld(before, limit);
      const surplus = await hops.forgetFirst(rowsMax, limit - old);
      return { traces: old + surplus, audit: await lines.forgetOld(auditBefore, limit) };
    },
  };
}

/** The narrowest of the words that a query asks for. */
function wordOf({ requestId, traceId }: TraceQuery | AuditQuery): string {
  if (requestId !== undefined) return `request ${requestId}`;
  return traceId === undefined ? 'at' : `trace ${traceId}`;
}

function isHop(hop: TraceRecord, { traceId, requestId, agent, capability }: TraceQuery): boolean {
  return (
    (traceId === undefined || traceId === hop.trace_id || traceId === hop.legacy_trace_id) &&
    (requestId === undefined || requestId === hop.request_id) &&
    (agent === undefined || agent === hop.agent_from || agent === hop.agent_to) &&
    (capability === undefined || capability === hop.capability)
  );
}

function isLine(line: AuditRecord, query: AuditQuery): boolean {
  return (
    (query.traceId === undefined || query.traceId === line.trace_id) &&
    (query.requestId === undefined || query.requestId === line.request_id) &&
    (query.principal === undefined || query.principal === line.principal) &&
    (query.target === undefined || query.target === line.target)
  );
}
