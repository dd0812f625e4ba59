import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../testing/manual-clock.ts';
import { testRandom } from '../testing/seed.ts';
import { idsFrom } from './ids.ts';
import { type Random, seededRandom } from './random.ts';

test('an id is its prefix and 26 characters that are not mistaken for each other', () => {
  const id = idsFrom(new ManualClock(), seededRandom(1)).next('tsk');

  assert.match(id, /^tsk_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('ids sort by the time of their making, from the epoch to the year 10889', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  fc.assert(
    fc.property(time, time, (one, other) => {
      fc.pre(one !== other);
      const at = (now: number) => idsFrom(new ManualClock(now), seededRandom(seed)).next('call');

      assert.equal(at(one) < at(other), one < other, `${one} ${other}`);
    }),
    { seed, numRuns: 500 },
  );
});

test('a clock between two milliseconds gives whole ids that sort', () => {
  const at = (now: number) => idsFrom(new ManualClock(now), seededRandom(1)).next('evt');

  assert.match(at(1_000.75), /^evt_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.ok(at(1_000.75) < at(1_001));
  assert.ok(at(999.9) < at(1_000.75));
});

test('a hundred thousand ids of one millisecond are all different', () => {
  const ids = idsFrom(new ManualClock(), seededRandom(3));
  const seen = new Set<string>();

  for (let i = 0; i < 100_000; i++) seen.add(ids.next('call'));

  assert.equal(seen.size, 100_000);
});

test('the same seed and time give the same ids', () => {
  const make = () => {
    const ids = idsFrom(new ManualClock(), seededRandom(9));
    return [ids.next('rte'), ids.trace(), ids.span(), ids.next('key')];
  };

  assert.deepEqual(make(), make());
});

test('trace and span ids are lower-case hex of the length that W3C wants', () => {
  const ids = idsFrom(new ManualClock(), seededRandom(5));

  assert.match(ids.trace(), /^[0-9a-f]{32}$/);
  assert.match(ids.span(), /^[0-9a-f]{16}$/);
});

test('a trace or span id is never all zero, even if chance says so', () => {
  const zeros: Random = {
    next: () => 0,
    below: () => 0,
    bytes: (length) => new Uint8Array(length),
  };
  const ids = idsFrom(new ManualClock(), zeros);

  assert.equal(ids.trace(), `01${'0'.repeat(30)}`);
  assert.equal(ids.span(), `01${'0'.repeat(14)}`);
});
