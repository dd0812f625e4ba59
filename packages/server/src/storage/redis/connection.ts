import { ReachError } from '@agent-reach/core';
import {
  type Clock,
  Deadline,
  fullJitterMs,
  type Log,
  type Random,
} from '@agent-reach/core/kernel';
import type { Client, Library } from './client.ts';

/** How long a command may take, waiting for a connection included. */
const ANSWER_MS = 2_000;

/** What waits costs memory; a gateway that far behind has lost its store. */
const WAITING_MAX = 10_000;

const RECONNECT = { baseMs: 50, maxMs: 1_000 };

/** What a connection needs from the house. */
export interface ConnectionOptions {
  library: Library;
  url: string;
  clock: Clock;
  random: Random;
  log: Log;
}

/**
 * The one connection of a gateway to its server. Commands of many callers share it: they are written
 * as they come and answered in that order.
 *
 * Each command is answered, or fails with `store-unavailable`, within two seconds, and no change is
 * ever sent twice. A client whose connection was lost, or that left a command unanswered for so long,
 * is thrown away and another one connects: a client that repairs itself may believe that it is ready
 * when it is not (node-redis #3104), or wait for a half-open socket for ever.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  readonly #waiting = new Set<() => void>();
  /** Present while connected. */
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  /** Of the last attempt to connect that failed. */
  #fault: unknown;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Runs one command; `isRead` if it changes nothing. Error replies are thrown as they came. */
  async send(words: readonly string[], isRead: boolean): Promise<unknown> {
    const deadline = Deadline.in(this.#options.clock, ANSWER_MS);
    for (;;) {
      const client = this.#client ?? (await this.#connected(deadline));
      try {
        return await this.#ask(client, words, deadline);
      } catch (error) {
        if (this.#options.library.isReply(error)) throw error;
        if (!isRead) throw unanswered(error);
        // Nothing has changed, so another connection may be asked while there is time.
        if (deadline.passed) throw unsent('Redis did not answer.');
      }
    }
  }

  /** Ends the connection; what was not answered fails. Twice is fine. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#client?.destroy();
    this.#client = undefined;
    this.#wake();
    await this.#connecting;
  }

  async #ask(client: Client, words: readonly string[], deadline: Deadline): Promise<unknown> {
    const timer = this.#options.clock.timer(deadline.remainingMs(), () => {
      this.#lose(client, new Error(`no answer within ${ANSWER_MS} ms`));
    });
    try {
      return await client.sendCommand(words);
    } finally {
      timer[Symbol.dispose]();
    }
  }

  /** Waits for a client. */
  async #connected(deadline: Deadline): Promise<Client> {
    while (this.#client === undefined) {
      if (this.#closing.signal.aborted) throw unsent('The store is closed.');
      if (deadline.passed) throw this.#unreachable();
      if (this.#waiting.size >= WAITING_MAX) throw unsent('Too much waits for Redis.');
      this.#startConnecting();
      await this.#woken(deadline);
    }
    return this.#client;
  }

  /** Until there is a client, or the time is over. */
  #woken(deadline: Deadline): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        timer[Symbol.dispose]();
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = this.#options.clock.timer(deadline.remainingMs(), wake);
      this.#waiting.add(wake);
    });
  }

  #unreachable(): ReachError {
    const { url, library } = this.#options;
    const why = library.codeOf(this.#fault);
    return new ReachError(
      'store-unavailable',
      `Redis at ${new URL(url).host} cannot be reached: ${why}.`,
      {},
      this.#fault,
    );
  }

  #startConnecting(): void {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
  }

  /** Tries until there is a client, or nobody wants one any more. */
  async #connect(): Promise<void> {
    const { clock, random, log } = this.#options;
    for (let retry = 1; !this.#closing.signal.aborted && this.#client === undefined; retry++) {
      try {
        await this.#open();
      } catch (error) {
        this.#fault = error;
        if (retry === 1) log.warn({ error: String(error) }, 'Redis cannot be reached.');
        const pauseMs = fullJitterMs(RECONNECT, retry, random);
        // A pause that close() cuts short ends the loop.
        await clock.sleep(pauseMs, this.#closing.signal).catch(() => {});
      }
    }
    this.#wake();
  }

  /** Opens a client, greeting included, in its time. */
  async #open(): Promise<void> {
    const client = this.#options.library.open(this.#options.url);
    // Without a listener an error would end the process. It is told by what fails of it, too.
    client.on('error', (error) => this.#lose(client, error));
    const timer = this.#options.clock.timer(ANSWER_MS, () => client.destroy());
    const abandon = () => client.destroy();
    this.#closing.signal.addEventListener('abort', abandon);
    try {
      await client.connect();
      this.#client = client;
    } catch (error) {
      client.destroy();
      throw error;
    } finally {
      timer[Symbol.dispose]();
      this.#closing.signal.removeEventListener('abort', abandon);
    }
  }

  /** Gives a client up; the next one connects at once. */
  #lose(client: Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#options.log.warn({ error: error.message }, 'The connection to Redis was lost.');
    client.destroy();
    this.#startConnecting();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** Of a command that changed nothing. */
function unsent(detail: string): ReachError {
  return new ReachError('store-unavailable', detail);
}

/** Of a command that was written: what it was to change may have changed. */
function unanswered(error: unknown): ReachError {
  const facts = { executed: 'unknown' } as const;
  return new ReachError('store-unavailable', 'Redis did not answer.', facts, error);
}
