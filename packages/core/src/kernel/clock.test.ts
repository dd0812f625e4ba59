import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { ManualClock, settled } from '../testing/manual-clock.ts';
import { iso, sleepOn, systemClock } from './clock.ts';

test('a sleep ends when its time has come and not a millisecond before', async () => {
  const clock = new ManualClock();
  let awake = false;
  const sleep = clock.sleep(100).then(() => (awake = true));

  await clock.advance(99);
  assert.equal(awake, false);

  await clock.advance(1);
  await sleep;
  assert.equal(awake, true);
});

test('an abort ends a sleep with the reason of the signal and leaves no timer', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const reason = new Error('enough');
  const sleep = clock.sleep(100, abort.signal);

  abort.abort(reason);

  await assert.rejects(sleep, (error) => error === reason);
  assert.equal(clock.waiting, 0);
});

test('a sleep on a signal that is aborted already rejects at once and sets no timer', async () => {
  const clock = new ManualClock();

  await assert.rejects(clock.sleep(100, AbortSignal.abort(new Error('gone'))), /gone/);
  assert.equal(clock.waiting, 0);
});

test('an abort after the sleep has ended changes nothing', async () => {
  const clock = new ManualClock();
  const abort = new AbortController();
  const sleep = clock.sleep(5, abort.signal);
  await clock.advance(5);

  abort.abort(new Error('late'));

  await sleep;
});

test('a signal that outlives a thousand sleeps keeps none of their listeners', async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();

  for (let i = 0; i < 1_000; i++) {
    const sleep = clock.sleep(1, signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    await clock.advance(1);
    await sleep;
  }

  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a disposed timer does not wake, and may be disposed twice', async () => {
  const clock = new ManualClock();
  let woken = 0;
  const timer = clock.timer(10, () => woken++);

  timer[Symbol.dispose]();
  timer[Symbol.dispose]();
  await clock.advance(10);

  assert.equal(woken, 0);
});

test('the system clock sleeps, aborts, and never runs backwards', async () => {
  const abort = new AbortController();
  const before = systemClock.monotonic();
  // Timers of this clock do not keep a process alive, so something else has to meanwhile.
  const alive = setInterval(() => {}, 1_000);
  try {
    await systemClock.sleep(1, abort.signal);
    assert.ok(systemClock.monotonic() >= before);
    const long = systemClock.sleep(2 ** 31 - 1, abort.signal);
    abort.abort(new Error('enough'));
    await assert.rejects(long, /enough/);
  } finally {
    clearInterval(alive);
  }
});

test('the system clock takes a delay beyond what Node can count as the longest it can', async () => {
  let woken = false;
  using _ = systemClock.timer(2 ** 31, () => (woken = true));

  // Node would fire such a timer after one millisecond.
  for (const end = systemClock.monotonic() + 5; systemClock.monotonic() < end; ) await settled();

  assert.equal(woken, false);
});

test('a moment is written as RFC 3339 in UTC with milliseconds', () => {
  assert.equal(iso(0), '1970-01-01T00:00:00.000Z');
  assert.equal(iso(Date.UTC(2026, 1, 28, 23, 59, 59, 7)), '2026-02-28T23:59:59.007Z');
});

test('sleeping needs nothing of a clock but its timer', async () => {
  const clock = new ManualClock();
  const sleep = sleepOn({ timer: (ms, wake) => clock.timer(ms, wake) }, 3);

  await clock.advance(3);

  await sleep;
});
