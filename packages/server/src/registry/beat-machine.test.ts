import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BeatLook,
  type BeatPace,
  budgetFloorMs,
  intervalOfLease,
  leaseMsFor,
  nextPace,
} from './beat-machine.ts';

const BOUNDS = { minMs: 2_000, startMs: 10_000, maxMs: 20_000 };
const WELL = { score: 0.97, errors: 0, spread: 0, isUp: true };

/** The pauses of an instance that beats as told and is found so. */
function pauses(from: number, looks: readonly Partial<BeatLook>[]): number[] {
  let pace: BeatPace = { intervalMs: from, steadyInRow: 0, usual: WELL, at: 0 };
  return looks.map((look) => {
    pace = nextPace(pace, { ...WELL, at: pace.at + pace.intervalMs, ...look }, BOUNDS);
    return Math.round(pace.intervalMs / 100) / 10;
  });
}

const times = (count: number, look: Partial<BeatLook>) => Array.from({ length: count }, () => look);

test('trouble halves the pause at the very next beat, down to two seconds', () => {
  assert.deepEqual(pauses(20_000, times(5, { isUp: false })), [10, 5, 2.5, 2, 2]);
});

test('three steady beats make the pause a quarter longer, up to twenty seconds', () => {
  const seen = pauses(10_000, times(15, {}));

  assert.deepEqual(
    [2, 5, 8, 11, 14].map((n) => seen[n]),
    [12.5, 15.6, 19.5, 20, 20],
  );
  assert.deepEqual(seen.slice(0, 2), [10, 10]);
});

test('each sign of trouble counts alone, and not before its bound', () => {
  const isTrouble = (look: Partial<BeatLook>) => pauses(20_000, [look])[0] === 10;
  const cases: [Partial<BeatLook>, boolean][] = [
    [{ score: 0.69 }, true],
    [{ score: 0.97 - 0.151 }, true],
    [{ score: 0.97 - 0.149 }, false],
    [{ spread: 0.5 }, true],
    [{ spread: 0.49 }, false],
    [{ errors: 0.05 }, true],
    [{ errors: 0.049 }, false],
    [{ isUp: false }, true],
  ];
  for (const [look, expected] of cases) {
    assert.equal(isTrouble(look), expected, JSON.stringify(look));
  }
});

test('getting suddenly better is a change as well, and a score that stays is none', () => {
  const low = { intervalMs: 10_000, steadyInRow: 0, usual: { score: 0.75, errors: 0 }, at: 0 };
  assert.equal(nextPace(low, { ...WELL, at: 10_000 }, BOUNDS).intervalMs, 5_000);

  const seen = pauses(10_000, times(40, { score: 0.85 }));
  assert.deepEqual(new Set(seen), new Set([10]), 'neither steady nor in trouble');
});

test('what is between steady and trouble breaks no row of steady beats', () => {
  const seen = pauses(10_000, [{}, {}, { spread: 0.3 }, {}]);
  assert.deepEqual(seen, [10, 10, 10, 12.5]);
  const between = pauses(10_000, [{}, {}, { spread: 0.26 }, {}]);
  assert.deepEqual(between, [10, 10, 10, 12.5]);
  assert.deepEqual(pauses(10_000, [{}, {}, { spread: 0.25 }]), [10, 10, 10]);
  assert.deepEqual(pauses(10_000, [{}, {}, { spread: 0.24 }]), [10, 10, 12.5]);
});

test('what was unusual a minute ago is half as unusual now', () => {
  const before = { intervalMs: 2_000, steadyInRow: 0, usual: { score: 1, errors: 0 }, at: 0 };
  const { usual } = nextPace(before, { ...WELL, score: 0.8, at: 60_000 }, BOUNDS);
  assert.ok(Math.abs(usual.score - 0.9) < 1e-9);
});

test('the first beat begins where the bounds say', () => {
  assert.equal(nextPace(undefined, { ...WELL, at: 5 }, BOUNDS).intervalMs, 10_000);
  assert.equal(nextPace(undefined, { ...WELL, at: 5, isUp: false }, BOUNDS).intervalMs, 5_000);
});

test('a budget of 200 a second leaves 2,000 instances ten seconds each', () => {
  assert.equal(budgetFloorMs(2_000, 200), 10_000);
  assert.equal(budgetFloorMs(0, 200), 0);
});

test('a lease holds three of the longest pauses and a second, and says which that was', () => {
  assert.equal(leaseMsFor(20_000, 1_000), 61_000);
  assert.equal(leaseMsFor(10_000, 45_000), 45_000);
  assert.equal(leaseMsFor(14_666.6, 45_000), 45_000);
  assert.equal(leaseMsFor(14_667, 45_000), 45_001);
  assert.equal(intervalOfLease(61_000), 20_000);
  assert.equal(intervalOfLease(500), 0);
});
