import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgets, charge, pruneBudgets, reserve } from './budgets.ts';
import { Database } from './database.ts';
import { MIGRATIONS, migrate } from './migrations.ts';

const DAY = 86_400_000;
const terms = { limit: 10, cap: 10, soft: 8, carryMax: 0, bounds: [0, DAY, 2 * DAY, 3 * DAY] };

test('budgets that nobody asked for in a whole period are forgotten, some at a time, with what they hold', () => {
  const db = new Database({ path: ':memory:', writes: true });
  migrate(db, MIGRATIONS, 1);
  for (const name of ['a', 'b', 'c']) {
    const asked = [{ ...terms, name, amount: 1 }];
    reserve(db, { id: 'r', budgets: asked, ttlMs: 9 * DAY, now: name === 'c' ? DAY : 0 });
  }
  const names = () => db.all<{ name: string }>('SELECT name FROM budgets').map(({ name }) => name);
  const holds = () => db.all('SELECT name FROM budget_holds').length;

  pruneBudgets(db, { limit: 9, now: 2 * DAY - 1 });
  assert.deepEqual(names(), ['a', 'b', 'c']);
  pruneBudgets(db, { limit: 1, now: 2 * DAY });
  assert.deepEqual([names().length, holds()], [2, 2]);
  pruneBudgets(db, { limit: 9, now: 2 * DAY });
  assert.deepEqual([names(), holds()], [['c'], 1]);

  assert.equal(charge(db, { id: 'r', charges: [{ name: 'a', amount: 1 }] }), false);
  const [a] = budgets(db, { budgets: [{ ...terms, name: 'a' }], now: 2 * DAY });
  assert.deepEqual([a?.used, a?.reserved], [0, 0]);
  db.close();
});
