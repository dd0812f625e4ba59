import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { Gathering, type GatheringOptions } from './gathering.ts';

/** A gathering of numbers whose batches the test sees, and fails where it says so. */
function open({
  fails = () => undefined,
  ...options
}: Partial<GatheringOptions<number>> & { fails?: (rows: number[]) => Error | undefined } = {}) {
  const clock = new ManualClock();
  const batches: number[][] = [];
  const keep = async (rows: number[]) => {
    batches.push(rows);
    const failure = fails(rows);
    if (failure !== undefined) throw failure;
  };
  const gathering = new Gathering<number>({ clock, keep, whenFull: 'refuse', ...options });
  return { clock, batches, gathering };
}

test('rows linger for company and then go together', async () => {
  const { clock, batches, gathering } = open();
  const kept = [gathering.add([1, 2]), gathering.add([3])];
  await clock.advance(19);
  assert.deepEqual(batches, []);

  await clock.advance(1);

  await Promise.all(kept);
  assert.deepEqual(batches, [[1, 2, 3]]);
  assert.equal(clock.waiting, 0);
});

test('nobody who looks has to wait for the clock', async () => {
  const { clock, batches, gathering } = open();
  const kept = gathering.add([1]);

  await gathering.flush();

  await kept;
  assert.deepEqual(batches, [[1]]);
  assert.equal(clock.waiting, 0);
});

test('a large batch leaves at once, and what comes meanwhile is the next', async () => {
  const { batches, gathering } = open();
  const kept = Array.from({ length: 600 }, (_, n) => gathering.add([n]));

  await gathering.flush();

  await Promise.all(kept);
  assert.deepEqual(
    batches.map((rows) => rows.length),
    [512, 88],
  );
});

test('what is wrong with one is not laid on its neighbours', async () => {
  const fails = (rows: number[]) => (rows.includes(2) ? new TypeError('not a row') : undefined);
  const { batches, gathering } = open({ fails });
  const kept = [gathering.add([1]), gathering.add([2]), gathering.add([3])];

  await gathering.flush();

  const states = (await Promise.allSettled(kept)).map(({ status }) => status);
  assert.deepEqual(states, ['fulfilled', 'rejected', 'fulfilled']);
  assert.deepEqual(batches, [[1, 2, 3], [1], [2], [3]]);
});

test('a store that is away is not asked again for each', async () => {
  const { batches, gathering } = open({
    fails: () => new ReachError('store-unavailable', 'The store is away.'),
  });
  const kept = [gathering.add([1]), gathering.add([2])];
  const failed = Promise.all(kept.map((one) => assert.rejects(one, { code: 'store-unavailable' })));

  await gathering.flush();

  await failed;
  assert.equal(batches.length, 1);
});

for (const whenFull of ['refuse', 'drop-oldest'] as const) {
  test(`of too many, it ${whenFull === 'refuse' ? 'refuses the newest' : 'gives up the oldest'}`, async () => {
    const { promise: stuck, resolve: release } = Promise.withResolvers<void>();
    const { gathering } = open({ keep: () => stuck, whenFull });
    const kept = Array.from({ length: 10_513 }, (_, n) => gathering.add([n]));
    const states = Promise.allSettled(kept);

    release();
    await gathering.flush();

    const lost = (await states).flatMap(({ status }, n) => (status === 'rejected' ? n : []));
    assert.deepEqual([lost.length, lost[0]], whenFull === 'refuse' ? [1, 10_512] : [512, 512]);
  });
}
