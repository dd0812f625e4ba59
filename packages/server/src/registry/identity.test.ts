import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentView, InstanceView, RouteAnswer } from '@agent-reach/core';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, type Machine } from '../main/testing/network.ts';
import { twoGateways } from '../main/testing/two-gateways.ts';

const LOOK = { name: 'look_up', description: 'Looks.', effect: 'read' };
const ASK = { capability: 'look_up' };
const SOON_MS = 900;

/** Registers one process of the agent `a` at its address. */
async function register(house: TestHouse, bootId = 'boot-1', instanceId = 'a-1') {
  const instance = { instance_id: instanceId, base_url: `http://${instanceId}`, boot_id: bootId };
  return house.ask('POST', '/v1/agents', { name: 'a', capabilities: [LOOK], instance });
}

/** What answers probes by this and calls with its name. */
function answering(said: object, headers: Record<string, string> = {}): Machine {
  return ({ method }) => json(200, method === 'GET' ? said : { by: 'a-1' }, headers);
}

const SELF = { agent_id: 'a', instance_id: 'a-1', boot_id: 'boot-1' };

async function one(house: TestHouse): Promise<InstanceView> {
  const { instances } = await house.ask<AgentView>('GET', '/v1/agents/a');
  return instances[0] ?? assert.fail('no instance');
}

test('whoever answers as another agent, instance or process is not taken for it', async () => {
  const strangers: [Machine, RegExp][] = [
    [answering({ ...SELF, agent_id: 'b' }), /is answered by b, not by a \(a-1\)/],
    [answering({ ...SELF, instance_id: 'a-2' }), /is answered by a \(a-2\), not by a \(a-1\)/],
    [answering({ ...SELF, boot_id: 'boot-2' }), /another process of a \(boot boot-2\)/],
    [answering({}, { 'reach-instance': 'a-2' }), /is answered by a \(a-2\)/],
  ];
  for (const [machine, why] of strangers) {
    await using house = await openHouse();
    house.network.at('http://a-1', answering(SELF));
    await register(house);
    assert.equal((await one(house)).observed, 'up');
    house.network.at('http://a-1', machine);

    await house.clock.advance(6_000);

    const found = await one(house);
    assert.equal(found.observed, 'unreachable', 'one probe is enough');
    assert.match(found.observed_cause, why);
    assert.deepEqual([found.routable, found.intent], [false, 'enabled']);
    house.network.at('http://a-1', answering(SELF));
    await house.clock.advance(6_000);
    assert.equal((await one(house)).observed, 'up', 'its own address again');
  }
});

test('a stranger that is not well is a stranger all the same', async () => {
  await using house = await openHouse();
  house.network.at('http://a-1', answering(SELF));
  await register(house);
  house.network.at('http://a-1', () => json(503, { ...SELF, boot_id: 'boot-2' }));

  await house.clock.advance(6_000);

  assert.match((await one(house)).observed_cause, /another process of a/);
});

test('whether it says who it is is told; one that does not is taken at its address', async () => {
  for (const [machine, identity] of [
    [answering(SELF), 'verified'],
    [answering({}, { 'reach-instance': 'a-1' }), 'verified'],
    [answering({ status: 'ok' }), 'unverified'],
    [() => ({ status: 200, headers: {}, body: Buffer.from('fine') }), 'unverified'],
  ] as const) {
    await using house = await openHouse();
    house.network.at('http://a-1', machine);
    await register(house);

    const found = await one(house);

    assert.deepEqual([found.observed, found.identity], ['up', identity]);
  }
  await using house = await openHouse();
  await register(house);
  assert.equal((await one(house)).identity, undefined, 'nobody has answered');
});

test('what is known of an address ends with it: the next decision names the new one', async () => {
  await using house = await openHouse();
  house.network.at('http://a-1', answering({}));
  await register(house);
  const decide = () => house.ask<RouteAnswer>('POST', '/v1/routes', ASK);
  const before = await decide();

  await register(house, 'boot-2');
  const after = await decide();

  assert.ok(before.addr_version !== undefined && after.addr_version !== undefined);
  assert.notEqual(after.addr_version, before.addr_version);
  await house.during(house.call(ASK), 1_000);
  assert.equal(house.network.calls.at(-1)?.headers['reach-addr-version'], after.addr_version);
});

test('a process that took the address and is not there yet is not sent what the old one was', async () => {
  await using house = await openHouse();
  house.network.at('http://a-1', answering({}));
  await register(house);
  house.network.at('http://a-1', undefined);

  await register(house, 'boot-2');

  const found = await one(house);
  assert.deepEqual([found.observed, found.routable], ['new', false]);
});

test('a new address is used by the other gateway within a second, and the old one no more', async () => {
  await using at = await twoGateways();
  at.one.network.at('http://a-1', answering({}));
  await register(at.one);
  await at.clock.advance(SOON_MS);
  const before = await one(at.two);

  await register(at.one, 'boot-2');
  await at.clock.advance(SOON_MS);

  const after = await one(at.two);
  assert.notEqual(after.addr_version, before.addr_version);
  assert.equal(after.addr_version, (await one(at.one)).addr_version);
  await at.two.during(at.two.call(ASK), 1_000);
  assert.equal(at.two.network.calls.at(-1)?.headers['reach-addr-version'], after.addr_version);
});

test('a restart whose registration came to another gateway is read before it is taken for a stranger', async () => {
  await using at = await twoGateways();
  at.one.network.at('http://a-1', answering(SELF));
  await register(at.one);
  await at.clock.advance(20_000);
  // Nobody hears of it but by reading.
  at.bus.cut(at.one.line);
  at.one.network.at('http://a-1', answering({ ...SELF, boot_id: 'boot-2' }));
  await register(at.one, 'boot-2');

  const seen = new Set<string>();
  for (let n = 0; n < 60; n++) {
    await at.one.ask('POST', '/v1/agents/a/heartbeat', {});
    await at.clock.advance(250);
    seen.add((await one(at.two)).observed);
  }

  assert.ok(!seen.has('unreachable'), [...seen].join());
  assert.equal((await one(at.two)).addr_version, (await one(at.one)).addr_version);
});

test('421 costs one more try at another, also of a write, and until it is probed the address comes last', async () => {
  await using house = await openHouse();
  const write = { ...LOOK, effect: 'write', idempotency: 'gateway' };
  let misdirected = 0;
  for (const name of ['a-1', 'a-2']) {
    house.network.at(`http://${name}`, ({ method }) => {
      if (method === 'GET') return json(200, {});
      if (name === 'a-2') return json(200, { by: name });
      misdirected += 1;
      return json(421, { code: 'stale-address', executed: 'no' });
    });
    const instance = { instance_id: name, base_url: `http://${name}` };
    await house.ask('POST', '/v1/agents', { name: 'a', capabilities: [write], instance });
  }

  const answers = [];
  for (let n = 0; n < 10; n++) {
    answers.push(await house.call({ ...ASK, idempotency_key: `k${n}` }));
  }

  assert.ok(answers.every(({ result }) => (result as { by: string }).by === 'a-2'));
  assert.equal(misdirected, 1);
  assert.deepEqual(
    answers.map(({ retry_count: n }) => n).filter((n) => n > 0),
    [1],
  );
});
