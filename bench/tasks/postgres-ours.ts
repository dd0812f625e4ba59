import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openPostgres } from '@agent-reach/server/postgres';
import { keepAt, type Lane } from './contender.ts';
import { claim, complete, laneOf, type Ours } from './ours.ts';
import type { Postgres } from './postgres.ts';

let lanes = 0;

/** How our driver is asked. */
export interface Way {
  name: string;
  /** At 50 places: one claim for all, or fifty that know nothing of each other. */
  claims: 'together' | 'apart';
  /** As behind a pooler: nothing is left in a session. */
  isPooled?: boolean;
}

/** Our PostgreSQL driver, with its default settings unless `way` says otherwise. */
export async function oursOnPostgres(postgres: Postgres, way: Way): Promise<Ours> {
  const schema = `reach_bench_${way.claims}${way.isPooled ? '_pooled' : ''}`;
  await postgres.drop(schema);
  const storage = await openPostgres({
    url: postgres.url,
    schema,
    timeoutMs: 30_000,
    isPooled: way.isPooled === true,
    clock: systemClock,
    random: systemRandom(),
    log: silentLog,
  });
  const { tasks } = storage;
  return {
    name: way.name,
    what: `our driver on PostgreSQL ${postgres.version}, up to 10 sessions; at 50 places ${
      way.claims === 'together' ? 'one claim of 50' : '50 workers that claim one each'
    }, each completed by itself${way.isPooled ? '; as behind a pooler' : ''}`,
    tasks,
    open: async () => {
      const agentId = `lane-${++lanes}`;
      const lane = laneOf(tasks, agentId);
      if (way.claims === 'together') return lane;
      return { ...lane, drain: (places, onDone) => drainApart(tasks, agentId, { places, onDone }) };
    },
    serverUs: () => postgres.serverUs(),
    async [Symbol.asyncDispose]() {
      await storage.close();
      await postgres.drop(schema);
    },
  };
}

async function drainApart(
  tasks: Ours['tasks'],
  agentId: string,
  { places, onDone }: { places: number; onDone: () => void },
): ReturnType<Lane['drain']> {
  const workers = Array.from({ length: places }, () =>
    keepAt(async () => {
      const [claimed] = await claim(tasks, agentId, 1);
      if (claimed === undefined) return false;
      await complete(tasks, claimed);
      onDone();
      return true;
    }),
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
    },
  };
}
