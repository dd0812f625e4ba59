import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskTicket } from '@agent-reach/core';
import { settled } from '@agent-reach/core/testing';
import { openHouse } from '../main/testing/house.ts';
import { claimOne, payload, query, rows as result, say } from './testing/capabilities.ts';

test('a submission that waits is answered with the result', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const waiting = house.ask<TaskTicket>('POST', '/v1/tasks', {
    task_type: 'query',
    payload,
    wait: 30,
  });
  await settled();
  await say(house, await claimOne(house, 'sql'), 'complete', { result });

  const ticket = await waiting;

  assert.equal(ticket.status, 'succeeded');
  assert.deepEqual(ticket.result, result);
  assert.equal(ticket.resume, undefined);
});

test('a submission that waits in vain is 202, and the same one may wait again', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const body = { task_id: 'slow', task_type: 'query', payload };
  const post = (wait: number) =>
    house.during(
      Promise.resolve(
        house.http.inject({
          method: 'POST',
          url: '/v1/tasks',
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify({ ...body, wait }),
        }),
      ),
      10_000,
    );

  const first = await post(2);
  assert.equal(first.statusCode, 202);
  assert.equal(first.headers['location'], '/v1/tasks/slow?wait=2');
  await say(house, await claimOne(house, 'sql'), 'complete', { result });
  const second = await post(5);

  assert.equal(second.statusCode, 200);
  const { data } = second.json<{ data: TaskTicket }>();
  assert.deepEqual([data.status, data.replayed, data.result], ['succeeded', true, result]);
});
