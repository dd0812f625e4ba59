import { EventEmitter, once } from 'node:events';
import { Logger, makeWorkerUtils, run, type WorkerEvents, type WorkerUtils } from 'graphile-worker';
import { Pool } from 'pg';
import { type Contender, type Job, type Lane, newJob, together } from './contender.ts';
import { fill, type Postgres } from './postgres.ts';

const SESSIONS = 12;
const BULK = 500;
/** Jobs that it fetches at once when there are many places, as its own benchmark does. */
const LOCAL_QUEUE = 500;

const logger = new Logger(() => () => {});

/** What the lanes share. */
interface Shop {
  pool: Pool;
  utils: WorkerUtils;
  schema: string;
  hasLocalQueue: boolean;
}

/** graphile-worker with its default settings; with the local queue, or not, where it works at 50 places. */
export async function graphileWorker(
  postgres: Postgres,
  { hasLocalQueue = true } = {},
): Promise<Contender> {
  const schema = hasLocalQueue ? 'reach_bench_graphile' : 'reach_bench_graphile_plain';
  await postgres.drop(schema);
  const pool = new Pool({ connectionString: postgres.url, max: SESSIONS, idleTimeoutMillis: 0 });
  // What fails is thrown where it was asked for.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const utils = await makeWorkerUtils({ pgPool: pool, schema, logger });
  await utils.migrate();
  await fill(pool, SESSIONS);
  return {
    name: hasLocalQueue ? 'graphile-worker' : 'graphile-worker, plain',
    what: `graphile-worker 0.18.0 on PostgreSQL ${postgres.version}, ${SESSIONS} sessions; at 50 places ${
      hasLocalQueue
        ? `with a local queue of ${LOCAL_QUEUE} and completions in batches`
        : 'without a local queue'
    }`,
    open: async () => openLane({ pool, utils, schema, hasLocalQueue }),
    serverUs: () => postgres.serverUs(),
    async [Symbol.asyncDispose]() {
      await utils.release();
      await pool.end();
      await postgres.drop(schema);
    },
  };
}

function openLane(shop: Shop): Lane {
  const { pool, utils, schema } = shop;
  const events: WorkerEvents = new EventEmitter();
  const single = lazily(() => work(shop, { places: 1, events }, () => {}));
  return {
    add: () => utils.addJob('work', newJob()),
    async addMany(count) {
      for (let left = count; left > 0; left -= BULK) {
        const length = Math.min(BULK, left);
        await utils.addJobs(
          Array.from({ length }, () => ({ identifier: 'work', payload: newJob() })),
        );
      }
    },
    async live() {
      await single.get();
      const ended = once(events, 'job:complete');
      await utils.addJob('work', newJob());
      await ended;
    },
    drain: (places, onDone) => work(shop, { places }, onDone),
    serve: (onStart) => work(shop, { places: 1 }, onStart),
    async [Symbol.asyncDispose]() {
      await single.end();
      await pool.query(`TRUNCATE ${schema}._private_jobs`);
    },
  };
}

function work(
  { pool, schema, hasLocalQueue }: Shop,
  { places, events }: { places: number; events?: WorkerEvents },
  handle: (job: Job) => void,
): Promise<AsyncDisposable> {
  const batches = { localQueue: { size: LOCAL_QUEUE }, completeJobBatchDelay: 0 };
  return together(async (stack) => {
    const runner = await run({
      pgPool: pool,
      schema,
      logger,
      concurrency: places,
      noHandleSignals: true,
      ...(events === undefined ? {} : { events }),
      ...(hasLocalQueue && places > 1 ? { preset: { worker: batches } } : {}),
      taskList: { work: async (payload) => handle(payload as Job) },
    });
    stack.defer(() => runner.stop());
  });
}

/** Something that is opened when it is first wanted. */
function lazily(open: () => Promise<AsyncDisposable>) {
  let opened: Promise<AsyncDisposable> | undefined;
  return {
    get: () => (opened ??= open()),
    async end() {
      await (await opened)?.[Symbol.asyncDispose]();
    },
  };
}
