import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '@agent-reach/core';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { claim, claimOne, query, rows, say, submit } from './testing/capabilities.ts';

async function queues(house: TestHouse, agent = ''): Promise<Output<'queues.list'>['queues']> {
  const found = await house.ask<Output<'queues.list'>>('GET', `/v1/queues${agent}`);
  return found.queues;
}

test('queues are shown with what waits, what runs, and since when', async () => {
  await using house = await openHouse({ 'flowcontrol.max-pending': 10 });
  await house.puller('sql', query);
  for (let i = 0; i < 3; i++) await submit(house);
  await submit(house, { durability: 'memory' });
  await submit(house, { delay: 60 });
  await submit(house, { task_type: 'nobody' });
  await claimOne(house, 'sql');
  await house.clock.advance(2_000);

  const [sql, nobody, ...others] = await queues(house);

  assert.deepEqual(others, []);
  assert.equal(sql?.agent, 'sql');
  assert.deepEqual(
    [sql?.pending, sql?.limit, sql?.queued, sql?.waiting, sql?.delivered, sql?.oldest_wait_ms],
    [4, 10, 3, 1, 1, 2_000],
  );
  assert.equal(nobody?.agent, undefined);
  assert.deepEqual([nobody?.task_type, nobody?.queued], ['nobody', 1]);
  assert.deepEqual(await queues(house, '?agent=other'), []);
});

test('the reach rate counts receipts, and what was given back counts neither way', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  for (let i = 0; i < 4; i++) await submit(house);
  const [acked, done, released, silent] = await claim(house, 'sql', { credits: 4 });
  assert.ok(acked && done && released && silent);
  await say(house, acked, 'ack');
  await house.clock.advance(500);
  await say(house, acked, 'complete', { result: rows });
  await say(house, done, 'complete', { result: rows });
  await say(house, released, 'release');
  await house.clock.advance(31_000);

  const [sql] = await queues(house);

  assert.equal(sql?.reach_rate, 0.6667);
  await say(house, silent, 'complete', { result: rows });
  assert.equal((await queues(house))[0]?.reach_rate, 0.6667, 'a late result was counted already');
  assert.equal(sql?.run_p50_ms, 500);
});

test('a queue that was drained is calm again, though nobody submits to it any more', async () => {
  await using house = await openHouse({ 'flowcontrol.max-pending': 10 });
  await house.puller('sql', query);
  for (let i = 0; i < 8; i++) await submit(house);
  assert.equal((await queues(house))[0]?.level, 'danger');

  for (const one of await claim(house, 'sql', { credits: 7 })) {
    await say(house, one, 'complete', { result: rows });
  }
  await house.clock.advance(20_000);

  assert.equal((await queues(house))[0]?.level, 'calm');
});
