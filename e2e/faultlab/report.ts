import { isTaskEnd } from '@agent-reach/core';
import { check, isSettled } from './checker.ts';
import type { Evidence } from './evidence.ts';
import type { Experiment, Outcome } from './experiment.ts';
import { type Fault, type Rule, RULES } from './rules.ts';

/** What the rounds of one experiment came to, added up. */
export interface Tally {
  id: string;
  title: string;
  seed: number;
  rounds: number;
  acked: number;
  /** Runs that were begun. */
  executions: number;
  lostLeases: number;
  /** Of acknowledged tasks. */
  terminal: number;
  dead: number;
  /** Acknowledged, and not stored or never ended. */
  lost: number;
  /** Tasks with more than one end, or run more often than there are reasons. */
  doubled: number;
  faults: Fault[];
  measured: Record<string, number[]>;
}

export function emptyTally({ id, title }: Experiment, seed: number): Tally {
  const figures = { rounds: 0, acked: 0, executions: 0, lostLeases: 0, terminal: 0, dead: 0 };
  return { id, title, seed, ...figures, lost: 0, doubled: 0, faults: [], measured: {} };
}

/** Adds a round. */
export function addRound(tally: Tally, { evidence, faults, measured }: Outcome): void {
  const found = [...check(evidence), ...faults];
  const { acked, kept, runs } = evidence;
  const states = [...acked].map((task) => kept.get(task)?.state);
  tally.rounds += 1;
  tally.acked += acked.size;
  tally.executions += runs.filter(({ word }) => word === 'start').length;
  tally.lostLeases += lostLeases(evidence);
  tally.terminal += states.filter((state) => state !== undefined && isTaskEnd(state)).length;
  tally.dead += states.filter((state) => state === 'dead').length;
  tally.lost += states.filter((state) => state === undefined || !isSettled(state)).length;
  tally.doubled += doubled(found);
  tally.faults.push(...found);
  for (const [name, values] of Object.entries(measured)) {
    (tally.measured[name] ??= []).push(...values);
  }
}

function lostLeases({ kept }: Evidence): number {
  const causes = [...kept.values()].flatMap(({ history }) => history.map(({ cause }) => cause));
  return causes.filter((cause) => LOSSES.has(cause)).length;
}

const LOSSES: ReadonlySet<string> = new Set(['lease-lost', 'deliveries-spent', 'needs-decision']);

function doubled(faults: readonly Fault[]): number {
  const isDouble = ({ rule, detail }: Fault) =>
    rule === 'P3' || (rule === 'P2' && !detail.startsWith('never ended'));
  return new Set(faults.filter(isDouble).map(({ task }) => task)).size;
}

const COLUMNS = [
  'experiment',
  'rounds',
  'acked',
  'executions',
  'lost leases',
  'terminal',
  'dead',
  'lost',
  'doubled',
  ...Object.keys(RULES),
  'seed',
];

/** The tallies as a table in Markdown, which reads well in a terminal, too. */
export function renderTable(tallies: readonly Tally[]): string {
  const rows = tallies.map((tally) => [
    tally.id,
    ...figuresOf(tally).map(String),
    ...Object.keys(RULES).map((rule) => verdict(tally, rule as Rule)),
    String(tally.seed),
  ]);
  const widths = COLUMNS.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(COLUMNS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join(
    '\n',
  );
}

function figuresOf(tally: Tally): number[] {
  const { rounds, acked, executions, lostLeases, terminal, dead, lost, doubled } = tally;
  return [rounds, acked, executions, lostLeases, terminal, dead, lost, doubled];
}

function verdict({ faults }: Tally, rule: Rule): string {
  const count = faults.filter((fault) => fault.rule === rule).length;
  return count === 0 ? 'ok' : `${count} ✗`;
}

const FAULTS_SHOWN = 20;

/** What was measured and what broke, a line each. */
export function renderDetails({ id, measured, faults }: Tally): string[] {
  const lines = Object.entries(measured).map(
    ([name, values]) => `${id}  ${name}: ${spread(values)}`,
  );
  for (const { rule, task, detail } of faults.slice(0, FAULTS_SHOWN)) {
    lines.push(`${id}  ✗ ${rule}${task === undefined ? '' : ` ${task}`}: ${detail}`);
  }
  if (faults.length > FAULTS_SHOWN) lines.push(`${id}  … ${faults.length - FAULTS_SHOWN} more`);
  return lines;
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  if (sorted.length === 0) return 'none';
  if (sorted.length === 1) return number(at(0));
  return `median ${number(at(0.5))}, most ${number(at(1))} (of ${sorted.length})`;
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
