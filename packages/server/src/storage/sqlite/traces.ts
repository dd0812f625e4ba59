import type { TraceRecord } from '@agent-reach/core';
import type { TraceQuery, TracesStore } from '../spi/traces.ts';
import { pruneSegment } from './audit.ts';
import type { Database } from './database.ts';
import type { Operation } from './operation.ts';
import { inBlocks, newestFirst, timeFilters } from './search.ts';

export const append: Operation<TracesStore['append']> = (db, records) => {
  for (const hop of records) {
    db.write(
      APPEND_HOP,
      hop.tenant,
      hop.at,
      hop.trace_id,
      hop.legacy_trace_id ?? null,
      hop.request_id,
      hop.agent_from,
      hop.agent_to ?? null,
      hop.capability ?? null,
      JSON.stringify(hop),
    );
  }
};

export const find: Operation<TracesStore['find']> = (db, query) => {
  const rows = db.all<{ body: string }>(searchHops(query), query);
  return rows.map((row) => JSON.parse(row.body) as TraceRecord);
};

export const pruneTraces: Operation<TracesStore['prune']> = (db, move) => {
  const old = db.run(PRUNE_OLD, { before: move.before, limit: move.limit });
  const room = Math.min(move.limit - old, surplus(db, move.rowsMax));
  const over = room > 0 ? db.run(PRUNE_FIRST, { limit: room }) : 0;
  return { traces: old + over, audit: pruneSegment(db, move.auditBefore) };
};

const APPEND_HOP = `
  INSERT INTO traces
    (tenant, at, trace_id, legacy_trace_id, request_id, agent_from, agent_to, capability, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The text of a search: SQLite sees only the filters that were asked for, so that it finds their index. */
export function searchHops(query: TraceQuery): string {
  const hits: string[] = [];
  if (query.traceId !== undefined) {
    const own = inBlocks('traces', 'trace_id', ':traceId');
    hits.push(`${own} UNION ${inBlocks('traces', 'legacy_trace_id', ':traceId')}`);
  }
  if (query.requestId !== undefined) hits.push(inBlocks('traces', 'request_id', ':requestId'));
  const filters = timeFilters(query);
  if (query.agent !== undefined) filters.push('(agent_from = :agent OR agent_to = :agent)');
  if (query.capability !== undefined) filters.push('capability = :capability');
  return newestFirst('traces', hits, filters);
}

/**
 * The text that forgets what is old. Time is indexed within a tenant, because that is how it is
 * searched; so this steps from tenant to tenant, one descent each.
 */
export const PRUNE_OLD = `
  WITH RECURSIVE tenants (name) AS (
    SELECT min(tenant) FROM traces
    UNION ALL
    SELECT (SELECT min(tenant) FROM traces WHERE tenant > name)
    FROM tenants WHERE name IS NOT NULL
  )
  DELETE FROM traces WHERE seq IN (
    SELECT seq FROM tenants CROSS JOIN traces ON tenant = name AND at < :before LIMIT :limit)`;

const PRUNE_FIRST = `
  DELETE FROM traces WHERE seq IN (SELECT seq FROM traces ORDER BY seq LIMIT :limit)`;

/** How many hops there are beyond `rowsMax`. */
function surplus(db: Database, rowsMax: number): number {
  // The span of the numbers is never less than the count, and costs no walk through the table.
  const span = db.get<{ n: number | null }>(
    'SELECT (SELECT max(seq) FROM traces) - (SELECT min(seq) FROM traces) + 1 AS n',
  );
  if ((span?.n ?? 0) <= rowsMax) return 0;
  const count = db.get<{ n: number }>('SELECT count(*) AS n FROM traces');
  return (count?.n ?? 0) - rowsMax;
}
