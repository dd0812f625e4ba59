import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, Deadline } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { atDeadline } from './at-deadline.ts';

test('a deadline further than any timer of node is reached by several', async () => {
  const manual = new ManualClock();
  const timers: number[] = [];
  const clock: Clock = {
    now: () => manual.now(),
    monotonic: () => manual.monotonic(),
    sleep: (ms) => manual.sleep(ms),
    timer: (ms, wake) => {
      timers.push(ms);
      return manual.timer(ms, wake);
    },
  };
  const monthMs = 30 * 86_400_000;
  let woken = 0;

  using _ = atDeadline(clock, Deadline.in(clock, monthMs), () => woken++);
  await manual.advance(monthMs - 1);
  assert.equal(woken, 0);
  await manual.advance(1);

  assert.equal(woken, 1);
  assert.deepEqual(timers, [2 ** 31 - 1, monthMs - 2 ** 31 + 1]);
  assert.equal(manual.waiting, 0);
});

test('one that has passed wakes at once, one that never comes sets no timer, a disposed one rests', async () => {
  const clock = new ManualClock();
  let woken = 0;
  const wake = () => void woken++;

  atDeadline(clock, Deadline.in(clock, 0), wake)[Symbol.dispose]();
  assert.equal(woken, 1);
  using never = atDeadline(clock, Deadline.in(clock, Number.POSITIVE_INFINITY), wake);
  assert.ok(never);
  assert.equal(clock.waiting, 0);
  atDeadline(clock, Deadline.in(clock, 5), wake)[Symbol.dispose]();
  await clock.advance(10);
  assert.equal(woken, 1);
});
