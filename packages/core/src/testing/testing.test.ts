import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from './manual-clock.ts';
import { testRandom } from './seed.ts';

test('timers wake in the order they fall due, those of one moment in the order they came', async () => {
  const clock = new ManualClock();
  const woken: string[] = [];
  clock.timer(20, () => woken.push('late'));
  clock.timer(10, () => woken.push('first'));
  clock.timer(10, () => woken.push('second'));

  await clock.advance(20);

  assert.deepEqual(woken, ['first', 'second', 'late']);
});

test('a timer sees the moment it was set for, not the one time moves on to', async () => {
  const clock = new ManualClock(1_000);
  const seen: number[] = [];
  clock.timer(10, () => {
    seen.push(clock.now());
    clock.timer(5, () => seen.push(clock.now()));
  });

  await clock.advance(100);

  assert.deepEqual(seen, [1_010, 1_015]);
  assert.equal(clock.now(), 1_100);
  assert.equal(clock.monotonic(), 100);
});

test('a timer one millisecond beyond the move waits', async () => {
  const clock = new ManualClock();
  clock.timer(11, () => assert.fail('woke early'));

  await clock.advance(10);

  assert.equal(clock.waiting, 1);
});

test('time cannot be moved back, nor a timer be set to no number', async () => {
  const clock = new ManualClock();

  await assert.rejects(clock.advance(-1), /cannot be moved/);
  assert.throws(() => clock.timer(Number.NaN, () => {}), /NaN/);
});

test('the seed is printed and repeats the run', () => {
  const lines: string[] = [];
  const given = process.env['REACH_SEED'];
  try {
    process.env['REACH_SEED'] = '42';
    const first = testRandom((line) => lines.push(line));
    const second = testRandom(() => {});

    assert.deepEqual(lines, ['REACH_SEED=42']);
    assert.equal(first.seed, 42);
    assert.equal(first.next(), second.next());
    process.env['REACH_SEED'] = 'abc';
    assert.throws(() => testRandom(() => {}), /REACH_SEED must be a whole number/);
  } finally {
    if (given === undefined) delete process.env['REACH_SEED'];
    else process.env['REACH_SEED'] = given;
  }
});
