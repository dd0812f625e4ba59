import { EventReader, type Received } from '@agent-reach/core';
import type { TestHouse } from './house.ts';

/** A stream that somebody reads over a real connection. */
export class Reading {
  readonly response: Response;
  /** All that came so far. */
  readonly got: Received[] = [];
  /** The bytes themselves, for what is no event. */
  text = '';
  readonly #gone: AbortController;
  readonly #parts: AsyncIterator<Uint8Array>;
  readonly #events = new EventReader();

  private constructor(response: Response, gone: AbortController) {
    this.response = response;
    this.#gone = gone;
    const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
    this.#parts = (body ?? (async function* () {})())[Symbol.asyncIterator]();
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<Reading> {
    const gone = new AbortController();
    return new Reading(await fetch(url, { headers, signal: gone.signal }), gone);
  }

  /** The next of what came that the test waits for; undefined: the stream is over. */
  async until(is: (one: Received) => boolean): Promise<Received | undefined> {
    for (let from = 0; ; ) {
      for (; from < this.got.length; from++) {
        const one = this.got[from];
        if (one !== undefined && is(one)) return one;
      }
      if (!(await this.more())) return undefined;
    }
  }

  /** The next event of a type. */
  async event<T = Record<string, unknown>>(type: string): Promise<T | undefined> {
    const found = await this.until((one) => one.is === 'event' && one.data.type === type);
    return found?.is === 'event' ? (found.data as T) : undefined;
  }

  /** Reads some more; false: it is over. */
  async more(): Promise<boolean> {
    const { value, done } = await this.#parts.next();
    if (done === true) return false;
    const piece = new TextDecoder().decode(value);
    this.text += piece;
    this.got.push(...this.#events.read(piece));
    return true;
  }

  leave(): void {
    this.#gone.abort();
  }
}

/** Lets the house of a test listen; answers where. */
export async function listen({ http }: TestHouse): Promise<string> {
  return http.listen({ host: '127.0.0.1', port: 0 });
}
