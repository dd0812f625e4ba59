import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, TaskTicket, TaskWhy } from '@agent-reach/core';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import {
  claimOne,
  payload,
  query,
  rows,
  say,
  submit,
  task,
  transfer,
} from './testing/capabilities.ts';

const cachedQuery = { ...query, name: 'cached_query' };
const context = { fallback: ['cached_query'] };
const SMALL = { 'flowcontrol.max-pending': 10 };

/** A house where `sql` does queries and `cache` could do them instead, each with so many waiting. */
async function openWithBoth(waiting: { sql: number; cache?: number }): Promise<TestHouse> {
  const house = await openHouse(SMALL);
  await house.puller('sql', query);
  await house.puller('cache', cachedQuery);
  for (let i = 0; i < waiting.sql; i++) await submit(house);
  for (let i = 0; i < (waiting.cache ?? 0); i++) {
    await submit(house, { task_type: 'cached_query' });
  }
  return house;
}

async function disable(house: TestHouse, agent: string): Promise<void> {
  await house.ask('POST', `/v1/agents/${agent}/disable`, { reason: 'maintenance' });
}

function told({ agent, status, degraded, degraded_to, degraded_by }: TaskTicket) {
  return { agent, status, degraded, degraded_to, degraded_by };
}

const AS_ASKED = {
  status: 'queued',
  degraded: undefined,
  degraded_to: undefined,
  degraded_by: undefined,
};
const INSTEAD = { agent: 'cache', status: 'queued', degraded: true, degraded_to: 'cached_query' };

test('at danger a task of priority 2 goes to the fallback, told so, and one of priority 3 does not', async () => {
  await using house = await openWithBoth({ sql: 7 });

  const high = await submit(house, { priority: 3, context });
  const low = await submit(house, { priority: 2, context });

  assert.deepEqual(told(high), { ...AS_ASKED, agent: 'sql' });
  assert.deepEqual(told(low), { ...INSTEAD, degraded_by: 'depth' });
  assert.match(
    low.warnings.join(),
    /The queue of sql is over 80 % full\. cached_query does it instead of query, as the request says/,
  );
  const shown = await task(house, low.task_id);
  assert.deepEqual([shown.task_type, shown.fallback_of], ['cached_query', 'query']);
  const delivery = await claimOne(house, 'cache');
  assert.deepEqual([delivery.task_type, delivery.payload], ['cached_query', payload]);
  await say(house, delivery, 'complete', { result: rows });
  assert.equal((await task(house, low.task_id)).status, 'succeeded');
});

test('one short of danger nothing is diverted; the one that would reach it is', async () => {
  await using house = await openWithBoth({ sql: 6 });

  assert.equal((await submit(house, { priority: 0, context })).agent, 'sql');
  assert.equal((await submit(house, { priority: 0, context })).agent, 'cache');
});

test('without a fallback, or with one at danger itself, a low task is delayed and told so', async () => {
  await using house = await openWithBoth({ sql: 8, cache: 7 });

  for (const more of [{}, { context }]) {
    const low = await submit(house, { priority: 2, ...more });
    assert.deepEqual(told(low), {
      agent: 'sql',
      status: 'waiting',
      degraded: true,
      degraded_to: undefined,
      degraded_by: 'depth',
    });
  }
});

test('a fallback takes what is low up to its own danger, and no more', async () => {
  await using house = await openWithBoth({ sql: 8, cache: 6 });

  assert.equal((await submit(house, { priority: 1, context })).agent, 'cache');
  assert.equal((await submit(house, { priority: 1, context })).agent, 'sql');
});

test('while one of those who could do it is not at danger, nothing is diverted', async () => {
  await using house = await openWithBoth({ sql: 8 });
  await house.puller('sql-2', query);

  const low = await submit(house, { priority: 0, context });

  assert.equal(low.degraded_to, undefined);
});

