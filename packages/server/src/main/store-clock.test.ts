import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { storeClock } from './store-clock.ts';

const HOUR_MS = 3_600_000;

/** A store whose clock is ahead of this machine's, and answers after a while. */
function store(aheadMs: number) {
  const clock = new ManualClock();
  const state = { aheadMs, answersMs: [] as number[], isAway: false, asked: 0 };
  const time = async () => {
    state.asked += 1;
    if (state.isAway) throw new Error('away');
    const ms = state.answersMs.shift() ?? 0;
    if (ms > 0) await clock.advance(ms / 2);
    const now = clock.now() + state.aheadMs;
    if (ms > 0) await clock.advance(ms / 2);
    return now;
  };
  return { clock, state, open: () => storeClock(time, { clock, log: silentLog }) };
}

test('moments are those of the store, however far this machine’s clock is from it', async () => {
  const { clock, open } = store(HOUR_MS);
  const kept = await open();

  assert.equal(kept.clock.now(), clock.now() + HOUR_MS);
  await clock.advance(12_345);
  assert.equal(kept.clock.now(), clock.now() + HOUR_MS);
  assert.equal(kept.clock.monotonic(), clock.monotonic());
});

test('of several answers the quickest counts, and half of its way is added', async () => {
  const { clock, state, open } = store(5_000);
  state.answersMs = [400, 20, 90];
  const kept = await open();

  assert.equal(kept.clock.now(), clock.now() + 5_000);
});

test('it is asked again every half minute, and what the store does to its clock is followed', async () => {
  const { clock, state, open } = store(0);
  const kept = await open();
  await kept.service.start();
  state.aheadMs = 250;

  await clock.advance(29_000);
  assert.equal(kept.clock.now(), clock.now());
  await clock.advance(2_000);
  await settled();
  assert.equal(kept.clock.now(), clock.now() + 250);

  await kept.service.stop();
  assert.equal(clock.waiting, 0);
});

test('a store that does not answer leaves the clock running as it was', async () => {
  const { clock, state, open } = store(1_000);
  const kept = await open();
  await kept.service.start();
  state.isAway = true;

  await clock.advance(120_000);

  assert.equal(kept.clock.now(), clock.now() + 1_000);
  await kept.service.stop();
});

test('without a first answer there is no clock', async () => {
  const { state, open } = store(0);
  state.isAway = true;

  await assert.rejects(open(), /away/);
});
