import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';

const LOOK = { name: 'look', effect: 'read' };

test('a stop is announced before it begins: who spreads requests notices, and none is refused', async () => {
  await using house = await openHouse({ 'stop.notice': '3s' });
  await house.agent('crm', LOOK, () => json(200, { text: 'here' }));
  const ready = async () => (await house.http.inject('/readyz')).statusCode;
  assert.equal(await ready(), 200);

  let isOver = false;
  const stopping = house.house.stop().then(() => (isOver = true));
  assert.equal(await ready(), 503);
  await house.clock.advance(2_900);

  assert.equal(isOver, false);
  const { result } = await house.during(house.call({ capability: 'look' }), 50);
  assert.deepEqual(result, { text: 'here' });
  await house.during(stopping, 1_000);
});

test('without notice a stop begins at once', async () => {
  await using house = await openHouse();

  await house.during(house.house.stop(), 50);

  assert.equal((await house.http.inject('/readyz')).statusCode, 503);
});
