import type { Clock, MonotonicMs } from '@agent-reach/core/kernel';
import type { Endpoint } from './endpoints.ts';

/**
 * A gateway that has said nothing for so long, while somebody waits for it, is looked at. Long
 * questions are held for 20 s, so this is a message every few seconds of each client that has
 * nothing else to say; shorter finds a frozen gateway sooner and costs all gateways more.
 */
const SILENCE_MS = 5_000;

/** A wait at an endpoint. Dispose it when it is over. */
export interface Wait extends Disposable {
  /** Aborted by the request's own signal, or when the endpoint was found silent. */
  readonly signal: AbortSignal;
  /** Whether that was why it was aborted. */
  readonly isSilent: boolean;
  /** The endpoint has answered. */
  answered(): void;
}

/** All waits at one endpoint, and the timer that they share. */
interface Watch {
  readonly leave: Set<() => void>;
  timer: Disposable | undefined;
  answeredAt: MonotonicMs;
}

/** Watches over requests that wait: none of them waits on at a gateway that is frozen. */
export class Vigil {
  readonly #clock: Clock;
  readonly #look: (endpoint: Endpoint) => void;
  readonly #watches = new Map<Endpoint, Watch>();

  /** @param look Looks at the endpoint, and calls `silent` if it is. */
  constructor(clock: Clock, look: (endpoint: Endpoint) => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** The endpoint does not answer: all who wait there are told. */
  silent(endpoint: Endpoint): void {
    for (const leave of this.#watches.get(endpoint)?.leave ?? []) leave();
  }

  wait(endpoint: Endpoint, signal: AbortSignal): Wait {
    const watch = this.#watchOf(endpoint);
    const over = new AbortController();
    let isSilent = false;
    const abort = () => over.abort();
    const leave = () => {
      isSilent = !over.signal.aborted;
      abort();
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    watch.leave.add(leave);
    watch.timer ??= this.#timer(endpoint, watch, SILENCE_MS);
    const clock = this.#clock;
    return {
      signal: over.signal,
      get isSilent() {
        return isSilent;
      },
      answered() {
        watch.answeredAt = clock.monotonic();
      },
      [Symbol.dispose]() {
        signal.removeEventListener('abort', abort);
        watch.leave.delete(leave);
        if (watch.leave.size > 0) return;
        watch.timer?.[Symbol.dispose]();
        watch.timer = undefined;
      },
    };
  }

  #watchOf(endpoint: Endpoint): Watch {
    const known = this.#watches.get(endpoint);
    if (known !== undefined) return known;
    const never = Number.NEGATIVE_INFINITY;
    const watch: Watch = { leave: new Set(), timer: undefined, answeredAt: never };
    this.#watches.set(endpoint, watch);
    return watch;
  }

  #timer(endpoint: Endpoint, watch: Watch, delayMs: number): Disposable {
    return this.#clock.timer(delayMs, () => {
      // One that answers others is there, however long this one is held.
      const quietMs = this.#clock.monotonic() - watch.answeredAt;
      if (quietMs >= SILENCE_MS) this.#look(endpoint);
      const restMs = quietMs >= SILENCE_MS ? SILENCE_MS : SILENCE_MS - quietMs;
      watch.timer = this.#timer(endpoint, watch, restMs);
    });
  }
}
