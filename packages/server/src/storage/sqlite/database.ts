import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite';

/** What a connection is opened for. */
export interface DatabaseOptions {
  /** Absolute, or `:memory:`. */
  path: string;
  /** A connection that cannot write may live on any thread beside the one that does. */
  writes: boolean;
  /** The file grows no further than this many pages of 4 KiB; absent: to the end of the disk. */
  pagesMax?: number | undefined;
}

/**
 * One connection with its prepared statements. Synchronous, as SQLite is: whoever calls it decides
 * which thread waits.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #listings = new Map<string, StatementSync>();

  constructor(options: DatabaseOptions) {
    this.#connection = new DatabaseSync(options.path, { timeout: BUSY_TIMEOUT_MS });
    try {
      this.#connection.exec(PRAGMAS);
      if (options.pagesMax !== undefined) {
        this.#connection.exec(`PRAGMA max_page_count = ${Math.floor(options.pagesMax)}`);
      }
      if (!options.writes) this.#connection.exec('PRAGMA query_only = ON');
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  /**
   * The first row, if there is one. `values` are bound by name; names the text lacks are passed
   * over. That a row is a `Row` is the word of whoever wrote the text.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As said.
  get<Row>(sql: string, values: object = NOTHING): Row | undefined {
    return this.#prepared(sql).get(bindable(values)) as Row | undefined;
  }

  all<Row>(sql: string, values: object = NOTHING): Row[] {
    return this.#prepared(sql).all(bindable(values)) as Row[];
  }

  /** Answers how many rows changed. */
  run(sql: string, values: object = NOTHING): number {
    return Number(this.#prepared(sql).run(bindable(values)).changes);
  }

  /** As `get`, bound by position: cheaper, for the hot path. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- As said.
  first<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined;
  }

  /** As `all`, bound by position. */
  every<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }

  /** As `run`, bound by position: a quarter of the price, for the hot path. */
  write(sql: string, ...values: SQLInputValue[]): void {
    this.#prepared(sql).run(...values);
  }

  /** As `write`, for a row that the table numbers; answers its number. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).lastInsertRowid);
  }

  /**
   * As `all`, each row as the list of its values: for who makes objects of a shape of his own of
   * them, which cost half of SQLite's.
   */
  lists(sql: string, values: object = NOTHING): SQLOutputValue[][] {
    return this.#listing(sql).all(bindable(values)) as unknown as SQLOutputValue[][];
  }

  /** As `first`, as a list. */
  list(sql: string, ...values: SQLInputValue[]): SQLOutputValue[] | undefined {
    return this.#listing(sql).get(...values) as unknown as SQLOutputValue[] | undefined;
  }

  /** Runs a script of several statements; not cached. */
  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** One transaction: what `work` wrote is kept whole, or, if it or the commit throws, not at all. */
  atomically<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      // A full disk makes SQLite roll back by itself.
      if (this.#connection.isTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#connection.close();
  }

  /** A statement answers in one way or in the other, never in both. */
  #listing(sql: string): StatementSync {
    let statement = this.#listings.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      statement.setAllowUnknownNamedParameters(true);
      statement.setReturnArrays(true);
      this.#listings.set(sql, statement);
    }
    return statement;
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      statement.setAllowUnknownNamedParameters(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/**
 * Only a reader that meets a checkpoint or a recovery ever waits for a lock: the file lock keeps
 * other processes out, and one connection writes.
 */
const BUSY_TIMEOUT_MS = 1_000;

/**
 * FULL syncs the log at every commit: an answered write survives a power cut. The log is cut back
 * to 64 MiB after a burst, or it would keep its largest size for ever. Schemas are ours alone, so
 * a tampered file may not call functions through them.
 */
const PRAGMAS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA journal_size_limit = 67108864;
  PRAGMA cache_size = -16000;
  PRAGMA temp_store = MEMORY;
  PRAGMA trusted_schema = OFF;
`;

const NOTHING = {};

/** The types of a move hold more than SQL may bind; what a text names is checked by the engine. */
function bindable(values: object): Record<string, SQLInputValue> {
  return values as Record<string, SQLInputValue>;
}
