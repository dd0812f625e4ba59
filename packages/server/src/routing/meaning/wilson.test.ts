import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutFor, type Graded, leastFor, wilson } from './wilson.ts';

const rows = (count: number, of: Omit<Graded, 'weight'>): Graded[] =>
  Array.from({ length: count }, () => ({ ...of, weight: 1 }));

test('an interval of nothing says nothing, and one of all reaches to all', () => {
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
  assert.equal(wilson(1, 10).high, 1);
  assert.ok(wilson(0, 10).low === 0 && wilson(0, 10).high > 0.2);
});

test('a cut takes in what stays within the budget by the upper bound', () => {
  const right = rows(leastFor(0.01), { value: 0.9, isWrong: false });

  assert.equal(cutFor(right, 0.01), 0.9);
  assert.equal(cutFor(right.slice(1), 0.01), 1);
  const wrong = rows(50, { value: 0.8, isWrong: true });
  assert.equal(cutFor([...rows(1_000, { value: 0.9, isWrong: false }), ...wrong], 0.01), 0.9);
});

test('what has one value passes together or not at all, in whatever order it is counted', () => {
  const right = rows(900, { value: 0.9, isWrong: false });
  const wrong = rows(100, { value: 0.9, isWrong: true });

  assert.equal(cutFor([...right, ...wrong], 0.01), 1);
  assert.equal(cutFor([...wrong, ...right], 0.01), 1);
  const surer = rows(1_000, { value: 0.95, isWrong: false });
  assert.equal(cutFor([...right, ...wrong, ...surer], 0.01), 0.95);
});
