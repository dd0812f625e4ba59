import type { TraceRecord } from '@agent-reach/core';
import type { TracesStore } from '../spi/traces.ts';
import { pruneSegment } from './audit.ts';
import { type Columns, columnsOf, keepText } from './bulk.ts';
import type { Operation } from './operation.ts';
import { Search } from './search.ts';
import type { Transaction } from './transaction.ts';

/** Keeps hops. A crash of the server may lose the last moments, so the commit waits for no disk. */
export async function keepHops(tx: Transaction, records: TraceRecord[]): Promise<void> {
  const rows = records.map((hop) => ({
    tenant: hop.tenant,
    at: hop.at,
    trace_id: hop.trace_id,
    legacy_trace_id: hop.legacy_trace_id,
    request_id: hop.request_id,
    agent_from: hop.agent_from,
    agent_to: hop.agent_to,
    capability: hop.capability,
    body: JSON.stringify(hop),
  }));
  tx.put('SET LOCAL synchronous_commit TO off');
  tx.put(KEEP_HOPS, columnsOf(HOP_COLUMNS, rows));
}

export const find: Operation<TracesStore['find']> = async (tx, query) => {
  const search = new Search('traces', query);
  search.where('(trace_id = ? OR legacy_trace_id = ?)', query.traceId);
  search.where('request_id = ?', query.requestId);
  search.where('(agent_from = ? OR agent_to = ?)', query.agent);
  search.where('capability = ?', query.capability);
  const rows = await search.ask(tx);
  return rows.map(({ body }) => JSON.parse(body) as TraceRecord);
};

export const pruneTraces: Operation<TracesStore['prune']> = async (tx, move) => {
  const old = await tx.write(PRUNE_OLD, [move.before, move.limit]);
  const audit = pruneSegment(tx, move.auditBefore);
  const room = Math.min(move.limit - old, await surplus(tx, move.rowsMax));
  const over = room > 0 ? await tx.write(PRUNE_FIRST, [room]) : 0;
  return { traces: old + over, audit: await audit };
};

const HOP_COLUMNS: Columns<Record<string, string | number | undefined>> = {
  tenant: 'text',
  at: 'bigint',
  trace_id: 'text',
  legacy_trace_id: 'text',
  request_id: 'text',
  agent_from: 'text',
  agent_to: 'text',
  capability: 'text',
  body: 'text',
};

const KEEP_HOPS = keepText('traces', HOP_COLUMNS);

/**
 * The text that forgets what is old. Time is indexed within a tenant, because that is how it is
 * searched; so this steps from tenant to tenant, one descent each.
 */
const PRUNE_OLD = `
  WITH RECURSIVE tenants (name) AS (
    SELECT min(tenant) FROM traces
    UNION ALL
    SELECT (SELECT min(tenant) FROM traces WHERE tenant > name)
    FROM tenants WHERE name IS NOT NULL
  )
  DELETE FROM traces WHERE seq = ANY (ARRAY(
    SELECT old.seq FROM tenants CROSS JOIN LATERAL (
      SELECT seq FROM traces WHERE tenant = name AND at < $1 LIMIT $2) AS old
    LIMIT $2))`;

const PRUNE_FIRST = `
  DELETE FROM traces WHERE seq = ANY (ARRAY(SELECT seq FROM traces ORDER BY seq LIMIT $1))`;

/** How many hops there are beyond `rowsMax`. */
async function surplus(tx: Transaction, rowsMax: number): Promise<number> {
  // The span of the numbers is never less than the count, and costs no walk through the table.
  const [[span]] = (await tx.lists(SPAN)) as [[number | null]];
  if ((span ?? 0) <= rowsMax) return 0;
  const [[count]] = (await tx.lists('SELECT count(*) FROM traces')) as [[number]];
  return count - rowsMax;
}

const SPAN = 'SELECT (SELECT max(seq) FROM traces) - (SELECT min(seq) FROM traces) + 1';
