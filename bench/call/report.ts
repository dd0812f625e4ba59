import type { Case } from './field.ts';
import { type Figures, median } from './round.ts';

/** The figures of one case at one number of connections, a round each. */
export interface Row {
  of: Pick<Case, 'name' | 'over'>;
  connections: number;
  rounds: Figures[];
}

/** What a call with everything on may cost, times the bare proxy. */
const GOVERNED_AIM = 3;

/** All figures of all cases. */
export function figures(rows: readonly Row[]): string[] {
  const head = [
    'connections',
    'case',
    'CPU µs a call',
    '÷ proxy',
    'of it main thread',
    'p50 ms',
    '÷ proxy',
    'p99 ms',
    'calls a second',
    '÷ proxy',
  ];
  return [
    line(head),
    line(head.map((_, i) => (i === 1 ? '---' : '---:'))),
    ...rows.map((row) => line(cellsOf(row, fellow(row, 'proxy', rows)))),
  ];
}

/**
 * What each part of governing adds to a call, of the processor: medians of the differences within a
 * round, since the machine is another one in the next.
 */
export function parts(rows: readonly Row[]): string[] {
  const parted = rows.filter(({ of }) => of.over !== undefined);
  if (parted.length === 0) return [];
  const head = ['connections', 'part', 'over', '+ CPU µs a call', 'of it main thread', '÷ plain'];
  return [
    'What each part adds, from the case that lacks it alone:',
    '',
    line(head),
    line(head.map((_, i) => (i === 1 || i === 2 ? '---' : '---:'))),
    ...parted.map((row) => line(partOf(row, rows))),
    '',
    ...sums(rows),
  ];
}

/** Processor time of a case over that of the proxy: the median of the rounds' own ratios. */
export function cpuRatio(row: Row, rows: readonly Row[]): number {
  return ratio(row, fellow(row, 'proxy', rows), 'cpuUs');
}

/** What the recorder dropped because its store got too little of the processor. */
export function losses(rows: readonly Row[]): string[] {
  return rows.flatMap(({ of, connections, rounds }) => {
    const kept = Math.min(...rounds.map((figures) => figures.kept));
    if (kept > 0.999) return [];
    const lost = ((1 - kept) * 100).toFixed(1);
    return [`${of.name} at ${connections}: up to ${lost} % of the hops of a round were dropped.\n`];
  });
}

/** Whether the parts, each measured alone, explain the whole; and how that stands to the aim. */
function sums(rows: readonly Row[]): string[] {
  return rows
    .filter(({ of }) => of.name === 'governed')
    .flatMap((row) => {
      const at = `At ${row.connections}`;
      const all = ['signed-in', 'granted', 'signed-out', 'limited', 'budgeted'] as const;
      const found = all.flatMap((name) => find(rows, name, row.connections) ?? []);
      const whole = added(row, fellow(row, 'plain', rows), 'cpuUs').toFixed(0);
      const sum = found
        .map((part) => added(part, fellow(part, part.of.over as string, rows), 'cpuUs'))
        .reduce((one, other) => one + other, 0);
      const explained =
        found.length === all.length ? `, its parts by themselves ${sum.toFixed(0)} µs` : '';
      const times = cpuRatio(row, rows);
      const verdict = times <= GOVERNED_AIM ? 'met' : 'missed';
      return [
        `${at}: all of it together adds ${whole} µs${explained}. A governed call takes ${times.toFixed(2)} × the bare proxy; the aim, ${GOVERNED_AIM} × or less, is ${verdict}.\n`,
      ];
    });
}

function partOf(row: Row, rows: readonly Row[]): string[] {
  const over = row.of.over as string;
  const base = fellow(row, over, rows);
  const plain = fellow(row, 'plain', rows);
  const signed = (us: number) => `${us < 0 ? '−' : '+'}${Math.abs(us).toFixed(0)}`;
  return [
    String(row.connections),
    row.of.name,
    over,
    signed(added(row, base, 'cpuUs')),
    signed(added(row, base, 'mainUs')),
    ratio(row, plain, 'cpuUs').toFixed(2),
  ];
}

function find(rows: readonly Row[], name: string, connections: number): Row | undefined {
  return rows.find((row) => row.of.name === name && row.connections === connections);
}

/** Another case at the same number of connections; whoever asks knows that it was measured. */
function fellow({ connections }: Row, name: string, rows: readonly Row[]): Row {
  const found = find(rows, name, connections);
  if (found === undefined) throw new Error(`${name} was not measured at ${connections}.`);
  return found;
}

type Figure = Exclude<keyof Figures, 'failure'>;

function added(row: Row, base: Row, name: Figure): number {
  return overRounds(row, base, (one, other) => one[name] - other[name]);
}

function ratio(row: Row, base: Row, name: Figure): number {
  return overRounds(row, base, (one, other) => one[name] / other[name]);
}

/** The median of what is compared within each round. */
function overRounds(row: Row, base: Row, how: (one: Figures, other: Figures) => number): number {
  return median(row.rounds.map((figures, i) => how(figures, base.rounds[i] as Figures)));
}

function cellsOf(row: Row, anchor: Row): string[] {
  const of = (name: Figure, digits: number) =>
    median(row.rounds.map((figures) => figures[name])).toFixed(digits);
  const times = (name: Figure) => ratio(row, anchor, name).toFixed(2);
  return [
    String(row.connections),
    row.of.name,
    of('cpuUs', 0),
    times('cpuUs'),
    of('mainUs', 0),
    of('p50Ms', 3),
    times('p50Ms'),
    of('p99Ms', 2),
    of('perSecond', 0),
    times('perSecond'),
  ];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
