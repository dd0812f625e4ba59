import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from './clock.ts';
import { systemLoopDelay } from './loop-delay.ts';

/** Keeps the loop from turning. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a loop that is kept from turning shows it, and one that is stopped counts no more', async () => {
  const delay = systemLoopDelay(systemClock);
  await delay.start();
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    block(260);
  }
  await new Promise((resolve) => setTimeout(resolve, 30));

  const p99Ms = delay.p99Ms();

  assert.ok(p99Ms > 200, `${p99Ms} ms`);
  assert.equal(delay.p99Ms(), p99Ms, 'within a second it is not counted anew');
  await delay.stop();
});

test('what was counted while nobody asked is not held against who asks now', async () => {
  const clock = { now: 0, monotonic: () => clock.now };
  const delay = systemLoopDelay(clock);
  await delay.start();
  const late = async () => {
    for (let i = 0; i < 2; i++) {
      await new Promise((resolve) => setTimeout(resolve, 15));
      block(60);
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  };

  await late();
  clock.now = 2_000;
  assert.equal(delay.p99Ms(), 0);
  await late();
  clock.now = 3_000;
  assert.ok(delay.p99Ms() > 40);
  await delay.stop();
});
