import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskView } from '@agent-reach/core';
import { type TestHouse } from '../main/testing/house.ts';
import { claimOne, openWithPuller, rows, say, submit, task } from './testing/capabilities.ts';

/** Time passes while a holder keeps its lease and says nothing else. */
async function keptFor(house: TestHouse, lease: string, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10_000) {
    await house.clock.advance(10_000);
    await house.ask('POST', '/v1/tasks/extend', { leases: [lease] });
  }
}

async function stalled(house: TestHouse): Promise<string[]> {
  const { tasks } = await house.ask<{ tasks: TaskView[] }>('GET', '/v1/tasks?status=STALLED');
  return tasks.map(({ task_id: id }) => id);
}

test('a run that is kept alive and makes no progress is found, until it does', async () => {
  await using house = await openWithPuller();
  const { task_id: hung } = await submit(house, { stall_after: '60s' });
  const { task_id: patient } = await submit(house);
  const delivery = await claimOne(house, 'sql');
  const other = await claimOne(house, 'sql');
  for (const one of [delivery, other]) await say(house, one, 'ack');

  await keptFor(house, delivery.lease, 50_000);
  assert.deepEqual(await stalled(house), []);
  await keptFor(house, delivery.lease, 20_000);

  assert.deepEqual(await stalled(house), [hung]);
  assert.ok((await task(house, hung)).stalled_since !== undefined);
  const { says } = await house.ask<{ says: string[] }>('GET', `/v1/tasks/${hung}/why`);
  assert.match(says.join(' '), /stalled.*no progress for 70 s/);
  assert.equal((await task(house, patient)).stalled_since, undefined);
  await say(house, delivery, 'progress', { percent: 5 });
  assert.deepEqual(await stalled(house), []);
});

test('what is left of a run is told by its own progress and by what others took', async () => {
  await using house = await openWithPuller();
  await submit(house);
  const first = await claimOne(house, 'sql');
  await say(house, first, 'ack');
  await house.clock.advance(20_000);
  await say(house, first, 'complete', { result: rows });

  const { task_id: id } = await submit(house);
  const second = await claimOne(house, 'sql');
  await say(house, second, 'ack');
  await house.clock.advance(5_000);
  assert.equal((await task(house, id)).eta_ms, 15_000);
  await say(house, second, 'progress', { percent: 50 });
  assert.equal((await task(house, id)).eta_ms, 10_000); // Half of 5 s by itself, half of 15 s.
  await house.clock.advance(1_000);
  assert.equal((await task(house, id)).eta_ms, 9_000);
});
