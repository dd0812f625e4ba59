/** Wall time: milliseconds since the Unix epoch, UTC. May jump when the machine's clock is set. */
export type EpochMs = number;

/** Milliseconds on a clock that never jumps. Only differences mean something. */
export type MonotonicMs = number;

/**
 * The one door to time. Rooms take a Clock; none reads `Date` or sets a timer itself, so a test
 * owns every moment.
 */
export interface Clock {
  /** Wall time, for what people and other machines read. */
  now(): EpochMs;
  /** For durations and deadlines. */
  monotonic(): MonotonicMs;
  /** Runs `wake` once after `delayMs` (0 … 2^31 − 1), unless disposed first. Does not keep the process alive. */
  timer(delayMs: number, wake: () => void): Disposable;
  /** Resolves after `delayMs`; rejects with the signal's reason if that comes first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Node fires a longer timer after one millisecond instead. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Sleeps on any clock that has timers. */
export function sleepOn(clock: Pick<Clock, 'timer'>, delayMs: number, signal?: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const timer = clock.timer(delayMs, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    // The listener is taken off again: a signal that outlives many sleeps must not collect them.
    const abort = () => {
      timer[Symbol.dispose]();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(delayMs, wake) {
    const timeout = setTimeout(wake, Math.min(delayMs, TIMER_MAX_MS));
    timeout.unref();
    return { [Symbol.dispose]: () => clearTimeout(timeout) };
  },
  sleep: (delayMs, signal) => sleepOn(systemClock, delayMs, signal),
};

/** A moment as people and other machines read it: RFC 3339, UTC. */
export function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}
