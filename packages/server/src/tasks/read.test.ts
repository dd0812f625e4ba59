import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskView } from '@agent-reach/core';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { claim, claimOne, query, rows, say, submit, task } from './testing/capabilities.ts';

test('a wait is answered with the end as soon as there is one', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const { task_id: id } = await submit(house);
  const waiting = house.ask<TaskView>('GET', `/v1/tasks/${id}?wait=60`);
  await settled();

  await say(house, await claimOne(house, 'sql'), 'complete', { result: rows });

  const ended = await waiting;
  assert.equal(ended.status, 'succeeded');
  assert.equal(ended.resume, undefined);
});

test('a wait whose time is up is 202 and says where to go on', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await submit(house, { task_id: 't:1' });

  const response = await house.during(
    Promise.resolve(house.http.inject({ method: 'GET', url: '/v1/tasks/t:1?wait=2' })),
    3_000,
  );

  assert.equal(response.statusCode, 202);
  const { code, data } = response.json<{ code: number; data: TaskView }>();
  assert.equal(code, 0);
  assert.equal(data.status, 'queued');
  assert.equal(data.resume, '/v1/tasks/t%3A1?wait=2');
  assert.equal(response.headers['location'], data.resume);
});

test('an echo that ends at once is missed by nobody who waits', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  for (let i = 0; i < 200; i++) {
    const { task_id: id } = await submit(house);
    const waiting = house.ask<TaskView>('GET', `/v1/tasks/${id}?wait=60`);
    const delivery = await claimOne(house, 'sql');

    await say(house, delivery, 'complete', { result: rows });

    // No time passes here, so none of them can have been found by the look now and then.
    assert.equal((await waiting).status, 'succeeded');
  }
});

test('who waits for a task that is cancelled, parked or timed out is answered at once', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const ids = [];
  for (const more of [{}, { max_retry: 0 }, { timeout: 1 }]) {
    ids.push((await submit(house, more)).task_id);
  }
  const waits = ids.map((id) => house.ask<TaskView>('GET', `/v1/tasks/${id}?wait=60`));
  await settled();

  const [, parked] = await claim(house, 'sql', { credits: 2 });
  assert.ok(parked !== undefined);
  await house.ask('POST', `/v1/tasks/${ids[0]}/cancel`, {});
  await say(house, parked, 'fail', { reason: 'x', retryable: true });
  await house.clock.advance(1_300);

  const ends = await Promise.all(waits);
  assert.deepEqual(
    ends.map(({ status, cause }) => [status, cause]),
    [
      ['cancelled', 'cancelled'],
      ['dead', 'attempts-spent'],
      ['failed', 'timeout'],
    ],
  );
});

test('a task nobody knows is not found, by any word', async () => {
  await using house = await openHouse();
  for (const path of ['', '/history', '/why']) {
    await assert.rejects(house.ask('GET', `/v1/tasks/none${path}`), failsWith('task-not-found'));
  }
  await assert.rejects(house.ask('POST', '/v1/tasks/none/cancel', {}), failsWith('task-not-found'));
});

test('a list is newest first, filtered, and goes on from its cursor', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  for (let i = 0; i < 5; i++)
    await submit(house, { task_id: `t${i}`, source_id: i % 2 ? 'odd' : 'even' });
  await submit(house, { task_id: 'late', timeout: 1 });
  await house.clock.advance(1_500);
  const ids = async (filter: string) => {
    const page = await house.ask<{ tasks: TaskView[]; cursor?: number }>(
      'GET',
      `/v1/tasks?${filter}`,
    );
    return { ids: page.tasks.map((one) => one.task_id), cursor: page.cursor };
  };

  const first = await ids('status=queued&limit=3');
  assert.deepEqual(first.ids, ['t4', 't3', 't2']);
  assert.deepEqual((await ids(`status=queued&limit=3&cursor=${first.cursor}`)).ids, ['t1', 't0']);
  assert.deepEqual((await ids('status=TIMEOUT')).ids, ['late']);
  assert.deepEqual((await ids('status=failed')).ids, ['late']);
  assert.deepEqual((await ids('source_id=odd')).ids, ['t3', 't1']);
  assert.deepEqual((await ids('agent=nobody')).ids, []);
  await assert.rejects(ids('status=lost'), failsWith('validation-failed'));
});

test('cancelling a parent cancels its tree, and a holder hears of it', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await submit(house, { task_id: 'p' });
  const held = await claimOne(house, 'sql');
  await submit(house, { task_id: 'c', parent_id: 'p' });
  await submit(house, { task_id: 'g', parent_id: 'c' });
  await submit(house, { task_id: 'other' });

  const { cancelled } = await house.ask<{ cancelled: string[] }>('POST', '/v1/tasks/p/cancel', {});

  assert.deepEqual(cancelled.sort(), ['c', 'g', 'p']);
  await assert.rejects(
    say(house, held, 'progress', { percent: 10 }),
    failsWith('lease-lost', ({ facts }) => assert.equal(facts['task_status'], 'cancelled')),
  );
  const again = await house.ask<{ cancelled: string[] }>('POST', '/v1/tasks/p/cancel', {});
  assert.deepEqual(again.cancelled, []);
  assert.equal((await task(house, 'other')).status, 'queued');
});

