import type { Submittable } from 'pg';
import { parserOf } from './client.ts';
import { bindable, type Value } from './values.ts';

/** A statement that was asked, and whoever waits for its answer. */
export interface Asked {
  text: string;
  values: readonly Value[];
  /** Too small to be worth preparing. */
  isWord?: boolean;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** What a statement was answered. */
export interface Answer {
  /** Of the columns. */
  names: readonly string[];
  rows: unknown[][];
  /** How many rows it touched. */
  count: number;
}

/** What is known of a statement that a connection has prepared. */
interface Known {
  name: string;
  /** Undefined until the first answer. */
  columns?: readonly Column[];
}

/** How a column is called, and read. */
interface Column {
  name: string;
  parse: (text: string) => unknown;
}

/** The statements that a connection has prepared, by their texts. */
export type Prepared = Map<string, Known>;

/**
 * Statements that leave in one write and are answered in another: the server works through them
 * without a word in between, and what follows one that fails is passed over. The client's own
 * queries each ask the server to speak up, which costs both sides as much as a small statement.
 *
 * It is what the client calls a submittable, as its cursors are: it writes to the wire itself and is
 * told what comes back.
 */
export class Flight implements Submittable {
  readonly asked: readonly Asked[];
  readonly #prepared: Prepared | undefined;
  readonly #known: Known[] = [];
  readonly #answers: Answer[] = [];
  #columns: readonly Column[] | undefined;
  #rows: unknown[][] = [];
  #isOver = false;

  constructor(asked: readonly Asked[], prepared: Prepared | undefined) {
    this.asked = asked;
    this.#prepared = prepared;
  }

  submit(connection: unknown): void {
    const wire = connection as Wire;
    wire.stream.cork();
    for (const { text, values, isWord = false } of this.asked) {
      const known = isWord ? { name: '' } : this.#knownOf(text);
      this.#known.push(known);
      if (known.columns === undefined) {
        // One that was sent before and failed may be there or not; to close what is not is no fault.
        if (known.name !== '') wire.close({ type: 'S', name: known.name });
        wire.parse({ name: known.name, text });
      }
      wire.bind({ statement: known.name, values: values.map(bindable) });
      if (known.columns === undefined) wire.describe({ type: 'P', name: '' });
      wire.execute({});
    }
    wire.sync();
    wire.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }) {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#here?.columns ?? this.#columns ?? [];
    this.#rows.push(
      fields.map((text, n) => (text === null ? null : (columns[n] as Column).parse(text))),
    );
  }

  handleCommandComplete({ text }: { text: string }): void {
    const known = this.#here;
    const columns = known?.columns ?? this.#columns ?? [];
    if (known !== undefined) known.columns = columns;
    const names = columns.map(({ name }) => name);
    this.#answers.push({ names, rows: this.#rows, count: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#columns = undefined;
    this.#rows = [];
  }

  /** All were answered. */
  handleReadyForQuery(): void {
    this.#land(new Error('a statement was not answered'));
  }

  /** The one after those that were answered has failed, or the connection. */
  handleError(error: Error): void {
    this.#land(error);
  }

  get #here(): Known | undefined {
    return this.#known[this.#answers.length];
  }

  #land(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const [n, { resolve, reject }] of this.asked.entries()) {
      const answer = this.#answers[n];
      if (answer === undefined) reject(error);
      else resolve(answer);
    }
  }

  /** A text is always prepared under the same name; too many, or none, go without. */
  #knownOf(text: string): Known {
    const prepared = this.#prepared;
    const known = prepared?.get(text);
    if (known !== undefined) return known;
    if (prepared === undefined || prepared.size >= PREPARED_MAX) return { name: '' };
    const fresh = { name: `reach_${prepared.size + 1}` };
    prepared.set(text, fresh);
    return fresh;
  }
}

/** What the client gives a submittable to write to, which its types leave out. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  close(message: { type: 'S'; name: string }): void;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: (string | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: object): void;
  sync(): void;
}

/** Of moves there are some hundred texts; of searches, as many as filters can be combined. */
const PREPARED_MAX = 300;
