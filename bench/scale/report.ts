import type { Decision } from './decide.ts';
import type { Figures } from './simulate.ts';
import type { StoreCost } from './stores.ts';

// The figures as Markdown.

/** What the figures are of. */
export const NOTES = `A second, of all gateways together unless it says *each*. Counts are exact; a second of processor
time holds the gateway and its share of the store. Agents have an address and three capabilities, ten share one; they beat
every 10 s at any gateway, are probed every 5 s and get a task every 100 s. Forty seconds hold two or three comparisons of
all agents with the store for each gateway, so rows read may be half as much more or less. Not measured: pull agents that
wait, agents that come and go, a network between the parts, PostgreSQL.`;

/** One row a case. */
export function planeTable(all: readonly Figures[]): string[] {
  const head = ['agents', 'gateways', 'probes', 'store moves', 'rows read', 'KB read'];
  head.push('messages told', 'KB heard by each', 'MB each', 'CPU ms a second, each');
  const rows = all.map((one) => [
    one.agents.toLocaleString('en'),
    String(one.gateways),
    round(one.probes),
    round(one.moves),
    round(one.rows),
    round(one.rowKb),
    round(one.messages),
    one.heardKb.toFixed(1),
    one.heapMb.toFixed(1),
    one.cpuMs.toFixed(1),
  ]);
  return table(head, rows);
}

const GROWING = [
  'probes',
  'moves',
  'rows',
  'rowKb',
  'messages',
  'heardKb',
  'heapMb',
  'cpuMs',
] as const;

/** By how much each figure grew while agents, or gateways, grew so many times. */
export function growth(all: readonly Figures[]): string[] {
  const lines: string[] = [];
  const told = (from: Figures, to: Figures, what: string) => {
    const parts = GROWING.map((key) => `${key} ${(to[key] / from[key]).toFixed(1)}`);
    lines.push(`- ${what}: ${parts.join(', ')}.`);
  };
  for (const [gateways, those] of Map.groupBy(all, (one) => one.gateways)) {
    for (const [n, to] of those.entries()) {
      const from = those[n - 1];
      if (from === undefined) continue;
      const on = gateways === 1 ? 'One gateway' : `${gateways} gateways`;
      const times = to.agents / from.agents;
      told(from, to, `${on}, agents × ${times} to ${to.agents.toLocaleString('en')}`);
    }
  }
  const most = all.filter(({ agents }) => agents === Math.max(...all.map((one) => one.agents)));
  for (const [n, to] of most.entries()) {
    const from = most[n - 1];
    // One that is alone tells nothing, and any number is many times that.
    if (from === undefined || from.gateways === 1) continue;
    told(
      from,
      to,
      `${to.agents.toLocaleString('en')} agents, gateways ${from.gateways} to ${to.gateways}`,
    );
  }
  const last = all.at(-1);
  if (last === undefined) return [];
  const by = (counts: Record<string, number>) =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 8)
      .map(([name, n]) => `${name} ${round(n)}`)
      .join(', ');
  return [
    'Times as much:',
    '',
    ...lines,
    '',
    `With ${last.agents.toLocaleString('en')} agents on ${last.gateways} gateways and ${round(last.tasks)} tasks a second, ` +
      `the most frequent moves a second: ${by(last.movesBy)}; changes told: ${by(last.changesBy)}.`,
  ];
}

/** What it costs to choose. */
export function decisionTable(all: readonly Decision[]): string[] {
  return table(
    ['agents registered', 'of them offer what is asked', 'µs a decision'],
    all.map((one) => [
      one.agents.toLocaleString('en'),
      one.candidates.toLocaleString('en'),
      round(one.us),
    ]),
  );
}

/** Redis's own processor time. */
export function storeTable(all: readonly StoreCost[]): string[] {
  const head = ['µs of Redis', 'heartbeat', 'claim that finds nothing', 'an agent compared'];
  head.push('a queue counted', 'tick, nothing due');
  const rows = all.map((one) => [
    `${one.agents.toLocaleString('en')} agents, a task waiting for each`,
    round(one.renew),
    round(one.idleClaim),
    one.surveyEach.toFixed(1),
    one.countEach.toFixed(1),
    round(one.tick),
  ]);
  return table(head, rows);
}

function round(value: number): string {
  if (value >= 10) return Math.round(value).toLocaleString('en');
  return value.toFixed(1);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, n) => (n === 0 ? '---' : '---:'))), ...rows.map(line)];
}
