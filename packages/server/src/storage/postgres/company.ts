import { ReachError } from '@agent-reach/core';
import { breathe, type Clock } from '@agent-reach/core/kernel';
import { isFateOfAll } from './failure.ts';

/** Whose moves travel together, and how. */
export interface CompanyOptions<Move, Answer> {
  clock: Clock;
  /** How long a move may take, waiting included. */
  timeoutMs: number;
  /** Carries moves out, all or none, within `limitMs`: one answer each, in their order. */
  carry(moves: Move[], limitMs: number): Promise<Answer[]>;
  /** How many tasks a move is about. */
  weigh(move: Move): number;
  /** Whether a move may be carried out together with others, which are never none. */
  fits(move: Move, others: readonly Move[]): boolean;
}

/**
 * Moves of many callers that travel in company: a transaction costs as much as many moves, and moves
 * of one queue wait for each other anyway. Those that are asked while others are on their way leave
 * together, once there is a way; a lone one leaves at once.
 *
 * If a batch fails, its moves go on one by one, so that what is wrong with one is not laid on its
 * neighbours; but not if the store is away, which is nobody's fault, nor if it may have happened.
 */
export class Company<Move, Answer> {
  readonly #options: CompanyOptions<Move, Answer>;
  /** In the order asked. */
  readonly #line = new Set<Waiting<Move, Answer>>();
  readonly #answers = new Set<Promise<unknown>>();
  #onTheWay = 0;
  #isLeaving = false;

  constructor(options: CompanyOptions<Move, Answer>) {
    this.#options = options;
  }

  /** Asks for a move. It is given up, and was not made, if it stands in line for half its time. */
  ask(move: Move): Promise<Answer> {
    const { clock, timeoutMs } = this.#options;
    if (this.#line.size >= WAITING_MAX) return Promise.reject(fellBehind());
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = clock.timer(timeoutMs / 2, () => {
      this.#line.delete(waiting);
      reject(tooLate());
    });
    const endsAt = clock.monotonic() + timeoutMs;
    const waiting: Waiting<Move, Answer> = { move, endsAt, timer, resolve, reject };
    this.#line.add(waiting);
    this.#track(promise);
    this.#leaveSoon();
    return promise;
  }

  /** Resolves once everything asked so far is answered, in whatever way. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#answers);
  }

  #track(answer: Promise<Answer>): void {
    this.#answers.add(answer);
    const forget = () => this.#answers.delete(answer);
    answer.then(forget, forget);
  }

  #leaveSoon(): void {
    if (this.#isLeaving || this.#line.size === 0 || this.#onTheWay >= WAYS) return;
    this.#isLeaving = true;
    // After the present turn: who was just answered asks for his next move, and comes along.
    void breathe().then(() => {
      this.#isLeaving = false;
      if (this.#line.size > 0) void this.#leave();
    });
  }

  async #leave(): Promise<void> {
    this.#onTheWay += 1;
    const batch = this.#board();
    this.#leaveSoon();
    await this.#carry(batch);
    this.#onTheWay -= 1;
    this.#leaveSoon();
  }

  /** Takes out of the line, from its head, what goes together. */
  #board(): Waiting<Move, Answer>[] {
    const options = this.#options;
    const batch: Waiting<Move, Answer>[] = [];
    const moves: Move[] = [];
    let weight = 0;
    for (const waiting of this.#line) {
      const { move } = waiting;
      if (moves.length > 0 && weight + options.weigh(move) > WEIGHT_MAX) break;
      if (moves.length > 0 && !options.fits(move, moves)) continue;
      weight += options.weigh(move);
      this.#line.delete(waiting);
      waiting.timer[Symbol.dispose]();
      batch.push(waiting);
      moves.push(move);
    }
    return batch;
  }

  async #carry(batch: Waiting<Move, Answer>[]): Promise<void> {
    try {
      const moves = batch.map(({ move }) => move);
      const answers = await this.#options.carry(moves, this.#timeLeft(batch));
      for (const [n, { resolve }] of batch.entries()) resolve(answers[n] as Answer);
    } catch (error) {
      if (batch.length === 1 || isFateOfAll(error)) for (const { reject } of batch) reject(error);
      // Nobody waits for these: the way is free for the next.
      else for (const one of batch) this.#carryAlone(one, error);
    }
  }

  #carryAlone(one: Waiting<Move, Answer>, error: unknown): void {
    if (this.#timeLeft([one]) > 0) void this.#carry([one]);
    else one.reject(error);
  }

  /** Until the first of them must be answered. */
  #timeLeft(batch: readonly Waiting<Move, Answer>[]): number {
    const now = this.#options.clock.monotonic();
    return Math.max(0, Math.min(...batch.map(({ endsAt }) => endsAt)) - now);
  }
}

interface Waiting<Move, Answer> {
  move: Move;
  /** On the clock that never jumps. */
  endsAt: number;
  /** Ends its time in the line. */
  timer: Disposable;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** While one batch is on its way the next one leaves, and what comes then waits for either. */
const WAYS = 2;

/** So many tasks take some 30 ms: what a newcomer may have to wait for. */
const WEIGHT_MAX = 200;

/** Ten seconds of a thousand moves a second: some 20 MB. */
const WAITING_MAX = 10_000;

function tooLate(): ReachError {
  return new ReachError('store-unavailable', 'PostgreSQL is too busy: the move never left.');
}

function fellBehind(): ReachError {
  const detail = `The store is ${WAITING_MAX} moves behind and takes no more.`;
  return new ReachError('store-unavailable', detail, { limit: WAITING_MAX });
}
