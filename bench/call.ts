import { parseArgs } from 'node:util';
import {
  BUDGET_CONNECTIONS,
  BUDGETED,
  budgetsFor,
  excesses,
  type Ratios,
  readBudgets,
  writeBudgets,
} from './call/budgets.ts';
import { casesNamed } from './call/cases.ts';
import { type Case, type Field, openField } from './call/field.ts';
import { cpuRatio, figures, losses, parts, type Row } from './call/report.ts';
import { measure } from './call/round.ts';
import { fileSystemOf, load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';

/**
 * What a call costs: `node bench/call.ts [--rounds=5] [--seconds=2] [--case=plain …] [--short] [--write]
 * [--check] [--write-budgets]`.
 *
 * All cases run interleaved in one run, each server in a process of its own, because the machine is
 * never as quiet as an hour ago. Ratios are taken within a round, then their median. Processor time
 * a call is the steady figure; the other figures suffer from whatever else wants the cores.
 *
 * `--check` holds the cases that have a budget to it, and ends with 1 where one exceeds it.
 * `--write-budgets` sets budgets.json from this run. `--short` is for trying: its figures are not kept.
 */
const CONNECTIONS = [1, BUDGET_CONNECTIONS];

const LIMITS = `Not measured: TLS, bodies above a few hundred bytes, agents that take time, more than one gateway,
many agents to choose among, a machine with cores to spare (load generator, agent and gateway share
these), and disks whose sync is slower than this one's.`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    /** Only these, the anchor, and what their price is counted from. */
    case: { type: 'string', multiple: true },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    'write-budgets': { type: 'boolean', default: false },
  },
});

/** How long what is measured. The engine compiles what is hot, and collects what starting left behind, in the warm-up. */
const LENGTHS = {
  whole: { rounds: 5, seconds: 2, warmUpS: 5, connections: CONNECTIONS },
  short: { rounds: 3, seconds: 0.5, warmUpS: 1.5, connections: [BUDGET_CONNECTIONS] },
};

async function main(): Promise<number> {
  const { short, write, check, 'write-budgets': writesBudgets } = options;
  if (short && write) throw new Error('--short is for trying: its figures are not kept.');
  const isAboutBudgets = check || writesBudgets;
  // Read before anything is measured: a fault in the file is told at once.
  const budgets = check ? readBudgets() : undefined;
  const named = options.case ?? (isAboutBudgets && !write ? [] : undefined);
  const names = isAboutBudgets && named !== undefined ? [...BUDGETED, ...named] : named;
  await using field = await openField(casesNamed(names));
  const length = lengthOf(short ? LENGTHS.short : LENGTHS.whole);
  const facts = `${machineFacts()}; data on ${fileSystemOf(field.dataDir)}`;
  console.log(facts);
  const begin = load();
  const rows = await measureAll(field, length);
  const loads = `load before / after ${begin} → ${load()} (1 / 5 minutes)`;
  const report = [
    `${facts}; ${loads}.`,
    `Medians of ${length.rounds} interleaved rounds of ${length.seconds} s; ratios are to the proxy of the same round.`,
    '',
    ...figures(rows),
    '',
    ...losses(rows),
    ...parts(rows),
    ...field.cases.map(({ name, what }) => `- **${name}**: ${what}.`),
  ].join('\n');
  console.log(`\n${report}`);
  const command = ['npm run bench -- call', ...process.argv.slice(2)].join(' ');
  if (write) keepResults('call', command, `${report}\n\n${LIMITS}`);
  if (writesBudgets) {
    const day = new Date().toISOString().slice(0, 10);
    const measured = `${day}, ${command}: ${length.rounds} rounds of ${length.seconds} s. ${facts}; ${loads}.`;
    writeBudgets(budgetsFor(ratiosIn(rows), measured));
  }
  if (budgets === undefined) return 0;
  const over = excesses(ratiosIn(rows), budgets);
  for (const sentence of over) console.error(`\n${sentence}`);
  if (over.length === 0) console.log(`\n${BUDGETED.join(', ')} keep their budgets.`);
  return over.length === 0 ? 0 : 1;
}

type Length = typeof LENGTHS.whole;

function lengthOf(length: Length): Length {
  const { rounds = length.rounds, seconds = length.seconds } = options;
  return { ...length, rounds: Number(rounds), seconds: Number(seconds) };
}

async function measureAll(
  field: Field,
  { rounds: count, seconds, warmUpS, connections: all }: Length,
): Promise<Row[]> {
  const { cases } = field;
  for (const one of cases) {
    await measure(field, one, { connections: BUDGET_CONNECTIONS, seconds: warmUpS });
  }
  const rows = all.flatMap((connections) =>
    cases.map((of): MeasuredRow => ({ of, connections, rounds: [] })),
  );
  for (let round = 1; round <= count; round++) {
    const before = load();
    for (const { of, connections, rounds } of rows) {
      rounds.push(await measure(field, of, { connections, seconds }));
    }
    console.log(`round ${round}: load ${before} → ${load()}; CPU µs ${cpuOf(rows)}`);
  }
  return rows;
}

interface MeasuredRow extends Row {
  of: Case;
}

function cpuOf(rows: readonly Row[]): string {
  return rows
    .map(({ of, connections, rounds }) => {
      return `${of.name}·${connections} ${rounds.at(-1)?.cpuUs.toFixed(0)}`;
    })
    .join('  ');
}

/** What is held to budgets, of this run. */
function ratiosIn(rows: readonly Row[]): Ratios {
  const of = (wanted: string) => {
    const row = rows.find(({ of: { name }, connections }) => {
      return name === wanted && connections === BUDGET_CONNECTIONS;
    });
    return row === undefined ? Number.NaN : cpuRatio(row, rows);
  };
  return { plain: of('plain'), keyed: of('keyed'), governed: of('governed') };
}

process.exitCode = await main();
