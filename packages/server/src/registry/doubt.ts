import type { Clock, MonotonicMs } from '@agent-reach/core/kernel';
import { type Doubt, doubtAt, noDoubt, withLateness, withLook } from './doubt-machine.ts';

/** What is a bit late is the machine; what is later was not awake. */
const BLOCKED_MS = 100;

/** How far this gateway doubts what it sees of others, because it was late or sees too many fail. */
export class SelfDoubt {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By its own lateness, and by what it lost. */
  #late: Doubt;
  #lost: Doubt;
  /** When it last was late, and since when it is known to be awake. */
  #blockedAt: MonotonicMs = Number.NEGATIVE_INFINITY;
  #ticks: { at: MonotonicMs; everyMs: number } | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#late = noDoubt(clock.monotonic());
    this.#lost = noDoubt(clock.monotonic());
  }

  /** 0: it trusts itself; 7 at most. */
  get level(): number {
    return Math.max(this.#now(this.#late).level, this.#now(this.#lost).level);
  }

  /** How many times as long it waits before it believes a silence. */
  get patience(): number {
    return 1 + this.level;
  }

  /**
   * How many times as long it waits for the answer of a probe: of a slow process all answers come late.
   * Those who never answer would only hold the places for probes the longer.
   */
  get probePatience(): number {
    return 1 + this.#now(this.#late).level;
  }

  /** Told often, each so long after the time before: who is not, was blocked. */
  tick(everyMs: number): void {
    const now = this.#clock.monotonic();
    if (this.#isLate(now)) this.#blockedAt = now;
    this.#ticks = { at: now, everyMs };
  }

  /** Nobody ticks any more, and that is no lateness. */
  rest(): void {
    this.#ticks = undefined;
  }

  /** It was so late with its rounds. */
  late(byMs: number): void {
    this.#late = withLateness(this.#now(this.#late), byMs);
  }

  /** Takes in a look at an instance that could be reached before. */
  looked(isLost: boolean): void {
    this.#lost = withLook(this.#now(this.#lost), isLost);
  }

  /** Whether this process was not awake all the time since: what it missed is its own fault. */
  wasBlockedSince(from: MonotonicMs): boolean {
    return this.#blockedAt >= from || this.#isLate(this.#clock.monotonic());
  }

  #now(doubt: Doubt): Doubt {
    return doubtAt(doubt, this.#clock.monotonic());
  }

  #isLate(now: MonotonicMs): boolean {
    return this.#ticks !== undefined && now - this.#ticks.at > this.#ticks.everyMs + BLOCKED_MS;
  }
}
