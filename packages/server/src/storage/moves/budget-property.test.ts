import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import fc from 'fast-check';
import { TestBudget, UNIT } from './testing/budget.ts';

type Step =
  | { do: 'reserve'; units: number; ttlMs: number }
  | { do: 'charge'; which: number; part: number }
  | { do: 'wait'; ms: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('reserve'),
        units: fc.integer({ min: 1, max: 5 }),
        ttlMs: fc.constantFrom(1, 30_000, 600_000),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('charge'),
        which: fc.nat(),
        part: fc.constantFrom(0, 1, 1),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait'),
        ms: fc.constantFrom(1, 59_999, 61_000, 3_600_000, 86_400_000, 40 * 86_400_000),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { maxLength: 300 },
);

const rules = fc.record({
  limit: fc.integer({ min: 5, max: 60 }),
  cap: fc.integer({ min: 5, max: 60 }),
  carryMax: fc.constantFrom(0, 0, 3),
  period: fc.constantFrom('minute' as const, 'hour' as const, 'day' as const, 'month' as const),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata'),
  now: fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') }),
});

test('no period is used beyond its limit and what it was left, whatever happens in whatever order', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(rules, steps, (said, history) => {
      const budget = new TestBudget({ ...said, cap: Math.min(said.cap, said.limit), soft: 1 });
      const open: { id: number; units: number }[] = [];
      for (const step of history) {
        if (step.do === 'wait') budget.now += step.ms;
        if (step.do === 'charge' && open.length > 0) {
          const [one] = open.splice(step.which % open.length, 1);
          if (one !== undefined) budget.charge(one.id, one.units * step.part);
        }
        if (step.do === 'reserve') {
          const before = budget.standing;
          const answer = budget.reserve(step.units, step.ttlMs);
          if (answer.granted) open.push({ id: answer.id, units: step.units });
          else {
            assert.ok(answer.retryMs > 0);
            assert.ok(budget.now + answer.retryMs <= answer.endsAt);
            assert.ok(before.affordable < step.units * UNIT);
          }
        }
        demandSound(budget, said);
      }
    }),
    { seed, numRuns: 300 },
  );
});

function demandSound(budget: TestBudget, { limit, carryMax }: { limit: number; carryMax: number }) {
  const { used, reserved, tokens, carry, startsAt, endsAt, affordable } = budget.standing;
  assert.ok(used >= 0 && reserved >= 0 && affordable >= 0, `${used} ${reserved} ${affordable}`);
  assert.ok(used + reserved <= (limit + carryMax) * UNIT, `${used + reserved} of ${limit}`);
  assert.ok(tokens <= limit * UNIT);
  assert.ok(carry >= 0 && carry <= carryMax * UNIT);
  assert.ok(startsAt < endsAt && budget.now < endsAt);
  for (const whole of [used, reserved, tokens, carry]) assert.ok(Number.isSafeInteger(whole));
}

test('who comes when he was told to is served, if nobody else was before him', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(rules, fc.integer({ min: 1, max: 5 }), (said, units) => {
      const budget = new TestBudget({ ...said, cap: Math.min(said.cap, said.limit), soft: 1 });
      while (budget.spend(units));
      for (let n = 0; n < 5; n++) {
        const { verdict, retryMs, granted, endsAt } = budget.reserve(units);
        assert.equal(granted, false);
        budget.now += retryMs - 1;
        assert.equal(budget.spend(units), false);
        budget.now += 1;
        // What is paced may have to wait for tokens after the end of a period as well.
        if (verdict === 'paced' && budget.now < endsAt) assert.equal(budget.spend(units), true);
        while (budget.spend(units));
      }
    }),
    { seed, numRuns: 100 },
  );
});
