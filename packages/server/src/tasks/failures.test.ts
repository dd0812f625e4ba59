import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsWith } from '../main/testing/house.ts';
import {
  claim,
  claimOne,
  openWithPuller,
  say,
  submit,
  task,
  transfer,
} from './testing/capabilities.ts';

test('a failed write that may have taken effect waits for a person, and a read runs again', async () => {
  await using house = await openWithPuller();
  await house.puller('bank', transfer);
  const { task_id: write } = await submit(house, { task_type: 'transfer' });
  const { task_id: read } = await submit(house);
  const unknown = { reason: 'connection lost', retryable: true, executed: 'unknown' };

  await say(house, await claimOne(house, 'bank'), 'fail', unknown);
  await say(house, await claimOne(house, 'sql'), 'fail', unknown);

  const parked = await task(house, write);
  assert.deepEqual([parked.status, parked.cause], ['dead', 'needs-decision']);
  assert.equal((await task(house, read)).status, 'waiting');
});

test('a failure carries its code, its facts and how long to wait', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);
  const said = {
    reason: 'the model is loading',
    retryable: true,
    code: 'cold-start',
    retry_after_ms: 20_000,
    details: { model: 'large' },
  };

  await say(house, await claimOne(house, 'sql'), 'fail', said);

  const waiting = await task(house, id);
  assert.equal(waiting.reason, 'cold-start: the model is loading');
  assert.deepEqual(waiting.result, { model: 'large' });
  assert.equal(Date.parse(waiting.due_at ?? '') - house.clock.now(), 20_000);
});

test('what took effect is not to be retried, says the error of such a failure', async () => {
  await using house = await openWithPuller();
  await submit(house);
  const delivery = await claimOne(house, 'sql');
  const said = { reason: 'done, but', retryable: true, executed: 'yes' };

  await assert.rejects(
    say(house, delivery, 'fail', said),
    failsWith('validation-failed', ({ facts }) => {
      assert.equal(facts.errors?.[0]?.pointer, '#/executed');
    }),
  );
  assert.equal((await task(house, delivery.task_id)).status, 'delivered');
});

test('a retryable failure waits 2, 4, 8 s and then is a dead letter', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);
  for (const [attempt, waitMs] of [
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 0],
  ] as const) {
    const delivery = await claimOne(house, 'sql');
    assert.equal(delivery.attempt, attempt);
    await say(house, delivery, 'ack');
    await say(house, delivery, 'fail', { reason: 'no connection', retryable: true });
    if (waitMs === 0) break;
    assert.equal((await task(house, id)).status, 'waiting');
    await house.clock.advance(waitMs * 0.8 - 10);
    assert.deepEqual(await claim(house, 'sql'), []);
    await house.clock.advance(waitMs * 0.4 + 300);
  }

  const parked = await task(house, id);
  assert.equal(parked.status, 'dead');
  assert.equal(parked.cause, 'attempts-spent');
  assert.equal(parked.reason, 'no connection');
});

test('a final failure ends the task at once', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);

  await say(house, await claimOne(house, 'sql'), 'fail', {
    reason: 'no such table',
    retryable: false,
  });

  const failed = await task(house, id);
  assert.equal(failed.status, 'failed');
  assert.equal(failed.cause, 'refused');
});

test('with dead letters turned off a task whose runs are spent ends failed', async () => {
  await using house = await openWithPuller({ 'task.deadletter.enabled': false });
  const { task_id: id } = await submit(house, { max_retry: 0 });

  await say(house, await claimOne(house, 'sql'), 'fail', { reason: 'no', retryable: true });

  assert.equal((await task(house, id)).status, 'failed');
});

test('facts over the limit are kept by their head, flagged', async () => {
  await using house = await openWithPuller({ 'task.result.max': 1_024 });
  const { task_id: id } = await submit(house);
  const details = { log: 'x'.repeat(2_000) };
  const said = { reason: 'no such table', retryable: false, details };

  await say(house, await claimOne(house, 'sql'), 'fail', said);

  const failed = await task(house, id);
  assert.equal(failed.status, 'failed');
  assert.deepEqual(failed.result, { truncated: true, size: 2_010, head: JSON.stringify(details) });
});
