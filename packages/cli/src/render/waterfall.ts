import type { AttemptRecord, TraceRecord } from '@agent-reach/core';
import { millis } from './moments.ts';
import type { Page } from './page.ts';
import { type Column, table } from './table.ts';
import { widthOf } from './width.ts';

// Design. A trace is drawn on one time axis, from the first hop's beginning to the last end:
//
//   HOP                                    ░ match ▒ queue █ agent ▓ return   TOTAL …  STATUS
//   customer-service → orders  track       ░████████████████████████████▓      38.2    200
//   └ orders → logistics       where         ░███████████▓                     12.1    200
//
// The four parts of a hop follow each other and add up to its total. The characters differ as well
// as the colours, so a pipe, a log and a colour-blind reader see the same.

/** The parts of a hop, in the order in which they happen. */
const PHASES = [
  { fill: '░', name: 'match', look: 'cyan', of: (hop: TraceRecord) => hop.match_ms },
  { fill: '▒', name: 'queue', look: 'yellow', of: (hop: TraceRecord) => hop.queue_ms },
  { fill: '█', name: 'agent', look: 'green', of: (hop: TraceRecord) => hop.agent_ms },
  { fill: '▓', name: 'return', look: 'magenta', of: (hop: TraceRecord) => hop.return_ms },
] as const;

const ATTEMPT_FILL = '─';

/** Without a terminal. */
const WIDTH = 120;
const BAR_WIDTH_MIN = 12;
const BAR_WIDTH_MAX = 60;
/** What the total takes, with the gaps around it. */
const TOTAL_WIDTH = 11;
/** What the milliseconds of the parts take. */
const PHASES_WIDTH = 29;
/** A narrower terminal shows the parts in the bar alone. */
const WIDTH_WITH_PHASES = 100;

/** A stretch of the axis, milliseconds from its beginning. */
interface Span {
  from: number;
  to: number;
  fill: string;
}

interface Line {
  label: string;
  spans: Span[];
  totalMs: number;
  hop?: TraceRecord;
  status: string;
  failed: boolean;
}

const PHASE_COLUMNS = PHASES.map(
  ({ name, of }): Column<Line> => ({
    title: name.toUpperCase(),
    of: ({ hop }) => (hop === undefined ? '' : millis(of(hop))),
    align: 'right',
  }),
);

/** The hops of one trace as a waterfall: nested by who called whom, with every attempt shown. */
export function waterfall(hops: readonly TraceRecord[], page: Page): string {
  const width = page.width ?? WIDTH;
  const start = Math.min(...hops.map(({ at }) => at));
  const endMs = Math.max(...hops.map(({ at, execute_ms: ms }) => at - start + ms), 0.1);
  const lines = nest(hops).flatMap(({ hop, depth }) => linesOf(hop, depth, start));
  const widest = (of: (line: Line) => string) =>
    Math.max(...lines.map((line) => widthOf(of(line))));
  const hasPhases = width >= WIDTH_WITH_PHASES;
  const numbers = TOTAL_WIDTH + (hasPhases ? PHASES_WIDTH : 0);
  const room = width - numbers - widest(({ label }) => label) - widest(({ status }) => status);
  const barWidth = Math.min(Math.max(room, BAR_WIDTH_MIN), BAR_WIDTH_MAX);
  const columns: Column<Line>[] = [
    { title: 'HOP', of: ({ label }) => label, flexible: true },
    {
      title: '░ ▒ █ ▓',
      of: ({ spans }) => drawBar(spans, barWidth / endMs, barWidth),
      paint: (cell, _line, on) => paintBar(cell, on),
    },
    { title: 'TOTAL', of: ({ totalMs }) => millis(totalMs), align: 'right' },
    ...(hasPhases ? PHASE_COLUMNS : []),
    {
      title: 'STATUS',
      of: ({ status }) => status,
      flexible: true,
      paint: (cell, { failed }, on) => (failed ? on.paint('red', cell) : cell),
    },
  ];
  return table(lines, columns, { ...page, width });
}

/** What the fillings of the bars mean. */
export function legend(page: Page): string {
  const parts = PHASES.map(({ fill, name, look }) => `${page.paint(look, fill)} ${name}`);
  return `${parts.join('  ')}  ${ATTEMPT_FILL} attempt  (milliseconds)\n`;
}

