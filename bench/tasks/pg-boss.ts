import { PgBoss } from 'pg-boss';
import { type Contender, type Job, type Lane, keepAt, newJob } from './contender.ts';
import type { Postgres } from './postgres.ts';

const SCHEMA = 'reach_bench_boss';
const SESSIONS = 10;
const BULK = 500;
let lanes = 0;

/** pg-boss with its default settings, and with the notification that it offers. */
export async function pgBoss(postgres: Postgres): Promise<Contender> {
  await postgres.drop(SCHEMA);
  const boss = new PgBoss({
    connectionString: postgres.url,
    schema: SCHEMA,
    max: SESSIONS,
    useListenNotify: true,
  });
  boss.on('error', () => {}); // What fails is thrown where it was asked for.
  await boss.start();
  return {
    name: 'pg-boss',
    what: `pg-boss 12.38.0 on PostgreSQL ${postgres.version}, ${SESSIONS} sessions, \`notify\` on; fetch and complete called directly (50: one of each for 50 jobs), because its workers poll`,
    open: () => openLane(boss),
    serverUs: () => postgres.serverUs(),
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: false });
      await postgres.drop(SCHEMA);
    },
  };
}

async function openLane(boss: PgBoss): Promise<Lane> {
  const name = `lane-${++lanes}`;
  await boss.createQueue(name, { notify: true });
  const take = async (batchSize: number) => {
    const jobs = await boss.fetch<Job>(name, { batchSize });
    if (jobs.length > 0)
      await boss.complete(
        name,
        jobs.map(({ id }) => id),
      );
    return jobs.length;
  };
  return {
    add: () => boss.send(name, newJob()),
    async addMany(count) {
      for (let left = count; left > 0; left -= BULK) {
        const length = Math.min(BULK, left);
        await boss.insert(
          name,
          Array.from({ length }, () => ({ data: newJob() })),
        );
      }
    },
    async live() {
      await boss.send(name, newJob());
      if ((await take(1)) !== 1) throw new Error('pg-boss handed out nothing.');
    },
    drain: async (places, onDone) =>
      keepAt(async () => {
        const done = await take(places);
        for (let n = 0; n < done; n++) onDone();
        return done > 0;
      }),
    async serve(onStart) {
      await boss.work<Job>(name, async (jobs) => {
        for (const { data } of jobs) onStart(data);
      });
      return { [Symbol.asyncDispose]: () => boss.offWork(name) };
    },
    [Symbol.asyncDispose]: () => boss.deleteQueue(name),
  };
}
