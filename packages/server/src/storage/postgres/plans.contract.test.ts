import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { seededRandom, silentLog, systemClock } from '@agent-reach/core/kernel';
import pg from 'pg';
import { Historian } from '../contract/tasks-histories.ts';
import type { TasksStore } from '../spi/tasks.ts';
import { Connections } from './connections.ts';
import { Flight } from './flight.ts';
import { storesOn } from './stores.ts';
import { DSN, onDatabase, ownSchemas, withPostgres } from './testing/kit.ts';
import { listText } from './tasks/list.ts';
import { bindable } from './values.ts';

/** What was asked, with the values it was asked with last. */
type Asked = Map<string, unknown[]>;

/** A pool whose connections remember what they were asked. */
function recordingPool(asked: Asked) {
  return class extends pg.Pool {
    constructor(options: pg.PoolConfig) {
      super(options);
      this.on('connect', (client) => {
        const query = client.query.bind(client) as (...all: unknown[]) => unknown;
        const record = (what: unknown) => {
          if (!(what instanceof Flight)) return query(what);
          for (const { text, values } of what.asked) {
            if (values.length > 0) asked.set(text, values.map(bindable));
          }
          return query(what);
        };
        client.query = record as never;
      });
    }
  };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Parent Relationship'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** All steps of a plan. */
function stepsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(stepsOf)];
}

const GROWING = /^(tasks|task_(payloads|results|history|orphans|edits)|keys|traces|audit)$/;

const TABLES = ['tasks', 'task_payloads', 'task_results', 'task_history', 'task_orphans', 'keys'];

/** The growing tables whose rows come up to a step; what is asked about each row does not. */
function growingBeneath(plan: Plan): string[] {
  const name = plan['Relation Name'];
  const own = name !== undefined && GROWING.test(name) ? [name] : [];
  const feeding = (plan.Plans ?? []).filter(
    (step) => !/SubPlan|InitPlan/.test(step['Parent Relationship'] ?? ''),
  );
  return [...own, ...feeding.flatMap(growingBeneath)];
}

/** Whether a step reads all of an index, if nothing above it stops. */
function isWalk(step: Plan): boolean {
  return /Seq Scan|^Index/.test(step['Node Type']) && step['Index Cond'] === undefined;
}

