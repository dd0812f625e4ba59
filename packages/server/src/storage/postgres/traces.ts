import type { AuditRecord, TraceRecord } from '@agent-reach/core';
import type { AuditQuery, TraceQuery, TracesStore } from '../spi/traces.ts';
import { type Columns, columnsOf, rowsText } from './bulk.ts';
import type { Operation } from './operation.ts';
import type { Transaction } from './transaction.ts';
import type { Value } from './values.ts';

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

/** Keeps audit lines. */
export async function keepLines(tx: Transaction, records: AuditRecord[]): Promise<void> {
  const rows = records.map((line) => ({
    tenant: line.tenant,
    at: line.at,
    trace_id: line.trace_id,
    request_id: line.request_id,
    principal: line.principal,
    target: line.target,
    body: JSON.stringify(line),
  }));
  tx.put(KEEP_LINES, columnsOf(LINE_COLUMNS, rows));
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

export const findAudit: Operation<TracesStore['findAudit']> = async (tx, query) => {
  const search = new Search('audit', query);
  search.where('trace_id = ?', query.traceId);
  search.where('request_id = ?', query.requestId);
  search.where('principal = ?', query.principal);
  search.where('target = ?', query.target);
  const rows = await search.ask(tx);
  return rows.map(({ seq, body }) => ({ ...(JSON.parse(body) as AuditRecord), seq }));
};

export const pruneTraces: Operation<TracesStore['prune']> = async (tx, move) => {
  const old = await tx.write(pruneOld('traces'), [move.before, move.limit]);
  const audit = tx.write(pruneOld('audit'), [move.auditBefore, move.limit]);
  const room = Math.min(move.limit - old, await surplus(tx, move.rowsMax));
  const over = room > 0 ? await tx.write(PRUNE_FIRST, [room]) : 0;
  return { traces: old + over, audit: await audit };
};

type Table = 'traces' | 'audit';

/** A search whose text has only the filters that were asked for. */
class Search {
  readonly #filters: string[] = [];
  readonly #values: Value[] = [];
  readonly #table: Table;
  readonly #limit: number;

  constructor(table: Table, query: TraceQuery | AuditQuery) {
    this.#table = table;
    this.#limit = query.limit;
    this.where('tenant = ?', query.tenant);
    this.where('at >= ?', query.since);
    this.where('at < ?', query.until);
  }

  /** Each `?` of the filter stands for the same value; an absent one does not filter. */
  where(filter: string, value: string | number | undefined): void {
    if (value === undefined) return;
    this.#values.push(value);
    this.#filters.push(filter.replaceAll('?', `$${this.#values.length}`));
  }

  ask(tx: Transaction): Promise<{ seq: number; body: string }[]> {
    const text = `
      SELECT seq, body FROM ${this.#table} WHERE ${this.#filters.join(' AND ')}
      ORDER BY at DESC, seq DESC LIMIT $${this.#values.length + 1}`;
    return tx.rows(text, [...this.#values, this.#limit]);
  }
}

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

const LINE_COLUMNS: Columns<Record<string, string | number | undefined>> = {
  tenant: 'text',
  at: 'bigint',
  trace_id: 'text',
  request_id: 'text',
  principal: 'text',
  target: 'text',
  body: 'text',
};

const KEEP_HOPS = keepText('traces', HOP_COLUMNS);
const KEEP_LINES = keepText('audit', LINE_COLUMNS);

/** Numbers them in the order of the rows, which is that in which they were kept. */
function keepText(table: Table, columns: Columns<Record<string, unknown>>): string {
  const names = Object.keys(columns).join(', ');
  return `
    INSERT INTO ${table} (${names}) SELECT ${names} FROM ${rowsText(columns)} ORDER BY nth`;
}

/**
 * The text that forgets what is old. Time is indexed within a tenant, because that is how it is
 * searched; so this steps from tenant to tenant, one descent each.
 */
function pruneOld(table: Table): string {
  return `
    WITH RECURSIVE tenants (name) AS (
      SELECT min(tenant) FROM ${table}
      UNION ALL
      SELECT (SELECT min(tenant) FROM ${table} WHERE tenant > name)
      FROM tenants WHERE name IS NOT NULL
    )
    DELETE FROM ${table} WHERE seq = ANY (ARRAY(
      SELECT old.seq FROM tenants CROSS JOIN LATERAL (
        SELECT seq FROM ${table} WHERE tenant = name AND at < $1 LIMIT $2) AS old
      LIMIT $2))`;
}

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