test('tasks of one source that asks for it run one after the other, and why says who is before', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  for (const id of ['a', 'b', 'c'])
    await submit(house, { task_id: id, source_id: 'u1', ordered: true });
  const why = async (id: string) =>
    (await house.ask<{ says: string[] }>('GET', `/v1/tasks/${id}/why`)).says.join(' ');
  assert.equal((await task(house, 'b')).status, 'blocked');

  const first = await claimOne(house, 'sql');
  assert.equal(first.task_id, 'a');
  assert.deepEqual(await claim(house, 'sql'), []);
  assert.match(
    await why('b'),
    /Blocked by task a of source u1, which is delivered, held by sql-1 until/,
  );
  const waiting = claim(house, 'sql', { wait: 60 });
  await settled();
  await say(house, first, 'fail', { reason: 'no', retryable: false });

  assert.equal((await waiting)[0]?.task_id, 'b');
});

test('why tells of each state what it is and what would move it', async () => {
  await using house = await openHouse();
  const why = async (id: string) =>
    (await house.ask<{ says: string[] }>('GET', `/v1/tasks/${id}/why`)).says.join(' ');
  await house.puller('sql', query);
  await submit(house, { task_id: 'a' });
  await submit(house, { task_id: 'b', timeout: 60 });

  assert.match(
    await why('a'),
    /It is next in the queue of sql \(priority 5\).*sql comes for its work/,
  );
  assert.match(
    await why('b'),
    /1 task stands before it in the queue of sql.*It fails at .*in 60 s/,
  );
  const held = await claimOne(house, 'sql');
  assert.match(await why('a'), /held by sql-1 of sql until .*in 30 s\. There is no receipt yet/);
  await say(house, held, 'ack');
  await say(house, held, 'progress', { percent: 40, note: 'reading' });
  assert.match(
    await why('a'),
    /run 1 of 4\. Without a word until then it is run again\. It was 40 % done at .*reading/,
  );
  await say(house, held, 'fail', { reason: 'no connection', retryable: true });
  assert.match(
    await why('a'),
    /It waits for retry 1 of 3, in (1\.[6-9]|2(\.[0-4])?) s\. Last: no connection/,
  );
  await house.clock.advance(60_000);
  assert.match(await why('b'), /It has failed \(timeout\) at/);
  assert.match(await why('a'), /sql is away: sql-1: its heartbeats stopped/);
});

test('dead letters are grouped by cause, read, mended and run again', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  for (const id of ['a', 'b', 'c']) {
    await submit(house, { task_id: id, max_retry: 0 });
    const held = await claimOne(house, 'sql');
    const reason = id === 'c' ? 'disk full' : `no connection to db-${id}7`;
    await say(house, held, 'fail', { reason, retryable: true });
  }

  const listed = await house.ask<{
    groups: { count: number; reason: string }[];
    tasks: TaskView[];
  }>('GET', '/v1/dead-letters');
  assert.deepEqual(
    listed.groups.map(({ count }) => count),
    [2, 1],
  );
  assert.deepEqual(
    listed.tasks.map((one) => one.task_id),
    ['c', 'b', 'a'],
  );
  await assert.rejects(
    house.ask('GET', '/v1/dead-letters?cause=fate'),
    failsWith('validation-failed'),
  );
  assert.match(
    (await house.ask<{ says: string[] }>('GET', '/v1/tasks/a/why')).says.join(' '),
    /parked after 1 runs \(attempts-spent\): no connection/,
  );

  const again = await house.ask<TaskView>('POST', '/v1/dead-letters/a/redrive', {
    payload: { sql: 'SELECT 2' },
    reason: 'the database is back',
  });
  assert.equal(again.status, 'queued');
  assert.equal(again.attempts, 0);
  const held = await claimOne(house, 'sql');
  assert.deepEqual(held.payload, { sql: 'SELECT 2' });
  await say(house, held, 'complete', { result: rows });
  await assert.rejects(
    house.ask('POST', '/v1/dead-letters/a/redrive', {}),
    failsWith('task-conflict'),
  );
  await assert.rejects(house.ask('GET', '/v1/dead-letters/a'), failsWith('task-not-found'));
});

test('a result whose lease others have by now is kept for people to look at', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await submit(house, { task_id: 'a', max_retry: 0 });
  const zombie = await claimOne(house, 'sql');
  await house.clock.advance(30_500);
  const held = await claimOne(house, 'sql');
  await assert.rejects(say(house, zombie, 'complete', { result: rows }), failsWith('lease-lost'));
  await say(house, held, 'fail', { reason: 'x', retryable: true });

  const letter = await house.ask<{ orphans: { epoch: number; result: unknown }[] }>(
    'GET',
    '/v1/dead-letters/a',
  );

  assert.deepEqual(
    letter.orphans.map(({ epoch, result }) => ({ epoch, result })),
    [{ epoch: 1, result: rows }],
  );
});
