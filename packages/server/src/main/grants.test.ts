import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Answer,
  GrantsPolicy,
  PolicyView,
  RouteAnswer,
  TaskTicket,
  TaskView,
} from '@agent-reach/core';
import { Bus } from '../peers/testing/bus.ts';
import { failsWith, openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import {
  openSecure,
  openSecureShared,
  type SecureHouse,
  secured,
  signerOf,
} from './testing/secure.ts';

const query = { name: 'query', description: 'Answers.', effect: 'read' };
const spare = { ...query, name: 'spare' };
const DENIED = failsWith('permission-denied');

type Written = PolicyView & { warnings: string[] };

/** A house with agent `data`, which offers `query` at an address, and a caller `shop`. */
async function open(secure: SecureHouse, capabilities: object[] = [query]) {
  const { network } = secure.house;
  let calls = 0;
  network.at('http://data', (request) => {
    if (request.method === 'GET') return json(200, { agent_id: 'data' });
    calls += 1;
    return json(200, {});
  });
  const data = await secure.client({ kind: 'agent', agent_id: 'data' });
  const at = { base_url: 'http://data' };
  await data.ask('POST', '/v1/agents', { name: 'data', capabilities, network: at });
  const shop = await secure.client({ kind: 'service', client_id: 'shop' });
  return { data, shop, calls: () => calls };
}

const grant = (secure: SecureHouse, doc: GrantsPolicy, more: object = {}) =>
  secure.admin<Written>('PUT', '/v1/policies/grants', { doc, ...more });

const call = { capability: 'query', params: {} };
const task = { task_type: 'query', payload: {} };

test('what no grant allows is refused: a call, a task, and work that would wait for somebody', async () => {
  await using secure = await openSecure();
  const { shop, calls } = await open(secure);

  await assert.rejects(shop.ask('POST', '/v1/calls', call), DENIED);
  await assert.rejects(shop.ask('POST', '/v1/tasks', task), DENIED);
  await assert.rejects(shop.ask('POST', '/v1/tasks', { ...task, task_type: 'later' }), DENIED);
  // Nor an admin: whoever hands out grants gives himself one in sight of all.
  await assert.rejects(secure.admin('POST', '/v1/calls', call), DENIED);
  assert.equal(calls(), 0);
});

test('a grant holds from the next decision on, and no longer than it stands', async () => {
  await using secure = await openSecure();
  const { shop, calls } = await open(secure);

  await grant(secure, { rows: [{ who: 'sh*', may: ['que*'] }] });
  await shop.ask('POST', '/v1/calls', call);
  await shop.ask('POST', '/v1/tasks', task);
  await grant(secure, {
    rows: [
      { who: 'sh*', may: ['que*'] },
      { who: '*', not: ['query'] },
    ],
  });
  await assert.rejects(shop.ask('POST', '/v1/calls', call), DENIED);
  await secure.admin('POST', '/v1/policies/grants/rollback', {});
  await shop.ask('POST', '/v1/calls', call);
  assert.ok(calls() >= 2);
});

test('what was answered under a key is told to nobody who may not have it any more', async () => {
  await using secure = await openSecure();
  const { shop, calls } = await open(secure);
  const keyed = { ...call, idempotency_key: 'k' };
  await grant(secure, { rows: [{ who: 'shop', may: ['query'] }] });
  await shop.ask('POST', '/v1/calls', keyed);

  await grant(secure, { rows: [] });
  await assert.rejects(shop.ask('POST', '/v1/calls', keyed), DENIED);

  await secure.admin('POST', '/v1/policies/grants/rollback', {});
  assert.equal((await shop.ask<Answer>('POST', '/v1/calls', keyed)).replayed, true);
  assert.equal(calls(), 1);
});

test('a decision without a target says that nobody permitted it', async () => {
  await using secure = await openSecure();
  const { shop } = await open(secure);

  const refused = await shop.ask<RouteAnswer>('POST', '/v1/routes', call);
  assert.equal(refused.outcome, 'none');
  assert.match(refused.reason ?? '', /No grant lets this caller have query/);
  assert.deepEqual(
    refused.candidates?.map(({ agent, verdict, reason }) => [agent, verdict, reason]),
    [['data', 'excluded', 'not permitted']],
  );
  assert.equal(refused.target_agent, undefined);
  await grant(secure, { rows: [{ who: 'shop', may: ['query'] }] });
  assert.equal((await shop.ask<RouteAnswer>('POST', '/v1/routes', call)).target_agent, 'data');
});

test('by tags somebody finds what he may have, and hears of nothing else', async () => {
  await using secure = await openSecure();
  const { shop } = await open(secure, [
    { ...query, tags: { topic: 'money' } },
    { ...spare, tags: { topic: 'money' } },
  ]);
  const byTag = { tags: { topic: 'money' } };

  const nothing = await shop.ask<RouteAnswer>('POST', '/v1/routes', byTag);
  assert.equal(nothing.reason, 'No capability has these tags.');
  await grant(secure, { rows: [{ who: 'shop', may: ['spare'] }] });
  assert.equal((await shop.ask<RouteAnswer>('POST', '/v1/routes', byTag)).capability, 'spare');
});

test('a fallback that is not permitted is passed over', async () => {
  await using secure = await openSecure();
  const { shop, data } = await open(secure, [spare]);
  await data.ask('POST', '/v1/agents', { name: 'data', capabilities: [spare] });
  await grant(secure, { rows: [{ who: 'shop', may: ['query'] }] });
  const withFallback = { ...call, context: { fallback: ['spare'] } };

  await assert.rejects(
    shop.ask('POST', '/v1/calls', withFallback),
    failsWith('capability-not-found'),
  );
  await grant(secure, { rows: [{ who: 'shop', may: ['query', 'spare'] }] });
  const { status } = await shop.ask<{ status: string }>('POST', '/v1/calls', withFallback);
  assert.equal(status, 'degraded');
});

test('a task whose grant is gone when its agent comes for it is parked, and a redrive asks again', async () => {
  await using secure = await openSecure();
  const shop = await secure.client({ kind: 'service', client_id: 'shop' });
  const worker = await secure.client({ kind: 'agent', agent_id: 'worker' });
  const instance = { pull: true, instance_id: 'one' };
  await worker.ask('POST', '/v1/agents', { name: 'worker', capabilities: [query], instance });
  await grant(secure, { rows: [{ who: 'shop', may: ['query'] }] });
  const { task_id: id } = await shop.ask<TaskTicket>('POST', '/v1/tasks', task);
  const claim = () =>
    worker.ask<{ tasks: unknown[] }>('POST', '/v1/tasks/claim', { agent_id: 'worker' });
  const look = () => shop.ask<TaskView>('GET', `/v1/tasks/${id}`);

  await grant(secure, {});
  assert.deepEqual(await claim(), { tasks: [] });
  const parked = await look();
  assert.equal(parked.status, 'dead');
  assert.match(parked.reason ?? '', /no grant lets shop have query/);
  assert.equal(parked.attempts, 0);

  await secure.admin('POST', `/v1/dead-letters/${id}/redrive`, {});
  assert.deepEqual(await claim(), { tasks: [] });
  assert.equal((await look()).status, 'dead');
  await grant(secure, { rows: [{ who: 'shop', may: ['query'] }] });
  await secure.admin('POST', `/v1/dead-letters/${id}/redrive`, {});
  assert.equal((await claim()).tasks.length, 1);
});

test('a task whose grant is gone is not pushed, and holds nobody else up', async () => {
  await using secure = await openSecure();
  const { shop, calls } = await open(secure);
  const other = await secure.client({ kind: 'service', client_id: 'other' });
  const both = {
    rows: [
      { who: 'shop', may: ['query'] },
      { who: 'other', may: ['query'] },
    ],
  };
  await grant(secure, both);
  const delayed = { ...task, delay: '2s' };
  const { task_id: gone } = await shop.ask<TaskTicket>('POST', '/v1/tasks', delayed);
  const { task_id: stays } = await other.ask<TaskTicket>('POST', '/v1/tasks', delayed);
  await grant(secure, { rows: both.rows.slice(1) });

  await secure.house.clock.advance(5_000);

  assert.equal((await shop.ask<TaskView>('GET', `/v1/tasks/${gone}`)).status, 'dead');
  assert.equal((await shop.ask<TaskView>('GET', `/v1/tasks/${stays}`)).status, 'succeeded');
  assert.equal(calls(), 1);
});

test('the document is held to its form and its version, tried dry, and looked through', async () => {
  await using secure = await openSecure();
  await open(secure);
  for (const doc of [
    { rows: [{ who: 'shop', may: ['a*b'] }] },
    { rows: [{ who: '' }] },
    { rows: [{ may: ['x'] }] },
    { agents: {} },
  ]) {
    await assert.rejects(
      grant(secure, doc as GrantsPolicy),
      failsWith('validation-failed', (error) => {
        for (const { pointer } of error.facts.errors ?? []) assert.match(pointer, /^#\/doc/);
      }),
    );
  }
  const doc = {
    rows: [
      { who: 'shop', may: ['query'] },
      { who: 'shpo', may: ['query'] },
    ],
  };
  const dry = await grant(secure, doc, { dry_run: true });
  assert.deepEqual([dry.version, dry.warnings], [0, ['Row 2: no client is called shpo.']]);
  await grant(secure, doc, { expect_version: 0 });
  await assert.rejects(grant(secure, doc, { expect_version: 0 }), failsWith('policy-conflict'));
  // The other document is another one.
  const { version } = await secure.admin<PolicyView>('GET', '/v1/policies/weights');
  assert.equal(version, 0);
});

test('where nobody is asked who he is grants hold nobody, and whoever writes them is told', async () => {
  await using house = await openHouse();
  await house.agent('data', query, () => json(200, {}));
  const rows = [{ who: '*', not: ['*'] }];

  const { warnings } = await house.ask<Written>('PUT', '/v1/policies/grants', { doc: { rows } });

  assert.match(warnings[0] ?? '', /auth\.mode is required/);
  await house.call(call);
});

test('what one gateway grants or takes holds at the others', async () => {
  const bus = new Bus();
  await using here = await openSecureShared(bus);
  await using beside = await here.house.beside();
  const there = secured(beside, here.house.house.firstToken());
  await here.house.clock.advance(2_000);
  await open(here);
  const made = { kind: 'service', client_id: 'web' } as const;
  const key = await here.admin<Parameters<typeof signerOf>[1]>('POST', '/v1/clients', made);
  await here.house.clock.advance(1_000);
  const web = signerOf(there.house, key);

  await assert.rejects(web.ask('POST', '/v1/calls', call), DENIED);
  await grant(here, { rows: [{ who: 'web', may: ['query'] }] });
  await here.house.clock.advance(10);
  await web.ask('POST', '/v1/calls', call);
  await grant(here, {});
  await here.house.clock.advance(10);
  await assert.rejects(web.ask('POST', '/v1/calls', call), DENIED);
});
