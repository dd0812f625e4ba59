import { invariant } from '../kernel/assert.ts';
import { type Clock, type EpochMs, sleepOn } from '../kernel/clock.ts';

interface Sleeper {
  due: number;
  order: number;
  wake: () => void;
}

/** A clock that moves only when the test moves it. */
export class ManualClock implements Clock {
  #now: EpochMs;
  #setByMs = 0;
  readonly #start: EpochMs;
  #sleepers: Sleeper[] = [];
  #order = 0;

  constructor(start: EpochMs = Date.UTC(2026, 0, 1)) {
    this.#now = start;
    this.#start = start;
  }

  /** Whole milliseconds, as of a wall clock; sleeps of part of one pass in between. */
  now(): EpochMs {
    return Math.floor(this.#now + this.#setByMs);
  }

  monotonic(): number {
    return this.#now - this.#start;
  }

  timer(delayMs: number, wake: () => void): Disposable {
    invariant(!Number.isNaN(delayMs), 'a timer was set to NaN ms');
    const sleeper = { due: this.#now + Math.max(0, delayMs), order: this.#order++, wake };
    this.#sleepers.push(sleeper);
    return {
      [Symbol.dispose]: () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
      },
    };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  /** How many timers wait. A test of a room that stopped expects 0. */
  get waiting(): number {
    return this.#sleepers.length;
  }

  /** Somebody sets the wall clock, forward or back; no time passes. */
  set(byMs: number): void {
    this.#setByMs += byMs;
  }

  /** Time passes and nobody is woken, as in a process that was stopped: who is due comes late. */
  stall(byMs: number): void {
    this.#now += byMs;
  }

  /** Moves time by `byMs`, waking sleepers in the order they fall due, each before time moves on. */
  async advance(byMs: number): Promise<void> {
    invariant(byMs >= 0, `time cannot be moved by ${byMs} ms`);
    const end = this.#now + byMs;
    for (;;) {
      const next = this.#sleepers.sort((a, b) => a.due - b.due || a.order - b.order)[0];
      if (next === undefined || next.due > end) break;
      this.#sleepers.shift();
      this.#now = Math.max(this.#now, next.due);
      next.wake();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

/** Lets everything that is ready to run, run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
