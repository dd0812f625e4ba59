import type { AuditQuery, TraceQuery } from '../spi/traces.ts';
import type { Transaction } from './transaction.ts';
import type { Value } from './values.ts';

/** The tables that are searched by ids and by time. */
type Table = 'traces' | 'audit';

/** A search whose text has only the filters that were asked for. */
export class Search {
  readonly #filters: string[] = [];
  readonly #values: Value[] = [];
  readonly #table: Table;
  readonly #limit: number;

  constructor(table: Table, query: TraceQuery | AuditQuery) {
    this.#table = table;
    this.#limit = query.limit;
    this.where('tenant = ?', query.tenant);
    this.where('at >= ?', query.since);
    this.where('at < ?', query.until);
  }

  /** Each `?` of the filter stands for the same value; an absent one does not filter. */
  where(filter: string, value: string | number | undefined): void {
    if (value === undefined) return;
    this.#values.push(value);
    this.#filters.push(filter.replaceAll('?', `$${this.#values.length}`));
  }

  ask(tx: Transaction): Promise<{ seq: number; body: string }[]> {
    const text = `
      SELECT seq, body FROM ${this.#table} WHERE ${this.#filters.join(' AND ')}
      ORDER BY at DESC, seq DESC LIMIT $${this.#values.length + 1}`;
    return tx.rows(text, [...this.#values, this.#limit]);
  }
}
