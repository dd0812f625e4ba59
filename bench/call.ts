import { parseArgs } from 'node:util';
import { type Case, type Field, openField } from './call/field.ts';
import { type Figures, measure, median } from './call/round.ts';
import { fileSystemOf, load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';

/**
 * What a call costs: `node bench/call.ts [--rounds=5] [--seconds=2] [--case=plain] [--write]`.
 *
 * All cases run interleaved in one run, each server in a process of its own, because the machine is
 * never as quiet as an hour ago. Ratios are taken within a round, then their median. Processor time
 * a call is the steady figure; the other figures suffer from whatever else wants the cores.
 */
const CONNECTIONS = [1, 32];
/** Until the engine has compiled what is hot, and collected what starting left behind. */
const WARM_UP_S = 5;

const LIMITS = `Not measured: TLS, bodies above a few hundred bytes, agents that take time, more than one gateway,
many agents to choose among, a machine with cores to spare (load generator, agent and gateway share
these), and disks whose sync is slower than this one's.`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    /** Only these, and the anchor. */
    case: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
});

/** The figures of one case at one number of connections, a round each. */
interface Row {
  of: Case;
  connections: number;
  rounds: Figures[];
}

await using field = await openField();
const wanted = options.case;
const cases = field.cases.filter(({ name }) => {
  return wanted === undefined || name === 'proxy' || wanted.includes(name);
});
const facts = `${machineFacts()}; data on ${fileSystemOf(field.dataDir)}`;
console.log(facts);
const begin = load();
const rows = await measureAll(field, cases);
const report = [
  `${facts}; load before / after ${begin} → ${load()} (1 / 5 minutes).`,
  `Medians of ${options.rounds} interleaved rounds of ${options.seconds} s; ratios are to the proxy of the same round.`,
  '',
  ...table(rows),
  '',
  ...rows.flatMap(lossOf),
  ...cases.map(({ name, what }) => `- **${name}**: ${what}.`),
].join('\n');
console.log(`\n${report}`);
if (options.write) keepResults('call', 'npm run bench -- call --write', `${report}\n\n${LIMITS}`);

async function measureAll(field: Field, cases: readonly Case[]): Promise<Row[]> {
  for (const one of cases) await measure(field, one, { connections: 32, seconds: WARM_UP_S });
  const rows = CONNECTIONS.flatMap((connections) =>
    cases.map((one): Row => ({ of: one, connections, rounds: [] })),
  );
  for (let round = 1; round <= Number(options.rounds); round++) {
    const before = load();
    for (const { of, connections, rounds } of rows) {
      rounds.push(await measure(field, of, { connections, seconds: Number(options.seconds) }));
    }
    console.log(`round ${round}: load ${before} → ${load()}; CPU µs ${cpuOf(rows)}`);
  }
  return rows;
}

function cpuOf(rows: readonly Row[]): string {
  return rows
    .map(({ of, connections, rounds }) => {
      return `${of.name}·${connections} ${rounds.at(-1)?.cpuUs.toFixed(0)}`;
    })
    .join('  ');
}

function table(rows: readonly Row[]): string[] {
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
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, i) => (i === 1 ? '---' : '---:'))),
    ...rows.map((row) => line(cellsOf(row, anchorOf(row, rows)))),
  ];
}

function anchorOf({ connections }: Row, rows: readonly Row[]): Row {
  return rows.find((row) => row.of.name === 'proxy' && row.connections === connections) as Row;
}

/** What the recorder dropped because its store got too little of the processor. */
function lossOf({ of, connections, rounds }: Row): string[] {
  const kept = Math.min(...rounds.map((figures) => figures.kept));
  if (kept > 0.999) return [];
  const lost = ((1 - kept) * 100).toFixed(1);
  return [`${of.name} at ${connections}: up to ${lost} % of the hops of a round were dropped.\n`];
}

function cellsOf(row: Row, anchor: Row): string[] {
  const of = (name: keyof Figures, digits: number) =>
    median(row.rounds.map((figures) => figures[name] as number)).toFixed(digits);
  const ratio = (name: keyof Figures) => {
    const each = row.rounds.map((figures, i) => {
      return (figures[name] as number) / ((anchor.rounds[i] as Figures)[name] as number);
    });
    return median(each).toFixed(2);
  };
  return [
    String(row.connections),
    row.of.name,
    of('cpuUs', 0),
    ratio('cpuUs'),
    of('mainUs', 0),
    of('p50Ms', 3),
    ratio('p50Ms'),
    of('p99Ms', 2),
    of('perSecond', 0),
    ratio('perSecond'),
  ];
}
