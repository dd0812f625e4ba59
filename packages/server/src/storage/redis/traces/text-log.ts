import { type Argument, list, PIECE, pieces } from '../arguments.ts';
import type { Engine } from '../engine.ts';
import { items, json } from '../rows.ts';
import { type Bounds, boundsOf, collect, moment } from './search.ts';

/** What is kept in a log. */
export interface Kept {
  tenant: string;
  /** Whole milliseconds. */
  at: number;
}

/** A record with its number. */
export interface Numbered<Row> {
  seq: number;
  record: Row;
}

/** What is searched for: all of a tenant's records that stand under one word. */
interface Search extends Bounds {
  tenant: string;
  limit: number;
}

/**
 * A log of records, each found under words of its own and all under `at`. What a script keeps is
 * their text: Lua would have to read JSON that may hold anything.
 */
export class TextLog<Row extends Kept> {
  readonly #engine: Engine;
  readonly #name: string;
  readonly #wordsOf: (record: Row) => string[];

  constructor(engine: Engine, name: 'hops', wordsOf: (record: Row) => string[]) {
    this.#engine = engine;
    this.#name = name;
    this.#wordsOf = (record) => ['at', ...wordsOf(record)];
  }

  async append(rows: readonly Row[]): Promise<void> {
    for (const piece of pieces(rows)) {
      const told = piece.flatMap((row) => [
        row.tenant,
        row.at,
        JSON.stringify(row),
        ...list(this.#wordsOf(row)),
      ]);
      await this.#engine.run('traces/append', [this.#name, piece.length, ...told]);
    }
  }

  /** Newest first; of one moment, the one kept last. */
  find(search: Search, isWanted: (record: Row) => boolean): Promise<Numbered<Row>[]> {
    const [first, last] = boundsOf(search);
    return collect({
      limit: search.limit,
      last,
      page: async (from) => {
        const { records: rows, ...end } = await this.#page([search.tenant, 'newest', from, first]);
        return { rows, ...end };
      },
      isWanted: ({ record }) => isWanted(record),
    });
  }

  /** Forgets what is from before a moment, of all tenants, at most `limit`; answers how many. */
  async forgetOld(before: number, limit: number): Promise<number> {
    let forgotten = 0;
    let after = '';
    while (forgotten < limit) {
      const tenants = items(await this.#engine.run('traces/tenants', [this.#name, after, PIECE]));
      for (const tenant of tenants.map(String)) {
        forgotten += await this.#forgetOldOf(tenant, before, limit - forgotten);
      }
      if (tenants.length < PIECE) break;
      after = String(tenants.at(-1));
    }
    return forgotten;
  }

  /** Forgets the first kept beyond `max`, at most `limit`; answers how many. */
  async forgetFirst(max: number, limit: number): Promise<number> {
    let forgotten = 0;
    while (forgotten < limit) {
      const size = Math.min(limit - forgotten, PIECE);
      const [count, entries] = items(await this.#engine.run('traces/first', [this.#name, size]));
      const surplus = Math.min(size, Number(count) - max);
      if (surplus <= 0) break;
      const first = items(entries)
        .slice(0, surplus)
        .map((entry) => {
          const [id, text] = items(entry).map(String);
          return { seq: Number.parseInt(id ?? '', 10), record: json(text) as Row };
        });
      forgotten += await this.#forget(first);
    }
    return forgotten;
  }

  async #forgetOldOf(tenant: string, before: number, limit: number): Promise<number> {
    let forgotten = 0;
    while (forgotten < limit) {
      const page = await this.#page([tenant, 'oldest', '[at\0', `(at\0${moment(before)}`]);
      const old = page.records.slice(0, limit - forgotten);
      forgotten += await this.#forget(old);
      if (page.end === undefined) break;
    }
    return forgotten;
  }

  async #forget(rows: readonly Numbered<Row>[]): Promise<number> {
    if (rows.length === 0) return 0;
    const told = rows.flatMap(({ seq, record }) => [
      record.tenant,
      record.at,
      seq,
      ...list(this.#wordsOf(record)),
    ]);
    return Number(await this.#engine.run('traces/forget', [this.#name, rows.length, ...told]));
  }

  /** Some records of an index; `end` is the member to go on from, if there may be more. */
  async #page(bounds: readonly Argument[]): Promise<{ records: Numbered<Row>[]; end?: string }> {
    const found = items(await this.#engine.run('traces/find', [this.#name, ...bounds, PIECE]));
    const records = found.map((entry) => {
      const [, seq, text] = items(entry).map(String);
      return { seq: Number(seq), record: json(text) as Row };
    });
    const end = found.length === PIECE ? { end: String(items(found.at(-1))[0]) } : {};
    return { records, ...end };
  }
}
