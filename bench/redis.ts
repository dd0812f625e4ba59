import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileSystemOf, load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import { bullmq } from './tasks/bullmq.ts';
import type { Contender } from './tasks/contender.ts';
import { ownRedis } from './tasks/redis-server.ts';
import { oursOnRedis } from './tasks/redis-ours.ts';
import { costTable, type Results, storeTable } from './tasks/report.ts';
import { middle, storeRound } from './tasks/store.ts';

/**
 * What a task costs in our Redis store, beside BullMQ on the same server: `node bench/redis.ts
 * [--rounds=3] [--seconds=1] [--fsync=everysec --fsync=always] [--write]`. Needs `redis-server` on the path:
 * servers of its own are started, one for each way of syncing, and stopped.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1' },
    fsync: { type: 'string', multiple: true, default: ['everysec', 'always'] },
    write: { type: 'boolean', default: false },
  },
});

const LIMITS = `Not measured: replicas, a network between the parts, more than one gateway or worker process, and tasks
that take time. Client and server share the cores of this machine.`;

async function main(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  try {
    const facts = `${machineFacts()}; data on ${fileSystemOf(dir)}`;
    const before = load();
    const report = await measure(dir);
    const text = [
      `${facts}; load before / after ${before} → ${load()} (1 / 5 minutes).`,
      `Medians of ${options.rounds} interleaved rounds of ${options.seconds} s a figure.`,
      '',
      ...report,
    ].join('\n');
    console.log(`\n${text}`);
    const command = ['npm run bench -- redis', ...process.argv.slice(2)].join(' ');
    if (options.write) keepResults('redis', command, `${text}\n\n${LIMITS}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function measure(dir: string): Promise<string[]> {
  await using held = new AsyncDisposableStack();
  const contenders: Contender[] = [];
  for (const fsync of options.fsync) {
    const server = await ownRedis(dir, fsync === 'always' ? 'always' : 'everysec');
    if (server === undefined) throw new Error('redis-server is not on the path');
    contenders.push(held.use(bullmq(server)), held.use(oursOnRedis(server)));
  }
  const results = contenders.map(({ name }): Results => ({ name, rounds: [] }));
  for (let round = 1; round <= Number(options.rounds); round++) {
    const before = load();
    for (const [i, contender] of contenders.entries()) {
      results[i]?.rounds.push(await storeRound(contender, Number(options.seconds)));
    }
    console.log(`round ${round}: load ${before} → ${load()}`);
  }
  const legend = contenders.map(({ name, what }) => `- **${name}**: ${what}.`);
  return [
    storeTable(results, []),
    [''],
    costTable(results),
    [''],
    legend,
    [''],
    ratios(results),
  ].flat();
}

/** Ours to BullMQ, of the same server. */
function ratios(results: readonly Results[]): string[] {
  return options.fsync.map((fsync, i) => {
    const [peer, own] = results.slice(2 * i, 2 * i + 2);
    const ratio = (what: 'addMany' | 'workMany') => {
      const of = (one: Results | undefined) =>
        middle(one?.rounds ?? [], (round) => round[what].perSecond);
      return (of(own) / of(peer)).toFixed(2);
    };
    return `50 at once, \`${fsync}\`: submit ${ratio('addMany')} × BullMQ, claim and completion ${ratio('workMany')} ×.`;
  });
}

await main();
