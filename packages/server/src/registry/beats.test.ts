import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '@agent-reach/core';
import { Bus } from '../peers/testing/bus.ts';
import { openHouse, openShared, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';

const LOOK = { name: 'look_up', description: 'Looks something up.', effect: 'read' };

type Told = Output<'agents.heartbeat'>;

let seq = 0;
const beat = (house: TestHouse, agent = 'a', more = {}) =>
  house.ask<Told>('POST', `/v1/agents/${agent}/heartbeat`, { seq: ++seq, ...more });

/** An agent that keeps to what it is told, and what that was. */
async function living(house: TestHouse, beats: number, from = 10_000): Promise<Told[]> {
  const told: Told[] = [];
  for (let n = 0, pauseMs = from; n < beats; n++) {
    await house.clock.advance(pauseMs);
    const answer = await beat(house);
    told.push(answer);
    pauseMs = answer.next_heartbeat_ms;
  }
  return told;
}

const pauses = (told: Told[]) => told.map((one) => one.next_heartbeat_ms);

test('a steady agent is asked less often, and believed for as much longer', async () => {
  await using house = await openHouse();
  await house.agent('a', LOOK, () => json(200, 'ok'));

  const told = await living(house, 13);

  assert.deepEqual(pauses(told).slice(0, 4), [10_000, 10_000, 12_500, 12_500]);
  assert.equal(told.at(-1)?.next_heartbeat_ms, 20_000);
  assert.equal(told.at(-1)?.lease_ms, 61_000);
});

test('an agent in trouble is asked twice as often from its next beat on', async () => {
  await using house = await openHouse();
  await house.agent('a', LOOK, () => json(200, 'ok'));
  await living(house, 13);

  house.network.at('http://a', undefined);
  const told = await living(house, 5, 20_000);

  assert.deepEqual(pauses(told), [10_000, 5_000, 2_500, 2_000, 2_000]);
  // The answer that told of ten seconds may be lost: then the next beat comes after twenty.
  assert.deepEqual(told.map((one) => one.lease_ms).slice(0, 2), [61_000, 45_000]);
});

test('whoever keeps to the first pause loses nothing, however short the one he is told', async () => {
  await using house = await openHouse({ 'agent.lease.min': '1s' });
  await house.puller('a', LOOK);
  for (let n = 0; n < 12; n++) {
    await house.clock.advance(10_000);
    // A full queue: it is asked every two seconds, and does not care.
    const told = await beat(house, 'a', { pending: 500 });
    assert.equal(told.lease_ms, 31_000);
    if (n > 3) assert.equal(told.next_heartbeat_ms, 2_000);
  }
});

test('an interval that a manifest declares is kept as it is', async () => {
  await using house = await openHouse();
  house.network.at('http://a', () => json(200, { agent_id: 'a' }));
  const network = { base_url: 'http://a', heartbeat_interval_sec: 15 };
  const registered = await house.ask<Output<'agents.register'>>('POST', '/v1/agents', {
    name: 'a',
    capabilities: [LOOK],
    network,
  });
  assert.equal(registered.instance?.heartbeat_interval_ms, 15_000);

  const told = await living(house, 6, 15_000);
  house.network.at('http://a', undefined);
  const later = await living(house, 2, 15_000);

  assert.deepEqual(new Set(pauses([...told, ...later])), new Set([15_000]));
  assert.deepEqual(new Set(told.map((one) => one.lease_ms)), new Set([46_000]));
});

test('with all bounds at one value nothing is adapted', async () => {
  const same = Object.fromEntries(
    ['interval', 'min', 'max'].map((name) => [`agent.heartbeat.${name}`, '10s']),
  );
  await using house = await openHouse(same);
  await house.agent('a', LOOK, () => json(200, 'ok'));

  assert.deepEqual(new Set(pauses(await living(house, 8))), new Set([10_000]));
});

test('a budget that is too small for all is shared by all, from the registration on', async () => {
  await using house = await openHouse({ 'agent.heartbeat.budget': 1, 'registration.rate': 0 });
  for (let n = 0; n < 30; n++) await house.puller(`p${n}`, LOOK);
  await house.clock.advance(1_000);

  const { instance } = await house.ask<Output<'agents.register'>>('POST', '/v1/agents', {
    name: 'late',
    capabilities: [LOOK],
    instance: { pull: true, instance_id: 'late-1' },
  });
  await house.clock.advance(1_000);
  const told = await beat(house, 'p7', { pending: 500 });

  assert.equal(instance?.heartbeat_interval_ms, 30_000);
  assert.equal(instance.lease_ms, 91_000);
  assert.equal(told.next_heartbeat_ms, 31_000, 'in trouble or not');
});

test('after a restart, and at another gateway, an agent is believed for as long as it was told', async () => {
  await using house = await openShared(new Bus());
  await house.agent('a', LOOK, () => json(200, 'ok'));
  const told = await living(house, 13);
  assert.equal(told.at(-1)?.next_heartbeat_ms, 20_000);
  await using other = await house.beside();

  await house.clock.advance(20_000);
  const first = await beat(other);
  await house.clock.advance(first.next_heartbeat_ms);
  const second = await beat(other);

  assert.deepEqual([first.next_heartbeat_ms, first.lease_ms], [10_000, 61_000]);
  assert.equal(second.lease_ms, 45_000);
});
