import { type Period, periodsAround } from '@agent-reach/core/kernel';
import type { BudgetAnswer, BudgetStanding, BudgetTerms } from '../../spi/budgets.ts';
import { type BudgetHold, type BudgetState, settled } from '../budget-machine.ts';
import { decideReserve, lookAt } from '../budgets.ts';

/** A unit in the millionths in which budgets count. */
export const UNIT = 1_000_000;

/** One budget in memory, told in whole units, by a calendar. */
export class TestBudget {
  now: number;
  readonly #rules: Rules;
  readonly #holds = new Map<number, BudgetHold & { endsAt: number }>();
  #state: BudgetState | undefined;
  #bounds: number[] = [];
  #ids = 0;

  constructor(rules: Partial<Rules> & { now: number }) {
    this.#rules = {
      limit: 10_000,
      cap: 333,
      soft: 8_000,
      carryMax: 0,
      period: 'month',
      zone: 'UTC',
      ...rules,
    };
    this.now = rules.now;
  }

  get terms(): BudgetTerms {
    const { limit, cap, soft, carryMax, period, zone } = this.#rules;
    const [, startsAt = Infinity, endsAt = 0] = this.#bounds;
    if (this.now < startsAt || this.now >= endsAt) {
      this.#bounds = periodsAround(this.now, { period, zone, before: 1, after: 1 });
    }
    return {
      name: 'b',
      limit: limit * UNIT,
      cap: cap * UNIT,
      soft: soft * UNIT,
      carryMax: carryMax * UNIT,
      bounds: this.#bounds,
    };
  }

  /** Changes what the document says. */
  change(rules: Partial<Rules>): void {
    Object.assign(this.#rules, rules);
  }

  reserve(units = 1, ttlMs = 60_000): BudgetAnswer & { id: number; granted: boolean } {
    const lapsed = [...this.#holds].filter(([, { endsAt }]) => endsAt <= this.now);
    for (const [id] of lapsed) this.#holds.delete(id);
    const found = { state: this.#state, lapsed: lapsed.map(([, hold]) => hold), isHeld: false };
    const asked = { ...this.terms, amount: units * UNIT };
    const { answer, states, holds } = decideReserve({ budgets: [asked] }, () => found, this.now);
    const id = (this.#ids += 1);
    for (const { state } of states) this.#state = state;
    for (const hold of holds) this.#holds.set(id, { ...hold, endsAt: this.now + ttlMs });
    const [first] = answer.budgets;
    if (first === undefined) throw new Error('no answer');
    return { ...first, id, granted: answer.granted };
  }

  /** Settles; false: there was nothing to settle. */
  charge(id: number, units = 1): boolean {
    const hold = this.#holds.get(id);
    if (hold === undefined || this.#state === undefined) return false;
    this.#holds.delete(id);
    this.#state = settled(this.#state, hold, units * UNIT);
    return true;
  }

  /** One unit, reserved and used; whether it was granted. */
  spend(units = 1): boolean {
    const { granted, id } = this.reserve(units);
    return granted && this.charge(id, units);
  }

  /** So many units one by one; how many were granted. */
  spendMany(times: number): number {
    let granted = 0;
    for (let n = 0; n < times; n++) if (this.spend()) granted += 1;
    return granted;
  }

  get standing(): BudgetStanding {
    return lookAt(this.terms, { state: this.#state, lapsed: [] }, this.now);
  }

  get used(): number {
    return this.standing.used / UNIT;
  }
}

interface Rules {
  limit: number;
  cap: number;
  soft: number;
  carryMax: number;
  period: Period;
  zone: string;
}
