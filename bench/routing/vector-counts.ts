import type { Reading } from '@agent-reach/server/meaning';
import type { Labelled } from './data.ts';
import { wilson } from './wilson.ts';

/** What became of a set's questions. */
export interface Counts {
  questions: number;
  inScope: number;
  top1: number;
  top3: number;
  routedRight: number;
  misrouted: number;
  asked: number;
  /** Of those in scope: the right one was offered. */
  askedRight: number;
  outOfScope: number;
  outOfScopeNone: number;
}

/** One set, read without and with an embedder. */
export interface Compared {
  set: string;
  examples: number;
  without: Counts;
  with: Counts;
}

/** How an embedder did, and what its own test gave it. */
export interface VectorReport {
  embedder: string;
  shares: string;
  compared: readonly Compared[];
}

export function noCounts(): Counts {
  return {
    questions: 0,
    inScope: 0,
    top1: 0,
    top3: 0,
    routedRight: 0,
    misrouted: 0,
    asked: 0,
    askedRight: 0,
    outOfScope: 0,
    outOfScopeNone: 0,
  };
}

/** Counts one reading. Of an ambiguous question any of the listed is a fair answer. */
export function count(
  { expected }: Labelled,
  { outcome, names, options, ranking }: Reading,
  idOf: (name: string) => string,
  counts: Counts,
): void {
  const right = typeof expected === 'string' ? [expected] : (expected ?? []);
  const isRight = (name: string | undefined) => name !== undefined && right.includes(idOf(name));
  const isIn = typeof expected === 'string';
  const isOut = expected === null;
  // A name or an example is decided without a ranking.
  const ranked =
    ranking.candidates.length === 0 ? names : ranking.candidates.map(({ name }) => name);
  const add = (name: keyof Counts, is: boolean) => {
    counts[name] += is ? 1 : 0;
  };
  add('questions', true);
  add('inScope', isIn);
  add('top1', isIn && isRight(ranked[0]));
  add('top3', isIn && ranked.slice(0, 3).some(isRight));
  add('routedRight', isIn && outcome === 'route' && isRight(names[0]));
  add('misrouted', outcome === 'route' && !isRight(names[0]));
  add('asked', outcome === 'ask');
  add('askedRight', isIn && options.some(({ capability }) => isRight(capability)));
  add('outOfScope', isOut);
  add('outOfScopeNone', isOut && outcome === 'none');
}

/** The comparison as Markdown: without → with. */
export function vectorTable({ compared }: VectorReport): string[] {
  const head = [
    'set',
    'examples',
    'n',
    'top-1',
    'top-3',
    'routed right',
    'misrouted',
    'asked',
    'asked, right one offered',
    'out of scope told none',
  ];
  return [
    `| ${head.join(' | ')} |`,
    `| --- ${'| ---: '.repeat(head.length - 1)}|`,
    ...compared.map(row),
    ...[0, 5].flatMap((examples) => meanRow(compared.filter((one) => one.examples === examples))),
  ];
}

const CELLS: readonly (readonly [keyof Counts, keyof Counts])[] = [
  ['top1', 'inScope'],
  ['top3', 'inScope'],
  ['routedRight', 'inScope'],
  ['misrouted', 'questions'],
  ['asked', 'questions'],
  ['askedRight', 'inScope'],
  ['outOfScopeNone', 'outOfScope'],
];

function row(one: Compared): string {
  const cells = CELLS.map(([part, whole]) => {
    const [before, after] = [one.without, one.with].map((counts) => share(counts, part, whole));
    return `${before} → ${after}${part === 'top1' ? interval(one.with, part, whole) : ''}`;
  });
  return `| ${[one.set, one.examples, one.with.questions, ...cells].join(' | ')} |`;
}

function meanRow(compared: readonly Compared[]): string[] {
  const [first] = compared;
  if (first === undefined) return [];
  const cells = CELLS.map(([part, whole]) => {
    const known = compared.filter((one) => one.with[whole] > 0);
    const mean = (of: (one: Compared) => Counts) =>
      known.reduce((sum, one) => sum + of(one)[part] / of(one)[whole], 0) / known.length;
    return `${percent(mean((one) => one.without))} → ${percent(mean((one) => one.with))}`;
  });
  return [`| ${[`**mean of ${compared.length}**`, first.examples, '', ...cells].join(' | ')} |`];
}

function share(counts: Counts, part: keyof Counts, whole: keyof Counts): string {
  return counts[whole] === 0 ? '–' : percent(counts[part] / counts[whole]);
}

function interval(counts: Counts, part: keyof Counts, whole: keyof Counts): string {
  const { low, high } = wilson(counts[part] / counts[whole], counts[whole]);
  return ` (${percent(low)}–${percent(high)})`;
}

function percent(value: number): string {
  return (100 * value).toFixed(1);
}
