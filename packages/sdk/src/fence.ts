import type { Clock, MonotonicMs } from '@agent-reach/core/kernel';

/** What the gateway says with an answer to a heartbeat: a fence of this epoch, or (`for_ms` 0) none. */
export interface FenceWord {
  epoch: number;
  for_ms: number;
}

/**
 * Whether the gateway has fenced this process off: it cannot be reached as it should, and others do
 * its work. A lease: it ends by itself, and a word of an older epoch is void. So neither a gateway that
 * dies nor one that has not heard yet holds it up or lets it go.
 */
export class Fence {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #epoch = 0;
  #until: MonotonicMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Takes in what a gateway says; undefined: it says nothing, as one does that never fenced anybody. */
  hear(word: FenceWord | undefined): void {
    if (word === undefined || word.epoch < this.#epoch) return;
    this.#epoch = word.epoch;
    this.#until = this.#clock.monotonic() + word.for_ms;
  }

  /** Registered anew: it may be a gateway that counts anew. */
  forget(): void {
    this.#epoch = 0;
    this.#until = 0;
  }

  /** For how long it still holds; 0: it does not. */
  get leftMs(): number {
    return Math.max(0, this.#until - this.#clock.monotonic());
  }

  /**
   * Whether a call is let in. Who names the epoch knows of the fence and has nobody else; who names
   * none was sent here before it was put up.
   */
  lets(epoch: number | undefined): boolean {
    return this.leftMs === 0 || (epoch !== undefined && epoch >= this.#epoch);
  }
}
