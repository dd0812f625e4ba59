import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PinsPolicy, RouteAnswer, TaskTicket } from '@agent-reach/core';
import { failsWith, openHouse, openShared, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { Bus } from '../peers/testing/bus.ts';

const REFUND = {
  name: 'refund_order',
  display_name: '订单退款',
  description: '把一笔订单的钱退给客户。Pays an order back to the customer.',
  effect: 'write',
  idempotency: 'gateway',
  sensitive: true,
};
const LOOK = { name: 'look', description: '查询订单状态', effect: 'read' };

const put = (house: TestHouse, doc: PinsPolicy) => house.ask('PUT', '/v1/policies/pins', { doc });
const decide = (house: TestHouse, body: Record<string, unknown>) =>
  house.ask<RouteAnswer>('POST', '/v1/routes', { explain: true, ...body });

test('a refund is never reached by what it means, and by a pinned phrase only with somebody’s word', async () => {
  await using house = await openHouse();
  await house.agent('orders', REFUND, () => json(200, { ok: true }));
  const call = { request_id: 'r1', agent_id: 'desk', params: {} };

  for (const intent of ['退款', '订单退款', '把钱退给客户', 'pay the order back', 'refund_order']) {
    assert.equal((await decide(house, { intent })).outcome, 'none', intent);
    await assert.rejects(house.call({ ...call, intent }), failsWith('capability-not-found'));
  }
  await put(house, { phrases: { 我要退款: { capability: 'refund_order' } } });
  const answer = await house.call({ ...call, intent: '我要退款！' });

  assert.deepEqual([answer.status, answer.route.strategy], ['needs_confirmation', 'pinned']);
});

test('a decision says by which pin and version it was found, and what is still missing', async () => {
  await using house = await openHouse();
  const input_schema = { type: 'object', properties: { no: {} }, required: ['no'] };
  await house.agent('orders', { ...LOOK, input_schema }, () => json(200, {}));
  await house.agent('other', { ...LOOK, input_schema }, () => json(200, {}));
  await put(house, {
    capabilities: { look: { agents: ['orders'] } },
    phrases: { 看一眼: { capability: 'look' } },
  });

  const answer = await decide(house, { intent: '看一眼' });

  assert.deepEqual([answer.strategy, answer.target_agent], ['pinned', 'orders']);
  assert.deepEqual(answer.missing, ['no']);
  const pin = { version: 1, capability: 'look', phrase: '看一眼', agents: ['orders'] };
  assert.deepEqual(answer.pin, pin);
  const other = answer.candidates?.find(({ agent }) => agent === 'other');
  assert.deepEqual([other?.verdict, other?.reason], ['excluded', 'it is pinned to orders']);
  const { phrase: _, ...named } = pin;
  assert.deepEqual((await decide(house, { capability: 'look', params: { no: 1 } })).pin, named);
});

test('pins that are written at one gateway hold at the other, and can be put back', async () => {
  const bus = new Bus();
  await using house = await openShared(bus);
  await house.agent('orders', LOOK, () => json(200, {}));
  await using other = await house.beside();
  await put(house, { phrases: { 看一眼: { capability: 'look' } } });
  await house.clock.advance(100);

  assert.equal((await decide(other, { intent: '看一眼' })).strategy, 'pinned');
  await house.ask('POST', '/v1/policies/pins/rollback', {});
  await house.clock.advance(100);
  assert.equal((await decide(other, { intent: '看一眼' })).pin, undefined);
});

test('a retry of what a phrase is pinned to stays with its agent', async () => {
  await using house = await openHouse();
  let failures = 0;
  await house.agent('orders', LOOK, () => {
    failures += 1;
    return json(503, {});
  });
  await house.agent('other', LOOK, () => json(200, {}));
  await put(house, { phrases: { 看一眼: { capability: 'look', agent: 'orders' } } });

  await assert.rejects(house.during(house.call({ intent: '看一眼', params: {} }), 5_000));

  assert.equal(failures, 2);
});

test('a task by a pinned phrase waits for the agent that it is pinned to', async () => {
  await using house = await openHouse();
  await house.puller('other', LOOK);
  await house.puller('orders', LOOK);
  await put(house, { phrases: { 看一眼: { capability: 'look', agent: 'orders' } } });

  for (let n = 0; n < 4; n++) {
    const ticket = await house.ask<TaskTicket>('POST', '/v1/tasks', { intent: '看一眼' });
    const task = await house.ask('GET', `/v1/tasks/${ticket.task_id}`);
    assert.equal(task['agent'], 'orders');
  }
});

test('a document of pins that contradicts itself is refused whole', async () => {
  await using house = await openHouse();

  await assert.rejects(
    put(house, { phrases: { 'a b': { capability: 'x' }, A_b: { capability: 'y' } } }),
    failsWith('rule-refused'),
  );
  await assert.rejects(
    put(house, { capabilities: { x: { agents: [] } } }),
    failsWith('validation-failed'),
  );
});
