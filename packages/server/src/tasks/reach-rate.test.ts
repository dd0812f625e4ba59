import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteReach, type ReachRate, reachRate, UNREACHED } from './reach-rate.ts';

function after(receipts: number, misses: number, from: ReachRate = UNREACHED): ReachRate {
  let rate = from;
  for (let i = 0; i < misses; i++) rate = noteReach(rate, false);
  for (let i = 0; i < receipts; i++) rate = noteReach(rate, true);
  return rate;
}

test('the rate is receipts by deliveries, and nothing before the first', () => {
  assert.equal(reachRate(UNREACHED), undefined);
  assert.equal(reachRate(after(3, 1)), 0.75);
});

test('a hundred deliveries with two misses are an alarm, ninety-nine are none yet', () => {
  assert.equal(after(97, 2).isLow, false);
  assert.equal(after(98, 2).isLow, true);
  assert.equal(after(99, 1).isLow, false);
});

test('an alarm is over when the rate is well again, and misses are forgotten in time', () => {
  const low = after(98, 2);
  assert.equal(after(200, 0, low).isLow, true); // 298 of 300.
  assert.equal(after(400, 0, low).isLow, false);
  const long = after(3_000, 0, after(0, 50));
  assert.ok((reachRate(long) ?? 0) > 0.98, `${reachRate(long)}`);
});
