import {
  BUDGETS_AT_ONCE_MAX,
  type BudgetAnswer,
  type BudgetCharge,
  type BudgetStanding,
  type BudgetTerms,
} from '../spi/budgets.ts';
import { demandAtMost, demandWhole } from '../spi/demand.ts';

// Design. A budget is a calendar counter and a bucket in one. `used` and `reserved` against the limit
// say whether the period has enough; the tokens say whether it may go now. Each minute adds tokens, by
// what is left of the period and not by a fixed rate, so that what was not used in quiet days flows
// on to the later ones, and the last minutes cannot release all of it at once (`RATE_TIMES_MAX`).
//
// All numbers are whole, so that the same is worked out here and in Lua (redis/ledger/budget.lua),
// where this is written a second time.

/** What is kept of a budget. */
export interface BudgetState {
  used: number;
  reserved: number;
  tokens: number;
  /** The minute, counted from 1970, whose tokens were added last. */
  minute: number;
  startsAt: number;
  endsAt: number;
  carry: number;
  cap: number;
  /** That much is used was told in this period. */
  isTold: boolean;
}

/** A part of a reservation that is not settled yet. */
export interface BudgetHold {
  amount: number;
  /** The period in which it was made, by its beginning. */
  startsAt: number;
}

const NEW = { used: 0, reserved: 0, carry: 0, isTold: false } as const;
const MINUTE_MS = 60_000;
/** Of what would be due each minute if the limit were spread evenly. */
const RATE_TIMES_MAX = 4;
/** Millionths of a billion units: four times as much is a whole number still. */
const AMOUNT_MAX = 1_000_000_000_000_000;

/** Throws for terms that no document can have; before anything is written. */
export function demandTerms(budgets: readonly (BudgetTerms & { amount?: number })[]): void {
  demandAtMost('budgets', budgets.length, BUDGETS_AT_ONCE_MAX);
  for (const { limit, cap, soft, carryMax, amount = 0, bounds } of budgets) {
    for (const [name, value] of Object.entries({ limit, cap, soft, carryMax, amount })) {
      demandWhole(name, value, 0, AMOUNT_MAX);
    }
    demandWhole('bounds', bounds.length, 2, 100);
    if (bounds.some((at, n) => !Number.isSafeInteger(at) || at <= (bounds[n - 1] ?? -Infinity))) {
      throw new RangeError(`periods begin at ${bounds.join(', ')}; ascending moments were due`);
    }
  }
}

/** Throws for what no reservation can be settled by; before anything is written. */
export function demandCharges(charges: readonly BudgetCharge[]): void {
  demandAtMost('charges', charges.length, BUDGETS_AT_ONCE_MAX);
  for (const { amount } of charges) demandWhole('amount', amount, 0, AMOUNT_MAX);
}

/** A state at a moment, and what each minute from then on adds to it while nobody writes it. */
export interface Turned {
  state: BudgetState;
  perMinute: number;
}

/** How a budget stands at a moment: what its next period and the minutes since have brought. */
export function turned(stored: BudgetState | undefined, terms: BudgetTerms, now: number): Turned {
  const minute = Math.floor(now / MINUTE_MS);
  const period = periodOf(terms, now);
  const { cap } = terms;
  if (stored === undefined) {
    const state = { ...NEW, ...period, tokens: cap, minute, cap };
    return { state, perMinute: perMinuteIn(state, terms) };
  }
  let state = { ...stored, cap };
  // A moment beyond all that the caller knows of must not begin the last period again and again.
  if (now >= stored.endsAt && period.startsAt > stored.startsAt) {
    const last = filled(state, perMinuteIn(state, terms), minuteAt(stored.endsAt) - 1);
    state = nextPeriod(last, terms, period);
  }
  const perMinute = perMinuteIn(state, terms);
  return { state: filled(state, perMinute, minute), perMinute };
}

/** Gives back what reservations held that were never settled. */
export function lapse(state: BudgetState, holds: readonly BudgetHold[]): BudgetState {
  return holds.reduce((before, hold) => settled(before, hold, 0), state);
}

/** A part of a reservation, settled: what was used stays with its own period. */
export function settled(
  state: BudgetState,
  { amount, startsAt }: BudgetHold,
  used: number,
): BudgetState {
  const tokens = Math.min(state.cap, state.tokens + amount - used);
  if (startsAt !== state.startsAt) return { ...state, tokens };
  return { ...state, tokens, reserved: state.reserved - amount, used: state.used + used };
}

