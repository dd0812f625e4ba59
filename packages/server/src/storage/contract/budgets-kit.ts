import assert from 'node:assert/strict';
import type { BudgetTerms } from '../spi/budgets.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import { NOON } from './driver.ts';

/** Millionths: what budgets count in. */
export const UNIT = 1_000_000;
const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** The day in which the tests take place, and those around it. */
export const DAWN = NOON - (NOON % DAY);
const DAYS = [DAWN - DAY, DAWN, DAWN + DAY, DAWN + 2 * DAY, DAWN + 3 * DAY];

/** Ten a day, all at once if somebody likes. */
export const TEN: BudgetTerms = {
  name: 'acme/ten/day',
  limit: 10 * UNIT,
  cap: 10 * UNIT,
  soft: 8 * UNIT,
  carryMax: 0,
  bounds: DAYS,
};
/** 1,440 a day: one a minute, and up to five at once. */
export const PACED: BudgetTerms = {
  ...TEN,
  name: 'acme/paced/day',
  limit: 1_440 * UNIT,
  cap: 5 * UNIT,
  soft: 1_440 * UNIT,
};

export interface Asked {
  id: string;
  of?: readonly BudgetTerms[];
  units?: number;
  now?: number | 'store';
  ttlMs?: number;
}

export function reserve(ledger: LedgerStore, asked: Asked) {
  const { id, of = [TEN], units = 1, now = NOON, ttlMs = 60_000 } = asked;
  const budgets = of.map((terms) => ({ ...terms, amount: units * UNIT }));
  return ledger.reserve({ id, budgets, ttlMs, now });
}

/** Some reservations of one each, one after the other; how many were granted. */
export async function reserveMany(
  ledger: LedgerStore,
  times: number,
  asked: Asked,
): Promise<number> {
  let granted = 0;
  for (let n = 0; n < times; n++) {
    const one = await reserve(ledger, { ...asked, id: `${asked.id}-${n}` });
    if (one.granted) granted += 1;
  }
  return granted;
}

export async function standing(ledger: LedgerStore, terms = TEN, now: number | 'store' = NOON) {
  const [one] = await ledger.budgets({ budgets: [terms], now });
  assert.ok(one !== undefined);
  return one;
}

export async function counts(ledger: LedgerStore, terms = TEN, now = NOON) {
  const { used, reserved } = await standing(ledger, terms, now);
  return [used / UNIT, reserved / UNIT];
}