test('a queue that is at danger by its wait turns what is low to the fallback, too', async () => {
  await using house = await openHouse({ 'flowcontrol.wait-slo': '10s' });
  await house.puller('sql', { ...query, fallback: ['cached_query'] });
  await house.puller('cache', cachedQuery);
  await submit(house);
  await house.clock.advance(9_000);

  const low = await submit(house, { priority: 2 });

  assert.deepEqual(told(low), { ...INSTEAD, degraded_by: 'wait' });
  assert.match(low.warnings.join(), /oldest task has waited .* as its manifest says/);
});

test('where nobody is there a task goes to a fallback that is, whatever its priority', async () => {
  await using house = await openWithBoth({ sql: 0 });
  await disable(house, 'sql');

  const high = await submit(house, { priority: 9, context });

  assert.deepEqual(told(high), { ...INSTEAD, degraded_by: 'absence' });
  assert.match(high.warnings.join(), /sql .*disabled.* cached_query does it instead of query/);
  const trace = await house.ask<Output<'traces.get'>>('GET', `/v1/traces/${high.trace_id}`);
  assert.deepEqual(
    trace.hops.map(({ capability, fallback_of: of }) => [capability, of]),
    [['cached_query', 'query']],
  );
});

test('where nobody of either is there it waits unbound for what was asked for', async () => {
  await using house = await openWithBoth({ sql: 0 });
  await disable(house, 'sql');
  await disable(house, 'cache');

  const ticket = await submit(house, { context });

  assert.deepEqual(told(ticket), { ...AS_ASKED, agent: undefined });
  assert.equal((await task(house, ticket.task_id)).task_type, 'query');
});

test('a source whose place is kept while its agent restarts is not turned away', async () => {
  await using house = await openHouse({ 'router.strategy': 'consistent-hash' });
  await house.agent('sql', query, () => json(200, rows));
  await house.puller('cache', cachedQuery);
  await house.clock.advance(2_000);
  house.network.at('http://sql', undefined);
  await house.clock.advance(20_000);
  const sql = await house.ask<Output<'agents.get'>>('GET', '/v1/agents/sql');
  assert.equal(sql.status, 'unreachable');

  const ofSource = await submit(house, { source_id: 's-1', context });
  const ofNone = await submit(house, { context });

  assert.deepEqual([ofSource.agent, ofSource.degraded], ['sql', undefined]);
  assert.equal(ofNone.agent, 'cache');
});

test('a full fallback refuses nothing that would have waited', async () => {
  await using house = await openWithBoth({ sql: 0, cache: 9 });
  await disable(house, 'sql');

  assert.equal((await submit(house, { context })).agent, 'cache');
  assert.deepEqual(told(await submit(house, { context })), { ...AS_ASKED, agent: undefined });
});

test('what nobody offers goes to a fallback that reads, and to none that does more', async () => {
  await using house = await openHouse();
  await house.puller('cache', cachedQuery);
  await house.puller('teller', { ...transfer, name: 'note', idempotency: 'key' });
  const body = { task_type: 'long_gone' };

  assert.equal((await submit(house, { ...body, context })).degraded_to, 'cached_query');
  const other = await submit(house, { ...body, context: { fallback: ['note'] } });
  assert.equal(other.degraded, undefined);
});

test('a fallback that does more, is sensitive, or takes another payload is passed over', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await house.puller('writer', { ...query, name: 'writes', effect: 'write', idempotency: 'key' });
  await house.puller('vault', { ...query, name: 'secret', sensitive: true });
  const strict = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  await house.puller('strict', { ...query, name: 'strict', input_schema: strict });
  await disable(house, 'sql');

  const fallback = ['writes', 'secret', 'strict'];
  const ticket = await submit(house, { context: { fallback } });

  assert.deepEqual(told(ticket), { ...AS_ASKED, agent: undefined });
});