/** Whether an amount can be had. */
export function verdictOn(
  state: BudgetState,
  terms: BudgetTerms,
  amount: number,
): BudgetAnswer['verdict'] {
  if (amount > roomIn(state, terms)) return 'exhausted';
  return isPaced(terms) && amount > state.tokens ? 'paced' : 'ok';
}

/** The state once an amount is reserved. */
export function reserved(state: BudgetState, terms: BudgetTerms, amount: number): BudgetState {
  const next = {
    ...state,
    reserved: state.reserved + amount,
    tokens: state.tokens - amount,
  };
  return { ...next, isTold: state.isTold || next.used + next.reserved >= terms.soft };
}

/** What is told of a state. */
export function standingOf(state: BudgetState, terms: BudgetTerms): BudgetStanding {
  const { used, reserved: held, tokens, startsAt, endsAt, carry } = state;
  const room = roomIn(state, terms);
  return {
    name: terms.name,
    startsAt,
    endsAt,
    limit: terms.limit + carry,
    used,
    reserved: held,
    tokens,
    affordable: Math.max(0, isPaced(terms) ? Math.min(tokens, room) : room),
    carry,
  };
}

/** Until an amount can be had, if nobody else asks; 0: now. */
export function retryMs(
  { state, perMinute }: Turned,
  terms: BudgetTerms,
  { amount, now }: { amount: number; now: number },
): number {
  const verdict = verdictOn(state, terms, amount);
  if (verdict === 'ok') return 0;
  const untilEnd = Math.max(1, state.endsAt - now);
  if (verdict === 'exhausted' || perMinute === 0) return untilEnd;
  const minutes = Math.ceil((amount - state.tokens) / perMinute);
  return Math.max(1, Math.min(untilEnd, (state.minute + minutes) * MINUTE_MS - now));
}

/** When a state may be forgotten: a debt and what is carried over outlive their period by one. */
export function forgottenAt({ startsAt, endsAt }: Pick<BudgetState, 'startsAt' | 'endsAt'>) {
  return endsAt + (endsAt - startsAt);
}

/** Where all of a period may go at once, its minutes do not matter. */
function isPaced({ cap, limit }: BudgetTerms): boolean {
  return cap < limit;
}

function roomIn({ used, reserved: held, carry }: BudgetState, { limit }: BudgetTerms): number {
  return limit + carry - used - held;
}

/** Adds the tokens of all minutes up to one. */
function filled(state: BudgetState, perMinute: number, minute: number): BudgetState {
  const minutes = Math.max(0, minute - state.minute);
  const tokens = Math.min(state.cap, state.tokens + minutes * perMinute);
  return { ...state, tokens, minute: state.minute + minutes };
}

/** What each minute adds from the next one on. */
export function perMinuteIn(state: BudgetState, terms: BudgetTerms): number {
  const { startsAt, endsAt, minute } = state;
  const left = Math.max(1, minuteAt(endsAt) - minute - 1);
  const all = Math.max(1, Math.round((endsAt - startsAt) / MINUTE_MS));
  const most = Math.floor((RATE_TIMES_MAX * terms.limit) / all);
  return Math.min(most, Math.max(0, Math.floor(roomIn(state, terms) / left)));
}

/** The beginning of a period. What is still reserved stays with the one in which it was. */
function nextPeriod(
  state: BudgetState,
  terms: BudgetTerms,
  period: { startsAt: number; endsAt: number },
): BudgetState {
  // After a period in which nobody asked there is as much as ever carries over, and no debt.
  const isNext = period.startsAt <= state.endsAt;
  const left = isNext ? roomIn(state, terms) : terms.carryMax;
  return {
    ...state,
    ...period,
    used: 0,
    reserved: 0,
    carry: Math.min(terms.carryMax, left),
    isTold: false,
    // As if it had been so all along, should it be paced one day.
    tokens: isPaced(terms) ? state.tokens : terms.cap,
  };
}

function periodOf({ bounds }: BudgetTerms, now: number): { startsAt: number; endsAt: number } {
  const after = bounds.findIndex((at) => at > now);
  const n = after < 0 ? bounds.length - 1 : Math.max(1, after);
  return { startsAt: bounds[n - 1] ?? 0, endsAt: bounds[n] ?? 0 };
}

/** The minute that begins at a moment or first after it. */
function minuteAt(at: number): number {
  return Math.ceil(at / MINUTE_MS);
}
