import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { rendezvousDraw } from '@agent-reach/core/kernel';
import { buildRing, type RingMember, walkRing } from './ring.ts';

const KEYS = 100_000;

function members(count: number): RingMember[] {
  return Array.from({ length: count }, (_, i) => ({ id: `agent-${i}`, weight: 1 }));
}

function owner(ring: ReturnType<typeof buildRing>, key: string): string {
  return walkRing(ring, key).next().value ?? '';
}

function countsOf(ring: ReturnType<typeof buildRing>, keys: readonly string[]) {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const id = owner(ring, key);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function keysOf(salt: number): string[] {
  return Array.from({ length: KEYS }, (_, i) => `user-${salt}-${i}`);
}

test('with 100 places an agent nobody of fifty has far more than the mean', (t) => {
  const salt = testRandom((line) => t.diagnostic(line)).below(2 ** 31);
  const counts = countsOf(buildRing(members(50), 100), keysOf(salt));
  const mean = KEYS / 50;
  const most = Math.max(...counts.values()) / mean;
  const least = Math.min(...counts.values()) / mean;
  t.diagnostic(`busiest ${most.toFixed(2)}, idlest ${least.toFixed(2)} of the mean`);

  assert.ok(most < 1.3, `${most}`);
  assert.ok(least > 0.7, `${least}`);
});

test('a sixth agent takes keys from all and moves no other key', (t) => {
  const keys = keysOf(testRandom((line) => t.diagnostic(line)).below(2 ** 31));
  const five = buildRing(members(5), 100);
  const six = buildRing(members(6), 100);
  let taken = 0;
  for (const key of keys) {
    const [before, after] = [owner(five, key), owner(six, key)];
    if (before === after) continue;
    assert.equal(after, 'agent-5');
    taken += 1;
  }
  t.diagnostic(`${((100 * taken) / KEYS).toFixed(1)} % moved; 16.7 % is ideal`);

  assert.ok(taken / KEYS < 0.2, `${taken / KEYS}`);
});

test('who is named first makes no difference, and what leaves is next in the walk', () => {
  const ring = buildRing(members(6), 100);
  const turned = buildRing(members(6).reverse(), 100);
  const without = buildRing(members(5), 100);
  for (const key of keysOf(1).slice(0, 2_000)) {
    assert.equal(owner(turned, key), owner(ring, key));
    const [first, second] = walkRing(ring, key);
    assert.equal(owner(without, key), first === 'agent-5' ? second : first);
  }
});

test('a walk names everybody once', () => {
  const walk = [...walkRing(buildRing(members(7), 10), 'a key')];

  assert.equal(walk.length, 7);
  assert.equal(new Set(walk).size, 7);
});

test('places follow weights, whatever the scale on which they are written', () => {
  const keys = keysOf(2);
  for (const scale of [0.01, 1, 50]) {
    const ring = buildRing(
      [
        { id: 'light', weight: scale },
        { id: 'heavy', weight: 3 * scale },
      ],
      400,
    );
    const share = (countsOf(ring, keys).get('heavy') ?? 0) / KEYS;
    assert.ok(Math.abs(share - 0.75) < 0.06, `${share} at ${scale}`);
    assert.ok(ring.at.length <= 400 * 4, `${ring.at.length} places`);
  }
});

test('rendezvous keeps weights exactly and moves only the keys of whoever leaves', (t) => {
  const keys = keysOf(testRandom((line) => t.diagnostic(line)).below(2 ** 31));
  const weights = { a: 1, b: 2, c: 1 };
  const winner = (names: readonly ('a' | 'b' | 'c')[], key: string) =>
    names.reduce((best, name) =>
      rendezvousDraw(name, key, weights[name]) > rendezvousDraw(best, key, weights[best])
        ? name
        : best,
    );
  let ofB = 0;
  for (const key of keys) {
    const all = winner(['a', 'b', 'c'], key);
    if (all === 'b') ofB += 1;
    if (all !== 'c') assert.equal(winner(['a', 'b'], key), all);
  }
  t.diagnostic(`weight 2 of 4 has ${((100 * ofB) / KEYS).toFixed(1)} %`);

  assert.ok(Math.abs(ofB / KEYS - 0.5) < 0.01);
});
