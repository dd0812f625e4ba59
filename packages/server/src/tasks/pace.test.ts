import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { estimateOf, type Pace, paced, remainingOf } from './pace.ts';

function paceOf(...runs: number[]): Pace {
  return runs.reduce<Pace | undefined>((pace, ms) => paced(pace, ms), undefined) as Pace;
}

test('the first runs weigh the same, and later ones move the mean by a tenth', () => {
  assert.equal(paceOf(100).meanMs, 100);
  assert.equal(paceOf(100, 200, 300).meanMs, 200);
  const long = paceOf(...Array.from({ length: 50 }, () => 100));
  assert.equal(paced(long, 200).meanMs, 110);
});

test('runs that take the same time leave no doubt, others do', () => {
  const sure = paceOf(400, 400, 400);
  assert.deepEqual(estimateOf(sure, 10), { p50Ms: 4_000, p90Ms: 4_000 });

  const { p50Ms, p90Ms } = estimateOf(paceOf(200, 600, 200, 600), 10);
  assert.equal(p50Ms, 4_000);
  assert.ok(p90Ms > 4_500 && p90Ms < 5_500, `${p90Ms}`);
});

test('nine of ten sums of random runs end within the p90, about half within the p50', () => {
  const random = seededRandom(11);
  const draw = () => 50 + random.below(500);
  let pace: Pace | undefined;
  for (let i = 0; i < 5_000; i++) pace = paced(pace, draw());
  const { p50Ms, p90Ms } = estimateOf({ ...(pace as Pace), meanMs: 299.5, variance: 20_833 }, 20);
  let within50 = 0;
  let within90 = 0;
  for (let round = 0; round < 2_000; round++) {
    let sum = 0;
    for (let i = 0; i < 20; i++) sum += draw();
    if (sum <= p50Ms) within50 += 1;
    if (sum <= p90Ms) within90 += 1;
  }
  assert.ok(Math.abs(within50 / 2_000 - 0.5) < 0.05, `${within50}`);
  assert.ok(Math.abs(within90 / 2_000 - 0.9) < 0.03, `${within90}`);
});

test('what is left follows the progress the more, the further it is', () => {
  const pace = paceOf(10_000);
  const at = (percent: number) =>
    remainingOf({ elapsedMs: 4_000, progress: { percent, agoMs: 0 } }, pace)?.p50Ms;

  assert.equal(remainingOf({ elapsedMs: 4_000, progress: undefined }, pace)?.p50Ms, 6_000);
  assert.equal(at(10), 9_000); // 0.1 × 36 s by itself, 0.9 × 6 s by others.
  assert.equal(at(40), 6_000);
  assert.equal(at(80), 2_000);
  assert.equal(at(100), 0);
});

test('without a word what is left only shrinks, and never below nothing', () => {
  const pace = paceOf(5_000, 7_000);
  let before = Number.POSITIVE_INFINITY;
  for (let elapsedMs = 2_000; elapsedMs < 30_000; elapsedMs += 500) {
    const progress = { percent: 30, agoMs: elapsedMs - 2_000 };
    const left = remainingOf({ elapsedMs, progress }, pace)?.p50Ms ?? Number.NaN;
    assert.ok(left >= 0 && left <= before, `${left} after ${before}`);
    before = left;
  }
  assert.equal(before, 0);
});

test('nothing is said of what nobody knows', () => {
  assert.equal(remainingOf({ elapsedMs: 5_000, progress: undefined }, undefined), undefined);
  const untold = { percent: 0, agoMs: 0 };
  assert.equal(remainingOf({ elapsedMs: 5_000, progress: untold }, undefined), undefined);
});
