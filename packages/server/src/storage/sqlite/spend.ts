import type { Log } from '@agent-reach/core/kernel';
import { pace, type PaceAnswer } from '../moves/gcra.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import type { Timed } from './operation.ts';

type Paced = Timed<Parameters<LedgerStore['pace']>[0]>;
type Spend = Timed<Parameters<LedgerStore['spend']>[0]>;

/**
 * The volatile counters of the ledger: in memory, because a quota is asked for with every call and
 * a restart may forget it.
 *
 * Each new name makes a cursor look at two old ones and drop those that ended. It walks round and
 * round, so that every name is looked at before the map has grown by half, and no sweep ever runs.
 */
export class Counters {
  readonly #counters = new Map<string, Counter>();
  #cursor = this.#counters.entries();
  readonly #log: Log;
  #lossTold = false;

  constructor(log: Log) {
    this.#log = log;
  }

  spend(move: Spend): { granted: boolean; total: number } {
    const counter = this.#running(move);
    const total = (counter?.total ?? 0) + move.amount;
    if (total > move.max) return { granted: false, total: total - move.amount };
    if (counter === undefined) this.#begin(move, total);
    else counter.total = total;
    return { granted: true, total };
  }

  pace(move: Paced): PaceAnswer {
    const counter = this.#running(move);
    const { tat, answer } = pace(counter?.total ?? 0, move.now * 1_000, move);
    if (!answer.allowed) return answer;
    const ttlMs = answer.resetMs;
    if (counter === undefined) this.#begin({ ...move, ttlMs }, tat);
    else Object.assign(counter, { total: tat, endsAt: move.now + ttlMs });
    return answer;
  }

  #running({ name, now }: Pick<Spend, 'name' | 'now'>): Counter | undefined {
    const counter = this.#counters.get(name);
    return counter !== undefined && counter.endsAt > now ? counter : undefined;
  }

  #begin(move: Pick<Spend, 'name' | 'now' | 'ttlMs'>, total: number): void {
    for (const [name, counter] of [this.#next(), this.#next()]) {
      if (counter.endsAt <= move.now) this.#counters.delete(name);
    }
    if (this.#counters.size >= NAMES_MAX) this.#forget(this.#next()[0]);
    this.#counters.set(move.name, { total, endsAt: move.now + move.ttlMs });
  }

  /** The next name of the round. An iterator of a map is not upset by what comes and goes. */
  #next(): [name: string, counter: Counter] {
    const step = this.#cursor.next();
    if (!step.done) return step.value;
    this.#cursor = this.#counters.entries();
    return this.#cursor.next().value ?? NOBODY;
  }

  #forget(name: string): void {
    this.#counters.delete(name);
    if (this.#lossTold) return;
    this.#lossTold = true;
    this.#log.warn({ limit: NAMES_MAX }, 'Counters are being forgotten before their time.');
  }
}

/** A count, or the time at which the next one is expected that keeps a pace. */
interface Counter {
  total: number;
  endsAt: number;
}

/** Stands for the next name of an empty map. */
const NOBODY: [string, Counter] = ['', { total: 0, endsAt: Infinity }];

/**
 * Some 20 MB. A name is a principal, an agent or a trace within its window; who makes more of them
 * than this makes them to fill the memory, and then some count begins again at nothing, which is
 * better than to refuse everybody.
 */
const NAMES_MAX = 100_000;