await withPostgres(() => {
  suite('how PostgreSQL goes about it', () => {
    const schemas = ownSchemas();

    /** A store that was lived in, and everything it asked. */
    async function livedIn(schema: string): Promise<Asked> {
      const asked: Asked = new Map();
      const connections = new Connections({
        pg: { Pool: recordingPool(asked) },
        url: DSN,
        schema,
        connectionsMax: 2,
        timeoutMs: 10_000,
        isPooled: true,
        clock: systemClock,
        log: silentLog,
      });
      const { stores } = storesOn(connections, {
        clock: systemClock,
        log: silentLog,
        timeoutMs: 10_000,
      });
      const historian = new Historian(seededRandom(1));
      for (let n = 0; n < 700; n++) {
        const step = historian.next();
        const act = stores.tasks[step.act] as (move: object) => Promise<unknown>;
        historian.learn(step, await act(step.move));
        if (n % 20 === 0) await lookAround(stores.tasks, historian);
      }
      await connections.close();
      return asked;
    }

    async function lookAround(tasks: TasksStore, historian: Historian): Promise<void> {
      const name = historian.name();
      await Promise.all([tasks.ahead(name), tasks.history(name), tasks.orphans(name)]);
      await Promise.all([tasks.edits(name), tasks.get(name), tasks.counts({})]);
      await tasks.chainHead({ tenant: 'acme', chain: 'k1' });
    }

    /** A month of work: most tasks have ended, some thousand wait in one queue. */
    async function fill(client: pg.Client): Promise<void> {
      await client.query(`
        INSERT INTO tasks
          (seq, tenant, task_id, task_type, kind, fingerprint, principal, trace_id, parent_id,
           queue, lane, agent_id, priority, chain, state, version, epoch, deliveries, attempts,
           attempts_max, lease_ends_at, due_at, ready_at, deadline_at, selector, created_at,
           updated_at, ended_at)
        SELECT n + 100000, CASE WHEN n / 10 % 20 = 0 THEN 'acme' ELSE 'other' END, 'f' || n, 'query', 'task', 'f', 'p' || n % 50, 'trace-' || n / 4,
               CASE WHEN n % 3 = 0 THEN 'f' || n / 2 END, 1, 1 + n % 5, 'a', 4,
               CASE WHEN state IN ('blocked') THEN 'k' || n % 100 END, state, 1, 0, 0, 0, 3,
               CASE WHEN state IN ('delivered', 'running') THEN n END,
               CASE WHEN state = 'waiting' THEN n END, CASE WHEN state = 'queued' THEN n END,
               CASE WHEN n % 4 = 0 THEN n END, '{}', n, n,
               CASE WHEN state = 'succeeded' THEN n END
        FROM (SELECT n, CASE n % 10 WHEN 0 THEN 'queued' WHEN 1 THEN 'blocked' WHEN 2 THEN 'waiting'
                WHEN 3 THEN 'running' WHEN 4 THEN 'dead' ELSE 'succeeded' END AS state
              FROM generate_series(1, 20000) AS n) AS made`);
      await client.query(`
        INSERT INTO task_payloads SELECT seq, '{}' FROM tasks WHERE seq > 100000;
        INSERT INTO task_history (seq, version, at, to_state, cause, epoch)
          SELECT seq, 1, 1, state, 'submitted', 0 FROM tasks WHERE seq > 100000`);
      for (const table of ['tasks', 'task_payloads', 'task_history']) {
        await client.query(`ANALYZE ${table}`);
      }
    }

    async function plan(client: pg.Client, text: string, values: unknown[]): Promise<Plan> {
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
      return (rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }])[0]['QUERY PLAN'][0].Plan;
    }

    /** The plan that serves all values, as the driver's sessions have it. */
    async function planForAll(client: pg.Client, text: string): Promise<Plan> {
      await client.query('SET plan_cache_mode TO force_generic_plan');
      await client.query(`PREPARE asked AS ${text}`);
      const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)), 0);
      const nothing = Array.from({ length: count }, () => 'NULL').join(', ');
      const values = count === 0 ? '' : `(${nothing})`;
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE asked${values}`);
      await client.query('DEALLOCATE asked');
      return (rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }])[0]['QUERY PLAN'][0].Plan;
    }

    test('no statement of a move walks through a table that grows, or sorts one', async (t) => {
      const schema = schemas.name();
      await (await schemas.openIn(schema)).close();
      const asked = await livedIn(schema);
      const texts = [...asked].filter(([text]) => !text.includes('SELECT floor('));
      t.diagnostic(`${texts.length} statements`);
      assert.ok(texts.length > 60, `only ${texts.length} statements were seen`);

      const judge = async (client: pg.Client) => {
        for (const [text, values] of texts) {
          // A list may be asked for what no index has; it is held to its own below.
          if (text.includes('ORDER BY seq DESC LIMIT')) continue;
          for (const found of [await plan(client, text, values), await planForAll(client, text)]) {
            const steps = stepsOf(found);
            assert.deepEqual(steps.filter(isWalk).flatMap(growingBeneath), [], text);
            // What was named, fell out of a limit or hangs on one task is few; nothing else is sorted.
            const isFew = /unnest\(|ANY \(|IN \(|AS (gated|short|doomed)|task_(orphans|edits)/.test(
              text,
            );
            const sorted = steps.filter((step) => step['Node Type'] === 'Sort');
            if (!isFew) assert.deepEqual(sorted.flatMap(growingBeneath), [], text);
          }
        }
      };
      const empty = schemas.name();
      await (await schemas.openIn(empty)).close();
      await onDatabase(async (client) => {
        await client.query('SET jit TO off');
        for (const way of ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin']) {
          await client.query(`SET enable_${way} TO off`);
        }
        // Plans for all values are made by the first who ask and kept: also of an empty store, which
        // the planner knows to be empty.
        await client.query(`SET search_path TO ${empty}`);
        await judge(client);
        await client.query(`VACUUM ANALYZE ${TABLES.join(', ')}`);
        await judge(client);
        // Before anything was ever analysed, when the planner knows nothing, and after.
        await client.query(`SET search_path TO ${schema}`);
        await judge(client);
        await fill(client);
        await judge(client);
      });
    });

    test('a list goes by an index that its filters allow', async () => {
      const schema = schemas.name();
      await (await schemas.openIn(schema)).close();
      await onDatabase(async (client) => {
        await client.query(`SET search_path TO ${schema}; SET jit TO off`);
        await fill(client);
        const planOf = async (filters: Partial<Parameters<typeof listText>[0]>) => {
          const { text, values } = listText({ tenant: 'acme', limit: 10, ...filters });
          return JSON.stringify(await plan(client, text, values));
        };

        assert.match(await planOf({}), /tasks_pkey/);
        assert.match(await planOf({ before: 100_500 }), /tasks_pkey/);
        assert.match(await planOf({ agentId: 'b', states: ['queued', 'waiting'] }), /tasks_living/);
        assert.match(await planOf({ agentId: null, states: ['dead'] }), /tasks_(living|dead)/);
        assert.match(await planOf({ traceId: 'trace-7' }), /tasks_by_trace/);
        assert.match(await planOf({ parentId: 'f7' }), /tasks_by_parent/);
        assert.match(await planOf({ states: ['dead'] }), /tasks_dead/);
        assert.match(await planOf({ chain: 'k1' }), /tasks_places/);
        assert.match(await planOf({ chain: 'k1', chainSeq: 3 }), /tasks_places/);
        for (const filters of [{}, { agentId: 'a' }, { principal: 'p1' }, { traceId: 'none' }]) {
          assert.doesNotMatch(await planOf(filters), /"Seq Scan"/);
        }
      });
    });
  });
});
