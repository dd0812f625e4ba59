/** How many failures may come, and from how many at once it is known. */
export interface FailurePaceOptions {
  /** Failures a minute; as many may come at once. */
  perMinute: number;
  namesMax: number;
}

const MINUTE_MS = 60_000;

/**
 * Counts failures by name, and says when there are too many (GCRA: of each name one moment is kept,
 * the one at which all that it did is made up for). The names that failed longest ago are forgotten
 * when there are too many of them.
 */
export class FailurePace {
  readonly #everyMs: number;
  readonly #namesMax: number;
  /** When each is even again; the one that failed last is last. */
  readonly #evenAt = new Map<string, number>();

  constructor({ perMinute, namesMax }: FailurePaceOptions) {
    this.#everyMs = MINUTE_MS / perMinute;
    this.#namesMax = namesMax;
  }

  /** Notes a failure. Undefined: it may be told of; else how long until the next one may, milliseconds. */
  failed(name: string, now: number): number | undefined {
    const evenAt = Math.max(this.#evenAt.get(name) ?? now, now) + this.#everyMs;
    const waitMs = evenAt - now - MINUTE_MS;
    // What is over the pace is not counted: the wait would grow without end.
    if (waitMs > 0) return waitMs;
    this.#evenAt.delete(name);
    this.#evenAt.set(name, evenAt);
    if (this.#evenAt.size > this.#namesMax) this.#forgetOldest();
    return undefined;
  }

  #forgetOldest(): void {
    for (const name of this.#evenAt.keys()) {
      this.#evenAt.delete(name);
      return;
    }
  }
}
