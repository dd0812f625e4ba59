import { ReachError } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';

interface Waiter {
  wake: () => void;
  isAwake: boolean;
}

/** A place in the line: taken before one looks, so that nothing is missed between look and wait. */
export interface Seat extends Disposable {
  /** Resolves at the next wake-up since the last one, after `ms`, or when `signal` is aborted. */
  rest(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Requests that wait for something to happen under a name. A wake-up is a hint: whoever wakes
 * looks again, and looks by himself now and then, so a lost hint costs time and nothing else.
 */
export class Waiters {
  readonly #lines = new Map<string, Set<Waiter>>();
  readonly #clock: Clock;
  readonly #max: number;
  #count = 0;
  #open = true;
  #emptied: PromiseWithResolvers<void> | undefined;

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** False once closed: nobody waits any more. */
  get isOpen(): boolean {
    return this.#open;
  }

  get count(): number {
    return this.#count;
  }

  /** Takes a seat; throws `overloaded` when all are taken. */
  sit(name: string): Seat {
    if (this.#count >= this.#max) {
      throw new ReachError('overloaded', `${this.#max} requests wait already, the most that may.`, {
        limit: this.#max,
        retry_after_ms: 5_000,
      });
    }
    const waiter: Waiter = { wake: () => {}, isAwake: false };
    let line = this.#lines.get(name);
    if (line === undefined) this.#lines.set(name, (line = new Set()));
    line.add(waiter);
    this.#count += 1;
    return {
      rest: (ms, signal) => this.#rest(waiter, ms, signal),
      [Symbol.dispose]: () => {
        if (!line.delete(waiter)) return;
        this.#count -= 1;
        if (line.size === 0) this.#lines.delete(name);
        if (this.#count > 0) return;
        this.#emptied?.resolve();
        this.#emptied = undefined;
      },
    };
  }

  /** Wakes up to `count` of those who wait under `name`, the longest waiting first; answers how many. */
  wake(name: string, count = Number.POSITIVE_INFINITY): number {
    let woken = 0;
    for (const waiter of this.#lines.get(name) ?? []) {
      if (woken >= count) break;
      if (waiter.isAwake) continue;
      rouse(waiter);
      woken += 1;
    }
    return woken;
  }

  /** Wakes everybody. */
  wakeAll(): void {
    for (const line of this.#lines.values()) for (const waiter of line) rouse(waiter);
  }

  /** Resolves when nobody waits. */
  async empty(): Promise<void> {
    if (this.#count === 0) return;
    this.#emptied ??= Promise.withResolvers();
    await this.#emptied.promise;
  }

  /** Sends everybody home. */
  close(): void {
    this.#open = false;
    this.wakeAll();
  }

  async #rest(waiter: Waiter, ms: number, signal?: AbortSignal): Promise<void> {
    if (!waiter.isAwake && this.#open && ms > 0 && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        const timer = this.#clock.timer(ms, () => wake());
        const wake = () => {
          timer[Symbol.dispose]();
          // Taken off again: a request that rests often must not collect listeners.
          signal?.removeEventListener('abort', wake);
          waiter.wake = () => {};
          resolve();
        };
        waiter.wake = wake;
        signal?.addEventListener('abort', wake);
      });
    }
    waiter.isAwake = false;
  }
}

function rouse(waiter: Waiter): void {
  waiter.isAwake = true;
  waiter.wake();
}
