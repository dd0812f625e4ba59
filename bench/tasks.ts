import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileSystemOf, load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import { bullmq } from './tasks/bullmq.ts';
import type { Contender } from './tasks/contender.ts';
import { graphileWorker } from './tasks/graphile-worker.ts';
import { type HttpRound, httpRound, openHttp } from './tasks/http.ts';
import { longQueue } from './tasks/long-queue.ts';
import { ours } from './tasks/ours.ts';
import { pgBoss } from './tasks/pg-boss.ts';
import { runningPostgres } from './tasks/postgres.ts';
import { ownRedis, runningRedis } from './tasks/redis-server.ts';
import {
  costTable,
  diskTable,
  httpTable,
  queueTable,
  type Results,
  storeTable,
} from './tasks/report.ts';
import { type DiskRound, diskRound, storeRound } from './tasks/store.ts';

/**
 * What a task costs, beside BullMQ, pg-boss and graphile-worker: `node bench/tasks.ts [--rounds=5]
 * [--seconds=1] [--part=store --part=http --part=queue] [--queued=500000] [--write]`.
 *
 * Rounds take turns, so that what else the machine does meets all alike; figures are their medians.
 * Peers whose server does not run here are left out: `REACH_BENCH_REDIS` and `REACH_BENCH_POSTGRES`
 * name them. They get a key prefix and schemas of their own, and leave nothing behind. The data
 * folder is made under TMPDIR, so that names the disk.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    part: { type: 'string', multiple: true, default: ['store', 'http', 'queue'] },
    queued: { type: 'string', default: '500000' },
    write: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const isWanted = (part: string) => options.part.includes(part);

const LIMITS = `Not measured: more than one gateway or worker process, payloads above half a kilobyte, tasks that
take time, retries, replicas, a network between the parts, and disks whose sync is slower than this one's. All parts of a
measurement share the cores of this machine.`;

async function main(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  try {
    const facts = `${machineFacts()}; data on ${fileSystemOf(dir)}`;
    console.log(facts);
    const before = load();
    const report = await measureAll(dir);
    const text = [
      `${facts}; load before / after ${before} → ${load()} (1 / 5 minutes).`,
      `Medians of ${options.rounds} interleaved rounds of ${seconds} s a figure; waits are of all rounds together.`,
      '',
      ...report,
    ].join('\n');
    console.log(`\n${text}`);
    const command = ['npm run bench -- tasks', ...process.argv.slice(2)].join(' ');
    if (options.write) keepResults('tasks', command, `${text}\n\n${LIMITS}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measureAll(dir: string): Promise<string[]> {
  await using held = new AsyncDisposableStack();
  const own = isWanted('store') ? held.use(await ours(dir)) : undefined;
  const contenders = own === undefined ? [] : [own, ...(await openPeers(dir, held))];
  const http = isWanted('http') ? held.use(await openHttp(join(dir, 'gateway'))) : undefined;
  const results = contenders.map(({ name }): Results => ({ name, rounds: [] }));
  const disk: DiskRound[] = [];
  const overHttp: HttpRound[] = [];
  for (let round = 1; round <= Number(options.rounds); round++) {
    const before = load();
    for (const [i, contender] of contenders.entries()) {
      results[i]?.rounds.push(await storeRound(contender, seconds));
    }
    if (own !== undefined) disk.push(await diskRound(own.tasks, dir, seconds));
    if (http !== undefined) overHttp.push(await httpRound(http, seconds));
    console.log(`round ${round}: load ${before} → ${load()}`);
  }
  const queue = isWanted('queue') ? await measureQueues(dir) : [];
  const legend = contenders.map(({ name, what }) => `- **${name}**: ${what}.`);
  const parts = [
    ...(own !== undefined
      ? [storeTable(results, overHttp), costTable(results), legend, diskTable(disk)]
      : []),
    ...(http === undefined ? [] : [httpTable(overHttp)]),
    queue,
  ];
  return parts.flatMap((lines) => (lines.length === 0 ? [] : [...lines, '']));
}

/** Every peer whose server is there. */
async function openPeers(dir: string, held: AsyncDisposableStack): Promise<Contender[]> {
  const redis = process.env['REACH_BENCH_REDIS'] ?? 'redis://127.0.0.1:6379';
  const address = process.env['REACH_BENCH_POSTGRES'] ?? 'postgresql://127.0.0.1:5432/test';
  const peers: Contender[] = [];
  const servers = [
    await runningRedis(redis),
    await ownRedis(dir, 'everysec'),
    await ownRedis(dir, 'always'),
  ];
  for (const server of servers) {
    if (server === undefined) console.log('A Redis is missing; BullMQ on it is left out.');
    else peers.push(held.use(bullmq(server)));
  }
  const postgres = await runningPostgres(address);
  if (postgres === undefined) {
    console.log('There is no PostgreSQL; pg-boss and graphile-worker are left out.');
    return peers;
  }
  held.use(postgres);
  peers.push(held.use(await pgBoss(postgres)), held.use(await graphileWorker(postgres)));
  return peers;
}

async function measureQueues(dir: string): Promise<string[]> {
  const short = await longQueue(dir, 10_000);
  return queueTable([...short, ...(await longQueue(dir, Number(options.queued)))]);
}

await main();
