// Tokens are counted in tenths, so that a success of 0.1 adds up exactly.
const FULL = 200;
const FAILURE = 10;
const SUCCESS = 1;
/** Repeats need more than half of a full budget. */
const ENOUGH = 100;
/** More targets than fail at once: those with a full budget are not remembered. */
const TARGETS_MAX = 10_000;

/**
 * How many repeats a target can bear: each failure takes a token of its twenty, each success gives a
 * tenth back, and only who has more than ten is asked again. So that when everything fails, repeats
 * stop after ten failures instead of doubling the load, and come back slowly.
 */
export class RetryBudgets {
  /** Tenths of tokens, of those that are not full. */
  readonly #tokens = new Map<string, number>();

  /** Takes in how an attempt at a target ended, the first as well as a repeat. */
  note(target: string, isGood: boolean): void {
    const before = this.#tokens.get(target);
    if (before === undefined && isGood) return;
    const tokens = (before ?? FULL) + (isGood ? SUCCESS : -FAILURE);
    if (tokens >= FULL) this.#tokens.delete(target);
    else {
      if (before === undefined) this.#makeRoom();
      this.#tokens.set(target, Math.max(0, tokens));
    }
  }

  /** Whether the target may be sent a repeat. */
  allows(target: string): boolean {
    return (this.#tokens.get(target) ?? FULL) > ENOUGH;
  }

  #makeRoom(): void {
    if (this.#tokens.size < TARGETS_MAX) return;
    const [oldest] = this.#tokens.keys();
    if (oldest !== undefined) this.#tokens.delete(oldest);
  }
}
