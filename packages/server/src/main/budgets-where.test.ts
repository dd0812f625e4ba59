import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BudgetView, Output, RouteAnswer } from '@agent-reach/core';
import { ask, lookup, params, refund, shipped } from '../pipeline/testing/orders.ts';
import { payload, query, submit } from '../tasks/testing/capabilities.ts';
import { EXHAUSTED, openCounted, set, standing, three, used } from './testing/budgets.ts';
import { failsWith, openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { openSecure } from './testing/secure.ts';
import { twoGateways } from './testing/two-gateways.ts';

test('a task is paid for when it is accepted; nothing is stored that is not paid for', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await set(house, [three]);
  const named = (id: string) => submit(house, { task_id: id });
  await named('a');
  await named('a');
  await submit(house, { idempotency_key: 'k' });
  await submit(house, { idempotency_key: 'k' });
  assert.deepEqual(await used(house), [2, 0]);
  const { tasks } = await house.ask<Output<'tasks.submit-many'>>('POST', '/v1/tasks/bulk', {
    tasks: ['c', 'd', 'a'].map((id) => ({ task_id: id, task_type: 'query', payload })),
  });

  assert.deepEqual(
    tasks.map(({ problem }) => (problem as { code?: string } | undefined)?.code),
    [undefined, 'budget-exhausted', undefined],
  );
  assert.deepEqual(await used(house), [3, 0]);
  await assert.rejects(named('d'), EXHAUSTED);
  await assert.rejects(house.ask('GET', '/v1/tasks/d'), failsWith('task-not-found'));
});

test('a task that is refused for other reasons costs nothing', async () => {
  await using house = await openHouse({ 'flowcontrol.max-pending': 1 });
  await house.puller('sql', query);
  await set(house, [three]);
  await submit(house);

  await assert.rejects(submit(house), failsWith('agent-busy'));

  assert.deepEqual(await used(house), [1, 0]);
});

test('calls to an agent that comes for its work are paid for once', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await set(house, [three]);
  const body = { capability: 'query', params: payload, agent_id: 'shop' };

  await assert.rejects(house.during(house.call(body), 10_000));

  const [row] = await standing(house);
  assert.ok((row?.used ?? 9) + (row?.reserved ?? 9) <= 1);
});

test('a fallback is paid for by its own budgets, and one without any left is passed over', async () => {
  await using house = await openHouse();
  await house.agent('main', { ...lookup, name: 'first', fallback: ['second', 'third'] }, shipped);
  await house.agent('two', { ...lookup, name: 'second' }, shipped);
  await house.agent('three', { ...lookup, name: 'third' }, shipped);
  await set(house, [
    { ...three, id: 'first', scope: { capability: 'first' } },
    { ...three, id: 'second', limit: 1, scope: { capability: 'second' } },
    { ...three, id: 'third', scope: { capability: 'third' } },
  ]);
  await house.ask('POST', '/v1/agents/main/disable', {});
  const call = () => house.call({ capability: 'first', params, agent_id: 'shop' });

  assert.equal((await call()).degraded_to, 'second');
  assert.equal((await call()).degraded_to, 'third');
  assert.deepEqual(await used(house), [0, 0, 1, 0, 1, 0]);
});

test('a decision says which budgets a call would be counted in, and counts nothing', async () => {
  await using house = await openCounted([
    three,
    { ...three, id: 'other', scope: { capability: 'x' } },
  ]);

  const answer = await house.ask<RouteAnswer>('POST', '/v1/routes', { ...ask, explain: true });

  assert.deepEqual(answer.budgets, ['three']);
  assert.deepEqual(await used(house), [0, 0, 0, 0]);
});

test('a document that could never grant a call is refused, and one that counts nobody warns', async () => {
  await using house = await openCounted([]);
  const wrong = (row: object, word: RegExp) =>
    assert.rejects(
      set(house, [{ ...three, ...row }]),
      failsWith('rule-refused', ({ message }) => assert.match(message, word)),
    );

  await wrong({ tz: 'Asia/Atlantis' }, /tz names no time zone/);
  await wrong({ burst: 'often' }, /burst must be/);
  await wrong({ cost: 4 }, /cost is 4, more than a day has/);
  await wrong({ limit: 10, period: 'month' }, /burst lets 0\.33\d* go at once.*Say at least 3d/);
  await assert.rejects(set(house, [three, three]), failsWith('rule-refused'));
  await assert.rejects(set(house, [{ ...three, limit: 0 }]), failsWith('validation-failed'));
  await assert.rejects(set(house, [{ ...three, unit: 'tokens' }]), failsWith('validation-failed'));
  const { warnings } = await set(house, [{ ...three, scope: { capability: 'nothing.*' } }]);
  assert.deepEqual(warnings, ['Budget three: nobody offers nothing.* now.']);
});

test('two gateways on one store count together', async () => {
  await using both = await twoGateways();
  await both.one.agent('orders', lookup, shipped);
  await set(both.one, [three]);
  await both.clock.advance(6_000);

  await both.one.call(ask);
  await both.two.call(ask);
  await both.one.call(ask);
  await assert.rejects(both.two.call(ask), EXHAUSTED);
});

test('a client is counted under its own name and that of its agent', async () => {
  await using secure = await openSecure();
  const { house } = secure;
  await house.agent('orders', refund, () => json(200, {})).catch(() => {});
  const owner = await secure.client({ kind: 'agent', agent_id: 'data' });
  house.network.at('http://data', (request) =>
    json(200, request.method === 'GET' ? { agent_id: 'data' } : { status: 'shipped' }),
  );
  const network = { base_url: 'http://data' };
  await owner.ask('POST', '/v1/agents', { name: 'data', capabilities: [lookup], network });
  const bound = await secure.client({ kind: 'agent', agent_id: 'robot', client_id: 'key-1' });
  const shop = await secure.client({ kind: 'service', client_id: 'shop' });
  await secure.admin('PUT', '/v1/policies/grants', { doc: { rows: [{ who: '*', may: ['*'] }] } });
  const budgets = [
    { ...three, id: 'robot', scope: { agent: 'robot' } },
    { ...three, id: 'key', scope: { agent: 'key-*' } },
    { ...three, id: 'nobody', scope: { agent: 'nobody' } },
  ];
  const { warnings } = await secure.admin<{ warnings: string[] }>('PUT', '/v1/policies/budgets', {
    doc: { budgets },
  });
  assert.deepEqual(warnings, ['Budget nobody: no client and no agent is called nobody.']);
  const { agent_id: _, ...call } = ask;

  await bound.ask('POST', '/v1/calls', call);
  await shop.ask('POST', '/v1/calls', call);

  const { budgets: rows } = await secure.admin<{ budgets: BudgetView[] }>('GET', '/v1/budgets');
  assert.deepEqual(
    rows.map((row) => row.used),
    [1, 1, 0],
  );
});
