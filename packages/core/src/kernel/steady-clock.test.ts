import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from './clock.ts';
import { steadyClock } from './steady-clock.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

/** A machine whose clocks can be moved one by one. */
function machine() {
  const at = { wall: START, monotonic: 500, up: 10_000 };
  const steps: number[] = [];
  const clock = steadyClock({
    clock: { ...systemClock, now: () => at.wall, monotonic: () => at.monotonic },
    uptime: () => at.up / 1_000,
    onStep: (byMs) => steps.push(byMs),
  });
  /** Time passes, and `more` of it on some clocks only. */
  const pass = (ms: number, more: { wall?: number; up?: number } = {}) => {
    at.monotonic += ms;
    at.wall += ms + (more.wall ?? 0);
    at.up += ms + (more.up ?? 0);
    return clock.now() - START;
  };
  return { clock, pass, steps };
}

test('a steady clock follows the wall clock, also when that is slewed', () => {
  const { pass, steps } = machine();

  assert.equal(pass(1_000), 1_000);
  assert.equal(pass(1_000, { wall: 300 }), 2_300);
  assert.equal(pass(1_000, { wall: -1_900 }), 1_400);

  assert.deepEqual(steps, []);
});

for (const [what, byMs] of [
  ['forward', HOUR_MS],
  ['back', -HOUR_MS],
] as const) {
  test(`a wall clock that is set ${what} does not move it, and that is told once`, () => {
    const { pass, steps } = machine();
    pass(5_000);

    assert.equal(pass(250, { wall: byMs }), 5_250);
    assert.equal(pass(60_000), 65_250);

    assert.deepEqual(steps, [byMs]);
  });
}

test('a clock that is set right again is back where it was', () => {
  const { pass, steps } = machine();

  pass(100, { wall: HOUR_MS });

  assert.equal(pass(100, { wall: -HOUR_MS }), 200);
  assert.deepEqual(steps, [HOUR_MS, -HOUR_MS]);
});

test('the time that a machine slept has passed, though its monotonic clock stood still', () => {
  const { pass, steps } = machine();
  pass(10_000);

  assert.equal(pass(200, { wall: 8 * HOUR_MS, up: 8 * HOUR_MS }), 8 * HOUR_MS + 10_200);

  assert.deepEqual(steps, []);
});

test('a clock that was set while the machine slept moves by the sleep alone', () => {
  const { pass, steps } = machine();
  pass(10_000);

  assert.equal(pass(200, { wall: 9 * HOUR_MS, up: 8 * HOUR_MS }), 8 * HOUR_MS + 10_200);

  assert.deepEqual(steps, [HOUR_MS]);
});
