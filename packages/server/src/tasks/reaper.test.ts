import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { claim, claimOne, query, rows, say, submit, task } from './testing/capabilities.ts';

test('a task that is not done by its deadline fails, wherever it stands', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  for (const id of ['queued', 'held'])
    await submit(house, { task_id: id, timeout: 5, priority: id === 'held' ? 9 : 5 });
  await submit(house, { task_id: 'unbound', task_type: 'nobody', timeout: 5 });
  const held = await claimOne(house, 'sql');
  assert.equal(held.deadline_ms, 5_000);

  await house.clock.advance(5_300);

  for (const id of ['queued', 'held', 'unbound']) {
    const ended = await task(house, id);
    assert.equal(ended.status, 'failed');
    assert.equal(ended.cause, 'timeout');
  }
  const late = await say(house, held, 'complete', { result: rows });
  assert.equal(late['outcome'], 'ended');
  assert.equal((await task(house, 'held')).status, 'failed');
});

test('a task with a delay starts when it is due, and not before', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const ticket = await submit(house, { delay: '2s' });
  assert.equal(ticket.status, 'waiting');
  assert.equal(ticket.eta_ms, 2_000);

  await house.clock.advance(1_900);
  assert.deepEqual(await claim(house, 'sql'), []);
  await house.clock.advance(400);

  assert.equal((await claim(house, 'sql')).length, 1);
});

test('after an outage of ours no lease lapses: nobody could speak', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await submit(house, { task_id: 'a' });
  const held = await claimOne(house, 'sql');
  await say(house, held, 'ack');
  await house.house.stop();
  await house.clock.advance(120_000);

  await using second = await house.again();
  await second.clock.advance(20_000);

  assert.equal((await task(second, 'a')).status, 'running');
  const done = await say(second, held, 'complete', { result: rows });
  assert.equal(done['outcome'], 'ok');
  assert.deepEqual((await task(second, 'a')).result, rows);
  assert.equal((await task(second, 'a')).deliveries, 1);
});

test('after a time in which the store took nothing no lease lapses', async () => {
  await using house = await openHouse({ 'task.run.lease': '2s' });
  await house.puller('sql', query);
  await submit(house, { task_id: 'a' });
  const held = await claimOne(house, 'sql');
  await say(house, held, 'ack');
  const { tasks } = house.storage;
  const whole = { ...tasks };
  const refuse = async () => {
    throw new ReachError('storage-full', 'The disk is full.');
  };
  Object.assign(tasks, { expire: refuse, grace: refuse });
  await house.clock.advance(60_000);

  Object.assign(tasks, whole);
  await house.clock.advance(20_000);

  assert.equal((await task(house, 'a')).status, 'running');
  const done = await say(house, held, 'complete', { result: rows });
  assert.equal(done['outcome'], 'ok');
  assert.equal((await task(house, 'a')).deliveries, 1);
});

test('what was accepted before a restart is delivered after it', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const ids = [];
  for (let i = 0; i < 20; i++) ids.push((await submit(house, { delay: i % 3 })).task_id);
  const [first] = await claim(house, 'sql');
  assert.ok(first !== undefined);
  await house.house.stop();

  await using second = await house.again();
  await second.clock.advance(5_000);
  const left = await claim(second, 'sql', { credits: 100 });
  for (const delivery of [first, ...left])
    await say(second, delivery, 'complete', { result: rows });

  for (const id of ids) assert.equal((await task(second, id)).status, 'succeeded');
});

test('ended tasks are forgotten after a while, dead ones later', async () => {
  await using house = await openHouse({
    'task.retention': '2m',
    'task.deadletter.retention': '10m',
  });
  await house.puller('sql', query);
  await submit(house, { task_id: 'done' });
  await say(house, await claimOne(house, 'sql'), 'complete', { result: rows });
  await submit(house, { task_id: 'dead', max_retry: 0 });
  await say(house, await claimOne(house, 'sql'), 'fail', { reason: 'x', retryable: true });

  await house.clock.advance(200_000);

  await assert.rejects(task(house, 'done'), failsWith('task-not-found'));
  assert.equal((await task(house, 'dead')).status, 'dead');
  await house.clock.advance(600_000);
  await assert.rejects(task(house, 'dead'), failsWith('task-not-found'));
});

test('an old task of low priority is not starved by more urgent ones', async () => {
  await using house = await openHouse({ 'task.aging': '1s' });
  await house.puller('sql', query);
  await submit(house, { task_id: 'old', priority: 0 });
  const taken: string[] = [];
  for (let i = 0; i < 40 && !taken.includes('old'); i++) {
    await submit(house, { priority: 9 });
    await submit(house, { priority: 9 });
    await house.clock.advance(1_000);
    const held = await claimOne(house, 'sql');
    taken.push(held.task_id);
    await say(house, held, 'complete', { result: rows });
  }

  assert.ok(taken.includes('old'), `not among ${taken.length}`);
});

test('the more queues there are, the more rarely all of them are counted', async () => {
  await using house = await openHouse();
  const { tasks } = house.storage;
  let reads = 0;
  let queues = 5_000;
  tasks.counts = async () => {
    reads += 1;
    const none = { blocked: 0, queued: 0, waiting: 0, delivered: 0, running: 0, dead: 1 };
    return Array.from({ length: queues }, (_, n) => ({
      tenant: 'internal',
      agentId: `a${n}`,
      ...none,
    }));
  };
  const readsIn = async (ms: number) => {
    const before = reads;
    await house.clock.advance(ms);
    return reads - before;
  };

  assert.equal(await readsIn(10_000), 10);
  queues = 20_000;
  await house.clock.advance(1_000);
  assert.equal(await readsIn(20_000), 5);
  queues = 10;
  await house.clock.advance(4_000);
  assert.equal(await readsIn(10_000), 10);
});
