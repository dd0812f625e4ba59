import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsWith, type TestHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { twoGateways } from './testing/two-gateways.ts';

const LOOK = { name: 'look', effect: 'read' };
const SOON_MS = 900;

function answers(text: string) {
  return () => json(200, { text });
}

/** An agent that does not beat: it lives as long as it answers probes. */
async function silentAgent(house: TestHouse, name: string) {
  const base_url = `http://${name}`;
  house.network.at(base_url, () => json(200, { agent_id: name }));
  const address = { base_url, heartbeat_interval_sec: 0 };
  await house.ask('POST', '/v1/agents', { name, capabilities: [LOOK], network: address });
}

/** The observed states of all instances. */
async function statesAt(house: TestHouse): Promise<string[]> {
  type Shown = { agents: { instances: { observed: string }[] }[] };
  const { agents } = await house.ask<Shown>('GET', '/v1/agents');
  return agents.flatMap(({ instances }) => instances.map(({ observed }) => observed));
}

async function callAt(house: TestHouse, body: Record<string, unknown> = { capability: 'look' }) {
  const { result } = await house.during(house.call(body), 5_000);
  return (result as { text: string }).text;
}

test('an agent that registers at one gateway is called through the other within a second', async () => {
  await using at = await twoGateways();

  await at.one.agent('crm', LOOK, answers('hello'));
  await at.clock.advance(SOON_MS);

  assert.equal(await callAt(at.two), 'hello');
});

test('a call that is quicker than the word is answered as well', async () => {
  await using at = await twoGateways();
  at.bus.cut(at.one.line);

  await at.one.agent('crm', LOOK, answers('hello'));

  const seen = await at.two.ask<{ agent_id: string }>('GET', '/v1/agents/crm');
  assert.equal(seen.agent_id, 'crm');
});

test('an agent whose instances start together is read a few times, not once for each', async () => {
  await using at = await twoGateways();
  await at.one.puller('crm', LOOK, 'crm-0');
  await at.clock.advance(SOON_MS);
  const { agents } = at.one.storage;
  const find = agents.find.bind(agents);
  let reads = 0;
  agents.find = async (query) => {
    reads += 1;
    await at.clock.sleep(100);
    return find(query);
  };

  for (let n = 1; n < 20; n++) {
    await at.one.puller('crm', LOOK, `crm-${n}`);
    await at.clock.advance(5);
  }
  await at.clock.advance(SOON_MS);

  assert.equal((await statesAt(at.two)).length, 20);
  assert.ok(reads <= 3, `${reads} reads`);
});

test('a kill switch at one gateway holds at the other within a second', async () => {
  await using at = await twoGateways();
  await at.one.agent('crm', LOOK, answers('hello'));
  await at.clock.advance(SOON_MS);

  await at.two.ask('POST', '/v1/agents/crm/disable', {});
  await at.clock.advance(SOON_MS);

  await assert.rejects(callAt(at.one), failsWith('no-reachable-agent'));
});

test('an agent that is removed at one gateway is gone at the other', async () => {
  await using at = await twoGateways();
  await at.one.agent('crm', LOOK, answers('hello'));
  await at.clock.advance(SOON_MS);

  await at.two.ask('DELETE', '/v1/agents/crm');
  await at.clock.advance(SOON_MS);

  await assert.rejects(callAt(at.one), failsWith('capability-not-found'));
});

test('what was not heard is found by comparing with the store, both ways', async () => {
  await using at = await twoGateways();
  await at.one.agent('old', LOOK, answers('old'));
  await at.clock.advance(SOON_MS);
  at.bus.cut(at.one.line);

  await at.one.ask('DELETE', '/v1/agents/old');
  await at.one.agent('new', { name: 'find', effect: 'read' }, answers('new'));
  await at.clock.advance(30_000);

  await assert.rejects(callAt(at.two), failsWith('capability-not-found'));
  assert.equal(await callAt(at.two, { capability: 'find' }), 'new');
});

test('a line that is mended is made up for at once', async () => {
  await using at = await twoGateways();
  at.bus.cut(at.two.line);
  await at.one.agent('crm', LOOK, answers('hello'));
  await at.clock.advance(SOON_MS);

  at.bus.mend(at.two.line);
  await at.clock.advance(SOON_MS);

  assert.equal(await callAt(at.two), 'hello');
});

test('weights that are written at one gateway hold at the other within a second', async () => {
  await using at = await twoGateways();
  await at.one.agent('crm', LOOK, answers('hello'));
  await at.clock.advance(SOON_MS);

  const doc = { agents: { crm: { weight: 0 } } };
  await at.one.ask('PUT', '/v1/policies/weights', { doc });
  await at.clock.advance(SOON_MS);

  await assert.rejects(callAt(at.two), failsWith('no-reachable-agent'));
});

test('an agent that beats at one gateway is not given up by the other', async () => {
  await using at = await twoGateways();
  await at.one.puller('worker', LOOK);
  await at.clock.advance(SOON_MS);

  for (let beat = 0; beat < 12; beat++) {
    await at.one.ask('POST', '/v1/agents/worker/heartbeat', {});
    await at.clock.advance(15_000);
  }

  assert.deepEqual(await statesAt(at.two), await statesAt(at.one));
  assert.notDeepEqual(await statesAt(at.two), ['gone']);
});

test('each instance is probed by one gateway, and both know what it found', async () => {
  await using at = await twoGateways();
  for (let n = 0; n < 12; n++) await silentAgent(at.one, `a${n}`);
  await at.clock.advance(20_000);
  const before = at.one.network.sent.length;

  await at.clock.advance(60_000);

  const probes = at.one.network.sent.length - before;
  // Each every five seconds: 144 by one gateway, 288 if both looked.
  assert.ok(probes > 120 && probes < 170, `${probes} probes`);

  at.one.network.at('http://a0', undefined);
  await at.clock.advance(20_000);
  for (const house of [at.one, at.two]) {
    const [first, ...others] = await statesAt(house);
    assert.equal(first, 'unreachable');
    assert.ok(others.every((state) => state === 'up'));
  }
});

test('what a gateway looked after is looked after by the other once it is gone', async () => {
  await using at = await twoGateways();
  for (let n = 0; n < 6; n++) await silentAgent(at.one, `a${n}`);
  await at.clock.advance(20_000);
  at.bus.cut(at.two.line);
  await at.two.house.stop();

  for (let n = 0; n < 6; n++) at.one.network.at(`http://a${n}`, undefined);
  await at.clock.advance(22_000);

  assert.deepEqual(
    await statesAt(at.one),
    Array.from({ length: 6 }, () => 'unreachable'),
  );
});

test('each gateway names all that share its store, and itself', async () => {
  await using at = await twoGateways();
  type Shown = { gateways: { id: string; node: string; is_self: boolean }[] };

  const [one, two] = [
    await at.one.ask<Shown>('GET', '/v1/gateways'),
    await at.two.ask<Shown>('GET', '/v1/gateways'),
  ];

  const ids = (shown: Shown) => shown.gateways.map(({ id }) => id);
  const self = (shown: Shown) => shown.gateways.filter((gateway) => gateway.is_self);
  assert.deepEqual(ids(one), ids(two));
  assert.equal(ids(one).length, 2);
  assert.deepEqual([self(one).length, self(two).length], [1, 1]);
  assert.notEqual(self(one)[0]?.id, self(two)[0]?.id);
});
