import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { idsFrom, silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openSqlite } from '../packages/server/src/storage/sqlite/open.ts';
import { fileSystemOf, load, machineFacts } from './machine.ts';

/**
 * The store of tasks on a real file, synced at every commit: whole lives of tasks (submit, claim,
 * ack, complete: four moves) one at a time and fifty at once, and what a claim takes of a queue
 * that is long. Syncs are counted in the same rounds, for a life can be no faster than its disk.
 *
 * `node bench/tasks-store.ts [--rounds 5] [--seconds 2] [--queued 500000]`; the folder is made
 * under TMPDIR, so that names the disk.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    queued: { type: 'string', default: '500000' },
  },
});
const seconds = Number(values.seconds);
type Tasks = Awaited<ReturnType<typeof openSqlite>>['tasks'];
type NewTask = Parameters<Tasks['submit']>[0]['tasks'][number];

const random = systemRandom();
const ids = idsFrom(systemClock, random);
const LEASE_MS = 30_000;
const WRITERS = 50;

/** The aims: moves that follow each other may cost this share of the disk's pace… */
const AIM_ONE = 0.6 / 3;
/** …and fifty at once this many times that. */
const AIM_MANY = 8;

async function main(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  try {
    console.log(`${machineFacts()}\n${dir} on ${fileSystemOf(dir)}; load ${load()}\n`);
    await lives(dir);
    await claims(dir);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Rounds take turns, so that what else the machine does meets all of them alike. */
async function lives(dir: string): Promise<void> {
  const rounds: Round[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    await using storage = await open(join(dir, `lives-${round}`));
    rounds.push({
      syncs: syncsPerSecond(dir),
      one: await measure(1, (agent) => life(storage.tasks, agent)),
      joined: await measure(1, (agent) => life(storage.tasks, agent, { ack: false })),
      many: await measure(WRITERS, (agent) => life(storage.tasks, agent)),
    });
  }
  const syncs = median(rounds.map((round) => round.syncs));
  const share = (pick: (round: Round) => Pace, aim: number) =>
    median(rounds.map((round) => pick(round).perSecond / round.syncs / aim));
  console.log(`fdatasync of 16 KiB                  ${syncs.toFixed(0)}/s`);
  line('a life, one at a time', rounds, ({ one }) => one);
  line('  … receipt with the result', rounds, ({ joined }) => joined);
  line('a life, fifty at once', rounds, ({ many }) => many);
  const one = share(({ one: pace }) => pace, AIM_ONE);
  const many = share(({ many: pace }) => pace, AIM_ONE * AIM_MANY);
  console.log(
    `\nOf the aim (medians of rounds): one at a time ${one.toFixed(2)} × (0.6 × syncs/s ÷ 3), ` +
      `fifty at once ${many.toFixed(2)} × (8 × that).`,
  );
  console.log(`load ${load()}\n`);
}

interface Pace {
  perSecond: number;
  p50: number;
  p99: number;
  /** Of the whole process and of the calling thread, in µs a life. */
  cpu: number;
  own: number;
}

interface Round {
  syncs: number;
  one: Pace;
  joined: Pace;
  many: Pace;
}

function line(name: string, rounds: Round[], pick: (round: Round) => Pace): void {
  const of = (part: keyof Pace) => median(rounds.map((round) => pick(round)[part]));
  const paces = rounds.map((round) => pick(round).perSecond.toFixed(0)).join(' ');
  console.log(
    `${name.padEnd(36)} ${of('perSecond').toFixed(0)}/s (${paces})  ` +
      `p50 ${of('p50').toFixed(2)} p99 ${of('p99').toFixed(2)} ms  ` +
      `CPU ${of('cpu').toFixed(0)} µs, own thread ${of('own').toFixed(0)} µs`,
  );
}

async function measure(writers: number, act: (agent: string) => Promise<void>): Promise<Pace> {
  const took: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const cpu = process.cpuUsage();
  const own = process.threadCpuUsage();
  const work = Array.from({ length: writers }, async (_, writer) => {
    while (performance.now() < end) {
      const begin = performance.now();
      await act(`agent-${writer}`);
      took.push(performance.now() - begin);
    }
  });
  await Promise.all(work);
  const used = process.cpuUsage(cpu);
  const usedHere = process.threadCpuUsage(own);
  took.sort((a, b) => a - b);
  return {
    perSecond: took.length / seconds,
    p50: took[Math.floor(took.length * 0.5)] ?? 0,
    p99: took[Math.floor(took.length * 0.99)] ?? 0,
    cpu: (used.user + used.system) / took.length,
    own: (usedHere.user + usedHere.system) / took.length,
  };
}

async function life(tasks: Tasks, agentId: string, { ack = true } = {}): Promise<void> {
  await tasks.submit({ tasks: [newTask(agentId)], pendingMax: 1e9, reserve: 0, now: 'store' });
  const [claimed] = await claim(tasks, agentId, 1);
  if (claimed === undefined) throw new Error('nothing was claimed');
  const { tenant, taskId, epoch } = claimed;
  const lease = { tenant, taskId, epoch };
  if (ack) await tasks.ack({ ...lease, leaseMs: LEASE_MS, now: 'store' });
  const result = '{"status":"shipped","eta":"2026-12-01"}';
  const settlement = { end: 'complete', result } as const;
  const { outcome } = await tasks.settle({ ...lease, settlement, now: 'store' });
  if (outcome !== 'ok') throw new Error(`a completion was ${outcome}`);
}

function claim(tasks: Tasks, agentId: string, limit: number) {
  const fairness = { agingMs: 60_000, agingEvery: 8 };
  const lease = { holder: 'i-1', limit, leaseMs: LEASE_MS, fairness, now: 'store' } as const;
  return tasks.claim({ tenant: 'internal', agentId, ...lease });
}

/** A payload of some 450 bytes, as the peers' benchmarks have. */
function newTask(agentId: string, facts: Partial<NewTask> = {}): NewTask {
  return {
    tenant: 'internal',
    taskId: ids.next('tsk'),
    taskType: 'query.orders',
    kind: 'task',
    fingerprint: ids.trace(),
    principal: 'shop',
    traceId: ids.trace(),
    agentId,
    effect: 'read',
    priority: 4,
    attemptsMax: 4,
    selector: '{"capability":"query.orders"}',
    payload: JSON.stringify({ order_id: ids.span(), text: 'x'.repeat(410) }),
    ...facts,
  };
}

/** Claims of 1 and of 10 from one queue of 10,000 and of many times that; then what else is asked of it. */
async function claims(dir: string): Promise<void> {
  for (const queued of [10_000, Number(values.queued)]) {
    // Two stores with the same rows: on the disk, and in memory, where a claim has no sync to wait for.
    for (const where of ['memory', 'file'] as const) {
      await using storage = await open(where === 'file' ? join(dir, `q-${queued}`) : ':memory:');
      await fill(storage.tasks, queued);
      const name = `out of ${queued}, ${where}`;
      for (const limit of [1, 10]) await measureClaims(storage.tasks, name, limit);
      if (where === 'memory') await measureQuestions(storage.tasks, queued);
    }
  }
  console.log(`load ${load()}`);
}

/** What is asked again and again while a queue is that long. */
async function measureQuestions(tasks: Tasks, queued: number): Promise<void> {
  const [newest] = await tasks.list({ tenant: 'internal', limit: 1 });
  const name = { tenant: 'internal', taskId: newest?.taskId ?? '' };
  const rule = { deliveriesMax: 12, delaysMs: [2_000], limit: 100 };
  const questions: Record<string, () => Promise<unknown>> = {
    'submit of one more': () =>
      tasks.submit({ tasks: [newTask('agent-0')], pendingMax: 1e9, reserve: 0, now: 'store' }),
    'ahead of the newest': () => tasks.ahead(name),
    counts: () => tasks.counts({}),
    'expire, nothing lapsed': () => tasks.expire({ ...rule, now: 'store' }),
    'tick, nothing due': () => tasks.tick({ limit: 100, now: 'store' }),
    'prune, nothing old': () =>
      tasks.prune({ endedBefore: 0, deadBefore: 0, limit: 100, now: 'store' }),
    'list of an agent’s newest 50': () =>
      tasks.list({ tenant: 'internal', agentId: 'agent-0', states: ['queued'], limit: 50 }),
  };
  for (const [what, ask] of Object.entries(questions)) {
    await report(`${what}, ${queued} queued`, 100, ask);
  }
}

const CLAIMS = 300;

async function measureClaims(tasks: Tasks, where: string, limit: number): Promise<void> {
  let claimed: Awaited<ReturnType<typeof claim>> = [];
  await report(
    `claim of ${limit} ${where}`,
    CLAIMS,
    async () => {
      claimed = await claim(tasks, 'agent-0', limit);
      if (claimed.length !== limit) throw new Error(`${claimed.length} of ${limit} were claimed`);
    },
    async () => {
      // Back with them, so that the queue stays as long as it is.
      for (const { tenant, taskId, epoch } of claimed) {
        const settlement = { end: 'release' } as const;
        await tasks.settle({ tenant, taskId, epoch, settlement, now: 'store' });
      }
    },
  );
}

/** Times `act`, so many times, and not what is done `after` it. */
async function report(
  what: string,
  times: number,
  act: () => Promise<unknown>,
  after?: () => Promise<unknown>,
): Promise<void> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const begin = performance.now();
    await act();
    took.push(performance.now() - begin);
    await after?.();
  }
  took.sort((a, b) => a - b);
  const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(3);
  console.log(`${what.padEnd(48)} p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} ms`);
}

/** Ten callers, all priorities, five types. */
async function fill(tasks: Tasks, queued: number): Promise<void> {
  for (let n = 0; n < queued; n += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, i) =>
      newTask('agent-0', {
        principal: `caller-${random.below(10)}`,
        priority: random.below(11),
        taskType: `query.t${i % 5}`,
      }),
    );
    await tasks.submit({ tasks: batch, pendingMax: 1e9, reserve: 0, now: 'store' });
    await pause(0);
  }
}

function open(dir: string) {
  return openSqlite({ dir, clock: systemClock, random, log: silentLog });
}

/** What a commit of some pages costs without us: a write of 16 KiB and its sync. */
function syncsPerSecond(dir: string): number {
  const path = join(dir, 'sync');
  const file = openSync(path, 'w');
  const pages = Buffer.alloc(16_384, 1);
  const end = performance.now() + seconds * 500;
  let syncs = 0;
  for (; performance.now() < end; syncs++) {
    writeSync(file, pages, 0, pages.length, (syncs % 256) * pages.length);
    fdatasyncSync(file);
  }
  closeSync(file);
  return syncs / (seconds / 2);
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

await main();
