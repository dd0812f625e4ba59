import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AgentEvent, type ClientWithSecret, type Problem } from '@agent-reach/core';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse, type TestHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { bearer, openSecure, signerOf } from './testing/secure.ts';
import { listen, Reading } from './testing/streams.ts';

const LOOK = { name: 'look', effect: 'read' };
type Snapshot = Extract<AgentEvent, { type: 'snapshot' }>;
type Changes = Extract<AgentEvent, { type: 'changes' }>;

const PATH = '/v1/agents/changes';

test('over HTTP: a snapshot, then changes; who comes again gets what he missed', async () => {
  await using house = await openHouse();
  await house.agent('crm', LOOK, () => json(200, {}));
  const url = await listen(house);

  const reading = await Reading.open(`${url}${PATH}?capability=look`);
  const snapshot = await reading.event<Snapshot>('snapshot');
  await house.ask('POST', '/v1/agents/crm/disable', {});
  await house.clock.advance(1_000);
  const changes = await reading.event<Changes>('changes');

  const { headers } = reading.response;
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-accel-buffering'), 'no');
  assert.match(reading.text, /^retry: [2-5]\d{3}\n\n/);
  assert.deepEqual(
    snapshot?.agents.map((row) => row.state.intent),
    [undefined, 'enabled'],
  );
  assert.equal(changes?.rev_from, snapshot?.rev);
  assert.equal(changes?.changes[0]?.new?.intent, 'disabled');
  reading.leave();

  await house.ask('POST', '/v1/agents/crm/enable', {});
  await house.clock.advance(1_000);
  const lastId = { 'last-event-id': changes?.rev_to ?? '' };
  const again = await Reading.open(`${url}${PATH}?capability=look`, lastId);
  const missed = await again.event<Changes>('changes');
  assert.equal(again.got.length, 1);
  assert.equal(missed?.changes[0]?.old?.intent, 'disabled');
  again.leave();

  const byQuery = await Reading.open(`${url}${PATH}?last_event_id=${missed?.rev_to}`);
  await house.clock.advance(75_000);
  await byQuery.event('mark');
  assert.ok(byQuery.got.every((one) => one.is === 'event' && one.data.type !== 'snapshot'));
  byQuery.leave();

  const old = await Reading.open(`${url}${PATH}`, { 'last-event-id': 'chg_0.7' });
  await old.event('resync');
  await house.clock.advance(5_000);
  assert.ok((await old.event<Snapshot>('snapshot')) !== undefined);
  old.leave();
});

test('the same over /api/v1; no agent takes the name of the path, where nobody would find it', async () => {
  await using house = await openHouse();
  await assert.rejects(house.puller('changes', LOOK), failsWith('manifest-refused'));
  await house.puller('eyes', LOOK);
  const url = await listen(house);

  const reading = await Reading.open(`${url}/api/v1/agents/changes`);

  assert.equal((await reading.event<Snapshot>('snapshot'))?.agents.length, 2);
  reading.leave();
});

test('a silent stream shows life every 15 s', async () => {
  await using house = await openHouse();
  const reading = await Reading.open(`${await listen(house)}${PATH}`);
  await reading.event('snapshot');

  await house.clock.advance(15_000);
  while (!reading.text.includes(': ping\n\n')) assert.ok(await reading.more());
  reading.leave();
});

test('a gateway that stops ends its streams with a word, and waits for none', async () => {
  await using house = await openHouse();
  const url = await listen(house);
  const readings = await Promise.all([1, 2, 3].map(() => Reading.open(`${url}${PATH}`)));
  for (const reading of readings) await reading.event('snapshot');

  await house.http.close();

  for (const reading of readings) {
    const bye = await reading.until((one) => one.is === 'bye');
    assert.ok(bye !== undefined);
    assert.match(reading.text, /"reason":"stopping"/);
    assert.equal(await reading.more(), false);
  }
});

