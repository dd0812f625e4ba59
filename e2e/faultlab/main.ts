/**
 * `npm run faultlab [-- E1 E2 …] [--rounds n] [--seed s] [--short] [--store sqlite] [--list]`:
 * starts real gateways, agents and callers on this machine, hurts them, and prints what was lost
 * and what was done twice. Without names it runs every experiment. A seed repeats the moments that
 * chance chooses; what processes make of them is their own.
 */
import { randomInt } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Experiment } from './experiment.ts';
import { EXPERIMENTS } from './experiments.ts';
import { renderDetails, renderTable, type Tally } from './report.ts';
import { RULES } from './rules.ts';
import { type RunOptions, runExperiment } from './run.ts';
import { STORES } from './stores.ts';

const SEEDS = 2 ** 31;

function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** How many processes wanted a core in the last minute. */
function load(): string {
  return (loadavg()[0] ?? 0).toFixed(2);
}

function read(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seed: { type: 'string' },
      store: { type: 'string', default: 'sqlite' },
      short: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  return { ...values, names: positionals.map((name) => name.toUpperCase()) };
}

/** What the command line asks for. Throws a sentence about what it cannot mean. */
function wanted(args: readonly string[]): {
  options: RunOptions;
  chosen: Experiment[];
  list: boolean;
} {
  const { names, rounds, seed, store: storeName, short: isShort, list } = read(args);
  const unknown = names.find((name) => !EXPERIMENTS.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`No experiment is called ${unknown}.`);
  const store = STORES[storeName];
  if (store === undefined) {
    throw new Error(
      `No store is called ${storeName}; there are ${Object.keys(STORES).join(', ')}.`,
    );
  }
  const options = {
    store,
    isShort,
    seed: count('--seed', seed, 0) ?? randomInt(SEEDS),
    rounds: count('--rounds', rounds, 1),
  };
  const chosen = EXPERIMENTS.filter(({ id }) => names.length === 0 || names.includes(id));
  return { options, chosen, list };
}

function count(flag: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min) return value;
  throw new Error(`${flag} is a whole number from ${min} on, not ${text}.`);
}

async function main(args: readonly string[]): Promise<number> {
  const { options, chosen, list } = wanted(args);
  if (list) {
    for (const { id, title, rounds } of EXPERIMENTS)
      say(`${id.padEnd(4)} ${title} (${rounds} rounds)`);
    return 0;
  }
  const machine = `${availableParallelism()} cores, Node ${process.version}, load ${load()}`;
  say(`${machine}, store ${options.store.name}, seed ${options.seed}\n`);
  const tallies: Tally[] = [];
  for (const experiment of chosen) {
    const { id, title } = experiment;
    say(`${id}  ${title}`);
    const missing = experiment.missing?.();
    if (missing !== undefined) {
      say(`${id}  skipped: ${missing}\n`);
      continue;
    }
    const tally = await runExperiment(experiment, options);
    for (const line of renderDetails(tally)) say(line);
    say(`${id}  ended, load ${load()}\n`);
    tallies.push(tally);
  }
  say(`${renderTable(tallies)}\n`);
  for (const [rule, what] of Object.entries(RULES)) say(`${rule.padEnd(4)} ${what}`);
  return tallies.every(({ faults }) => faults.length === 0) ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`faultlab: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
