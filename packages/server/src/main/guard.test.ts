import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditRecord } from '@agent-reach/core';
import { openHouse, type TestHouse } from './testing/house.ts';
import { json } from './testing/network.ts';

async function post(house: TestHouse, url: string, body: object, headers = {}) {
  const response = await house.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  return response.json();
}

async function audit(house: TestHouse, query: string): Promise<AuditRecord[]> {
  return (await house.http.inject(`/v1/audit?${query}`)).json().data.lines;
}

const manifest = {
  name: 'orders',
  capabilities: [{ name: 'look_up', description: 'Looks something up.', effect: 'read' }],
};

test('a registration is audited as the agent’s own doing', async () => {
  await using house = await openHouse();
  await post(house, '/v1/agents', manifest);

  const [line] = await audit(house, 'target=orders');

  assert.equal(line?.operation, 'agents.register');
  assert.equal(line.principal, 'orders');
  assert.equal(line.outcome, 'ok');
  assert.match(line.params ?? '', /look_up/);
});

test('what an operator does to an agent is not audited as the agent’s doing', async () => {
  await using house = await openHouse();
  await post(house, '/v1/agents', manifest);
  await post(house, '/v1/agents/orders/disable', { reason: 'answers nonsense' });

  const [line] = await audit(house, 'target=orders');

  assert.equal(line?.operation, 'agents.disable');
  assert.equal(line.principal, 'anonymous');
});

test('a refused change leaves its line, too', async () => {
  await using house = await openHouse();
  await post(house, '/v1/agents/nobody/drain', {});

  const [line] = await audit(house, 'target=nobody');

  assert.equal(line?.outcome, 'agent-not-found');
  assert.equal(line.executed, 'no');
});

test('a heartbeat and a list leave no line', async () => {
  await using house = await openHouse();
  house.network.at('http://orders', () => json(200, {}));
  await post(house, '/v1/agents', { ...manifest, network: { base_url: 'http://orders' } });
  await post(house, '/v1/agents/orders/heartbeat', {});
  await house.http.inject('/v1/agents');

  assert.equal((await audit(house, '')).length, 1);
});

test('a tenant in the header is held to like one in the body', async () => {
  await using house = await openHouse();

  const said = await post(house, '/v1/routes', { capability: 'x' }, { 'reach-tenant': 'other' });
  const same = await post(house, '/v1/routes', { capability: 'x' }, { 'reach-tenant': 'internal' });

  assert.equal(said.code, 'tenant-mismatch');
  assert.equal(same.code, 0);
});
