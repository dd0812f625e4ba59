import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../main/testing/house.ts';
import { json, silence } from '../main/testing/network.ts';
import { ProbePlaces } from './probe-places.ts';

const LOOK = { name: 'look_up', description: 'Looks something up.', effect: 'read' };

/** How many of so many that lost so many probes find a place. */
function taken(places: ProbePlaces, count: number, failures: number): number {
  return Array.from({ length: count }, () => places.take(failures)).filter(Boolean).length;
}

test('those that are away hold half of the places, all that were lost three quarters', () => {
  const places = new ProbePlaces(32, 3);
  assert.equal(taken(places, 40, 3), 16);
  assert.equal(taken(places, 40, 2), 8);
  assert.equal(taken(places, 40, 0), 8);
  assert.ok(places.isFull);

  const empty = new ProbePlaces(32, 3);
  assert.equal(taken(empty, 40, 0), 32, 'whoever answers may have all');
});

test('a place is given back once, and one place is enough for everybody in turn', () => {
  const places = new ProbePlaces(1, 3);
  for (const failures of [0, 1, 3, 7]) {
    const back = places.take(failures);
    assert.equal(places.take(0), undefined);
    back?.();
  }
  assert.ok(!places.isFull);
});

test('where most never answer, one that is well is missed as soon as it dies', async () => {
  await using house = await openHouse({ 'probe.parallel': 8, 'registration.rate': 0 });
  for (let n = 0; n < 60; n++) await house.agent(`a${n}`, LOOK, () => json(200, 'ok'));
  for (let n = 0; n < 50; n++) house.network.at(`http://a${n}`, silence);
  const stateOf = async (name: string) =>
    (await house.ask<{ status: string }>('GET', `/v1/agents/${name}`)).status;
  const beatAll = async () => {
    for (let n = 0; n < 60; n++) await house.ask('POST', `/v1/agents/a${n}/heartbeat`, {});
  };
  // Fifty times three probes of two seconds, six at once.
  for (let n = 0; n < 3; n++) {
    await house.clock.advance(25_000);
    await beatAll();
  }
  for (let n = 0; n < 60; n++) assert.equal(await stateOf(`a${n}`), n < 50 ? 'unreachable' : 'up');

  house.network.at('http://a55', undefined);
  await house.clock.advance(7_000);
  assert.equal(await stateOf('a55'), 'unreachable');

  for (let n = 0; n < 50; n++) house.network.at(`http://a${n}`, () => json(200, {}));
  await house.clock.advance(2_000); // What is under way ends.
});
