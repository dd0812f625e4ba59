import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import fc from 'fast-check';
import { blockedMs, type Breaker, type Pass, SLOTS, type Verdict } from './breaker-machine.ts';
import { TestBreaker } from './testing/breaker.ts';

type Step =
  | { do: 'begin'; leaseMs: number }
  | { do: 'end'; which: number; verdict: Verdict; isSlow: boolean }
  | { do: 'wait'; ms: number }
  | { do: 'cap'; mayOpen: boolean };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('begin'), leaseMs: fc.nat(5_000) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('end'),
        which: fc.nat(),
        verdict: fc.constantFrom<Verdict>('failure', 'failure', 'success', 'neutral'),
        isSlow: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('wait'),
        ms: fc.constantFrom(1, 900, 10_000, 61_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('cap'), mayOpen: fc.boolean() }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 300 },
);

/** What holds in every state. */
function demandSound(it: TestBreaker): void {
  const { state, generation, trips, inRow, window } = it.breaker;
  const indexes = window.map(({ index }) => index);
  assert.ok(generation >= trips);
  assert.ok(window.length <= 6, `${window.length} buckets`);
  assert.deepEqual(
    indexes,
    [...new Set(indexes)].sort((a, b) => a - b),
  );
  for (const { count, failures, slow } of window) {
    assert.ok(failures <= count && slow <= count && count > 0);
  }
  assert.ok(blockedMs(it.breaker, it.now) >= 0);
  if (state.is === 'half-open') {
    const live = state.slots.filter(({ endsAt }) => endsAt > it.now);
    assert.ok(live.length <= SLOTS, `${live.length} live slots`);
    assert.equal(new Set(state.slots.map(({ id }) => id)).size, state.slots.length);
    assert.ok(state.successes < 3);
  }
  if (state.is === 'open') assert.ok(state.until <= it.now + it.rules.openMaxMs * 1.1);
  if (state.is !== 'closed') assert.deepEqual([inRow, window.length], [0, 0]);
}

const MOVES = new Set(['closed open', 'open half-open', 'half-open open', 'half-open closed']);

/** One transition at a time, along the edges there are, each with a new generation. */
function demandMove(before: Breaker, after: Breaker): void {
  if (before.state.is === after.state.is) {
    assert.equal(after.generation, before.generation);
    return;
  }
  assert.ok(
    MOVES.has(`${before.state.is} ${after.state.is}`),
    `${before.state.is} ${after.state.is}`,
  );
  assert.equal(after.generation, before.generation + 1);
}

test('whatever happens in whatever order, a breaker moves along its edges and stays sound', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(steps, fc.constantFrom(1, 3, 20), (story, consecutive) => {
      const it = new TestBreaker({ consecutive, samplesMin: 5 });
      const open: Pass[] = [];
      for (const step of story) {
        const before = it.breaker;
        if (step.do === 'wait') it.now += step.ms;
        if (step.do === 'cap') it.mayOpen = step.mayOpen;
        if (step.do === 'begin') {
          const blocked = blockedMs(it.breaker, it.now);
          const pass = it.begin(step.leaseMs);
          assert.equal(pass === undefined, blocked > 0);
          if (pass !== undefined) open.push(pass);
        }
        if (step.do === 'end' && open.length > 0) {
          const [pass] = open.splice(step.which % open.length, 1);
          const isLate = pass?.generation !== before.generation;
          it.end(pass, step.verdict, step.isSlow);
          if (isLate || step.verdict === 'neutral') {
            assert.deepEqual(it.breaker.state.is, before.state.is);
          }
          if (isLate) assert.equal(it.breaker, before);
        }
        demandMove(before, it.breaker);
        demandSound(it);
      }
    }),
    { seed, numRuns: 300 },
  );
});
