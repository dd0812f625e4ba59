import { ReachError } from '@agent-reach/core';
import type { Argument } from './arguments.ts';
import { Company } from './company.ts';
import type { Connection } from './connection.ts';
import { failureOf } from './failure.ts';
import type { ScriptName, Scripts } from './scripts.ts';

/** What a reply of a script is made of. */
export type Reply = string | number | null | readonly Reply[];

/**
 * What a company takes on. A larger one costs the server less for each, and with `appendfsync always` all
 * of it share a sync; but everybody waits for the last of his company.
 */
const COMPANY_MAX = 50;

/** Of a move that failed: the others of its company did not. */
function answerOf(answer: Reply | Error): Reply {
  if (answer instanceof Error) throw answer;
  return answer;
}

/** Runs scripts on one store. */
export class Engine {
  readonly #connection: Connection;
  readonly #scripts: Scripts;
  readonly #prefix: string;
  readonly #companies = new Map<ScriptName, Company<readonly Argument[], Reply | Error>>();
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

  /** Runs a script for one move, or one question. */
  async run(name: ScriptName, words: readonly Argument[]): Promise<Reply> {
    const [answer = null] = await this.#send(name, [words]);
    return answerOf(answer);
  }

  /**
   * The same in company with whoever asks for the same now. `weight`: how many things the script does
   * for it, which bounds the company.
   */
  async runTogether(name: ScriptName, words: readonly Argument[], weight = 1): Promise<Reply> {
    return answerOf(await this.#companyOf(name).join(words, weight));
  }

  #companyOf(name: ScriptName): Company<readonly Argument[], Reply | Error> {
    const known = this.#companies.get(name);
    if (known !== undefined) return known;
    const send = (moves: readonly (readonly Argument[])[]) => this.#send(name, moves);
    const company = new Company({ send, weightMax: COMPANY_MAX });
    this.#companies.set(name, company);
    return company;
  }

  /** Runs one script. The server is sent its text only when it does not know it. */
  async #send(name: ScriptName, moves: readonly (readonly Argument[])[]) {
    const { text, sha, isRead } = this.#scripts[name];
    const rest = ['1', this.#prefix];
    for (const words of moves) {
      rest.push(String(words.length));
      for (const word of words) rest.push(String(word));
    }
    const send = (words: string[]) =>
      this.#connection.send(words, isRead) as Promise<readonly (Reply | Error)[]>;
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
