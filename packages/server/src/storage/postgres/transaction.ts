import type { PoolClient, QueryArrayResult } from 'pg';
import type { Now } from '../spi/now.ts';
import { clientError } from './failure.ts';
import { packed } from './text.ts';

/** What a statement may be given. An array stands for a column of rows. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean | null)[];

/**
 * One transaction on one connection. Statements leave at once and are answered in their order, so
 * those that do not need each other's answers share one round trip: ask them all, then await.
 *
 * Each statement sees what was committed until it began (READ COMMITTED): what is read after a lock
 * was taken, in the same flight, is true for as long as the lock is held.
 */
export class Transaction {
  readonly #client: PoolClient;
  readonly #opening: string;
  readonly #names: Map<string, string> | undefined;
  #isOpen = false;
  #failure: Error | undefined;
  #committed: Promise<void> | undefined;
  #hasWritten = false;
  #isGathering = false;

  /** `names`: statements are prepared under them, once a connection. */
  constructor(client: PoolClient, opening: string, names: Map<string, string> | undefined) {
    this.#client = client;
    this.#opening = opening;
    this.#names = names;
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
    return heard(this.#ask(text, values).then(({ rowCount }) => rowCount ?? 0));
  }

  /** Writes what nobody waits for: if it fails, so does all that follows. */
  put(text: string, values: readonly Value[] = []): void {
    void this.write(text, values);
  }

  /** Runs statements that take no values, as many as the text has. */
  async script(text: string): Promise<void> {
    this.#hasWritten = true;
    this.#open();
    await this.#send({ text });
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
    if (this.#isOpen) await this.#send({ text: 'ROLLBACK' });
  }

  async #end(text: string): Promise<void> {
    await this.#send({ text });
    // A commit of what had failed undoes it and is content.
    if (this.#failure !== undefined) throw this.#failure;
  }

  #ask(text: string, values: readonly Value[]): Promise<QueryArrayResult> {
    this.#open();
    const name = this.#names && nameOf(text, this.#names);
    return this.#send({ text, values: values.map(bindable), ...(name && { name }) });
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    void this.#send({ text: this.#opening });
  }

  /** What is asked in one turn goes out in one piece: the server wakes up once for it. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }

  #send(query: { text: string; values?: unknown[]; name?: string }): Promise<QueryArrayResult> {
    this.#gather();
    const answer = new Promise<QueryArrayResult>((resolve, reject) => {
      // By a callback: it is called in the order of the answers, which a promise is not.
      this.#client.query({ ...query, rowMode: 'array' }, (error, result) => {
        // Told by its types to be an error always, which it is only where it is one.
        if (!(error instanceof Error)) {
          resolve(result);
          return;
        }
        const known = clientError(error);
        this.#failure ??= known;
        reject(known);
      });
    });
    return heard(answer);
  }
}

/** Whoever awaits an answer is told that it failed; where nobody does, the commit tells. */
function heard<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => {});
  return answer;
}

function objectsOf<Row>({ fields, rows }: QueryArrayResult): Row[] {
  const names = fields.map(({ name }) => name);
  return rows.map(
    (row) => Object.fromEntries(names.map((name, n) => [name, row[n]])) as unknown as Row,
  );
}

/** Milliseconds, and not those of the transaction's beginning: it may have waited for a lock. */
const CLOCK = 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** A text is always prepared under the same name. */
function nameOf(text: string, names: Map<string, string>): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < NAMES_MAX) {
    name = `reach_${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}

/** Of moves there are some hundred texts; of searches, as many as filters can be combined. */
const NAMES_MAX = 300;

function bindable(value: Value): unknown {
  if (typeof value === 'string') return packed(value);
  return Array.isArray(value) ? value.map(bindable) : value;
}
