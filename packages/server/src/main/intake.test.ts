import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, lookup, shipped } from '../pipeline/testing/orders.ts';
import { payload, query, task, submit, rows } from '../tasks/testing/capabilities.ts';
import { failsWith, openHouse, type TestHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { twoGateways } from './testing/two-gateways.ts';

/** A call as the wire sees it. */
async function onWire(house: TestHouse, body: Record<string, unknown> = ask) {
  const {
    statusCode,
    headers,
    json: read,
  } = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    payload: body,
  });
  return {
    status: statusCode,
    policy: headers['ratelimit-policy'],
    limit: headers['ratelimit'],
    retryAfter: headers['retry-after'],
    body: read<Record<string, unknown>>(),
  };
}

async function statuses(house: TestHouse, times: number, body?: Record<string, unknown>) {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push((await onWire(house, body)).status);
  return all;
}

test('without settings nobody is told of any pace', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);

  const { status, policy, limit } = await onWire(house);

  assert.deepEqual([status, policy, limit], [200, undefined, undefined]);
});

test('a principal has so many a second, and is told what is left and when there is more', async () => {
  await using house = await openHouse({ 'limits.client.qps': 3 });
  await house.agent('orders', lookup, shipped);

  const first = await onWire(house);
  await statuses(house, 2);
  const refused = await onWire(house);

  assert.deepEqual([first.policy, first.limit], ['"client";q=3;w=1', '"client";r=2;t=1']);
  assert.deepEqual(
    [refused.status, refused.limit, refused.retryAfter],
    [429, '"client";r=0;t=1', '1'],
  );
  const { code, executed, retryable, violated_policies: violated } = refused.body;
  assert.deepEqual([code, executed, retryable, violated], ['rate-limited', 'no', true, ['client']]);
  assert.equal(house.network.calls.length, 3);
  assert.equal((await onWire(house, { ...ask, agent_id: 'another' })).status, 200);
  await house.clock.advance(334);
  assert.deepEqual(await statuses(house, 2), [200, 429]);
});

test('a tenant has so many together, and what one client is refused takes nothing from it', async () => {
  await using house = await openHouse({ 'limits.client.qps': 2, 'limits.tenant.qps': 4 });
  await house.agent('orders', lookup, shipped);
  const as = (name: string) => ({ ...ask, agent_id: name });

  assert.deepEqual(await statuses(house, 5, as('a')), [200, 200, 429, 429, 429]);
  assert.deepEqual(await statuses(house, 3, as('b')), [200, 200, 429]);
  const last = await onWire(house, as('c'));

  assert.deepEqual([last.status, last.body['violated_policies']], [429, ['tenant']]);
});

test('operators and agents are not held to the pace of callers', async () => {
  await using house = await openHouse({ 'limits.client.qps': 1, 'limits.tenant.qps': 1 });
  await house.agent('orders', lookup, shipped);
  await house.call(ask);
  await assert.rejects(house.call(ask), failsWith('rate-limited'));

  for (let i = 0; i < 5; i++) {
    await house.ask('GET', '/v1/agents');
    await house.ask('POST', '/v1/agents/orders/heartbeat', {});
  }
});

test('two gateways on one store keep one pace', async () => {
  await using both = await twoGateways({ 'limits.client.qps': 4 });
  await both.one.agent('orders', lookup, shipped);
  await both.clock.advance(5_000);

  const all = [];
  for (let i = 0; i < 4; i++)
    all.push(...(await statuses(both.one, 1)), ...(await statuses(both.two, 1)));

  assert.equal(all.filter((status) => status === 200).length, 4);
  assert.equal(all.filter((status) => status === 429).length, 4);
});

test('what a manifest says that its agent takes a second is kept, whoever asks', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, sla: { max_qps: 2 } }, shipped);

  const all = await statuses(house, 2);
  const refused = await onWire(house, { ...ask, agent_id: 'another' });

  assert.deepEqual(all, [200, 200]);
  assert.deepEqual([refused.status, refused.policy], [429, '"capability";q=2;w=1']);
  assert.match(String(refused.body['detail']), /orders\/query_order_status may make 2 requests/);
});

test('less than one a second is a pace as well', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, sla: { max_qps: 0.5 } }, shipped);

  assert.deepEqual(await statuses(house, 2), [200, 429]);
  await house.clock.advance(1_999);
  assert.deepEqual(await statuses(house, 1), [429]);
  await house.clock.advance(1);
  assert.deepEqual(await statuses(house, 1), [200]);
});

test('where another agent offers the same, calls over the pace of one go there', async () => {
  await using house = await openHouse();
  await house.agent('slow', { ...lookup, sla: { max_qps: 1 } }, shipped);
  await house.agent('fast', lookup, shipped);

  assert.deepEqual(new Set(await statuses(house, 20)), new Set([200]));
});

test('tasks that are pushed keep the declared pace, and burn nothing while they wait', async () => {
  await using house = await openHouse();
  await house.agent('sql', { ...query, sla: { max_qps: 2 } }, () => json(200, rows));
  const tickets = await Promise.all(Array.from({ length: 6 }, () => submit(house)));
  await house.clock.advance(100);
  assert.equal(house.network.calls.length, 2);

  for (let i = 0; i < 100; i++) await house.clock.advance(100);

  for (const { task_id: id } of tickets) {
    const { status, attempts } = await task(house, id);
    assert.deepEqual([status, attempts], ['succeeded', 1]);
  }
});

test('a process that is late takes in no new work, the least important first, and goes on with the rest', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  const { task_id: id } = await submit(house, {
    task_type: 'query_order_status',
    payload: ask.params,
  });
  house.load.delayMs = 201;
  const low = { task_type: 'query_order_status', payload: ask.params, priority: 0 };

  await assert.rejects(
    submit(house, low),
    failsWith('overloaded', ({ executed, retryable, facts }) => {
      assert.deepEqual([executed, retryable, facts.retry_after_ms], ['no', true, 1_000]);
    }),
  );
  await house.call(ask);
  house.load.delayMs = 301;
  await assert.rejects(house.call(ask), failsWith('overloaded'));
  await submit(house, { ...low, priority: 10 });

  house.load.delayMs = 60_000;
  await assert.rejects(submit(house, { ...low, priority: 10 }), failsWith('overloaded'));
  await task(house, id);
  await house.ask('POST', '/v1/agents/orders/drain', {});
  assert.equal((await house.http.inject('/health')).statusCode, 200);
  house.load.delayMs = 0;
  await house.ask('POST', '/v1/agents/orders/enable', {});
  await house.call(ask);
});

test('a limit of 0 takes everything in', async () => {
  await using house = await openHouse({ 'overload.delay': 0 });
  await house.agent('sql', query, () => json(200, rows));
  house.load.delayMs = 60_000;

  await house.call({ capability: 'query', params: payload });
});
