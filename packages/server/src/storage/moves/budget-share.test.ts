import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BudgetStanding, BudgetTerms } from '../spi/budgets.ts';
import { budgetShare } from './budget-share.ts';

const HOUR = 3_600_000;
/** Stores count in millionths. */
const UNIT = 1_000_000;
/** In the second of four hours; nothing of a period is held back. */
const terms: BudgetTerms = {
  name: 'b',
  limit: 100 * UNIT,
  cap: 100 * UNIT,
  soft: 80 * UNIT,
  carryMax: 0,
  bounds: [0, 1, 2, 3, 4].map((n) => n * HOUR),
};
const now = HOUR + 60_000;
const said: BudgetStanding = {
  name: 'b',
  startsAt: HOUR,
  endsAt: 2 * HOUR,
  limit: 100 * UNIT,
  used: 30 * UNIT,
  reserved: 10 * UNIT,
  tokens: 60 * UNIT,
  affordable: 60 * UNIT,
  carry: 0,
};

/** How many calls of `amount` go. */
function goes(share: ReturnType<typeof budgetShare>, over: Partial<BudgetTerms> = {}, at = now) {
  const asked = [{ ...terms, ...over, amount: UNIT }];
  let n = 0;
  while (share.take(asked, at).granted) n++;
  return n;
}

test('each of three gateways lets a third of what was left go, and no call more', () => {
  const share = budgetShare(() => 3);
  share.learn([said]);

  assert.equal(goes(share), 19); // 33 of the limit less 14 of what was used and under way.
  const { budgets } = share.take([{ ...terms, amount: UNIT }], now);
  assert.deepEqual([budgets[0]?.verdict, budgets[0]?.retryMs], ['exhausted', HOUR - 60_000]);
});

test('a gateway that falls silent with the store keeps its part', () => {
  let living = 2;
  const share = budgetShare(() => living);
  share.learn([said]);
  living = 1;

  assert.equal(goes(share), 30);
});

test('what no store ever spoke of has its part of a whole period', () => {
  assert.equal(goes(budgetShare(() => 4)), 25);
  assert.equal(goes(budgetShare(() => 1_000)), 1);
});

test('a period that begins meanwhile brings a new part', () => {
  const share = budgetShare(() => 2);
  share.learn([said]);

  assert.equal(goes(share), 30);
  assert.equal(goes(share, {}, 2 * HOUR), 50);
});

test('what comes minute by minute comes in parts, too', () => {
  const share = budgetShare(() => 2);
  const paced = { cap: 10 * UNIT };
  share.learn([{ ...said, tokens: 4 * UNIT }]);

  assert.equal(goes(share, paced), 2);
  assert.equal(
    share.take([{ ...terms, ...paced, amount: UNIT }], now).budgets[0]?.verdict,
    'paced',
  );
  // Half of what is left, 28, comes in the hour's last 58 minutes.
  assert.equal(goes(share, paced, now + 5 * 60_000), 2);
});

test('of several budgets all must have enough, or none is touched', () => {
  const share = budgetShare(() => 1);
  share.learn([said, { ...said, name: 'small', used: 89 * UNIT }]);
  const both = [
    { ...terms, amount: UNIT },
    { ...terms, name: 'small', amount: UNIT },
  ];

  assert.equal(share.take(both, now).granted, true);
  assert.equal(share.take(both, now).granted, false);
  assert.equal(goes(share), 59);
});

test('once the store speaks again its word is what counts', () => {
  const share = budgetShare(() => 1);
  share.learn([said]);
  assert.equal(goes(share), 60);

  share.learn([{ ...said, used: 98 * UNIT, reserved: 0 }]);

  assert.equal(goes(share), 2);
});
