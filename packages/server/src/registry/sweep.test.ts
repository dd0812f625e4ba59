import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentView, Output } from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, silence } from '../main/testing/network.ts';

const LOOK = { name: 'look_up', description: 'Looks something up.', effect: 'read' };
const MINUTE = 60_000;
const MANY = { 'registration.rate': 0 };

let seq = 0;
const beat = (house: TestHouse, name: string) =>
  house.ask<Output<'agents.heartbeat'>>('POST', `/v1/agents/${name}/heartbeat`, { seq: ++seq });

/** Lines from `warn` on. */
function notes() {
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  const log: Log = { debug: () => {}, info: () => {}, warn: note, error: note };
  return { lines, log };
}

/** Agents that come for their work: only their beats say that they live. */
async function pullers(house: TestHouse, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `p${n}`);
  for (const name of names) await house.puller(name, LOOK);
  return names;
}

/** Time passes while some beat every ten seconds. */
async function pass(house: TestHouse, forMs: number, alive: readonly string[]): Promise<void> {
  for (let passed = 0; passed < forMs; passed += 10_000) {
    await house.clock.advance(Math.min(10_000, forMs - passed));
    for (const name of alive) await beat(house, name);
  }
}

async function gone(house: TestHouse): Promise<string[]> {
  const { agents } = await house.ask<{ agents: AgentView[] }>('GET', '/v1/agents?status=gone');
  return agents.map((agent) => agent.agent_id);
}

async function says(house: TestHouse, path: '/health' | '/readyz') {
  return (await house.http.inject(path)).json<Output<'system.health'>>();
}

test('a gateway that was stopped for half a minute declares nobody gone, and then who stays away', async () => {
  const { lines, log } = notes();
  await using house = await openHouse(MANY, log);
  const names = await pullers(house, 8);
  await pass(house, 30_000, names);
  await house.clock.advance(8_000);

  house.clock.stall(30_000);
  await house.clock.advance(7_000);
  assert.deepEqual(await gone(house), [], 'the lease of 45 s is over, but for the stop');
  assert.match(lines.join(), /this gateway was stopped/);

  const back = names.slice(1);
  for (const name of back) await beat(house, name);
  await pass(house, 80_000, back);
  assert.deepEqual(await gone(house), ['p0']);
});

test('a stop just before the leases end leaves everybody the time to find the way back', async () => {
  await using house = await openHouse(MANY);
  const names = await pullers(house, 8);
  await house.clock.advance(44_500);

  house.clock.stall(30_000);
  await house.clock.advance(14_000);
  assert.deepEqual(await gone(house), []);
  for (const name of names) await beat(house, name);
  await house.clock.advance(30_000);
  assert.deepEqual(await gone(house), []);
});

test('after a stop leases are renewed in the store as well, where other gateways look', async () => {
  await using house = await openHouse();
  house.network.at('http://a', () => json(200, {}));
  const network = { base_url: 'http://a', heartbeat_interval_sec: 0 };
  await house.ask('POST', '/v1/agents', { name: 'a', capabilities: [LOOK], network });
  await house.clock.advance(20_000);

  house.clock.stall(40_000);
  await house.clock.advance(6_000);

  const found = await house.storage.agents.find({ tenant: 'internal', agentId: 'a' });
  const leftMs = (found?.instances[0]?.leaseEndsAt ?? 0) - house.clock.now();
  assert.ok(leftMs > 35_000, `${leftMs} ms`);
});

test('after a stop of hours the living are still known', async () => {
  await using house = await openHouse(MANY);
  const names = await pullers(house, 8);
  await house.puller('dead', LOOK);
  await pass(house, 10 * MINUTE, names);
  assert.deepEqual(await gone(house), ['dead']);

  house.clock.stall(180 * MINUTE);
  await house.clock.advance(20_000);
  for (const name of names) await beat(house, name);
  await pass(house, 3 * MINUTE, names);

  assert.deepEqual(await gone(house), []);
  const { agents } = await house.ask<{ agents: AgentView[] }>('GET', '/v1/agents');
  for (const { agent_id: id, instances } of agents) {
    assert.equal(instances.length, id === 'dead' ? 0 : 1, id);
  }
});

test('a clock that is set by an hour, forward or back, ends no lease and lengthens none', async () => {
  await using house = await openHouse(MANY);
  const names = await pullers(house, 8);
  for (const byMs of [60 * MINUTE, -60 * MINUTE, -60 * MINUTE]) {
    house.clock.set(byMs);
    await pass(house, 30_000, names);
    assert.deepEqual(await gone(house), [], `by ${byMs} ms`);
  }

  await pass(house, 70_000, names.slice(1));
  assert.deepEqual(await gone(house), ['p0']);
});

