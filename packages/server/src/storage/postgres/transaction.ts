import type { PoolClient } from 'pg';
import type { Now } from '../spi/now.ts';
import { clientError } from './failure.ts';
import { type Answer, type Asked, Flight, type Prepared } from './flight.ts';
import type { Value } from './values.ts';

/**
 * One transaction on one connection. Statements leave at once and are answered in their order, so
 * those that do not need each other's answers share one round trip: ask them all, then await.
 *
 * Each statement sees what was committed until it began (READ COMMITTED): what is read after a lock
 * was taken, in the same flight, is true for as long as the lock is held.
 */
export class Transaction {
  readonly #client: PoolClient;
  readonly #opening: readonly string[];
  readonly #prepared: Prepared | undefined;
  /** What was asked in this turn, and leaves together at its end. */
  #boarding: Asked[] = [];
  #isFlying = false;
  #isOpen = false;
  #failure: Error | undefined;
  #committed: Promise<void> | undefined;
  #hasWritten = false;

  /** `prepared`: what the connection has prepared; absent: it prepares nothing. */
  constructor(client: PoolClient, opening: readonly string[], prepared: Prepared | undefined) {
    this.#client = client;
    this.#opening = opening;
    this.#prepared = prepared;
  }

  /** What failed first: what came after it only says that something had. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** Whether the commit has left: from then on only its answer tells whether it happened. */
  get isCommitting(): boolean {
    return this.#committed !== undefined && this.#isOpen;
  }

  /** The rows a statement answers, each as the list of its values. */
  lists(text: string, values: readonly Value[] = []): Promise<unknown[][]> {
    return heard(this.#ask(text, values).then(({ rows }) => rows));
  }

  /** The same as objects. That a row is a `Row` is the word of whoever wrote the text. */
  rows<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    return heard(this.#ask(text, values).then(objectsOf<Row>));
  }

  /** Asks for rows that are written as well. */
  writeRows<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    this.#hasWritten = true;
    return this.rows<Row>(text, values);
  }

  /** Writes; the commit says whether it could. Resolves with how many rows it touched. */
  write(text: string, values: readonly Value[]): Promise<number> {
    this.#hasWritten = true;
    return heard(this.#ask(text, values).then(({ count }) => count));
  }

  /** Writes what nobody waits for: if it fails, so does all that follows. */
  put(text: string, values: readonly Value[] = []): void {
    void this.write(text, values);
  }

  /** Runs statements that take no values, as many as the text has. Nothing else is on its way. */
  async script(text: string): Promise<void> {
    this.#hasWritten = true;
    try {
      await this.#client.query(text);
    } catch (error) {
      this.#failure ??= clientError(error as Error);
      throw this.#failure;
    }
  }

  /** The time of the move: what it was told, or else the database's clock at this point. */
  async clock(now: Now): Promise<number> {
    if (now !== 'store') return now;
    const [[at]] = (await this.lists(CLOCK)) as [[number]];
    return at;
  }

  /** Ends the transaction. Leaves with what was asked just before; twice is fine. */
  commit(): Promise<void> {
    this.#committed ??= this.#isOpen ? this.#end('COMMIT') : Promise.resolve();
    return this.#committed;
  }

  /** Undoes everything; rejects if the connection is of no use any more. */
  async rollback(): Promise<void> {
    if (this.#isOpen) await this.#send('ROLLBACK', [], true);
  }

  async #end(text: string): Promise<void> {
    await this.#send(text, [], true);
    // A commit of what had failed undoes it and is content.
    if (this.#failure !== undefined) throw this.#failure;
  }

  #ask(text: string, values: readonly Value[]): Promise<Answer> {
    if (!this.#isOpen) {
      this.#isOpen = true;
      for (const first of this.#opening) void this.#send(first);
    }
    return this.#send(text, values);
  }

  #send(text: string, values: readonly Value[] = [], isWord = false): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    if (this.#boarding.length === 0 && !this.#isFlying) process.nextTick(() => this.#depart());
    this.#boarding.push({
      text,
      values,
      isWord,
      resolve: (answer) => {
        this.#land();
        resolve(answer);
      },
      reject: (error) => {
        this.#land();
        const known = clientError(error);
        this.#failure ??= known;
        reject(known);
      },
    });
    return heard(promise);
  }

  #depart(): void {
    const asked = this.#boarding;
    this.#boarding = [];
    this.#isFlying = true;
    this.#client.query(new Flight(asked, this.#prepared));
  }

  /** What was asked while others were on their way follows them. */
  #land(): void {
    if (!this.#isFlying) return;
    this.#isFlying = false;
    if (this.#boarding.length > 0) process.nextTick(() => this.#depart());
  }
}

/** Whoever awaits an answer is told that it failed; where nobody does, the commit tells. */
function heard<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return answer;
}

function objectsOf<Row>({ names, rows }: Answer): Row[] {
  return rows.map(
    (row) => Object.fromEntries(names.map((name, n) => [name, row[n]])) as unknown as Row,
  );
}

/** Milliseconds, and not those of the transaction's beginning: it may have waited for a lock. */
const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
