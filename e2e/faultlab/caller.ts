import { pause } from '../kit/bounds.ts';
import type { Gateway } from '../kit/gateway.ts';

const CALL_PAUSE_MS = 40;

/** A question and its answer. */
export interface Answered {
  at: number;
  tookMs: number;
  status: number;
  code: string | undefined;
  by: string | undefined;
}

/** Asks one question after the other until it is told to stop. */
export class Caller implements AsyncDisposable {
  readonly answers: Answered[] = [];
  readonly #asking: Promise<void>;
  #isOver = false;

  constructor(gateway: Gateway) {
    this.#asking = this.#run(gateway);
  }

  isAnsweredBy(instance: string, since: number): boolean {
    return this.answers.some(({ at, by }) => by === instance && at >= since);
  }

  async end(): Promise<Answered[]> {
    this.#isOver = true;
    await this.#asking;
    return this.answers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  async #run(gateway: Gateway): Promise<void> {
    while (!this.#isOver) {
      const at = performance.now();
      const { status, body } = await gateway
        .call({ capability: 'where', params: {} })
        .catch(() => ({ status: 0, body: {} }));
      const { data, code } = body as { data?: { result: { instance: string } }; code?: string };
      const tookMs = performance.now() - at;
      this.answers.push({ at, tookMs, status, code, by: data?.result.instance });
      await pause(CALL_PAUSE_MS);
    }
  }
}
