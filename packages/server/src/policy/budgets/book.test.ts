import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BudgetRow } from '@agent-reach/core';
import { BudgetBook } from './book.ts';
import { budgetOf, capOf, faultsOf, type Spending, UNIT } from './budget.ts';

const row: BudgetRow = { id: 'b', limit: 10_000, period: 'month' };
const call: Spending = {
  principal: 'key-1',
  actsFor: 'robot',
  capability: 'crm.read',
  onBehalfOf: undefined,
  isRead: true,
};

function idsFor(spending: Partial<Spending>, scopes: BudgetRow['scope'][]) {
  const book = new BudgetBook();
  const budgets = scopes.map((scope, n) => ({ ...row, id: `b${n}`, ...(scope && { scope }) }));
  book.take('acme', 1, { budgets });
  const asked = { ...call, ...spending };
  const ids = book.matching('acme', asked).map(({ id }) => id);
  assert.deepEqual(
    book.matching('acme', asked).map(({ id }) => id),
    ids,
    'asked again',
  );
  return ids;
}

test('a budget counts whom its scope names, and everybody where it names nobody', () => {
  const scopes = [
    undefined,
    { agent: 'robot' },
    { agent: 'key-*' },
    { agent: 'key' },
    { capability: 'crm.*' },
    { capability: 'crm' },
    { agent: 'robot', capability: 'mail.*' },
    { on_behalf_of: 'user-*' },
  ];

  assert.deepEqual(idsFor({}, scopes), ['b0', 'b1', 'b2', 'b4']);
  assert.deepEqual(idsFor({ onBehalfOf: 'user-1' }, scopes), ['b0', 'b1', 'b2', 'b4', 'b7']);
  assert.deepEqual(idsFor({ onBehalfOf: 'other' }, scopes), ['b0', 'b1', 'b2', 'b4']);
});

test('an older document does not replace a later one, and tenants are apart', () => {
  const book = new BudgetBook();
  book.take('acme', 2, { budgets: [row] });
  book.take('acme', 1, { budgets: [] });

  assert.equal(book.matching('acme', call).length, 1);
  assert.equal(book.matching('other', call).length, 0);
  book.take('acme', 3, {});
  assert.equal(book.matching('acme', call).length, 0);
  assert.equal(book.versionOf('acme'), 3);
});

test('what may go at once is the share of its burst, a day where nothing is said', () => {
  assert.equal(capOf(row), 333_333_333);
  assert.equal(capOf({ ...row, burst: '1m' }), Math.floor((10_000 * UNIT) / 43_200));
  assert.equal(capOf({ ...row, burst: '60d' }), 10_000 * UNIT);
  assert.equal(capOf({ ...row, limit: 7, period: 'minute' }), 7 * UNIT);
  assert.equal(capOf({ ...row, limit: 24, period: 'day', burst: 3_600 }), UNIT);
});

test('a burst that is a call’s share exactly is taken, and one less is not', () => {
  const daily: BudgetRow = { id: 'b', limit: 1_440, period: 'day', burst: '1m' };

  assert.deepEqual(faultsOf(daily), []);
  assert.deepEqual(
    faultsOf({ ...daily, limit: 1_439 }).map(({ member }) => member),
    ['burst'],
  );
  assert.deepEqual(
    faultsOf({ ...daily, cost: 2 }).map(({ member }) => member),
    ['burst'],
  );
  assert.deepEqual(faultsOf({ ...daily, burst: '1s' })[0]?.member, 'burst');
});

test('a store is told of the periods around a moment, in the zone of the budget', () => {
  const budget = budgetOf('acme', { ...row, tz: 'Asia/Shanghai', carry_over: { max: 0.2 } });
  const terms = budget.termsAt(Date.parse('2026-11-30T17:00:00Z'));

  assert.equal(terms.name, 'acme/b/month');
  assert.deepEqual([terms.limit, terms.soft, terms.carryMax], [10e9, 8e9, 2e9]);
  assert.deepEqual(
    terms.bounds.map((at) => budget.shown(at).slice(0, 10)),
    [
      '2026-10-01',
      '2026-11-01',
      '2026-12-01',
      '2027-01-01',
      '2027-02-01',
      '2027-03-01',
      '2027-04-01',
    ].slice(0, terms.bounds.length),
  );
  const { bounds } = budget.termsAt(Date.parse('2026-12-31T15:59:59Z'));
  assert.equal(bounds, terms.bounds);
  assert.notEqual(budget.termsAt(Date.parse('2026-12-31T16:00:00Z')).bounds, terms.bounds);
});
