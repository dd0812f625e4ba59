import { ReachError } from '@agent-reach/core';
import type { Clock, Log } from '@agent-reach/core/kernel';
import type { Host } from './host.ts';
import type { InputOf, MoveName, OutputOf, Request } from './operations.ts';
import { answerOf } from './answer.ts';
import type { Outcome } from './outcome.ts';

/** What a queue of moves needs. */
export interface QueueOptions {
  host: Host;
  clock: Clock;
  log: Log;
  /** How long a move that nobody waits for may wait for company; 0: not at all. */
  lingerMs: number;
}

/**
 * Gathers moves into batches, one batch on its way at a time: while it is being made durable, the
 * next one grows. So a lone move leaves at once, and a crowd shares its sync without a timer.
 *
 * Rows of traces and audit do not leave by themselves: they go along with the next batch, or
 * after `lingerMs`. A commit costs as much as a dozen rows, and its sync is felt by the disk.
 */
export class MoveQueue {
  readonly #options: QueueOptions;
  /** In the order asked. */
  readonly #moves: Waiting[] = [];
  /** Hops of traces: the only thing that may be lost, so they wait apart. */
  readonly #hops: Waiting[] = [];
  /** What waits may linger no more. */
  #due = false;
  #lingering: Disposable | undefined;
  /** Settled when the batch that is on its way has been answered. */
  #batch: Promise<void> | undefined;
  #closed = false;
  #lossTold = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Asks for a move; resolves once it is durable. */
  move<Name extends MoveName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const answer = this.#put(this.#moves, { name, input });
    this.#leave();
    return answer as Promise<OutputOf<Name>>;
  }

  /** As `move`, for one whose caller is in no hurry. */
  moveSoon<Name extends MoveName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
    const answer = this.#put(this.#moves, { name, input });
    this.#leaveSoon();
    return answer as Promise<OutputOf<Name>>;
  }

  /**
   * Keeps hops if it can. Resolves in either case, and never rejects: nobody waits for a trace,
   * and a failure that nobody catches would end the process.
   */
  async keepHops(records: InputOf<'traces.append'>): Promise<void> {
    if (this.#hops.length >= WAITING_MAX) {
      const behind = fellBehind();
      for (const oldest of this.#hops.splice(0, BATCH_MAX)) oldest.reject(behind);
    }
    const kept = this.#put(this.#hops, { name: 'traces.append', input: records });
    this.#leaveSoon();
    await kept.catch((error: unknown) => this.#tellLoss(error));
  }

  /** Resolves once everything asked so far has been answered, in whatever way. */
  async flush(): Promise<void> {
    const last = [this.#moves.at(-1)?.answer, this.#hops.at(-1)?.answer, this.#batch];
    this.#leave();
    await Promise.allSettled(last.filter((answer) => answer !== undefined));
  }

  /** Answers what was asked and takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  get #waiting(): number {
    return this.#moves.length + this.#hops.length;
  }

  #put(queue: Waiting[], request: Request): Promise<unknown> {
    if (this.#closed) return Promise.reject(storeClosed());
    if (queue.length >= WAITING_MAX) return Promise.reject(fellBehind());
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
    queue.push({ request, answer, resolve, reject });
    return answer;
  }

  #leaveSoon(): void {
    const { clock, lingerMs } = this.#options;
    if (lingerMs === 0 || this.#waiting >= BATCH_MAX) this.#leave();
    else if (this.#waiting > 0) this.#lingering ??= clock.timer(lingerMs, () => this.#leave());
  }

  #leave(): void {
    this.#lingering?.[Symbol.dispose]();
    this.#lingering = undefined;
    if (this.#waiting === 0) return;
    this.#due = true;
    this.#batch ??= this.#send();
  }

  async #send(): Promise<void> {
    // After the present turn: what its callers still ask for joins the batch.
    await Promise.resolve();
    const batch = [...this.#moves.splice(0, BATCH_MAX), ...this.#hops.splice(0, BATCH_MAX)];
    // What did not fit is as due as what did; what comes from now on may linger again.
    this.#due = this.#waiting > 0;
    const outcomes = await this.#options.host.commit(batch.map((waiting) => waiting.request));
    for (const [index, waiting] of batch.entries()) settle(waiting, outcomes[index]);
    this.#batch = undefined;
    if (this.#due) this.#leave();
  }

  #tellLoss(error: unknown): void {
    if (this.#lossTold) return;
    this.#lossTold = true;
    this.#options.log.warn({ err: error }, 'Hops of traces are being lost; said once.');
  }
}

interface Waiting {
  request: Request;
  answer: Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** 512 moves take the writing thread some 10 ms: what a newcomer may have to wait for. */
const BATCH_MAX = 512;

/** Ten seconds of a store that stands still, at a thousand calls a second: some 20 MB. */
const WAITING_MAX = 10_000;

function settle(waiting: Waiting, outcome: Outcome | undefined): void {
  try {
    waiting.resolve(outcome === undefined ? undefined : answerOf(outcome));
  } catch (error) {
    waiting.reject(error);
  }
}

function storeClosed(): ReachError {
  return new ReachError('store-unavailable', 'The store is closed.');
}

function fellBehind(): ReachError {
  const detail = `The store is ${WAITING_MAX} moves behind and takes no more.`;
  return new ReachError('store-unavailable', detail, { limit: WAITING_MAX });
}
