import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutFor, probability } from '@agent-reach/server/meaning';
import { seededRandom } from '@agent-reach/core/kernel';
import { fitLogistic } from './routing/logistic.ts';
import { wilson } from './routing/wilson.ts';

test('an interval holds what was seen, and is none of nothing', () => {
  const { low, high } = wilson(0.5, 100);
  assert.ok(Math.abs(low - 0.4038) < 5e-4 && Math.abs(high - 0.5962) < 5e-4);
  assert.ok(wilson(0, 100).high > 0.03);
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
});

test('a logistic regression finds the model that its samples were drawn from', () => {
  const seed = 11;
  const random = seededRandom(seed);
  const truth = { bias: -1, weights: [3, -2] };
  const samples = Array.from({ length: 20_000 }, () => {
    const features = [random.next(), random.next()];
    return { features, isTrue: random.next() < probability(truth, features), weight: 1 };
  });

  const found = fitLogistic(samples);

  const off = [
    found.bias - truth.bias,
    ...found.weights.map((w, i) => w - (truth.weights[i] ?? 0)),
  ];
  assert.ok(
    off.every((by) => Math.abs(by) < 0.2),
    `seed ${seed}: ${off.join()}`,
  );
});

test('a cut keeps the upper bound of what is wrong within the budget, and not the share alone', () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => ({
    value: 1 - i / 1_000,
    isWrong: i % 100 === 99,
    weight: 1,
  }));

  const cut = cutFor(rows, 0.01);

  const taken = rows.filter(({ value }) => value >= cut);
  const wrong = taken.filter(({ isWrong }) => isWrong).length;
  assert.ok(wilson(wrong / 1_000, 1_000, 1.645).high <= 0.01);
  assert.ok(wrong >= 1 && wrong < 10);
  assert.equal(cutFor(rows, 0.0001), 1);
});
