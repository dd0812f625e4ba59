import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteAnswer } from '@agent-reach/core';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, silence } from '../main/testing/network.ts';
import { decisionTtlMs } from './decision-ttl.ts';

const LOOK = { name: 'look_up', description: 'Looks.', effect: 'read' };
const ttlOf = async (house: TestHouse) =>
  (await house.ask<RouteAnswer>('POST', '/v1/routes', { capability: 'look_up' })).ttl_ms;

test('a decision holds longest to who has been well for long, and briefly to who just lost a probe', async () => {
  await using house = await openHouse();
  await house.agent('a', LOOK, () => json(200, {}));
  assert.equal(await ttlOf(house), 30_000, 'it has just come');
  await house.clock.advance(31_000);
  assert.equal(await ttlOf(house), 45_000);

  house.network.at('http://a', silence);
  await house.clock.advance(8_000);

  assert.equal(await ttlOf(house), 5_000);
});

test('what is told is a part of the setting', async () => {
  await using house = await openHouse({ 'route.cache.ttl': '10s' });
  await house.agent('a', LOOK, () => json(200, {}));

  assert.equal(await ttlOf(house), 10_000);
  await house.clock.advance(31_000);
  assert.equal(await ttlOf(house), 15_000);
});

test('the bounds belong to the middle, and one that has just come back gets it as well', () => {
  const told = (steady: number, { failures = 0, slowStart = 1 } = {}) => {
    const scores = { of: () => ({ steady }), slowStart: () => slowStart };
    const ports = { scores, options: { decisionTtlMs: 30_000 } };
    const asked = { instance: { failures } } as unknown as Parameters<typeof decisionTtlMs>[0];
    return decisionTtlMs(asked, ports as unknown as Parameters<typeof decisionTtlMs>[1]);
  };

  assert.deepEqual(
    [0.69, 0.7, 0.9, 0.91].map((steady) => told(steady)),
    [5_000, 30_000, 30_000, 45_000],
  );
  assert.equal(told(1, { slowStart: 0.5 }), 30_000);
  assert.equal(told(1, { failures: 1 }), 5_000);
});
