import { breathe } from '@agent-reach/core/kernel';

/** What a company needs. */
export interface CompanyOptions<Move, Answer> {
  /** Performs moves, each whole or not at all, and answers each in their order. */
  send(moves: readonly Move[]): Promise<readonly Answer[]>;
  /** How much one company may take on. */
  weightMax: number;
}

/**
 * Moves of one kind that are asked for in one turn of the event loop, travelling together: a script
 * costs the server as much as what it does, and a message costs both sides more than what it says. Who
 * comes alone waits for nobody, and no company waits for another one's answer.
 */
export class Company<Move, Answer> {
  readonly #options: CompanyOptions<Move, Answer>;
  #waiting: Waiting<Move, Answer>[] = [];

  constructor(options: CompanyOptions<Move, Answer>) {
    this.#options = options;
  }

  /** Resolves to the answer to this move. `weight`: how many things it does. */
  join(move: Move, weight = 1): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) void breathe().then(() => this.#leave());
      this.#waiting.push({ move, weight, resolve, reject });
    });
  }

  #leave(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    let first = 0;
    let weight = 0;
    for (const [n, one] of waiting.entries()) {
      if (n > first && weight + one.weight > this.#options.weightMax) {
        void this.#send(waiting.slice(first, n));
        first = n;
        weight = 0;
      }
      weight += one.weight;
    }
    void this.#send(waiting.slice(first));
  }

  async #send(company: readonly Waiting<Move, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.send(company.map(({ move }) => move));
      for (const [n, { resolve }] of company.entries()) resolve(answers[n] as Answer);
    } catch (error) {
      for (const { reject } of company) reject(error);
    }
  }
}

interface Waiting<Move, Answer> {
  move: Move;
  weight: number;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}
