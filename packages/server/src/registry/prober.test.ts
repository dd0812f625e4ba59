import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';

const LOOK = { name: 'look_up', effect: 'read' };

/** Agents `a0`, `a1`, … whose health takes `healthMs` from now on. */
async function fleet(house: TestHouse, count: number, healthMs: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `a${n}`);
  for (const name of names) await house.agent(name, LOOK, () => json(200, {}));
  for (const name of names) {
    house.network.at(`http://${name}`, async () => {
      if (healthMs > 0) await house.clock.sleep(healthMs);
      return json(200, { agent_id: name });
    });
  }
  return names;
}

/** How often the one that was probed least, and the one that was probed most, was probed. */
async function probesIn(house: TestHouse, names: readonly string[], ms: number) {
  const before = house.network.sent.length;
  await house.clock.advance(ms);
  const counts = new Map(names.map((name) => [`http://${name}/health`, 0]));
  for (const { url } of house.network.sent.slice(before)) {
    counts.set(url, (counts.get(url) ?? 0) + 1);
  }
  return { least: Math.min(...counts.values()), most: Math.max(...counts.values()) };
}

/** Stops it while time goes on: looks that are under way may end. */
function stop(house: TestHouse): Promise<void> {
  return house.during(house.house.stop(), 2_000);
}

test('agents that answer at once are all probed in time, however few may be probed at once', async () => {
  await using house = await openHouse({
    'probe.parallel': 2,
    'probe.interval': '1s',
    'probe.timeout': '1s',
  });
  const names = await fleet(house, 60, 0);
  await house.clock.advance(2_000);

  const { least, most } = await probesIn(house, names, 10_000);

  assert.ok(least >= 8 && most <= 12, `${least} to ${most} probes`);
});

test('where there is no time for all, everybody gets his turn', async () => {
  await using house = await openHouse({ 'probe.parallel': 2 });
  // Two at a time, half a second each: forty take ten seconds, twice the interval.
  const names = await fleet(house, 40, 500);

  const { least, most } = await probesIn(house, names, 60_000);

  assert.ok(least >= 4 && most - least <= 2, `${least} to ${most} probes`);
  await stop(house);
});

test('one that could not be connected to goes before those that are merely due', async () => {
  await using house = await openHouse({ 'probe.parallel': 1 });
  await fleet(house, 20, 500);
  await house.agent('lost', { name: 'find', effect: 'read' }, () => json(200, {}));
  await house.clock.advance(30_000);
  house.network.at('http://lost', undefined);
  await assert.rejects(house.during(house.call({ capability: 'find' }), 5_000));

  // One look is under way; all twenty would take ten seconds.
  const { least } = await probesIn(house, ['lost'], 1_000);

  assert.equal(least, 1);
  await stop(house);
});
