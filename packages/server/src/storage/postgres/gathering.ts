import { ReachError } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';

/** What gathers rows on their way. */
export interface GatheringOptions<Row> {
  clock: Clock;
  /** Keeps rows, all or none. */
  keep(rows: Row[]): Promise<void>;
  /** When too many wait: refuse the newcomers, or give up the oldest. */
  whenFull: 'refuse' | 'drop-oldest';
}

/**
 * Rows that nobody is in a hurry for, kept in company: a transaction costs as much as many rows. A
 * batch leaves when it is large or has lingered; one is on its way at a time.
 *
 * If a batch fails, each part of it is tried alone, so that what is wrong with one is not laid on
 * its neighbours; but not if the store is away, which is nobody's fault.
 */
export class Gathering<Row> {
  readonly #options: GatheringOptions<Row>;
  #waiting: Waiting<Row>[] = [];
  #lingering: Disposable | undefined;
  #batch: Promise<void> | undefined;

  constructor(options: GatheringOptions<Row>) {
    this.#options = options;
  }

  /** Resolves once the rows are kept. */
  add(rows: Row[]): Promise<void> {
    if (rows.length === 0) return Promise.resolve();
    if (this.#waiting.length >= WAITING_MAX) {
      if (this.#options.whenFull === 'refuse') return Promise.reject(fellBehind());
      for (const oldest of this.#waiting.splice(0, BATCH_MAX)) oldest.reject(fellBehind());
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ rows, resolve, reject });
    if (this.#waiting.length >= BATCH_MAX) this.#leave();
    else this.#lingering ??= this.#options.clock.timer(LINGER_MS, () => this.#leave());
    return promise;
  }

  /** Resolves once everything added so far is kept or given up. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#batch !== undefined) {
      this.#leave();
      await this.#batch;
    }
  }

  #leave(): void {
    this.#lingering?.[Symbol.dispose]();
    this.#lingering = undefined;
    if (this.#waiting.length > 0) this.#batch ??= this.#send();
  }

  async #send(): Promise<void> {
    const batch = this.#waiting.splice(0, BATCH_MAX);
    await this.#keep(batch);
    this.#batch = undefined;
    if (this.#waiting.length >= BATCH_MAX) this.#leave();
    else if (this.#waiting.length > 0) {
      this.#lingering ??= this.#options.clock.timer(LINGER_MS, () => this.#leave());
    }
  }

  async #keep(batch: Waiting<Row>[]): Promise<void> {
    try {
      await this.#options.keep(batch.flatMap(({ rows }) => rows));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      const isOwnFault = batch.length === 1 || ReachError.from(error).code !== 'internal';
      if (isOwnFault) for (const { reject } of batch) reject(error);
      else for (const part of batch) await this.#keep([part]);
    }
  }
}

interface Waiting<Row> {
  rows: Row[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** As the embedded store does: longer than a commit takes, and nobody waits for it. */
const LINGER_MS = 20;

/** One statement of this many rows takes some 10 ms. */
const BATCH_MAX = 512;

/** Ten seconds of a store that stands still, at a thousand calls a second: some 20 MB. */
const WAITING_MAX = 10_000;

function fellBehind(): ReachError {
  const detail = `The store is ${WAITING_MAX} rows behind and takes no more.`;
  return new ReachError('store-unavailable', detail, { limit: WAITING_MAX });
}
