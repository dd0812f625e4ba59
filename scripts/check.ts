/**
 * `npm run check`: the gate. Runs every rule set over the tree in the working directory, prints one
 * line a set and then what broke, by rule. Names as arguments run only those sets:
 * `npm run check -- floors homes`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ImportFaults, judgeImports } from './floors.ts';
import { judgeSupply } from './supply.ts';
import { compile, format, lint } from './tools.ts';
import type { Violation } from './violation.ts';

type RuleSets = Record<string, () => Promise<Violation[]>>;

interface Verdict {
  set: string;
  ms: number;
  violations: Violation[];
}

/** The rule sets of the tree at `root`, slowest first: they all start at once. */
function ruleSets(root: string): RuleSets {
  const linted = once(() => lint(root));
  const imports = once<ImportFaults>(() => judgeImports(root));
  return {
    types: () => compile(root),
    lint: async () => (await linted()).lint,
    sizes: async () => (await linted()).sizes,
    format: () => format(root),
    floors: async () => (await imports()).floors,
    homes: async () => (await imports()).homes,
    generated: () => stalePages(root),
    supply: async () => judgeSupply(root),
  };
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= work());
}

/** Pages that `npm run docs` would write differently. */
async function stalePages(root: string): Promise<Violation[]> {
  const script = join(root, 'scripts/docs.ts');
  if (!existsSync(script)) return [];
  const docs = (await import(pathToFileURL(script).href)) as { check(): Promise<string[]> };
  const message = 'differs from its source: run `npm run docs`';
  return (await docs.check()).map((file) => ({ rule: 'stale-page', file, line: 1, message }));
}

async function judge([set, work]: [string, () => Promise<Violation[]>]): Promise<Verdict> {
  const start = performance.now();
  const violations = await work().catch((error: unknown): Violation[] => [
    { rule: 'tool-broken', file: `(${set})`, line: 1, message: String(error) },
  ]);
  return { set, ms: Math.round(performance.now() - start), violations };
}

function summary({ set, ms, violations }: Verdict): string {
  const state = violations.length === 0 ? 'ok' : 'FAILED';
  const count = violations.length === 0 ? '' : `  ${violations.length}`;
  return `${state.padEnd(7)} ${set.padEnd(10)} ${String(ms).padStart(6)} ms${count}`;
}

/** One paragraph a rule, its places in the order of the tree. */
function details({ set, violations }: Verdict): string[] {
  const byRule = Map.groupBy(violations, ({ rule }) => rule);
  return [...byRule].map(([rule, places]) => {
    const lines = places
      .toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line)
      .map(({ file, line, message }) => `  ${file}:${line}  ${message}`);
    return `\n${rule} (${set})\n${lines.join('\n')}`;
  });
}

/** Runs the sets called `names`, or all; true when nothing broke. */
async function check(root: string, names: readonly string[]): Promise<boolean> {
  const sets = ruleSets(root);
  const unknown = names.filter((name) => !(name in sets));
  if (unknown.length > 0) {
    console.error(`no rule set ${unknown.join(', ')}; there are ${Object.keys(sets).join(', ')}`);
    return false;
  }
  const wanted = Object.entries(sets).filter(([set]) => names.length === 0 || names.includes(set));
  const verdicts = await Promise.all(wanted.map(judge));
  for (const verdict of verdicts) console.log(summary(verdict));
  for (const text of verdicts.flatMap(details)) console.log(text);
  return verdicts.every(({ violations }) => violations.length === 0);
}

process.exitCode = (await check(process.cwd(), process.argv.slice(2))) ? 0 : 1;
