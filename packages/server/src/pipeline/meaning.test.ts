import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExamplesPolicy, RouteAnswer, TaskTicket } from '@agent-reach/core';
import { failsWith, openHouse, openShared, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { Bus } from '../peers/testing/bus.ts';
import { SHOP } from '../routing/meaning/testing/shop.ts';

/** Every capability of the shop at an agent of its own, that answers with its name. */
async function openShop(house: TestHouse): Promise<TestHouse> {
  for (const { name, sla: _, ...said } of SHOP) {
    const { input, output: __, ...rest } = said;
    const manifest = { name, ...rest, input_schema: input };
    await house.agent(name.replace('.', '-'), manifest, () => json(200, { from: name }));
  }
  return house;
}

const decide = (house: TestHouse, body: Record<string, unknown>) =>
  house.ask<RouteAnswer>('POST', '/v1/routes', body);

const WEATHER = 'weather forecast for Berlin';

for (const [intent, capability] of [
  ['查物流轨迹', 'parcel.track'],
  [WEATHER, 'weather.forecast'],
] as const) {
  test(`a decision for “${intent}” says where, how sure it is, and what is still missing`, async () => {
    await using house = await openHouse();
    await openShop(house);

    const answer = await decide(house, { intent, explain: true });

    assert.deepEqual([answer.outcome, answer.capability], ['route', capability]);
    assert.equal(answer.strategy, 'semantic_match');
    assert.equal(answer.missing?.length, 1);
    const { meaning } = answer;
    assert.equal(meaning?.reason, 'CALIBRATED');
    assert.ok((meaning?.right ?? 0) >= (meaning?.route_from ?? 1));
    assert.deepEqual(meaning?.legs, ['words', 'spelling']);
    assert.equal(meaning?.candidates[0]?.capability, capability);
    assert.equal(Object.keys(meaning?.features ?? {}).length, 29);
  });
}

test('an explanation is given only to those who ask for it, or got no target', async () => {
  await using house = await openHouse();
  await openShop(house);

  assert.equal((await decide(house, { intent: WEATHER })).meaning, undefined);
  const none = await decide(house, { intent: '写一首诗' });
  assert.deepEqual([none.outcome, none.meaning?.reason], ['none', 'NO_CANDIDATE']);
});

test('a question back has options with what sets them apart, and a route id', async () => {
  await using house = await openHouse();
  await openShop(house);

  const answer = await decide(house, { intent: '订单' });

  assert.equal(answer.outcome, 'ask');
  assert.match(answer.route_id, /^rte_/);
  const names = answer.options?.map(({ capability }) => capability);
  assert.deepEqual(names?.sort(), ['invoice.issue', 'order.status']);
  for (const option of answer.options ?? []) {
    assert.ok(option.description !== '' && option.differs.length > 0);
  }
});

test('a call by its meaning runs, and its repeat is the same call', async () => {
  await using house = await openHouse();
  await openShop(house);
  const body = {
    request_id: 'req-1',
    idempotency_key: 'k',
    agent_id: 'desk',
    intent: '查物流轨迹',
    params: { tracking_no: 'SF1' },
  };

  const first = await house.call(body);
  assert.deepEqual(first.result, { from: 'parcel.track' });
  assert.equal(first.route.strategy, 'semantic_match');

  // What it meant is kept with the key, even if it would mean something else by now.
  await house.ask('DELETE', '/v1/agents/parcel-track');
  const again = await house.call(body);
  assert.equal(again.replayed, true);
  assert.deepEqual(again.result, first.result);
});

test('a call that would have to guess is refused, with what it may have meant', async () => {
  await using house = await openHouse();
  await openShop(house);

  await assert.rejects(
    house.call({ intent: '订单', params: {} }),
    failsWith('ambiguous-match', (error) => {
      assert.equal(error.executed, 'no');
      assert.equal(error.facts.candidates?.length, 2);
      assert.match(String(error.facts['route_id']), /^rte_/);
    }),
  );
});

test('a write that is meant needs a key like any other', async () => {
  await using house = await openHouse();
  await openShop(house);
  const params = { order_no: 'O1', tax_id: 'T1' };
  const intent = '开具发票';

  await assert.rejects(house.call({ intent, params }), failsWith('idempotency-key-missing'));
  const answer = await house.call({ intent, params, request_id: 'req-7', agent_id: 'desk' });
  assert.deepEqual(answer.result, { from: 'invoice.issue' });
});

test('what is sensitive is reached by its name, and by no intent', async () => {
  await using house = await openHouse();
  await openShop(house);

  for (const intent of ['注销账户', 'delete my account and all its data', 'account.delete']) {
    const answer = await decide(house, { intent });
    assert.equal(answer.outcome, 'none', intent);
  }
  const named = { capability: 'account.delete', request_id: 'req-1', params: {} };
  assert.equal((await house.call(named)).status, 'needs_confirmation');
});

test('a retry stays with what was meant, whatever the intent would mean by then', async () => {
  await using house = await openHouse();
  await openShop(house);
  let calls = 0;
  const weather = { name: 'weather.forecast', description: SHOP[3]?.description, effect: 'read' };
  await house.agent('weather-forecast', weather, () => {
    calls += 1;
    return calls === 1 ? json(503, {}) : json(200, { ok: true });
  });

  const answer = await house.during(
    house.call({ intent: '天气预报 weather forecast of a city' }),
    5_000,
  );

  assert.equal(answer.retry_count, 1);
  assert.equal(answer.route.strategy, 'semantic_match');
});

test('a task by its meaning goes to the queue of what was meant, and stays there', async () => {
  await using house = await openHouse();
  await openShop(house);
  await house.puller('printer', {
    name: 'report.print',
    display_name: '打印月报',
    description: '打印月度报表',
    effect: 'read',
  });

  const ticket = await house.ask<TaskTicket>('POST', '/v1/tasks', { intent: '打印月报' });
  const task = await house.ask('GET', `/v1/tasks/${ticket.task_id}`);

  assert.equal(task['capability'] ?? task['task_type'], 'report.print');
  await assert.rejects(
    house.ask('POST', '/v1/tasks', { intent: '订单' }),
    failsWith('ambiguous-match'),
  );
});

test('the summary of a task with a name sends it nowhere else', async () => {
  await using house = await openHouse();
  await openShop(house);

  const ticket = await house.ask<TaskTicket>('POST', '/v1/tasks', {
    task_type: 'nobody.has.this',
    summary: '天气预报',
  });

  assert.match(ticket.warnings.join(), /Nobody offers nobody\.has\.this/);
});

const choice = (house: TestHouse, routeId: string, body: Record<string, unknown>) =>
  house.ask('POST', `/v1/routes/${routeId}/choice`, body);

test('an answer counts once a second caller gives it alike, and can be taken back', async () => {
  await using house = await openHouse();
  await openShop(house);
  const intent = '单子的事情帮看一眼 12345';
  const named = { agent_id: 'desk-a' };
  const first = await decide(house, { intent: '订单', ...named });
  assert.equal(first.outcome, 'ask');

  const waits = await choice(house, first.route_id, { ...named, capability: 'invoice.issue' });
  assert.equal(waits['learned'], 'waits');
  const same = await choice(house, first.route_id, { ...named, capability: 'invoice.issue' });
  assert.equal(same['learned'], 'waits');
  assert.equal((await decide(house, { intent: '订单' })).outcome, 'ask');

  const counts = await choice(house, first.route_id, {
    agent_id: 'desk-b',
    capability: 'invoice.issue',
  });
  assert.equal(counts['learned'], 'counts');
  const after = await decide(house, { intent: '订单', explain: true });
  assert.deepEqual([after.capability, after.meaning?.reason], ['invoice.issue', 'EXAMPLE']);

  const stored = await house.ask<{ doc: ExamplesPolicy }>('GET', '/v1/policies/examples');
  const [row] = stored.doc.capabilities?.['invoice.issue'] ?? [];
  assert.deepEqual([row?.text, row?.by], ['订单', ['desk-a', 'desk-b']]);

  await house.ask('POST', '/v1/policies/examples/rollback', { to: 0 });
  assert.equal((await decide(house, { intent: '订单' })).outcome, 'ask');
  assert.ok(intent.length > 0);
});

test('none of them, said by two, is not offered again for the same', async () => {
  await using house = await openHouse();
  await openShop(house);
  for (const agent_id of ['desk-a', 'desk-b']) {
    const { route_id: id } = await decide(house, { intent: '订单', agent_id });
    await choice(house, id, { agent_id, none: true });
  }

  const answer = await decide(house, { intent: '订单' });

  assert.equal(answer.outcome, 'none');
});

test('who does not say his name teaches nothing, and who chose what was not offered is refused', async () => {
  await using house = await openHouse();
  await openShop(house);
  const { route_id: id } = await decide(house, { intent: '订单' });

  const anonymous = await choice(house, id, { capability: 'order.status' });
  assert.equal(anonymous['learned'], 'not');
  const named = { agent_id: 'desk' };
  for (const wrong of [
    { capability: 'weather.forecast' },
    {},
    { capability: 'order.status', none: true },
  ]) {
    await assert.rejects(choice(house, id, { ...named, ...wrong }), failsWith('validation-failed'));
  }
  await assert.rejects(
    choice(house, id, { ...named, capability: 'gone' }),
    failsWith('capability-not-found'),
  );
});

test('a question of another gateway is answered with its intent, and all gateways learn', async () => {
  const bus = new Bus();
  await using house = await openShared(bus);
  await openShop(house);
  await using other = await house.beside();
  const { route_id: id } = await decide(house, { intent: '订单' });

  await assert.rejects(
    choice(other, id, { agent_id: 'a', capability: 'order.status' }),
    failsWith('not-found'),
  );
  for (const agent_id of ['a', 'b']) {
    await choice(other, id, { agent_id, capability: 'order.status', intent: '订单' });
  }
  await house.clock.advance(100);

  assert.equal((await decide(house, { intent: '订单' })).capability, 'order.status');
});

test('nothing is learned where learning is turned off', async () => {
  await using house = await openHouse({ 'routing.semantic.learn': false });
  await openShop(house);
  const { route_id: id } = await decide(house, { intent: '订单' });

  const answer = await choice(house, id, { agent_id: 'desk', capability: 'order.status' });

  assert.equal(answer['learned'], 'not');
});