test('a tenant has so many streams and no more; one that leaves makes room', async () => {
  await using house = await openHouse({ 'limits.tenant.streams': 2 });
  const url = await listen(house);
  const one = await Reading.open(`${url}${PATH}`);
  const two = await Reading.open(`${url}${PATH}`);
  await Promise.all([one.event('snapshot'), two.event('snapshot')]);

  const third = await fetch(`${url}${PATH}`);
  const problem = (await third.json()) as Problem;
  one.leave();
  const next = await untilOpen(`${url}${PATH}`);

  assert.deepEqual([third.status, problem.code, problem.limit], [429, 'rate-limited', 2]);
  assert.match(problem.detail, /limits\.tenant\.streams/);
  assert.ok((await next.event('snapshot')) !== undefined);
  next.leave();
  two.leave();
});

/** The door hears that a reader has left a moment later. */
async function untilOpen(url: string): Promise<Reading> {
  for (let look = 0; look < 1_000; look++) {
    const reading = await Reading.open(url);
    if (reading.response.status === 200) return reading;
    await settled();
  }
  return assert.fail('no room was made');
}

test('what is asked wrongly is a problem, and no stream', async () => {
  await using house = await openHouse();

  const response = await house.http.inject(`${PATH}?surprise=1`);

  assert.equal(response.statusCode, 400);
  assert.equal(response.json().errors[0].pointer, '#/surprise');
});

test('a tenant reads nothing of another, and needs the role that the list needs', async () => {
  await using secure = await openSecure();
  const { house } = secure;
  const url = await listen(house);
  const tenants = await Promise.all(['acme', 'beta'].map((name) => tenantOf(secure, name)));
  const readings: Reading[] = [];
  for (const { token, name } of tenants) {
    const reading = await Reading.open(`${url}${PATH}`, bearer(token));
    const snapshot = await reading.event<Snapshot>('snapshot');
    assert.deepEqual([...new Set(snapshot?.agents.map(({ agent }) => agent))], [`${name}-agent`]);
    readings.push(reading);
  }

  await tenants[0]?.admin.ask('POST', '/v1/agents/acme-agent/disable', {});
  await house.clock.advance(76_000);
  await readings[0]?.event('changes');
  await readings[1]?.event('mark');

  assert.ok(readings[1] !== undefined && !readings[1].text.includes('acme'));
  for (const reading of readings) reading.leave();
  const bare = await secure.client({ kind: 'service', client_id: 'nobody' });
  const refused = await house.http.inject(bare.signed({ method: 'GET', url: PATH }));
  assert.equal(refused.statusCode, 403);
  assert.equal((await house.http.inject(PATH)).statusCode, 401);
});

/** An admin of a tenant with one agent, and a token by which its streams are read. */
async function tenantOf(
  secure: { house: TestHouse; admin: Awaited<ReturnType<typeof openSecure>>['admin'] },
  name: string,
) {
  const made = await secure.admin<ClientWithSecret>('POST', '/v1/clients', {
    kind: 'service',
    client_id: `${name}-admin`,
    role: 'admin',
    for_tenant: name,
  });
  const reader = await secure.admin<ClientWithSecret>('POST', '/v1/clients', {
    kind: 'service',
    client_id: `${name}-reader`,
    role: 'viewer',
    for_tenant: name,
    key_type: 'token',
  });
  const admin = signerOf(secure.house, made);
  const instance = { pull: true, instance_id: 'one' };
  await admin.ask('POST', '/v1/agents', { name: `${name}-agent`, capabilities: [LOOK], instance });
  return { name, admin, token: reader.secret };
}

test('whoever may read no longer is told within a minute, by a signature as by a token', async () => {
  await using secure = await openSecure();
  const { house } = secure;
  const url = await listen(house);
  const signer = await secure.client({ kind: 'service', client_id: 'eyes', role: 'viewer' });
  const host = new URL(url).host;
  const wire = signer.signed({ method: 'GET', url: PATH, headers: { host } });
  const signed = await Reading.open(`${url}${PATH}`, without(wire.headers, 'host'));
  await signed.event('snapshot');
  await house.clock.advance(60_000);
  await house.clock.advance(30_000);

  await secure.admin('DELETE', '/v1/clients/eyes');
  await house.clock.advance(30_000);
  const end = await signed.until((one) => one.is === 'error');

  assert.ok(end?.is === 'error');
  assert.equal(end.error.status, 401);
  assert.equal(await signed.more(), false);
});

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}
