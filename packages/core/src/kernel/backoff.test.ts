import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '../testing/seed.ts';
import { fullJitterMs } from './backoff.ts';
import type { Random } from './random.ts';

const ALMOST_ONE = 1 - 2 ** -32;
const always = (next: number): Random => ({ next: () => next, below: () => 0, bytes: nothing });
const nothing = () => new Uint8Array(0);

test('waits lie between nothing and a bound that doubles up to its maximum', () => {
  const rule = { baseMs: 100, maxMs: 2_000 };
  const most = [1, 2, 3, 4, 5, 6, 7].map((retry) => fullJitterMs(rule, retry, always(1)));

  assert.deepEqual(most, [100, 200, 400, 800, 1_600, 2_000, 2_000]);
  assert.equal(fullJitterMs(rule, 1, always(0)), 0);
});

test('no rule and no number of retries gives a wait out of bounds', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  const ms = fc.integer({ min: 0, max: 10_000_000 });
  const retry = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(1_024, 1_025, 1e9));
  fc.assert(
    fc.property(ms, ms, retry, (baseMs, maxMs, n) => {
      for (const source of [random, always(0), always(ALMOST_ONE)]) {
        const wait = fullJitterMs({ baseMs, maxMs }, n, source);

        assert.ok(wait >= 0 && wait <= maxMs, `${wait} of ${baseMs}, ${maxMs}, retry ${n}`);
      }
    }),
    { seed: random.seed, numRuns: 500 },
  );
});

test('half of all waits are in the lower half: a crowd is spread, not shifted', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  let low = 0;

  for (let i = 0; i < 10_000; i++) {
    if (fullJitterMs({ baseMs: 100, maxMs: 100 }, 1, random) < 50) low++;
  }

  assert.ok(low > 4_600 && low < 5_400, `${low} of 10,000`);
});
