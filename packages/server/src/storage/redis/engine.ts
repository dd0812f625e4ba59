import { ReachError } from '@agent-reach/core';
import type { Argument } from './arguments.ts';
import type { Connection } from './connection.ts';
import { failureOf } from './failure.ts';
import type { ScriptName, Scripts } from './scripts.ts';

/** What a reply of a script is made of. */
export type Reply = string | number | null | readonly Reply[];

/** Runs scripts on one store. */
export class Engine {
  readonly #connection: Connection;
  readonly #scripts: Scripts;
  readonly #prefix: string;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @param prefix What all keys of the store begin with, its hash tag in it. */
  constructor(connection: Connection, scripts: Scripts, prefix: string) {
    this.#connection = connection;
    this.#scripts = scripts;
    this.#prefix = prefix;
  }

  /**
   * Does the work of one method of a store. Whatever fails is thrown as the SPI says; `close` waits
   * for work that has begun.
   */
  async perform<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) throw new ReachError('store-unavailable', 'The store is closed.');
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw failureOf(error);
    } finally {
      this.#running.delete(running);
    }
  }

  /** Runs one script. The server is sent its text only when it does not know it. */
  async run(name: ScriptName, words: readonly Argument[]): Promise<Reply> {
    const { text, sha, isRead } = this.#scripts[name];
    const rest = ['1', this.#prefix, ...words.map(String)];
    const send = (words: string[]) => this.#connection.send(words, isRead) as Promise<Reply>;
    try {
      return await send(['EVALSHA', sha, ...rest]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return await send(['EVAL', text, ...rest]);
    }
  }

  /** Finishes what was asked, then closes. Twice is fine. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    await this.#connection.close();
  }
}
