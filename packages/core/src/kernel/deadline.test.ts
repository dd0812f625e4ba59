import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../testing/manual-clock.ts';
import type { Clock } from './clock.ts';
import { Deadline } from './deadline.ts';

test('a deadline counts down to zero and not below', async () => {
  const clock = new ManualClock();
  const deadline = Deadline.in(clock, 100);

  assert.equal(deadline.remainingMs(), 100);
  await clock.advance(99);
  assert.equal(deadline.remainingMs(), 1);
  assert.equal(deadline.passed, false);
  await clock.advance(1);
  assert.equal(deadline.remainingMs(), 0);
  assert.equal(deadline.passed, true);
  await clock.advance(1_000);
  assert.equal(deadline.remainingMs(), 0);
});

test('a deadline of no time has passed when it is made', () => {
  assert.equal(Deadline.in(new ManualClock(), 0).passed, true);
  assert.equal(Deadline.in(new ManualClock(), -5).remainingMs(), 0);
});

test('within a shorter limit the limit counts, within a longer one the deadline', async () => {
  const clock = new ManualClock();
  const deadline = Deadline.in(clock, 100);
  await clock.advance(40);

  assert.equal(deadline.within(59).remainingMs(), 59);
  assert.equal(deadline.within(60), deadline);
  assert.equal(deadline.within(61), deadline);
  assert.equal(deadline.remainingMs(), 60);
});

test('a wall clock that is set back or forth moves no deadline', () => {
  let wall = 1_000_000;
  const clock: Clock = { ...still(), now: () => wall };
  const deadline = Deadline.in(clock, 100);

  wall -= 3_600_000;
  assert.equal(deadline.remainingMs(), 100);
  wall += 7_200_000;
  assert.equal(deadline.remainingMs(), 100);
});

function still(): Clock {
  return {
    now: () => 0,
    monotonic: () => 0,
    timer: () => ({ [Symbol.dispose]: () => {} }),
    sleep: () => Promise.resolve(),
  };
}
