import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '../../testing/seed.ts';
import { OwnNonces } from './nonces.ts';

const START = 1_800_000_000;

function open(max?: number) {
  const time = { s: START };
  const nonces = new OwnNonces({
    nowMs: () => time.s * 1_000,
    ...(max === undefined ? {} : { max }),
  });
  const use = (nonce: string, created = time.s) =>
    nonces.use({ clientId: 'shop', kid: 'k1', nonce, created });
  return { time, use };
}

test('a signature is fresh once', () => {
  const { use } = open();

  assert.deepEqual(use('a'), { is: 'fresh' });
  assert.deepEqual(use('a'), { is: 'used' });
  assert.deepEqual(use('b'), { is: 'fresh' });
});

test('what is from before the start is nobody’s to call fresh', () => {
  const nonces = new OwnNonces({ nowMs: () => START * 1_000 + 1 });
  const use = (created: number) => nonces.use({ clientId: 'shop', kid: 'k1', nonce: 'n', created });

  assert.deepEqual(use(START), { is: 'forgotten', since: START + 1 });
  assert.deepEqual(use(START + 1), { is: 'fresh' });
});

test('over its bound the oldest are dropped, and what is as old as they are is refused', () => {
  const { time, use } = open(3);
  for (const nonce of ['a', 'b', 'c']) {
    use(nonce);
    time.s += 1;
  }

  assert.deepEqual(use('d'), { is: 'fresh' });
  assert.deepEqual(use('a', START), { is: 'forgotten', since: START + 1 });
  assert.deepEqual(use('b', START + 1), { is: 'used' });
});

test('what cannot verify any more makes room, and costs nobody else', () => {
  const { time, use } = open(3);
  for (const nonce of ['a', 'b', 'c']) use(nonce);
  time.s += 301;
  for (const nonce of ['d', 'e', 'f']) assert.deepEqual(use(nonce), { is: 'fresh' });

  assert.deepEqual(use('g', time.s - 300), { is: 'fresh' });
});

test('property: nothing is fresh twice, whatever is dropped meanwhile', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const step = fc.record({
    nonce: fc.integer({ min: 0, max: 9 }),
    age: fc.integer({ min: -60, max: 300 }),
    passed: fc.integer({ min: 0, max: 120 }),
    again: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 6 }), (steps, max) => {
      const { time, use } = open(max);
      const taken = new Set<string>();
      let last = { nonce: '', created: 0 };
      for (const { nonce, age, passed, again } of steps) {
        time.s += passed;
        const signature = again ? last : { nonce: `n${nonce}`, created: time.s - age };
        last = signature;
        // One that is too old or too new does not come so far.
        if (signature.created < time.s - 300 || signature.created > time.s + 60) continue;
        const name = `${signature.nonce} ${signature.created}`;
        const { is } = use(signature.nonce, signature.created);
        assert.ok(is !== 'fresh' || !taken.has(name), name);
        if (is === 'fresh') taken.add(name);
      }
    }),
    { seed, numRuns: 1_000 },
  );
});
