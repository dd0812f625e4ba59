import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError, type TaskView } from '@agent-reach/core';
import type { FetchResponse } from '@agent-reach/core/kernel';
import type { TestHouse } from '../main/testing/house.ts';
import { json, silence } from '../main/testing/network.ts';
import { twoGateways } from '../main/testing/two-gateways.ts';
import { claim, claimOne, query, rows, say, submit, task } from './testing/capabilities.ts';

/** Longer than any test: whoever is woken was told, and did not look by himself. */
const DEAF = { 'task.repoll': '60s' };

async function ended(house: TestHouse, taskId: string): Promise<TaskView> {
  for (let passed = 0; passed < 60_000; passed += 50) {
    const seen = await task(house, taskId);
    if (['succeeded', 'failed', 'cancelled', 'dead'].includes(seen.status)) return seen;
    await house.clock.advance(50);
  }
  assert.fail(`${taskId} did not end`);
}

test('a task submitted at one gateway wakes an agent that waits for work at the other', async () => {
  await using at = await twoGateways(DEAF);
  await at.one.puller('sql', query);
  await at.clock.advance(100);
  const waiting = claim(at.two, 'sql', { wait: 20 });
  await at.clock.advance(100);

  const { task_id: id } = await submit(at.one);
  const [delivery] = await at.two.during(waiting, 1_000);

  assert.equal(delivery?.task_id, id);
});

test('who waits at one gateway for the end of a task is told of it by the other', async () => {
  await using at = await twoGateways(DEAF);
  await at.one.puller('sql', query);
  await at.clock.advance(100);
  const { task_id: id } = await submit(at.one);
  const waiting = at.one.ask<TaskView>('GET', `/v1/tasks/${id}?wait=20`);
  await at.clock.advance(100);

  const delivery = await claimOne(at.two, 'sql');
  await say(at.two, delivery, 'ack');
  await say(at.two, delivery, 'complete', { result: rows });
  const seen = await at.one.during(waiting, 1_000);

  assert.equal(seen.status, 'succeeded');
});

test('a call made at one gateway is fetched, and answered, at the other', async () => {
  await using at = await twoGateways(DEAF);
  await at.one.puller('sql', query);
  await at.clock.advance(100);
  const fetching = claim(at.two, 'sql', { wait: 20 });
  await at.clock.advance(100);
  const calling = at.one.call({ capability: 'query', params: { sql: 'SELECT 1' } });

  const [delivery] = await at.two.during(fetching, 500);
  assert.ok(delivery);
  await say(at.two, delivery, 'complete', { result: rows });
  const { result } = await at.one.during(calling, 500);

  assert.deepEqual(result, rows);
});

test('a lease is good at every gateway', async () => {
  await using at = await twoGateways();
  await at.one.puller('sql', query);
  await at.clock.advance(100);
  const { task_id: id } = await submit(at.two);
  const delivery = await claimOne(at.one, 'sql');

  await say(at.two, delivery, 'ack');
  await say(at.one, delivery, 'progress', { percent: 50 });
  await say(at.two, delivery, 'complete', { result: rows });

  assert.equal((await task(at.one, id)).status, 'succeeded');
});

test('two gateways together send one instance no more than it takes', async () => {
  await using at = await twoGateways({ 'task.push.concurrency': 3 });
  const running: ((answer: FetchResponse) => void)[] = [];
  let most = 0;
  await at.one.agent('sql', query, () => {
    const { promise, resolve } = Promise.withResolvers<FetchResponse>();
    running.push(resolve);
    most = Math.max(most, running.length);
    return promise;
  });
  await at.clock.advance(1_000);
  const houses = [at.one, at.two];
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const house = houses[n % 2] ?? at.one;
    ids.push((await submit(house)).task_id);
  }

  for (let n = 0; n < 20; n++) {
    await at.clock.advance(100);
    running.shift()?.(json(200, rows));
  }

  for (const id of ids) assert.equal((await ended(at.one, id)).status, 'succeeded');
  assert.equal(most, 3);
  assert.equal(at.one.network.calls.length, 20);
});

test('cancelling at one gateway breaks off what the other is sending', async () => {
  await using at = await twoGateways();
  const aborted: boolean[] = [];
  await at.one.agent('sql', query, (request) => {
    request.signal?.addEventListener('abort', () => aborted.push(true));
    return silence();
  });
  await at.clock.advance(1_000);
  // One each: whichever of the two sends to this instance, one of these is the other’s.
  const ids = [(await submit(at.one)).task_id, (await submit(at.two)).task_id];
  await at.clock.advance(200);
  assert.equal(at.one.network.calls.length, 2);

  for (const id of ids) await at.one.ask('POST', `/v1/tasks/${id}/cancel`, {});
  await at.clock.advance(200);

  assert.deepEqual(aborted, [true, true]);
});

test('an agent claims at a gateway that has not heard of it yet', async () => {
  await using at = await twoGateways();
  at.bus.cut(at.one.line);
  await at.one.puller('sql', query);
  await submit(at.one);

  const delivery = await claimOne(at.two, 'sql');

  assert.equal(delivery.task_type, 'query');
});

test('a gateway that comes back to others gives no lease more time', async () => {
  await using at = await twoGateways();
  await at.one.puller('sql', query);
  await at.clock.advance(100);
  await submit(at.one);
  const { lease_ms: leaseMs } = await claimOne(at.one, 'sql');

  await using _ = await at.one.beside();
  await at.clock.advance(leaseMs + 1_500);

  const [again] = await claim(at.one, 'sql');
  assert.ok(again, 'its lease is over');
});

test('a sweep that reaches the store late takes no lease that lapsed on its way', async () => {
  await using at = await twoGateways({ 'task.run.lease': '2s' });
  await at.one.puller('sql', query);
  const { task_id: id } = await submit(at.one);
  const held = await claimOne(at.one, 'sql');
  await say(at.one, held, 'ack');
  const { tasks } = at.one.storage;
  const whole = { ...tasks };
  const onTheWay: (() => Promise<unknown>)[] = [];
  const refuse = async () => {
    throw new ReachError('store-unavailable', 'The store did not answer.');
  };
  Object.assign(tasks, {
    grace: refuse,
    expire: (move: Parameters<typeof tasks.expire>[0]) => {
      onTheWay.push(() => whole.expire(move));
      return refuse();
    },
  });
  await at.clock.advance(60_000);

  Object.assign(tasks, whole);
  for (const arrive of onTheWay) await arrive();
  await at.clock.advance(20_000);

  assert.equal((await task(at.one, id)).status, 'running');
  assert.equal((await say(at.one, held, 'complete', { result: rows }))['outcome'], 'ok');
  assert.equal((await task(at.one, id)).deliveries, 1);
});
