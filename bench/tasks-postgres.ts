import { parseArgs } from 'node:util';
import { load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import type { Contender } from './tasks/contender.ts';
import { graphileWorker } from './tasks/graphile-worker.ts';
import { life, type Ours } from './tasks/ours.ts';
import { type Pace, repeat } from './tasks/pace.ts';
import { pgBoss } from './tasks/pg-boss.ts';
import { oursOnPostgres } from './tasks/postgres-ours.ts';
import { type Postgres, runningPostgres } from './tasks/postgres.ts';
import { costTable, type Results, storeTable } from './tasks/report.ts';
import { middle, storeRound } from './tasks/store.ts';

/**
 * What a task costs in PostgreSQL: our driver beside graphile-worker, with and without its local
 * queue, and pg-boss, all on one server: `node bench/tasks-postgres.ts [--rounds=3] [--seconds=1]
 * [--only=name …] [--write]`.
 *
 * As in `tasks.ts`: rounds take turns, figures are medians, and nothing is left behind.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);

type Open = (postgres: Postgres) => Promise<Contender>;

const OURS: Readonly<Record<string, (postgres: Postgres) => Promise<Ours>>> = {
  ours: (postgres) => oursOnPostgres(postgres, { name: 'our driver', claims: 'together' }),
  'ours-apart': (postgres) =>
    oursOnPostgres(postgres, { name: 'our driver, 50 claims', claims: 'apart' }),
  'ours-pooled': (postgres) =>
    oursOnPostgres(postgres, { name: 'our driver, pooled', claims: 'together', isPooled: true }),
};

const PEERS: Readonly<Record<string, Open>> = {
  'graphile-plain': (postgres) => graphileWorker(postgres, { hasLocalQueue: false }),
  graphile: (postgres) => graphileWorker(postgres),
  'pg-boss': pgBoss,
};

/** Whole lives on our store, of four moves, in one round. */
interface Lives {
  one: Pace;
  crowd: Pace;
}

const WRITERS = 50;

async function main(): Promise<void> {
  const address = process.env['REACH_BENCH_POSTGRES'] ?? 'postgresql://127.0.0.1:5432/test';
  const postgres = await runningPostgres(address);
  if (postgres === undefined) {
    console.log('There is no PostgreSQL; nothing is measured.');
    return;
  }
  await using held = new AsyncDisposableStack();
  held.use(postgres);
  const facts = machineFacts();
  console.log(facts);
  const before = load();
  const report = await measure(postgres, held);
  const text = [
    `${facts}; load before / after ${before} → ${load()} (1 / 5 minutes).`,
    `Medians of ${options.rounds} interleaved rounds of ${seconds} s a figure.`,
    '',
    ...report,
  ].join('\n');
  console.log(`\n${text}`);
  const command = ['npm run bench -- tasks-postgres', ...process.argv.slice(2)].join(' ');
  if (options.write) keepResults('tasks-postgres', command, text);
}

async function measure(postgres: Postgres, held: AsyncDisposableStack): Promise<string[]> {
  const contenders: Contender[] = [];
  const lives = new Map<Ours, Lives[]>();
  for (const [name, open] of Object.entries({ ...OURS, ...PEERS })) {
    if (options.only !== undefined && !options.only.includes(name)) continue;
    const contender = held.use(await open(postgres));
    contenders.push(contender);
    if (name in OURS) lives.set(contender as Ours, []);
  }
  const results = contenders.map(({ name }): Results => ({ name, rounds: [] }));
  for (let round = 1; round <= Number(options.rounds); round++) {
    const before = load();
    for (const [i, contender] of contenders.entries()) {
      results[i]?.rounds.push(await storeRound(contender, seconds));
      lives.get(contender as Ours)?.push(await livesOf(contender as Ours));
    }
    console.log(`round ${round}: load ${before} → ${load()}`);
  }
  const legend = contenders.map(({ name, what }) => `- **${name}**: ${what}.`);
  return [
    ...storeTable(results, []),
    '',
    ...costTable(results),
    '',
    ...livesTable(lives),
    '',
    ...legend,
  ];
}

async function livesOf(ours: Ours): Promise<Lives> {
  let agents = 0;
  const live = (writers: number) =>
    repeat(() => life(ours.tasks, `agent-${agents++ % writers}`), { seconds, writers }, ours);
  return { one: await live(1), crowd: await live(WRITERS) };
}

function livesTable(lives: ReadonlyMap<Ours, Lives[]>): string[] {
  const rows = [...lives].flatMap(([{ name }, rounds]) =>
    (['one', 'crowd'] as const).map((kind) => {
      const of = (part: keyof Pace) => middle(rounds, (round) => round[kind][part]);
      const which = kind === 'one' ? 'one at a time' : `${WRITERS} at once`;
      const cpu = `${of('ownUs').toFixed(0)} + ${of('serverUs').toFixed(0)}`;
      return `| ${name}: ${which} | ${of('perSecond').toFixed(0)} | ${of('p50Ms').toFixed(1)} | ${of('p99Ms').toFixed(1)} | ${cpu} |`;
    }),
  );
  return [
    '| lives of four moves | a second | p50 ms | p99 ms | CPU µs, own + server |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
  ];
}

await main();
