import type { Reply } from './engine.ts';

/** Names and values of a hash, as a reply brings them. */
export type Fields = ReadonlyMap<string, string>;

/** A reply that is a list; what a script answers is known to its caller. */
export function items(reply: Reply | undefined): readonly Reply[] {
  return reply as readonly Reply[];
}

/** A reply that is a hash: names and values in turn. */
export function fields(reply: Reply | undefined): Fields {
  const flat = reply as readonly string[];
  const found = new Map<string, string>();
  for (let n = 0; n < flat.length; n += 2) found.set(flat[n] ?? '', flat[n + 1] ?? '');
  return found;
}

/** How the parts of a row are read from their texts. */
export type Reader<Row> = { [Name in keyof Required<Row>]: Reading };

/** A text as it is, a number, or what TypeScript had written as JSON. */
type Reading = 'text' | 'number' | 'json';

/** A row of the fields it is kept in: those that are there, and no others. */
export function rowOf<Row extends object>(reader: Partial<Reader<Row>>, kept: Fields): Row {
  const row: Record<string, unknown> = {};
  for (const [name, reading] of Object.entries<Reading | undefined>(reader)) {
    const text = kept.get(name);
    if (text === undefined) continue;
    row[name] = reading === 'number' ? Number(text) : reading === 'json' ? JSON.parse(text) : text;
  }
  return row as Row;
}

/** What a script had put together as JSON. */
export function json(reply: Reply | undefined): unknown {
  return JSON.parse(String(reply));
}
