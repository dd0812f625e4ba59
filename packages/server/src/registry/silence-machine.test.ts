import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import fc from 'fast-check';
import { BELIEVED, type Holding, mayStillGo, nextHolding } from './silence-machine.ts';

const MINUTE = 60_000;
const held = (since = 0): Holding => ({ kind: 'held', since, fewSince: undefined });

test('silence is not believed where more than three in ten are silent, and five at least', () => {
  const kind = (silent: number, all: number) => nextHolding(BELIEVED, { all, silent }, 0).kind;
  assert.equal(kind(30, 100), 'believed');
  assert.equal(kind(31, 100), 'held');
  assert.equal(kind(4, 4), 'believed', 'four are no crowd');
  assert.equal(kind(5, 5), 'held');
  assert.equal(kind(5, 17), 'believed');
  assert.equal(kind(5, 16), 'held');
});

test('it is believed again when at most one in ten has been silent for a minute without a break', () => {
  let holding = held();
  const after = (seconds: number, silent: number) => {
    holding = nextHolding(holding, { all: 100, silent }, seconds * 1_000);
    return holding.kind;
  };
  assert.equal(after(10, 10), 'held');
  assert.equal(after(69, 10), 'held');
  assert.equal(after(69.5, 11), 'held', 'that began anew');
  assert.equal(after(70, 10), 'held');
  assert.equal(after(129, 10), 'held');
  assert.equal(after(130, 10), 'believed');
});

test('after a quarter of an hour it is believed, and not held again while as many are silent', () => {
  const roll = { all: 100, silent: 60 };
  const late = nextHolding(held(), roll, 15 * MINUTE);
  assert.equal(nextHolding(held(), roll, 15 * MINUTE - 1).kind, 'held');
  assert.equal(late.kind, 'given-up');
  assert.equal(nextHolding(late, { all: 100, silent: 31 }, 16 * MINUTE).kind, 'given-up');
  const calm = nextHolding(late, { all: 100, silent: 30 }, 17 * MINUTE);
  assert.equal(calm.kind, 'believed');
  assert.equal(nextHolding(calm, roll, 18 * MINUTE).kind, 'held');
});

test('three in twenty go within a minute, and four of a small house', () => {
  assert.equal(mayStillGo(100, 0), 15);
  assert.equal(mayStillGo(100, 15), 0);
  assert.equal(mayStillGo(100, 20), 0);
  assert.equal(mayStillGo(6, 0), 4);
  assert.equal(mayStillGo(6, 3), 1);
});

test('whatever happens, it is never held for more than a quarter of an hour', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const step = fc.record({
    afterMs: fc.integer({ min: 100, max: 120_000 }),
    all: fc.nat(50),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let holding: Holding = BELIEVED;
      let now = 0;
      for (const { afterMs, all, part } of steps) {
        now += afterMs;
        holding = nextHolding(holding, { all, silent: Math.round(all * part) }, now);
        if (holding.kind === 'held') assert.ok(now - holding.since < 15 * MINUTE);
      }
    }),
    { seed },
  );
});
