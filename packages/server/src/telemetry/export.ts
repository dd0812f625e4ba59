import type { Input, TextStream, TraceRecord } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import type { TracesStore } from '../storage/spi/traces.ts';

/** Hops that are in memory at once. */
const PAGE = 500;
const HOUR_MS = 3_600_000;

/** What an export reads. */
export interface ExportPorts {
  store: Pick<TracesStore, 'find'>;
  clock: Clock;
}

/** The hops of the last hours, newest first, a page at a time. */
export function exportHops(
  { hours = 1, format = 'jsonl', agent, capability }: Input<'routes.export'>,
  { tenant, signal }: { tenant: string; signal: AbortSignal },
  { store, clock }: ExportPorts,
): TextStream {
  const until = clock.now() + 1;
  const query = {
    tenant,
    since: until - 1 - hours * HOUR_MS,
    ...(agent === undefined ? {} : { agent }),
    ...(capability === undefined ? {} : { capability }),
  };
  const pages = pagesOf(query, until, store, signal);
  return format === 'csv'
    ? { type: 'text/csv; charset=utf-8; header=present', parts: csv(pages) }
    : { type: 'application/x-ndjson; charset=utf-8', parts: jsonl(pages) };
}

/**
 * A store finds by time alone, so the last moment of a page is read again with the next one, and what
 * was given out already is left out.
 */
async function* pagesOf(
  query: { tenant: string; since: number; agent?: string; capability?: string },
  end: number,
  store: ExportPorts['store'],
  signal: AbortSignal,
): AsyncGenerator<TraceRecord[]> {
  let until = end;
  let given = new Set<string>();
  let limit = PAGE;
  while (!signal.aborted) {
    const found = await store.find({ ...query, until, limit });
    const news = found.filter((hop) => !given.has(nameOf(hop)));
    if (news.length > 0) yield news;
    const last = found.at(-1);
    if (last === undefined || found.length < limit) return;
    const isOneMoment = last.at + 1 === until;
    given = new Set(found.filter(({ at }) => at === last.at).map(nameOf));
    // A moment that fills a page is read in one that is larger; none is so full as the largest.
    limit = isOneMoment ? LIMIT_MAX : PAGE;
    until = isOneMoment && found.length === LIMIT_MAX ? last.at : last.at + 1;
  }
}

/** The most that a store gives at once. */
const LIMIT_MAX = 1_000;

function nameOf({ trace_id: trace, span_id: span, route_id: route, retry_count: n }: TraceRecord) {
  return `${trace}/${span}/${route}/${n}`;
}

async function* jsonl(pages: AsyncIterable<TraceRecord[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((hop) => `${JSON.stringify(hop)}\n`).join('');
}

const COLUMNS = [
  'at',
  'trace_id',
  'span_id',
  'parent_span_id',
  'request_id',
  'route_id',
  'hop',
  'agent_from',
  'agent_to',
  'instance',
  'capability',
  'fallback_of',
  'route_strategy',
  'status_code',
  'code',
  'executed',
  'retry_count',
  'replayed',
  'execute_ms',
  'match_ms',
  'queue_ms',
  'agent_ms',
  'return_ms',
] as const satisfies readonly (keyof TraceRecord)[];

async function* csv(pages: AsyncIterable<TraceRecord[]>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const page of pages) yield page.map(rowOf).join('');
}

function rowOf(hop: TraceRecord): string {
  return `${COLUMNS.map((column) => cellOf(hop[column])).join(',')}\r\n`;
}

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function cellOf(value: string | number | boolean | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
