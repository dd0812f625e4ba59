import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUDGETED, budgetOver, budgetsFor, excesses, readBudgets } from './budgets.ts';

const budgets = budgetsFor({ plain: 2, keyed: 4, governed: 6 }, 'now');

test('a case keeps its budget up to the last hundredth, and is named from there on', () => {
  assert.deepEqual(excesses({ plain: 2.5, keyed: 5, governed: 7.5 }, budgets), []);

  assert.deepEqual(excesses({ plain: 2.51, keyed: 5, governed: 7.51 }, budgets), [
    'plain takes 2.51 × the bare proxy; its budget is 2.50 × (2.00 × when that was set).',
    'governed takes 7.51 × the bare proxy; its budget is 7.50 × (6.00 × when that was set).',
  ]);
});

test('what was not measured has kept no budget', () => {
  const [told = '', ...others] = excesses({ plain: 2, keyed: Number.NaN, governed: 6 }, budgets);

  assert.deepEqual([told.startsWith('keyed takes NaN'), others], [true, []]);
});

test('a file without a budget of each case is refused by the name of the case', () => {
  const { governed: _, ...cases } = budgets.cases;

  assert.deepEqual(readBudgets(JSON.stringify(budgets)), budgets);
  assert.throws(
    () => readBudgets(JSON.stringify({ ...budgets, cases })),
    /no budget of.* governed/,
  );
  assert.throws(() => readBudgets('{}'), /no budget of.* plain/);
});

test('the budgets that are kept are what was measured and the headroom, and say how', () => {
  const kept = readBudgets();

  for (const name of BUDGETED) {
    assert.equal(kept.cases[name].budget, budgetOver(kept.cases[name].measured), name);
  }
  assert.match(kept.measured, /^\d{4}-\d\d-\d\d, npm run bench -- call .*load before/);
  assert.equal(kept.how, budgets.how);
});
