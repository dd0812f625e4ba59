import type { TraceRecord } from '@agent-reach/sdk';
import type { Paint } from './paint.ts';

// A trace on one time axis, hop below hop, with the characters of `reach trace`:
//
//   answer_question → customer-service   ░███████████████▓   0.4   21.2    0.3  200
//   └ query_order_status → orders         ░███▓              0.3    2.1    0.2  200

/** Where the time of a hop goes, in the order in which it passes. */
const PARTS = [
  { fill: '░', name: 'match', look: 'cyan', of: (hop: TraceRecord) => hop.match_ms + hop.queue_ms },
  { fill: '█', name: 'agent', look: 'green', of: (hop: TraceRecord) => hop.agent_ms },
  { fill: '▓', name: 'return', look: 'magenta', of: (hop: TraceRecord) => hop.return_ms },
] as const;

const BAR_CELLS = 32;

/** The hops of a trace as lines of text. None for none. */
export function waterfall(hops: readonly TraceRecord[], paint: Paint): string[] {
  if (hops.length === 0) return [];
  const inOrder = hops.toSorted((a, b) => a.at - b.at || a.hop - b.hop);
  const start = Math.min(...inOrder.map((hop) => hop.at));
  const endMs = Math.max(...inOrder.map((hop) => hop.at - start + hop.execute_ms), 0.1);
  const labels = inOrder.map(labelOf);
  const width = Math.max(...labels.map((label) => label.length));
  const title = [
    ' '.repeat(width + 2 + BAR_CELLS),
    ...PARTS.map(({ name }) => name.padStart(7)),
    '  ms',
  ].join('');
  const lines = inOrder.map((hop, i) => {
    const bar = barOf(hop, hop.at - start, BAR_CELLS / endMs, paint);
    const times = PARTS.map(({ of }) => of(hop).toFixed(1).padStart(7)).join('');
    const status = hop.code === undefined ? `${hop.status_code}` : `${hop.status_code} ${hop.code}`;
    const look = hop.code === undefined ? 'dim' : 'red';
    return `${labels[i]?.padEnd(width)}  ${bar}${times}  ${paint(look, status)}`;
  });
  return [paint('dim', title), ...lines];
}

/** What the fillings mean. */
export function legend(paint: Paint): string {
  return PARTS.map(({ fill, name, look }) => `${paint(look, fill)} ${name}`).join('  ');
}

function labelOf(hop: TraceRecord): string {
  const indent = hop.hop <= 1 ? '' : `${'  '.repeat(hop.hop - 2)}└ `;
  return `${indent}${hop.capability ?? '?'} → ${hop.agent_to ?? '?'}`;
}

/** The parts from where the hop began on the axis. The agent's is never too short to be seen. */
function barOf(hop: TraceRecord, offsetMs: number, cellsPerMs: number, paint: Paint): string {
  let used = Math.min(Math.round(offsetMs * cellsPerMs), BAR_CELLS - 1);
  let bar = ' '.repeat(used);
  let atMs = offsetMs;
  for (const { fill, name, look, of } of PARTS) {
    const ms = of(hop);
    if (ms === 0) continue;
    atMs += ms;
    const cells = Math.min(Math.round(atMs * cellsPerMs), BAR_CELLS) - used;
    const shown = Math.max(cells, name === 'agent' && used < BAR_CELLS ? 1 : 0);
    if (shown > 0) bar += paint(look, fill.repeat(shown));
    used += shown;
  }
  return bar + ' '.repeat(BAR_CELLS - used);
}
