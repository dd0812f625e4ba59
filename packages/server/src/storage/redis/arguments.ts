/**
 * How arguments are handed to a script: as texts, one after the other, as `lua/base.lua` reads them.
 * A text arrives as it was sent, whatever is in it; JSON would have to be read again in Lua, which
 * knows neither empty lists nor large whole numbers.
 */
export type Argument = string | number;

/** An object of texts, numbers and yeses. */
type Flat<Row> = { readonly [Name in keyof Row]: string | number | boolean | undefined };

/** Named texts: how many, then name and value of each. What is undefined or false is left out. */
export function record<Row extends Flat<Row>>(row: Row): Argument[] {
  const pairs: Argument[] = [];
  for (const [name, value] of Object.entries<Argument | boolean | undefined>(row)) {
    if (value === undefined || value === false) continue;
    pairs.push(name, value === true ? '1' : value);
  }
  return [pairs.length / 2, ...pairs];
}

/** How many, then each. */
export function list(items: readonly Argument[]): Argument[] {
  return [items.length, ...items];
}

/** A list that may be absent. */
export function optionalList(items: readonly string[] | undefined): Argument[] {
  return items === undefined ? ['-'] : list(items);
}

/** How many records, then each. */
export function records<Row extends Flat<Row>>(rows: readonly Row[]): Argument[] {
  return [rows.length, ...rows.flatMap((row) => record(row))];
}

/** `items` in pieces that one script may work on: no script holds the server up for long. */
export function pieces<Item>(items: readonly Item[], size = PIECE): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/**
 * How much one script takes on. A task costs it some 30 µs, and whatever else is asked of the server
 * waits for it to end.
 */
export const PIECE = 100;