/** Hops under the hop that called them, in the order they began. */
function nest(hops: readonly TraceRecord[]): { hop: TraceRecord; depth: number }[] {
  const inOrder = hops.toSorted((a, b) => a.at - b.at || a.hop - b.hop);
  const spans = new Set(inOrder.map((hop) => hop.span_id));
  const children = Map.groupBy(inOrder, (hop) => hop.parent_span_id);
  const shown = new Set<TraceRecord>();
  const nested: { hop: TraceRecord; depth: number }[] = [];
  const visit = (hop: TraceRecord, depth: number) => {
    // Span ids come from outside, too: a circle among them must end.
    if (shown.has(hop)) return;
    shown.add(hop);
    nested.push({ hop, depth });
    for (const child of children.get(hop.span_id) ?? []) visit(child, depth + 1);
  };
  for (const hop of inOrder) {
    if (hop.parent_span_id === undefined || !spans.has(hop.parent_span_id)) visit(hop, 0);
  }
  for (const hop of inOrder) visit(hop, 0);
  return nested;
}

function linesOf(hop: TraceRecord, depth: number, start: number): Line[] {
  const offset = hop.at - start;
  const indent = depth === 0 ? '' : `${'  '.repeat(depth - 1)}└ `;
  const whom = hop.agent_to === undefined ? 'nobody' : hop.agent_to;
  const line: Line = {
    label: `${indent}${hop.agent_from} → ${whom}  ${hop.capability ?? ''}`,
    spans: phaseSpans(hop, offset),
    totalMs: hop.execute_ms,
    hop,
    status: statusOf(hop),
    failed: hop.code !== undefined,
  };
  const { attempts } = hop;
  // One attempt that went well is the hop itself.
  if (attempts.length === 1 && attempts[0]?.code === undefined) return [line];
  return [line, ...attempts.map((attempt, i) => attemptLine(attempt, i, { offset, depth }))];
}

function phaseSpans(hop: TraceRecord, offset: number): Span[] {
  let at = offset;
  return PHASES.map(({ fill, of }) => {
    const from = at;
    at += of(hop);
    return { from, to: at, fill };
  });
}

function attemptLine(
  attempt: AttemptRecord,
  i: number,
  at: { offset: number; depth: number },
): Line {
  const from = at.offset + attempt.started_ms;
  const { agent, instance, capability, status, code, executed } = attempt;
  const what = capability === undefined ? '' : `  ${capability}`;
  return {
    label: `${'  '.repeat(at.depth)}  attempt ${i + 1}  ${agent}/${instance}${what}`,
    spans: [{ from, to: from + attempt.ms, fill: ATTEMPT_FILL }],
    totalMs: attempt.ms,
    status: wordsOf(status, code, executed),
    failed: code !== undefined,
  };
}

function statusOf(hop: TraceRecord): string {
  const words = [wordsOf(hop.status_code, hop.code, hop.executed)];
  if (hop.code === undefined && hop.route_strategy !== undefined) words.push(hop.route_strategy);
  if (hop.fallback_of !== undefined) words.push(`fallback of ${hop.fallback_of}`);
  if (hop.replayed) words.push('replayed');
  return words.join(' ');
}

/** A status of 0 is none: nothing came back. */
function wordsOf(status: number, code: string | undefined, executed: string): string {
  const failure = code === undefined ? '' : `${code}, executed ${executed}`;
  return status === 0 ? failure : `${status} ${failure}`.trimEnd();
}

/** Each part from its beginning to its end on the axis; what lasted less than a cell may vanish. */
function drawBar(spans: readonly Span[], cellsPerMs: number, width: number): string {
  const cell = (ms: number) => Math.min(Math.round(ms * cellsPerMs), width);
  let bar = '';
  for (const { from, to, fill } of spans) {
    bar =
      bar.padEnd(cell(from)) +
      fill.repeat(Math.max(0, cell(to) - Math.max(cell(from), bar.length)));
  }
  // A hop is never invisible, however short it was beside the others.
  const first = spans[0];
  const longest = spans.toSorted((a, b) => b.to - b.from - (a.to - a.from))[0];
  if (bar.trim() === '' && first !== undefined && longest !== undefined) {
    bar = `${' '.repeat(Math.min(cell(first.from), width - 1))}${longest.fill}`;
  }
  return bar.padEnd(width);
}

function paintBar(cell: string, page: Page): string {
  return PHASES.reduce<string>(
    (bar, { fill, look }) =>
      bar.replaceAll(new RegExp(`${fill}+`, 'g'), (run) => page.paint(look, run)),
    cell,
  );
}
