import { type Output, ReachError, type TraceRecord } from '@agent-reach/core';
import { readCount, readWhen } from '../input.ts';
import { byWord } from '../render/looks.ts';
import { millis, moment } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { plain } from '../render/plain.ts';
import type { Column } from '../render/table.ts';
import { legend, waterfall } from '../render/waterfall.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** `reach trace`: takes the id of a trace, or of a request that was part of one. */
export async function showTrace(use: Use, session: Session): Promise<void> {
  const data = await findTrace(use.required(0), session);
  session.answer(data, (page) => {
    const { hops } = data;
    return `${headOf(data.trace_id, hops, page)}${waterfall(hops, page)}${legend(page)}`;
  });
}

async function findTrace(id: string, session: Session): Promise<Output<'traces.get'>> {
  const byTrace = await unlessMissing(session.ask('traces.get', { trace_id: id }));
  if (byTrace !== undefined) return byTrace;
  const byRequest = await unlessMissing(session.ask('calls.get', { request_id: id }));
  const traceId = byRequest?.hops[0]?.trace_id;
  if (traceId === undefined) {
    throw new ReachError('not-found', `No trace and no call is known by ${id}.`);
  }
  return session.ask('traces.get', { trace_id: traceId });
}

async function unlessMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    // An id of the one kind may be no valid id of the other.
    const { code } = ReachError.is(error) ? error : { code: undefined };
    if (code === 'not-found' || code === 'validation-failed') return undefined;
    throw error;
  }
}

function headOf(traceId: string, hops: readonly TraceRecord[], page: Page): string {
  const first = hops[0];
  const count = hops.length === 1 ? '1 hop' : `${hops.length} hops`;
  const at = first === undefined ? '' : `, began ${moment(first.at, false)}`;
  return `${page.paint('bold', plain(traceId))}  ${count}${at}\n`;
}

/** `reach traces search`. */
export async function searchTraces(use: Use, session: Session): Promise<void> {
  const data = await session.ask('traces.search', {
    ...given({
      trace_id: use.text('trace'),
      request_id: use.text('request'),
      agent: use.text('agent'),
      capability: use.text('capability'),
    }),
    ...windowOf(use, session),
  });
  session.list(data, data.hops, hopColumns(session));
}

/** `reach audit search`. */
export async function searchAudit(use: Use, session: Session): Promise<void> {
  const data = await session.ask('audit.search', {
    ...given({
      principal: use.text('principal'),
      target: use.text('target'),
      trace_id: use.text('trace'),
      request_id: use.text('request'),
    }),
    ...windowOf(use, session),
  });
  session.list(data, data.lines, auditColumns(session));
}

function windowOf(use: Use, { clock }: Session) {
  const now = clock.now();
  return given({
    since: readWhen(use.text('since'), '--since', now),
    until: readWhen(use.text('until'), '--until', now),
    limit: readCount(use.text('limit'), '--limit'),
  });
}

function hopColumns(session: Session): Column<TraceRecord>[] {
  const isForPeople = session.page.width !== undefined;
  return [
    { title: 'AT', of: (hop) => moment(hop.at, isForPeople) },
    { title: 'TRACE', of: (hop) => hop.trace_id },
    { title: 'FROM', of: (hop) => hop.agent_from, flexible: true },
    { title: 'TO', of: (hop) => hop.agent_to ?? '', flexible: true },
    { title: 'CAPABILITY', of: (hop) => hop.capability ?? '', flexible: true },
    {
      title: 'STATUS',
      of: (hop) => hop.status_code,
      paint: (cell, { code }, page) => page.paint(code === undefined ? 'green' : 'red', cell),
    },
    { title: 'CODE', of: (hop) => hop.code ?? '', flexible: true },
    { title: 'MS', of: (hop) => millis(hop.execute_ms), align: 'right' },
    { title: 'REQUEST', of: (hop) => hop.request_id, flexible: true },
  ];
}

function auditColumns(session: Session): Column<Output<'audit.search'>['lines'][number]>[] {
  const isForPeople = session.page.width !== undefined;
  return [
    { title: 'SEQ', of: (line) => line.seq, align: 'right' },
    { title: 'AT', of: (line) => moment(line.at, isForPeople) },
    { title: 'PRINCIPAL', of: (line) => line.principal, flexible: true },
    { title: 'OPERATION', of: (line) => line.operation },
    { title: 'TARGET', of: (line) => line.target ?? '', flexible: true },
    { title: 'CAPABILITY', of: (line) => line.capability ?? '', flexible: true },
    { title: 'OUTCOME', of: (line) => line.outcome, paint: byWord },
    { title: 'EXECUTED', of: (line) => line.executed },
    { title: 'TRACE', of: (line) => line.trace_id ?? '', flexible: true },
    { title: 'REQUEST', of: (line) => line.request_id ?? '', flexible: true },
  ];
}
