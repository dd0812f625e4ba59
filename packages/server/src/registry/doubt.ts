import type { Clock, MonotonicMs } from '@agent-reach/core/kernel';
import { type Doubt, doubtAt, noDoubt, withLateness, withLook } from './doubt-machine.ts';

/** What is a bit late is the machine; what is later was not awake. */
const BLOCKED_MS = 100;

/** How far this gateway doubts what it sees of others, because it was late or sees too many fail. */
export class SelfDoubt {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #doubt: Doubt;
  /** When it last was late, and since when it is known to be awake. */
  #blockedAt: MonotonicMs = Number.NEGATIVE_INFINITY;
  #ticks: { at: MonotonicMs; everyMs: number } | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#doubt = noDoubt(clock.monotonic());
  }

  /** 0: it trusts itself; 7 at most. */
  get level(): number {
    this.#doubt = doubtAt(this.#doubt, this.#clock.monotonic());
    return this.#doubt.level;
  }

  /** By how much longer it waits before it says anything of others. */
  get patience(): number {
    return 1 + this.level;
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
    this.#doubt = withLateness(doubtAt(this.#doubt, this.#clock.monotonic()), byMs);
  }

  /** Takes in a look at an instance that could be reached before. */
  looked(isLost: boolean): void {
    this.#doubt = withLook(doubtAt(this.#doubt, this.#clock.monotonic()), isLost);
  }

  /** Whether this process was not awake all the time since: what it missed is its own fault. */
  wasBlockedSince(from: MonotonicMs): boolean {
    return this.#blockedAt >= from || this.#isLate(this.#clock.monotonic());
  }

  #isLate(now: MonotonicMs): boolean {
    return this.#ticks !== undefined && now - this.#ticks.at > this.#ticks.everyMs + BLOCKED_MS;
  }
}
