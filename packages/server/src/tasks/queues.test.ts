import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
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

test('a queue whose oldest task waits too long is at danger by its wait, and refuses nobody', async () => {
  const told: unknown[] = [];
  const hear = (fields: object, message: string) => {
    if (message !== 'a queue falls behind') return;
    const { fill, by } = fields as { fill: string; by: string };
    told.push([fill, by]);
  };
  const log = { ...silentLog, warn: hear };
  await using house = await openHouse({ 'flowcontrol.wait-slo': '10s' }, log);
  await house.puller('sql', query);
  await submit(house);
  await house.clock.advance(7_000);
  assert.deepEqual(levelOf(await queues(house)), ['warn', 'wait']);
  await house.clock.advance(2_000);

  const [sql] = await queues(house);
  assert.deepEqual(levelOf([sql]), ['danger', 'wait']);
  const low = await submit(house, { priority: 2 });
  assert.equal(low.status, 'waiting');
  assert.equal(low.degraded, true);
  assert.equal(low.degraded_by, 'wait');
  assert.match(low.warnings.join(), /oldest task has waited 9 s, and 10 s/);
  const high = await submit(house, { priority: 3 });
  assert.deepEqual([high.status, high.degraded], ['queued', undefined]);
  assert.deepEqual(told, [
    ['warn', 'wait'],
    ['danger', 'wait'],
  ]);
  await house.clock.advance(20_000);
  assert.deepEqual(levelOf(await queues(house)), ['danger', 'wait']);
  assert.equal((await submit(house)).status, 'queued', 'three times over, and there is room');
});

test('how long tasks wait does not count while nobody of the agent is there', async () => {
  await using house = await openHouse({ 'flowcontrol.wait-slo': '10s' });
  await house.puller('sql', query);
  await submit(house);
  await house.clock.advance(1_000);
  await house.ask('POST', '/v1/agents/sql/disable', { reason: 'maintenance' });
  await house.clock.advance(60_000);

  const [away] = await queues(house);
  assert.deepEqual([away?.level, away?.level_by, away?.away], ['calm', undefined, true]);
  assert.ok((away?.oldest_wait_ms ?? 0) > 60_000, 'how old it is, is told all the same');
  assert.equal((await submit(house, { priority: 0 })).degraded, undefined);
});

test('a wait-slo of 0 leaves the level to the depth alone', async () => {
  await using house = await openHouse({
    'flowcontrol.wait-slo': 0,
    'flowcontrol.max-pending': 10,
  });
  await house.puller('sql', query);
  for (let i = 0; i < 6; i++) await submit(house);
  await house.clock.advance(30_000);

  assert.deepEqual(levelOf(await queues(house)), ['warn', 'depth']);
});

function levelOf([queue]: readonly (Output<'queues.list'>['queues'][number] | undefined)[]) {
  return [queue?.level, queue?.level_by];
}