test('a repeated submission is the same task, and never goes anew', async () => {
  await using house = await openWithBoth({ sql: 0 });
  await disable(house, 'sql');
  for (const named of [{ task_id: 't-1' }, { idempotency_key: 'k-1' }]) {
    const first = await submit(house, { ...named, context });
    await house.ask('POST', '/v1/agents/sql/enable', {});

    const again = await submit(house, named);

    assert.equal(again.replayed, true);
    assert.equal(again.task_id, first.task_id);
    assert.deepEqual(told(again), told(first), 'it is still told what became of it');
    await disable(house, 'sql');
  }
  await assert.rejects(
    submit(house, { task_id: 't-1', task_type: 'cached_query' }),
    failsWith('task-conflict'),
    'it is the task that was asked for',
  );
});

test('a task stays with its fallback: it moves to another who offers that, and not back', async () => {
  await using house = await openWithBoth({ sql: 0 });
  await disable(house, 'sql');
  const { task_id: id } = await submit(house, { agent: 'sql', context });
  await house.ask('POST', '/v1/agents/sql/enable', {});
  await house.puller('vault', { ...cachedQuery, sensitive: true });
  await disable(house, 'cache');
  await house.clock.advance(12_000);

  assert.equal(
    (await task(house, id)).agent,
    'cache',
    'who is sensitive gets it no more than before',
  );
  const why = await house.ask<TaskWhy>('GET', `/v1/tasks/${id}/why`);
  assert.match(
    why.says.join(' '),
    /query was asked for; cached_query, its fallback, does it instead/,
  );
  await house.puller('cache-2', cachedQuery);
  await house.clock.advance(12_000);

  assert.equal((await task(house, id)).agent, 'cache-2');
});

test('a task whose fallback is gone from the registry waits unbound for it, and not for another', async () => {
  await using house = await openWithBoth({ sql: 0 });
  await disable(house, 'sql');
  const { task_id: id } = await submit(house, { context });
  await house.http.inject({ method: 'DELETE', url: '/v1/agents/cache' });
  await house.ask('POST', '/v1/agents/sql/enable', {});
  await house.clock.advance(12_000);

  const shown = await task(house, id);
  assert.deepEqual(
    [shown.agent, shown.task_type, shown.status],
    [undefined, 'cached_query', 'queued'],
  );
  await house.puller('cache-2', cachedQuery);
  await house.clock.advance(2_000);
  assert.equal((await claimOne(house, 'cache-2')).task_id, id);
});

test('a fallback to which work is sent gets it, and each delivery’s trace tells for what', async () => {
  await using house = await openHouse();
  await house.puller('sql', { ...query, fallback: ['cached_query'] });
  await house.agent('cache', cachedQuery, () => json(200, rows));
  await disable(house, 'sql');

  const { task_id: id, trace_id: trace } = await submit(house);
  await house.clock.advance(2_000);

  assert.equal((await task(house, id)).status, 'succeeded');
  const { hops } = await house.ask<Output<'traces.get'>>('GET', `/v1/traces/${trace}`);
  assert.deepEqual(
    hops.map(({ fallback_of: of, agent_to: to }) => [of, to]),
    [
      ['query', 'cache'],
      ['query', 'cache'],
    ],
  );
});

test('each of a bulk is diverted by itself', async () => {
  await using house = await openWithBoth({ sql: 5 });
  const low = { task_type: 'query', payload, priority: 0, context };

  const { tasks } = await house.ask<Output<'tasks.submit-many'>>('POST', '/v1/tasks/bulk', {
    tasks: Array.from({ length: 4 }, () => low),
  });

  assert.deepEqual(
    tasks.map(({ ticket }) => ticket?.agent),
    ['sql', 'sql', 'cache', 'cache'],
  );
});

test('a list of fallbacks that is out of bounds is refused by its place', async () => {
  await using house = await openWithBoth({ sql: 0 });
  for (const [fallback, pointer] of [
    [[], '#/context/fallback'],
    [['a', 'b', 'c', 'd'], '#/context/fallback'],
    [['no name'], '#/context/fallback/0'],
  ] as const) {
    await assert.rejects(
      submit(house, { context: { fallback } }),
      failsWith('validation-failed', (error) => {
        assert.equal(error.facts.errors?.[0]?.pointer, pointer);
      }),
    );
  }
});
