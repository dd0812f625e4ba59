/**
 * `npm run faultlab [-- E1 E2 …] [--rounds n] [--seed s] [--short] [--store sqlite] [--gateways 1]
 * [--list]`:
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
import { type LabStore, STORES } from './stores.ts';

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
      gateways: { type: 'string' },
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
  const { names, rounds, seed, store: storeName, gateways, short: isShort, list } = read(args);
  const unknown = names.find((name) => !EXPERIMENTS.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`No experiment is called ${unknown}.`);
  const store = storeCalled(storeName);
  const options = {
    store,
    gateways: count('--gateways', gateways, 1) ?? (store.isShared ? 2 : 1),
    isShort,
    seed: count('--seed', seed, 0) ?? randomInt(SEEDS),
    rounds: count('--rounds', rounds, 1),
  };
  if (options.gateways > 1 && !store.isShared) {
    throw new Error(`One gateway alone stands on ${store.name}.`);
  }
  const chosen = EXPERIMENTS.filter(({ id }) => names.length === 0 || names.includes(id));
  return { options, chosen, list };
}

function storeCalled(name: string): LabStore {
  const found = Object.values<LabStore>(STORES).find((store) => store.name === name);
  if (found !== undefined) return found;
  throw new Error(`No store is called ${name}; there are ${Object.keys(STORES).join(', ')}.`);
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
  const world = `${options.gateways} on the store ${options.store.name}`;
  say(`${machine}, gateways: ${world}, seed ${options.seed}\n`);
  const unusable = await options.store.missing();
  if (unusable !== undefined) throw new Error(unusable);
  const tallies: Tally[] = [];
  for (const experiment of chosen) {
    const { id, title } = experiment;
    say(`${id}  ${title}`);
    const missing = await experiment.missing?.(options);
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
