import type { Clock, MonotonicMs } from './clock.ts';

/**
 * The moment by which a piece of work must have answered.
 *
 * Kept on the monotonic clock: two machines never compare clocks, a deadline crosses the wire as
 * remaining milliseconds (`Reach-Deadline-Ms`) and is re-anchored on arrival.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly endsAt: MonotonicMs;

  private constructor(clock: Clock, endsAt: MonotonicMs) {
    this.#clock = clock;
    this.endsAt = endsAt;
  }

  /** A deadline `remainingMs` from now. */
  static in(clock: Clock, remainingMs: number): Deadline {
    return new Deadline(clock, clock.monotonic() + remainingMs);
  }

  /** Milliseconds left; 0 when it has passed. */
  remainingMs(): number {
    return Math.max(0, this.endsAt - this.#clock.monotonic());
  }

  get passed(): boolean {
    return this.remainingMs() <= 0;
  }

  /** The earlier of this deadline and `limitMs` from now. */
  within(limitMs: number): Deadline {
    const limit = this.#clock.monotonic() + limitMs;
    return limit < this.endsAt ? new Deadline(this.#clock, limit) : this;
  }
}
