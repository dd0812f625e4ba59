import type { Now } from './now.ts';

/**
 * What a budget is held to, by its document as it stands now. Amounts are whole millionths of a
 * unit, at most 10^15: their sums are exact everywhere.
 */
export interface BudgetTerms {
  /** Under which its state is kept. */
  name: string;
  /** What a period has. */
  limit: number;
  /** What may go at once: its tokens are never more. At least the limit: nothing is paced. */
  cap: number;
  /** From how much used on it is told. */
  soft: number;
  /** How much of what a period left the next one may have beside its own. */
  carryMax: number;
  /**
   * When periods begin, epoch ms, ascending, and the end of the last; at least two. Beyond them the
   * nearest counts.
   */
  bounds: readonly number[];
}

/** How a budget stands. `limit` holds what was carried over; a debt that was makes it less. */
export interface BudgetStanding {
  name: string;
  startsAt: number;
  endsAt: number;
  limit: number;
  used: number;
  /** By what has begun and is not settled. */
  reserved: number;
  /** What may go at once now, if it is paced; below 0: a debt, paid back minute by minute. */
  tokens: number;
  /** What could be reserved now. */
  affordable: number;
  carry: number;
}

/** What became of one budget's part of a reservation. */
export interface BudgetAnswer extends BudgetStanding {
  /** `paced`: not so much at once; `exhausted`: not so much in this period. */
  verdict: 'ok' | 'paced' | 'exhausted';
  /** Until as much as was asked for can be had (again); 0: now. */
  retryMs: number;
  /** This reservation is the first of its period that came over `soft`. */
  isTold: boolean;
}

/** What was reserved, and what of it was used in the end. */
export interface BudgetCharge {
  name: string;
  /** 0: all is given back. More than was reserved: a debt. */
  amount: number;
}

/**
 * Budgets: reserve, then settle. Unlike the other counters these are as durable as the store.
 *
 * A new minute adds tokens, as many as are left of the period for each minute that is left of it,
 * and four times as many as were evenly due at most.
 */
export interface BudgetMoves {
  /**
   * Reserves of several budgets at once, at most 200, each named once: all grant, or nothing changes.
   * `id` is the caller's and new; one that is there already is answered `granted` and takes nothing
   * more. What is not settled within `ttlMs` is given back. Answers in the order of `budgets`, as
   * they stand after the move.
   */
  reserve(move: {
    id: string;
    budgets: readonly (BudgetTerms & { amount: number })[];
    ttlMs: number;
    now: Now;
  }): Promise<{ granted: boolean; budgets: BudgetAnswer[] }>;

  /**
   * Settles a reservation, each part once: what was used is counted in the period in which it was
   * reserved, and the rest is given back. True: all parts were there. False: some were settled or
   * given back before, and those are left alone.
   */
  charge(move: { id: string; charges: readonly BudgetCharge[] }): Promise<boolean>;

  /** How budgets stand, in the order of the question. Changes nothing. */
  budgets(query: { budgets: readonly BudgetTerms[]; now: Now }): Promise<BudgetStanding[]>;
}

/**
 * A gateway's own share of budgets, while the store cannot say how they stand. It is kept nowhere, and
 * what was taken of it is not counted afterwards: each gateway lets its part of what was left go once.
 */
export interface BudgetShare {
  /** What the store said of budgets, after the last move. */
  learn(standings: readonly BudgetStanding[]): void;
  /** Takes amounts, used at once: all grant, or nothing changes. Answers in the order of `budgets`. */
  take(
    budgets: readonly (BudgetTerms & { amount: number })[],
    now: number,
  ): { granted: boolean; budgets: BudgetAnswer[] };
}

/** As many as a tenant has. A call matches a few; more of them would hold up everybody else. */
export const BUDGETS_AT_ONCE_MAX = 200;
