import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import { type GatewaysField, type GatewaysFigures, openGateways } from './tasks/gateways-field.ts';
import { ownRedis } from './tasks/redis-server.ts';
import { middle } from './tasks/store.ts';

/**
 * What a second gateway on the same Redis costs and gives: `node bench/gateways.ts [--rounds=7]
 * [--write]`. Needs `redis-server` on the path: one of its own is started, and stopped.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    write: { type: 'boolean', default: false },
  },
});

const LIMITS = `Two agents and two submitters in both cases, spread over the gateways that there are; 16 submissions
under way, receipt and result as two messages. Not measured: machines of their own. All processes share two cores, so a second gateway
cannot show more tasks a second here, only what it adds to the cost of one.`;

async function main(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  try {
    const before = load();
    const table = await measure(dir);
    const text = [
      `${machineFacts()}; load before / after ${before} → ${load()} (1 / 5 minutes).`,
      `Medians of ${options.rounds} interleaved rounds of 2,000 tasks; the ratio is the median of the rounds' own.`,
      '',
      ...table,
    ].join('\n');
    console.log(`\n${text}`);
    const command = ['npm run bench -- gateways', ...process.argv.slice(2)].join(' ');
    if (options.write) keepResults('gateways', command, `${text}\n\n${LIMITS}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(dir: string): Promise<string[]> {
  await using held = new AsyncDisposableStack();
  const redis = await ownRedis(dir, 'everysec');
  if (redis === undefined) throw new Error('redis-server is not on the path');
  held.use(redis);
  const fields = [
    held.use(await openGateways(redis, 1, dir)),
    held.use(await openGateways(redis, 2, dir)),
  ];
  const rounds: GatewaysFigures[][] = fields.map(() => []);
  for (let round = 1; round <= Number(options.rounds); round++) {
    // Who comes first in a round finds the caches of the one before: they take turns.
    const order = round % 2 === 0 ? [1, 0] : [0, 1];
    for (const n of order) {
      const figures = await fields[n]?.round();
      if (figures !== undefined) rounds[n]?.push(figures);
    }
    console.log(`round ${round}: load ${load()}`);
  }
  return tableOf(fields, rounds);
}

function tableOf(fields: readonly GatewaysField[], rounds: readonly GatewaysFigures[][]): string[] {
  const rows = fields.map(({ name }, n) => {
    const of = (part: keyof GatewaysFigures) => middle(rounds[n] ?? [], (round) => round[part]);
    const parts = [of('endedPerSecond'), of('gatewayUs'), of('redisUs')].map((v) => v.toFixed(0));
    const waits = `${of('waitedP50Ms').toFixed(1)} / ${of('waitedP99Ms').toFixed(1)}`;
    return `| ${[name, ...parts, waits].join(' | ')} |`;
  });
  const [one = [], two = []] = rounds;
  const cost = ({ gatewayUs, redisUs }: GatewaysFigures) => gatewayUs + redisUs;
  const ratios = two.map((round, n) => ({ ratio: cost(round) / cost(one[n] ?? round) }));
  return [
    '| | tasks a second | CPU µs a task: gateways | Redis | submission → start p50 / p99 ms |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows,
    '',
    `A task costs two gateways and their Redis ${middle(ratios, ({ ratio }) => ratio).toFixed(2)} × what it costs one and its Redis.`,
  ];
}

await main();
