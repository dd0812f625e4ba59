import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainAnswer, Input } from '@agent-reach/core';
import { ask, lookup, refund, shipped } from '../pipeline/testing/orders.ts';
import { identify } from '../policy/idempotency.ts';
import { openCounted, standing, three } from './testing/budgets.ts';
import { failsWith, openHouse, type TestHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { openSecure, type SecureHouse } from './testing/secure.ts';

const explain = (house: TestHouse, body: Input<'routes.explain'>) =>
  house.ask<ExplainAnswer>('POST', '/v1/routes/explain', body);
/** How far a call came: its steps, and the end in short. */
const course = ({ steps, outcome }: ExplainAnswer) => {
  const last = steps.at(-1);
  return [steps.map(({ step }) => step).join(' '), outcome, last?.code, last?.rule];
};

test('a call that would go is walked to its end, and leaves no trace anywhere', async () => {
  await using house = await openCounted([three]);

  const answer = await explain(house, { ...ask, idempotency_key: 'k' });

  assert.deepEqual(course(answer), [
    'request key grant route binding budgets confirmation place',
    'call',
    undefined,
    undefined,
  ]);
  assert.deepEqual(
    [answer.capability, answer.agent, answer.effect, answer.who.principal],
    ['query_order_status', 'orders', 'read', 'customer-service'],
  );
  assert.equal(answer.candidates[0]?.verdict, 'chosen');
  assert.match(answer.steps[5]?.detail ?? '', /^Budget three has 3 calls for now, 3 until /);
  assert.equal(house.network.calls.length, 0);
  const [row] = await standing(house);
  assert.deepEqual([row?.used, row?.reserved], [0, 0]);
  // The key is still anybody's.
  assert.equal((await house.call({ ...ask, idempotency_key: 'k' })).replayed, false);
});

test('a key that has an answer would be answered by it', async () => {
  await using house = await openCounted([three]);
  const keyed = { ...ask, idempotency_key: 'k' };
  await house.call(keyed);

  assert.deepEqual(course(await explain(house, keyed)).slice(0, 2), ['request key', 'replay']);
  const other = await explain(house, { ...keyed, params: { order_no: 'ORD2' } });
  assert.deepEqual(course(other).slice(0, 3), ['request', 'refuse', 'idempotency-key-reused']);
});

test('a key that was bound and has no answer yet goes to what it was bound to, whatever fits by now', async () => {
  await using house = await openHouse();
  const tags = { region: 'eu' };
  await house.agent('a', { ...lookup, tags }, shipped);
  await house.agent('b', { ...lookup, name: 'query_parcel', tags }, shipped);
  const asked = { tags, params: ask.params, agent_id: 'shop' };
  const { scope, key, fingerprint } = identify({
    tenant: 'internal',
    principal: 'shop',
    key: 'k',
    selector: { tags },
    params: ask.params,
    onBehalfOf: undefined,
  });
  const pinned = JSON.stringify({ capability: lookup.name, requestId: 'r-1' });
  const claim = { scope, key, fingerprint, pinned, token: 't', claimMs: 1, ttlMs: 60_000 };
  await house.storage.ledger.claim({ ...claim, now: house.clock.now() });
  await house.clock.advance(10);

  const answer = await explain(house, { ...asked, idempotency_key: 'k' });

  assert.deepEqual([answer.outcome, answer.capability], ['call', lookup.name]);
  assert.match(answer.steps[1]?.detail ?? '', /^k is bound to query_order_status/);
  assert.equal((await explain(house, asked)).outcome, 'ask');
});

test('each refusal is told at the step that makes it', async () => {
  await using house = await openCounted([{ ...three, limit: 1 }]);
  await house.agent('pay', refund, shipped);
  await house.call(ask);

  assert.deepEqual(course(await explain(house, ask)), [
    'request key grant route binding budgets',
    'refuse',
    'budget-exhausted',
    'budget/three',
  ]);
  const unknown = await explain(house, { ...ask, capability: 'no_such_thing' });
  assert.deepEqual(course(unknown).slice(0, 3), [
    'request key grant route',
    'refuse',
    'capability-not-found',
  ]);
  const wrong = await explain(house, { ...ask, params: { order_no: 7 } });
  assert.deepEqual(course(wrong).slice(0, 3), [
    'request key grant route',
    'refuse',
    'validation-failed',
  ]);
  const bare = { capability: refund.name, params: { order_no: 'ORD1', amount: 5 } };
  const keyless = await explain(house, { ...bare, agent_id: 'shop' });
  assert.deepEqual(course(keyless).slice(0, 3), [
    'request key grant route binding',
    'refuse',
    'idempotency-key-missing',
  ]);
});

test('tags that fit several capabilities would be asked back', async () => {
  await using house = await openHouse();
  const tags = { region: 'eu' };
  await house.agent('a', { ...lookup, tags }, shipped);
  await house.agent('b', { ...lookup, name: 'query_parcel', tags }, shipped);

  const answer = await explain(house, { tags, params: ask.params, agent_id: 'shop' });

  assert.deepEqual(course(answer).slice(0, 3), ['request key route', 'ask', 'ambiguous-match']);
});

const query = { name: 'query', description: 'Answers.', effect: 'read' };
const DENIED = failsWith('permission-denied');

async function openGranted(secure: SecureHouse) {
  secure.house.network.at('http://data', () => json(200, { agent_id: 'data' }));
  const data = await secure.client({ kind: 'agent', agent_id: 'data' });
  const sensitive = { ...query, name: 'erase', sensitive: true };
  await data.ask('POST', '/v1/agents', {
    name: 'data',
    capabilities: [query, sensitive],
    network: { base_url: 'http://data' },
  });
  const rows = [
    { who: 'shop', may: ['query', 'er*'] },
    { who: '*', may: ['que*'] },
    { who: 'thief*', not: ['*'] },
  ];
  await secure.admin('PUT', '/v1/policies/grants', { doc: { rows } });
  return secure.client({ kind: 'service', client_id: 'shop' });
}

test('an operator sees by which row another client may have something, and by which it may not', async () => {
  await using secure = await openSecure();
  const shop = await openGranted(secure);
  await secure.client({ kind: 'service', client_id: 'thief-1' });
  const as = async (client: string, capability = 'query') =>
    secure.admin<ExplainAnswer>('POST', '/v1/routes/explain', { capability, as: client });

  const granted = await as('shop');
  assert.equal(granted.outcome, 'call');
  assert.equal(granted.steps.find(({ step }) => step === 'grant')?.rule, 'grants, row 1: query');
  assert.deepEqual(course(await as('thief-1')), [
    'request key grant',
    'refuse',
    'permission-denied',
    'grants, row 3: *',
  ]);
  assert.deepEqual(course(await as('shop', 'other')).slice(1), [
    'refuse',
    'permission-denied',
    'grants',
  ]);
  assert.deepEqual(course(await as('shop', 'erase')).slice(0, 2), [
    'request key grant route binding budgets confirmation',
    'confirm',
  ]);
  await assert.rejects(as('nobody'), failsWith('validation-failed'));
  const own = await shop.ask<ExplainAnswer>('POST', '/v1/routes/explain', { capability: 'query' });
  assert.equal(own.who.principal, 'shop');
});

test('who is no operator sees his own way alone', async () => {
  await using secure = await openSecure();
  const shop = await openGranted(secure);

  await shop.ask('POST', '/v1/routes/explain', { capability: 'query', as: 'shop' });
  const other = { capability: 'query', as: 'thief-1' };
  await assert.rejects(shop.ask('POST', '/v1/routes/explain', other), DENIED);
});

test('an open circuit is seen before anybody runs into it', async () => {
  await using house = await openHouse({ 'breaker.failures': 2 });
  await house.agent('orders', lookup, () => json(500, {}));
  for (let n = 0; n < 2; n++) await assert.rejects(house.during(house.call(ask), 5_000));

  const answer = await explain(house, ask);

  assert.equal(answer.outcome, 'refuse');
  assert.equal(answer.steps.at(-1)?.code, 'circuit-open');
});
