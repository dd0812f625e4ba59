import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryBudgets } from './retry-budget.ts';

function note(budgets: RetryBudgets, isGood: boolean, times: number, target = 't/a'): void {
  for (let i = 0; i < times; i++) budgets.note(target, isGood);
}

test('ten failures in a row stop repeats, nine do not', () => {
  const budgets = new RetryBudgets();
  note(budgets, false, 9);
  assert.equal(budgets.allows('t/a'), true);

  note(budgets, false, 1);

  assert.equal(budgets.allows('t/a'), false);
});

test('from nothing a hundred and one successes bring them back, a hundred do not', () => {
  const budgets = new RetryBudgets();
  note(budgets, false, 50);
  note(budgets, true, 100);
  assert.equal(budgets.allows('t/a'), false);

  note(budgets, true, 1);

  assert.equal(budgets.allows('t/a'), true);
});

test('successes are not saved beyond twenty tokens', () => {
  const budgets = new RetryBudgets();
  note(budgets, true, 10_000);
  note(budgets, false, 1);
  note(budgets, true, 10_000);

  note(budgets, false, 10);

  assert.equal(budgets.allows('t/a'), false);
});

test('ten successes make up for a failure for ever, nine do not', () => {
  for (const [successes, may] of [
    [10, true],
    [9, false],
  ] as const) {
    const budgets = new RetryBudgets();
    for (let i = 0; i < 1_000; i++) {
      note(budgets, false, 1);
      note(budgets, true, successes);
    }
    assert.equal(budgets.allows('t/a'), may, `${successes} successes to a failure`);
  }
});

test('each target has its own, and of ten thousand that fail the oldest is forgotten', () => {
  const budgets = new RetryBudgets();
  note(budgets, false, 10);
  for (let i = 1; i < 10_000; i++) note(budgets, false, 10, `t/b${i}`);
  assert.deepEqual([budgets.allows('t/a'), budgets.allows('t/c')], [false, true]);

  note(budgets, false, 1, 't/c');

  assert.deepEqual([budgets.allows('t/a'), budgets.allows('t/b1')], [true, false]);
});
