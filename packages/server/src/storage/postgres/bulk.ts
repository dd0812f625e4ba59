import type { Value } from './values.ts';

type Type = 'text' | 'bigint';

/** Columns of rows that go to the engine all at once, in one text whatever their number. */
export type Columns<Row> = Readonly<Record<Extract<keyof Row, string>, Type>>;

/**
 * Rows as a table, for a text whose first parameters are `columnsOf` them: `rows (a, b, …)`. The
 * columns are named as the parts of the rows are.
 */
export function rowsText(columns: Readonly<Record<string, Type>>, alias = 'rows'): string {
  const arrays = Object.values(columns).map((type, n) => `$${n + 1}::${type}[]`);
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `unnest(${arrays.join(', ')}) WITH ORDINALITY AS ${alias} (${names.join(', ')}, nth)`;
}

/** The values of rows, one array a column, in the order of the columns. */
export function columnsOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Value[] {
  const names = Object.keys(columns) as Extract<keyof Row, string>[];
  return names.map((name) =>
    rows.map((row) => (row[name] ?? null) as string | number | boolean | null),
  );
}

/** The text that inserts rows, numbered in their order, which is that in which they were kept. */
export function keepText(table: string, columns: Readonly<Record<string, Type>>): string {
  const names = Object.keys(columns).join(', ');
  return `
    INSERT INTO ${table} (${names}) SELECT ${names} FROM ${rowsText(columns)} ORDER BY nth`;
}
