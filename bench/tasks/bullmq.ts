import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { type Contender, type Job, type Lane, newJob, together } from './contender.ts';
import type { RedisServer } from './redis-server.ts';

/** Nothing else in a shared Redis is touched. */
const PREFIX = 'reach-bench';
const TOKEN = 'bench';
const BULK = 500;
let lanes = 0;

/** BullMQ with its default settings on a Redis that keeps its log as `appendfsync` says. */
export function bullmq(server: RedisServer): Contender {
  return {
    name: `BullMQ, ${server.appendfsync}`,
    what: `BullMQ 6.7.0 with ioredis 6.0.0; Redis ${server.version}, ${server.what}`,
    open: () => openLane(server.url),
    serverUs: server.serverUs,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function openLane(url: string): Promise<Lane> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const name = `lane-${process.pid}-${++lanes}`;
  const shared = { connection, prefix: PREFIX };
  const queue = new Queue<Job>(name, shared);
  await queue.waitUntilReady();
  const byHand = new Worker<Job>(name, undefined, { ...shared, autorun: false });
  await byHand.waitUntilReady();
  return {
    add: () => queue.add('work', newJob()),
    async addMany(count) {
      for (let left = count; left > 0; left -= BULK) {
        const length = Math.min(BULK, left);
        await queue.addBulk(Array.from({ length }, () => ({ name: 'work', data: newJob() })));
      }
    },
    async live() {
      await queue.add('work', newJob());
      const job = await byHand.getNextJob(TOKEN, { block: false });
      if (job === undefined) throw new Error('BullMQ handed out nothing.');
      await job.moveToCompleted('ok', TOKEN, false);
    },
    drain: (concurrency, onDone) => {
      return workerOf(name, { ...shared, concurrency }, async () => onDone());
    },
    serve: (onStart) => workerOf(name, shared, async ({ data }) => onStart(data)),
    async [Symbol.asyncDispose]() {
      await byHand.close(true);
      await queue.obliterate({ force: true });
      await queue.close();
      await connection.quit();
    },
  };
}

function workerOf(
  name: string,
  options: { connection: Redis; prefix: string; concurrency?: number },
  handle: (job: { data: Job }) => Promise<void>,
): Promise<AsyncDisposable> {
  return together(async (stack) => {
    const worker = new Worker<Job>(name, handle, options);
    stack.defer(() => worker.close());
    await worker.waitUntilReady();
  });
}
