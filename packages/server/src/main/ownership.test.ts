import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentView, Answer, ClientWithSecret, Output, RouteAnswer } from '@agent-reach/core';
import { Bus } from '../peers/testing/bus.ts';
import { failsWith, openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import {
  openSecure,
  openSecureShared,
  secured,
  type SecureHouse,
  signerOf,
} from './testing/secure.ts';

const REFUND = { name: 'refund', description: 'Pays back.', effect: 'read' };
const CALL = { capability: 'refund', params: {} };

/** Lets an agent in; answers its own registration, and its key. */
async function agentIn(at: SecureHouse, name: string) {
  at.house.network.at(`http://${name}`, (request) =>
    json(200, request.method === 'GET' ? { agent_id: name } : { by: name }),
  );
  const key = await at.admin<ClientWithSecret>('POST', '/v1/clients', {
    kind: 'agent',
    agent_id: name,
  });
  const { ask } = signerOf(at.house, key);
  const manifest = { name, capabilities: [REFUND], network: { base_url: `http://${name}` } };
  return { key, register: () => ask<Output<'agents.register'>>('POST', '/v1/agents', manifest) };
}

async function grantAll(at: SecureHouse) {
  await at.admin('PUT', '/v1/policies/grants', { doc: { rows: [{ who: '*', may: ['*'] }] } });
}

const called = async (at: Pick<SecureHouse, 'admin'>, over: object = {}) =>
  (await at.admin<Answer>('POST', '/v1/calls', { ...CALL, ...over })).provider?.agent;

const pending = (at: SecureHouse) =>
  at.admin<Output<'capabilities.pending'>>('GET', '/v1/capabilities/pending');

test('who offers a name first has it; another registers and gets nothing before he is approved', async () => {
  await using at = await openSecure();
  await grantAll(at);
  const [orders, thief] = [await agentIn(at, 'orders'), await agentIn(at, 'thief')];
  assert.deepEqual(
    (await orders.register()).warnings.filter((w) => w.includes('first')),
    [],
  );
  const joined = await thief.register();

  assert.match(joined.warnings.join(), /Others had the name refund first/);
  for (let i = 0; i < 8; i++) assert.equal(await called(at), 'orders');
  const wanted = called(at, { agent: 'thief' });
  await assert.rejects(
    wanted,
    failsWith('capability-not-found', (e) => assert.match(e.message, /no operator has approved/)),
  );
  const shown = await at.admin<AgentView>('GET', '/v1/agents/thief');
  assert.deepEqual(shown.pending, ['refund']);
  assert.equal((await at.admin<AgentView>('GET', '/v1/agents/orders')).pending, undefined);
  assert.deepEqual((await pending(at)).offers, [
    { capability: 'refund', agent: 'thief', owners: ['orders'], is: 'pending' },
  ]);
  const why = await at.admin<RouteAnswer>('POST', '/v1/routes', { ...CALL, explain: true });
  assert.match(JSON.stringify(why), /no operator has approved/);

  // Even when the owner is away, and after the thief came again.
  await at.admin('POST', '/v1/agents/orders/disable', {});
  await thief.register();
  await assert.rejects(called(at), failsWith('no-reachable-agent'));
  await at.admin('POST', '/v1/agents/orders/enable', {});
});

test('an operator approves and refuses, and takes either back; each is a version of the document', async () => {
  await using at = await openSecure();
  await grantAll(at);
  const [orders, second] = [await agentIn(at, 'orders'), await agentIn(at, 'second')];
  await orders.register();
  await second.register();
  const decide = (verb: string, agent: string) =>
    at.admin('POST', `/v1/capabilities/refund/${verb}`, { agent_id: agent });

  assert.deepEqual((await decide('approve', 'second'))['owners'], ['orders', 'second']);
  assert.equal(await called(at, { agent: 'second' }), 'second');
  assert.deepEqual((await pending(at)).offers, []);
  const versions = () => at.admin<{ version: number }>('GET', '/v1/policies/owners');
  const { version } = await versions();
  await decide('approve', 'second');
  assert.equal((await versions()).version, version, 'nothing changed by saying it again');

  await decide('refuse', 'second');
  await assert.rejects(called(at, { agent: 'second' }), failsWith('capability-not-found'));
  assert.equal((await pending(at)).offers[0]?.is, 'refused');
  await at.admin('POST', '/v1/policies/owners/rollback', {});
  assert.equal(await called(at, { agent: 'second' }), 'second');
});

test('agents approve nobody, themselves least', async () => {
  await using at = await openSecure();
  const thief = await agentIn(at, 'thief');
  const ask = signerOf(at.house, thief.key).ask;
  await assert.rejects(
    ask('POST', '/v1/capabilities/refund/approve', { agent_id: 'thief' }),
    failsWith('permission-denied'),
  );
  await assert.rejects(
    ask('PUT', '/v1/policies/owners', { doc: {} }),
    failsWith('permission-denied'),
  );
});

test('whom an operator registers is approved by that, and a name outlives its owner', async () => {
  await using at = await openSecure();
  await grantAll(at);
  const [orders, thief] = [await agentIn(at, 'orders'), await agentIn(at, 'thief')];
  await orders.register();
  await agentIn(at, 'plain');
  const plain = { name: 'plain', capabilities: [REFUND], network: { base_url: 'http://plain' } };
  await at.admin('POST', '/v1/agents', plain);
  assert.equal(await called(at, { agent: 'plain' }), 'plain');

  await at.admin('DELETE', '/v1/agents/orders');
  await at.admin('DELETE', '/v1/agents/plain');
  await thief.register();
  await assert.rejects(called(at), failsWith('capability-not-found'));
});

test('what was offered before names had owners stays with those who offered it', async () => {
  await using at = await openSecure();
  await grantAll(at);
  const [orders, late] = [await agentIn(at, 'orders'), await agentIn(at, 'late')];
  await orders.register();
  await at.admin('PUT', '/v1/policies/owners', { doc: {} });
  assert.equal(await called(at), 'orders');

  await at.admin('POST', '/v1/capabilities/refund/approve', { agent_id: 'friend' });
  assert.equal(await called(at), 'orders', 'to let one in takes nobody out');
  assert.match((await late.register()).warnings.join(), /first/);
  assert.doesNotMatch((await orders.register()).warnings.join(), /first/);
  assert.equal(await called(at), 'orders');
});

test('every gateway knows whose a name is, and of two who come at once one has it', async () => {
  const bus = new Bus();
  await using at = await openSecureShared(bus);
  await grantAll(at);
  const [one, two] = [await agentIn(at, 'one'), await agentIn(at, 'two')];
  await using second = await at.house.beside();
  const beside = secured(second, at.house.house.firstToken());
  await Promise.all([one.register(), two.register()]);
  await at.house.during(new Promise((done) => setImmediate(done)), 500);

  const { offers } = await pending(at);
  assert.equal(offers.length, 1);
  const loser = offers[0]?.agent ?? '';
  assert.deepEqual((await pending(beside)).offers, offers);
  await beside.admin('POST', '/v1/capabilities/refund/approve', { agent_id: loser });
  await at.house.during(new Promise((done) => setImmediate(done)), 500);
  assert.deepEqual((await pending(at)).offers, []);
});

test('where nobody is asked who he is, nobody owns a name', async () => {
  await using house = await openHouse();
  await house.agent('orders', REFUND, () => json(200, {}));
  await house.agent('second', REFUND, () => json(200, {}));

  const { offers } = await house.ask<Output<'capabilities.pending'>>(
    'GET',
    '/v1/capabilities/pending',
  );
  assert.deepEqual(offers, []);
  assert.equal((await house.call({ ...CALL, agent: 'second' })).provider?.agent, 'second');
});
