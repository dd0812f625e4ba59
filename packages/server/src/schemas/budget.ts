// Design. The bounds on a schema keep its program short, not its running time: a list of a hundred
// thousand items runs the program of one item as often, and a definition that refers to itself
// twice doubles the work at each level. So the program pays as it goes, at every place where the
// value and not the text of the schema decides how often it runs (see instrument.ts and
// pattern.ts). A schema without lists, definitions and patterns pays nothing at all.

/**
 * Steps that one check may take. A step is about one keyword on one value, or a text of eight
 * characters under one instruction of a pattern. Ten thousand orders of twenty fields take
 * 420 000, a list of a thousand ids under `^[\w-]{1,128}$` takes as many again. The costliest
 * schemas and values that we could build hold the loop for 50 to 80 ms until their steps are
 * spent; the costliest pattern, made so that each character is a new state, for 140 ms, and for
 * 240 ms the first time. Charging patterns for that would refuse honest lists.
 */
export const CHECK_STEPS = 1_000_000;

/** Steps of the second look, which collects the faults of a value already known to be wrong. */
export const EXPLAIN_STEPS = 20_000;

/** Ends a check that would hold the event loop. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent';
}

/** What one check has left to spend. One per validator: checks are synchronous and do not nest. */
export class Budget {
  #left = 0;

  fill(steps: number): void {
    this.#left = steps;
  }

  /** Throws `BudgetSpent` when there is not enough left. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new BudgetSpent('The value takes too long to check.');
  }
}