test('where too many fall silent at once none is declared gone, everybody is told so, and it ends', async () => {
  const { lines, log } = notes();
  await using house = await openHouse(MANY, log);
  const names = await pullers(house, 20);
  const [silent, alive] = [names.slice(0, 7), names.slice(7)];
  await pass(house, 90_000, names);

  await pass(house, 2 * MINUTE, alive);
  assert.deepEqual(await gone(house), []);
  assert.equal((await says(house, '/health')).self_preservation, true);
  assert.equal((await says(house, '/readyz')).self_preservation, true);
  assert.equal(lines.filter((line) => line.startsWith('too many are silent')).length, 1);
  assert.equal((await beat(house, 'p9')).next_heartbeat_ms, 10_000, 'all begin anew');

  for (const name of silent) await beat(house, name);
  await pass(house, 61_000, names);
  assert.equal((await says(house, '/health')).self_preservation, false);
  assert.equal((await says(house, '/readyz')).self_preservation, undefined);
  assert.match(lines.join(), /silence is believed again/);
});

test('who is silent for a quarter of an hour is gone, few in a minute, and forgotten after that', async () => {
  await using house = await openHouse(MANY);
  const names = await pullers(house, 40);
  const alive = names.slice(20);
  await pass(house, 15 * MINUTE, alive);
  assert.deepEqual(await gone(house), []);

  const counts: number[] = [];
  for (let minute = 0; minute < 4; minute++) {
    await pass(house, MINUTE, alive);
    counts.push((await gone(house)).length);
  }
  assert.deepEqual(counts, [6, 11, 15, 19], 'three in twenty of those that are left');
  await pass(house, MINUTE, alive);
  const { agents } = await house.ask<{ agents: AgentView[] }>('GET', '/v1/agents');
  assert.equal(agents.filter(({ instances }) => instances.length === 0).length, 20);
});

test('the deaths of few are believed at once, and those of one tenant hold no other', async () => {
  await using house = await openHouse(MANY);
  const names = await pullers(house, 20);
  await pass(house, 30_000, names);

  await pass(house, 70_000, names.slice(4));

  assert.deepEqual((await gone(house)).sort(), ['p0', 'p1', 'p2', 'p3']);
});

test('what a probe misses while this process is stopped is not held against the agent', async () => {
  await using house = await openHouse();
  await house.agent('a', LOOK, () => json(200, 'ok'));
  await house.clock.advance(20_000);
  // Its answer is on the way when the process stops.
  house.network.at('http://a', silence);
  const probes = house.network.sent.length;
  while (house.network.sent.length === probes) await house.clock.advance(100);
  house.clock.stall(30_000);
  house.network.at('http://a', () => json(200, { agent_id: 'a' }));
  await house.clock.advance(200);

  const agent = await house.ask<AgentView>('GET', '/v1/agents/a');
  assert.equal(agent.instances[0]?.observed, 'up');
});

test('a gateway that loses most of those it could reach believes no silence for longer', async () => {
  await using house = await openHouse({ ...MANY, 'probe.edge': '5s', 'agent.lease.min': '31s' });
  for (let n = 0; n < 10; n++) {
    house.network.at(`http://a${n}`, () => json(200, {}));
    // They live by their probes.
    const network = { base_url: `http://a${n}`, heartbeat_interval_sec: 0 };
    await house.ask('POST', '/v1/agents', { name: `a${n}`, capabilities: [LOOK], network });
  }
  await house.puller('p', LOOK);
  await house.clock.advance(19_000);
  for (let n = 0; n < 10; n++) house.network.at(`http://a${n}`, silence);
  assert.equal((await says(house, '/health')).doubt, 0);

  await house.clock.advance(13_000);
  assert.ok((await says(house, '/health')).doubt >= 1);
  assert.deepEqual(await gone(house), [], 'the lease of 31 s is over');
  const waits = house.network.sent.slice(-5).map(({ timeoutMs }) => timeoutMs);
  assert.deepEqual(new Set(waits), new Set([2_000]), 'who never answers holds no place for longer');

  for (let n = 0; n < 10; n++) house.network.at(`http://a${n}`, () => json(200, {}));
  await house.clock.advance(60_000);
  assert.equal((await says(house, '/health')).doubt, 0);
  assert.ok((await gone(house)).includes('p'), (await gone(house)).join());
});

test('a process that is late with everything waits longer for the answers to its probes', async () => {
  await using house = await openHouse();
  await house.agent('a', LOOK, () => json(200, 'ok'));
  for (let n = 0; n < 12; n++) {
    house.clock.stall(2_500);
    await house.clock.advance(1_000);
  }
  assert.ok((await says(house, '/health')).doubt >= 2);
  const waits = house.network.sent.map(({ timeoutMs }) => timeoutMs);
  assert.equal(waits[0], 2_000);
  assert.equal(Math.max(...waits), 5_000, 'a probe ends before the next one');
});
