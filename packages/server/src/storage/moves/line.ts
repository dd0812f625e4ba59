import { type Clock, fullJitterMs, type Log, type Random } from '@agent-reach/core/kernel';
import type { Channel, Ear } from '../spi/shared.ts';

/** A connection that listens, and how to tell something to all others that do. */
export interface Wire {
  send(text: string): Promise<unknown>;
  /** Answered by the engine on the connection that listens. */
  ping(): Promise<unknown>;
  close(): void;
}

/** What whoever connects tells, and is told. */
export interface Hearing {
  heard: (text: string) => void;
  /** May be called more than once. */
  lost: (error: Error) => void;
  /** Aborted when nobody waits for the connection any more, so that none is left half made. */
  signal: AbortSignal;
}

/** What a line needs. */
export interface LineOptions {
  /** As people call it, for the log. */
  engine: string;
  /** Connects and listens, or gives up when the signal is aborted. */
  open(on: Hearing): Promise<Wire>;
  clock: Clock;
  random: Random;
  log: Log;
}

/** A connection that only listens does not notice that the other end is gone: it is asked. */
const PING_MS = 2_000;
const ANSWER_MS = 2_000;
/** A server may take a connection and then say nothing: half-open, or stopped. */
const OPEN_MS = 4_000;
const RECONNECT = { baseMs: 100, maxMs: 2_000 };

/**
 * The line of one process to all others on its engine: one connection, made anew whenever it breaks
 * or falls silent, from the first that listens on until it is closed.
 */
export class Line implements Channel {
  readonly #options: LineOptions;
  readonly #ears = new Set<Ear>();
  readonly #closing = Promise.withResolvers<typeof CLOSED>();
  readonly #tried = Promise.withResolvers<void>();
  #isClosed = false;
  /** Something may have been told before it heard. */
  #mayHaveMissed = false;
  #wire: Wire | undefined;
  #keeping: Promise<void> | undefined;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  send(text: string): void {
    this.#wire?.send(text).catch(() => {}); // A hint is lost; the ping finds out whether more is.
  }

  async listen(ear: Ear): Promise<AsyncDisposable> {
    this.#ears.add(ear);
    this.#keeping ??= this.#keep();
    await this.#tried.promise;
    return { [Symbol.asyncDispose]: async () => void this.#ears.delete(ear) };
  }

  /** Twice is fine. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.resolve(CLOSED);
    await this.#keeping;
  }

  async #keep(): Promise<void> {
    const { random } = this.#options;
    for (let retry = 1; !this.#isClosed; retry++) {
      try {
        await this.#hear(() => {
          retry = 0;
        });
      } catch (error) {
        // Told when it begins, not at each attempt.
        if (retry <= 1 && !this.#isClosed) this.#tell(error);
      }
      this.#mayHaveMissed = true;
      this.#tried.resolve();
      await this.#within(fullJitterMs(RECONNECT, Math.max(1, retry), random), []);
    }
  }

  /** Listens until it is closed; throws why it does not hear any more, or never did. */
  async #hear(opened: () => void): Promise<void> {
    const { promise: loss, resolve: lost } = Promise.withResolvers<Error>();
    const heard = (text: string) => {
      for (const ear of this.#ears) ear.heard(text);
    };
    const wire = await this.#open({ heard, lost });
    try {
      opened();
      this.#wire = wire;
      if (this.#mayHaveMissed) for (const ear of this.#ears) ear.missed();
      this.#tried.resolve();
      await this.#watch(wire, loss);
    } finally {
      this.#wire = undefined;
      wire.close();
    }
  }

  /** Connects, in its time and not after the line is closed. */
  async #open(on: Omit<Hearing, 'signal'>): Promise<Wire> {
    const giveUp = new AbortController();
    const opening = this.#options.open({ ...on, signal: giveUp.signal });
    const first = await this.#within(OPEN_MS, [opening]);
    if (first !== CLOSED && first !== SILENCE) return first;
    giveUp.abort();
    opening.then((late) => late.close()).catch(() => {}); // Nobody waits for it.
    throw new Error(first === CLOSED ? 'closed' : `no connection within ${OPEN_MS} ms`);
  }

  async #watch(wire: Wire, loss: Promise<Error>): Promise<void> {
    for (;;) {
      const news = await this.#within(PING_MS, [loss]);
      if (news === CLOSED) return;
      if (news !== SILENCE) throw news;
      const answer = wire.ping().then(() => undefined);
      const word = await this.#within(ANSWER_MS, [loss, answer]);
      if (word === CLOSED) return;
      if (word === SILENCE) throw new Error(`no answer within ${ANSWER_MS} ms`);
      if (word !== undefined) throw word;
    }
  }

  /** What comes first, or `SILENCE` after `ms`, or `CLOSED`. */
  async #within<T>(
    ms: number,
    promises: readonly Promise<T>[],
  ): Promise<T | typeof SILENCE | typeof CLOSED> {
    const { promise: over, resolve } = Promise.withResolvers<typeof SILENCE>();
    using _ = this.#options.clock.timer(ms, () => resolve(SILENCE));
    return await Promise.race([...promises, this.#closing.promise, over]);
  }

  #tell(error: unknown): void {
    const { log, engine } = this.#options;
    log.warn({ error: String(error) }, `The line to other gateways over ${engine} is down.`);
  }
}

const SILENCE = Symbol('silence');
const CLOSED = Symbol('closed');
