import {
  type Confusion,
  type Evaluation,
  issuesOf,
  type MisrouteBudget,
  type Rate,
  type Threshold,
  Utterance,
  UTTERANCES_MAX,
} from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import { readJson, readSource } from '../input.ts';
import type { Page } from '../render/page.ts';
import { type Column, facts, table } from '../render/table.ts';
import { percent } from '../render/percent.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** An embedder that is far away takes its time for each of two thousand. */
export const PATIENCE_MS = 120_000;
/** As many faults of a file as one mends at a time. */
const FAULTS_SHOWN = 10;

/** `reach routes evaluate`: rates with intervals, confusions and thresholds. */
export async function evaluate(use: Use, session: Session): Promise<void> {
  const source = use.required(0);
  const utterances = readUtterances(await readSource(source, session.world), source);
  // The gateway holds the word to its own table and says what is allowed.
  const budget = use.text('budget') as MisrouteBudget | undefined;
  const input = { utterances, ...given({ budget }) };
  const answer = await session.withReach((reach) =>
    reach.invoke('routes.evaluate', input, { timeoutMs: PATIENCE_MS }),
  );
  session.answer(answer, (page) => pageOf(answer, page));
  session.warn(answer.warnings);
}

/** One JSON object a line; what is wrong with any is told by its line, and then nothing is sent. */
export function readUtterances(text: string, source: string): Utterance[] {
  const faults: string[] = [];
  const utterances: Utterance[] = [];
  // A byte order mark is no part of the first line.
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const row = readRow(line, `line ${i + 1}`);
    if (typeof row === 'string') faults.push(row);
    else utterances.push(row);
  }
  if (faults.length > 0) {
    const more = faults.length > FAULTS_SHOWN ? `\n  and ${faults.length - FAULTS_SHOWN} more` : '';
    const shown = faults.slice(0, FAULTS_SHOWN).join('\n  ');
    throw new UsageError(`${source} cannot be used:\n  ${shown}${more}`);
  }
  if (utterances.length === 0) throw new UsageError(`${source} has no utterances.`);
  if (utterances.length > UTTERANCES_MAX) {
    const detail = `${source} has ${utterances.length} utterances, and ${UTTERANCES_MAX} are the most.`;
    throw new UsageError(detail);
  }
  return utterances;
}

/** The row of a line, or what is wrong with it. */
function readRow(line: string, where: string): Utterance | string {
  let row: unknown;
  try {
    row = readJson(line, where);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return `${where}: must be an object with text and expected`;
  }
  // Sets of labelled utterances carry more than is asked for here.
  const { text, expected, params = 'payload' in row ? row.payload : undefined } = row as Utterance;
  const wanted = { text, expected, ...given({ params }) };
  const [issue] = issuesOf(Utterance, wanted);
  if (issue === undefined) return wanted;
  if (text === undefined) return `${where}: text is missing`;
  if (expected === undefined) return `${where}: expected is missing; null where nothing is right`;
  return `${where}: ${issue.pointer.slice(2)} ${issue.detail}`;
}

function pageOf(answer: Evaluation, page: Page): string {
  const rates = RATES.map(([name, of]) => ({ name, rate: of(answer) }));
  const parts = [table(rates, RATE_COLUMNS, page)];
  if (answer.confusions.length > 0) parts.push(table(answer.confusions, CONFUSIONS, page));
  parts.push(table(answer.thresholds, THRESHOLDS, page));
  if (page.width === undefined) return parts.join('\n');
  const head = facts(
    [
      ['utterances', answer.utterances],
      ['budget', `${answer.budget} of 100 routed wrong`],
    ],
    page,
  );
  return [head, ...parts].join('\n');
}

const RATES: readonly (readonly [string, (answer: Evaluation) => Rate])[] = [
  ['top-1', ({ top1 }) => top1],
  ['top-3', ({ top3 }) => top3],
  ['routed right', ({ routed_right: rate }) => rate],
  ['misrouted', ({ misrouted }) => misrouted],
  ['asked', ({ asked }) => asked],
  ['asked, right one offered', ({ asked_right: rate }) => rate],
  ['none', ({ none }) => none],
  ['none, and none was right', ({ none_right: rate }) => rate],
];

const RATE_COLUMNS: Column<{ name: string; rate: Rate }>[] = [
  { title: 'RATE', of: ({ name }) => name },
  { title: 'SHARE', of: ({ rate }) => (rate.of === 0 ? '–' : percent(rate.share)), align: 'right' },
  {
    title: '95 %',
    of: ({ rate }) => (rate.of === 0 ? '' : `${percent(rate.low)} to ${percent(rate.high)}`),
    align: 'right',
  },
  { title: 'OF', of: ({ rate }) => `${rate.count} of ${rate.of}`, align: 'right' },
];

const CONFUSIONS: Column<Confusion>[] = [
  { title: 'EXPECTED', of: ({ expected }) => expected.join(', ') || '(none)' },
  { title: 'TAKEN FOR', of: ({ got }) => got },
  { title: 'TIMES', of: ({ count }) => count, align: 'right' },
  { title: 'ROUTED', of: ({ routed }) => routed, align: 'right' },
  { title: 'SUCH AS', of: ({ example }) => example, flexible: true },
];

const THRESHOLDS: Column<Threshold>[] = [
  { title: 'BUDGET', of: ({ budget }) => `${budget} %` },
  { title: 'ROUTED FROM', of: (row) => percent(row.route_from), align: 'right' },
  {
    title: 'SUGGESTED',
    of: ({ suggested }) => (suggested === undefined ? '–' : percent(suggested)),
    align: 'right',
  },
  { title: 'WHICH MEANS', of: ({ detail }) => detail, flexible: true },
];
