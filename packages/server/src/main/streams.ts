import { ReachError, type StreamEvent, type TextStream } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';

/** How often it is asked anew whether a reader may still read. */
const RECHECK_MS = 60_000;
/** When somebody may find a place among the streams of his tenant. */
const RETRY_AFTER_MS = 5_000;

/** What a handler of a stream answers with. */
export type Stream = AsyncIterable<StreamEvent<unknown>> | TextStream;

/** One stream that is to be opened. */
export interface Opening {
  tenant: string;
  /** Aborted when its reader has left, or when it ends for any other reason. */
  gone: AbortSignal;
  /** Throws when its reader may read no longer; undefined: nobody is asked who he is. */
  recheck: (() => Promise<void>) | undefined;
}

/** Keeps the streams of a gateway: how many a tenant has, and that each reader may still read. */
export class Streams {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #open = new Map<string, number>();

  /** @param max How many a tenant may have open at once. */
  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** How many streams a tenant has open. */
  of(tenant: string): number {
    return this.#open.get(tenant) ?? 0;
  }

  /** Throws `rate-limited` where the tenant has as many as it may, and what `begin` throws. */
  async open(
    { tenant, gone, recheck }: Opening,
    begin: (signal: AbortSignal) => Promise<Stream> | Stream,
  ): Promise<Stream> {
    if (this.of(tenant) >= this.#max) {
      throw new ReachError(
        'rate-limited',
        `${tenant} has ${this.#max} streams open at this gateway, the most it may (limits.tenant.streams).`,
        { limit: this.#max, retry_after_ms: RETRY_AFTER_MS },
      );
    }
    const revoked = new AbortController();
    const signal = AbortSignal.any([gone, revoked.signal]);
    const life = new DisposableStack();
    life.defer(this.#count(tenant));
    // By its end, whoever reads it or not: what was never begun is never finished either.
    if (gone.aborted) life.dispose();
    else gone.addEventListener('abort', () => life.dispose(), { once: true });
    try {
      const stream = await begin(signal);
      if (recheck === undefined) return stream;
      if (!life.disposed) life.use(this.#watch(recheck, revoked));
      if (!('parts' in stream)) return untilRevoked(stream, revoked.signal);
      return { ...stream, parts: untilRevoked(stream.parts, revoked.signal) };
    } catch (error) {
      life.dispose();
      throw error;
    }
  }

  #count(tenant: string): () => void {
    this.#open.set(tenant, this.of(tenant) + 1);
    return () => {
      const left = this.of(tenant) - 1;
      if (left > 0) this.#open.set(tenant, left);
      else this.#open.delete(tenant);
    };
  }

  #watch(recheck: () => Promise<void>, revoked: AbortController): Disposable {
    let isOver = false;
    let timer: Disposable;
    const later = () => {
      timer = this.#clock.timer(RECHECK_MS, () => {
        recheck().then(
          () => {
            if (!isOver) later();
          },
          (error: unknown) => revoked.abort(error),
        );
      });
    };
    later();
    return {
      [Symbol.dispose]: () => {
        isOver = true;
        timer[Symbol.dispose]();
      },
    };
  }
}

/** The same events, or pieces; where they end because their reader may read no longer, that is thrown. */
async function* untilRevoked<T>(events: AsyncIterable<T>, revoked: AbortSignal): AsyncGenerator<T> {
  yield* events;
  if (revoked.aborted) throw revoked.reason as Error;
}
