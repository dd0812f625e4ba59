import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '@agent-reach/core';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse } from '../main/testing/house.ts';
import {
  claim,
  claimOne,
  openWithPuller,
  payload,
  query,
  rows,
  say,
  submit,
  task,
  transfer,
} from './testing/capabilities.ts';

test('receipt and result are two messages, and both are in the history', async () => {
  await using house = await openWithPuller();
  const { task_id: id, trace_id: trace } = await submit(house, { source_id: 'u1' });

  const delivery = await claimOne(house, 'sql');
  assert.equal(delivery.task_id, id);
  assert.equal(delivery.task_type, 'query');
  assert.equal(delivery.kind, 'task');
  assert.equal(delivery.attempt, 1);
  assert.equal(delivery.lease_ms, 30_000);
  assert.equal(delivery.trace_id, trace);
  assert.match(delivery.traceparent, new RegExp(`^00-${trace}-`));
  assert.equal(delivery.idempotency_key, id);
  assert.equal(delivery.source_id, 'u1');
  assert.equal((await task(house, id)).status, 'delivered');

  const receipt = await say(house, delivery, 'ack');
  assert.deepEqual(receipt, { task_id: id, outcome: 'ok', status: 'running', lease_ms: 30_000 });
  await say(house, delivery, 'progress', { percent: 40, note: 'half way' });
  const running = await task(house, id);
  assert.equal(running.status, 'running');
  assert.equal(running.holder, 'sql-1');
  assert.equal(running.progress?.percent, 40);
  const done = await say(house, delivery, 'complete', { result: rows });
  assert.equal(done['status'], 'succeeded');

  const ended = await task(house, id);
  assert.deepEqual(ended.result, rows);
  assert.deepEqual(ended.payload, payload);
  assert.equal(ended.attempts, 1);
  const { moves } = await house.ask<{ moves: { cause: string }[] }>(
    'GET',
    `/v1/tasks/${id}/history`,
  );
  assert.deepEqual(
    moves.map(({ cause }) => cause),
    ['submitted', 'claimed', 'acked', 'completed'],
  );
});

test('a result said again is answered as ended, and the first one stays', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);
  const delivery = await claimOne(house, 'sql');
  await say(house, delivery, 'complete', { result: rows });

  const again = await say(house, delivery, 'complete', { result: { rows: [] } });

  assert.equal(again['outcome'], 'ended');
  assert.deepEqual((await task(house, id)).result, rows);
});

test('an agent with one message completes without a receipt', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);

  await say(house, await claimOne(house, 'sql'), 'complete', { result: rows });

  const ended = await task(house, id);
  assert.equal(ended.status, 'succeeded');
  assert.equal(ended.attempts, 1);
});

test('a claim that waits is answered when a task comes', async () => {
  await using house = await openWithPuller();

  const waiting = claim(house, 'sql', { wait: 60 });
  await settled();
  await house.clock.advance(10);
  const { task_id: id } = await submit(house);

  assert.deepEqual(
    (await waiting).map((one) => one.task_id),
    [id],
  );
});

test('a claim that waits in vain is answered nothing when its time is up', async () => {
  await using house = await openWithPuller();

  assert.deepEqual(await house.during(claim(house, 'sql', { wait: 3 }), 4_000), []);
  assert.deepEqual(await claim(house, 'sql'), []);
});

test('a task that comes due, and one that is released, wake whoever waits', async () => {
  await using house = await openWithPuller();
  await submit(house, { delay: 1 });
  const due = await house.during(claim(house, 'sql', { wait: 60 }), 1_400);
  assert.equal(due.length, 1);

  const other = claim(house, 'sql', { wait: 60 });
  await settled();
  await say(house, due[0] as Delivery, 'release');

  assert.equal((await other)[0]?.attempt, 1);
});

test('a stop answers those who wait with nothing', async () => {
  const house = await openWithPuller();
  const waiting = claim(house, 'sql', { wait: 60 });
  await settled();

  await house.house.stop();

  assert.deepEqual(await waiting, []);
  await house[Symbol.asyncDispose]();
});

test('more who wait than may are told to come again', async () => {
  await using house = await openWithPuller({ 'task.waiters.max': 1 });
  const waiting = claim(house, 'sql', { wait: 1 });
  await settled();

  await assert.rejects(claim(house, 'sql', { wait: 1 }), failsWith('overloaded'));

  await house.during(waiting, 1_500);
});

test('what was taken for somebody who left goes back unburnt', async () => {
  await using house = await openWithPuller();
  const room = house.tasks;
  await submit(house);
  const gone = AbortSignal.abort(new Error('left'));
  const asker = { tenant: 'internal', principal: 'sql', peer: '', headers: {}, signal: gone };

  const answer = await room['tasks.claim']({ agent_id: 'sql' }, asker);

  assert.deepEqual(answer.tasks, []);
  const delivery = await claimOne(house, 'sql');
  assert.equal((await task(house, delivery.task_id)).deliveries, 1);
});

test('priority first, and within it the order of coming', async () => {
  await using house = await openWithPuller();
  for (const [id, priority] of [
    ['a', 5],
    ['b', 9],
    ['c', 5],
    ['d', 0],
    ['e', 10],
  ]) {
    await submit(house, { task_id: id, priority });
  }

  const deliveries = await claim(house, 'sql', { credits: 10 });

  assert.deepEqual(
    deliveries.map(({ task_id: id }) => id),
    ['e', 'b', 'a', 'c', 'd'],
  );
});

test('a claim takes only the types it asks for', async () => {
  await using house = await openHouse();
  await house.ask('POST', '/v1/agents', {
    name: 'both',
    capabilities: [query, transfer],
    instance: { pull: true, instance_id: 'both-1' },
  });
  await submit(house);
  await submit(house, { task_type: 'transfer', payload: {} });

  const deliveries = await claim(house, 'both', { credits: 10, task_types: ['transfer'] });

  assert.deepEqual(
    deliveries.map((one) => one.task_type),
    ['transfer'],
  );
});

test('who is not registered, or is to get nothing, claims nothing', async () => {
  await using house = await openWithPuller();
  await submit(house);

  await assert.rejects(
    claim(house, 'nobody'),
    failsWith('agent-not-found', ({ facts }) => assert.equal(facts['register_again'], true)),
  );
  await assert.rejects(claim(house, 'sql', { instance_id: 'sql-9' }), failsWith('agent-not-found'));
  await house.ask('POST', '/v1/agents/sql/drain', {});
  await assert.rejects(claim(house, 'sql'), failsWith('draining'));
});

test('a claim is a sign of life for an agent that sends no heartbeats', async () => {
  await using house = await openWithPuller();
  for (let i = 0; i < 10; i++) {
    await house.clock.advance(20_000);
    await claim(house, 'sql');
  }
  await house.clock.advance(1_000);

  assert.equal((await submit(house)).agent, 'sql');
});

test('an agent that drains or is removed is told at once where it waits for work', async () => {
  await using house = await openWithPuller();
  const draining = claim(house, 'sql', { wait: 60 });
  draining.catch(() => {});
  await settled();
  await house.ask('POST', '/v1/agents/sql/drain', {});
  await assert.rejects(draining, failsWith('draining'));

  await house.puller('other', { ...query, name: 'other' });
  const removed = claim(house, 'other', { wait: 60 });
  removed.catch(() => {});
  await settled();
  await house.ask('DELETE', '/v1/agents/other');
  await assert.rejects(removed, failsWith('agent-not-found'));
});
