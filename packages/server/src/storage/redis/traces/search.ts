/** What is searched for in an index: all that stands under one word. */
export interface Bounds {
  word: string;
  since?: number;
  until?: number;
}

/** The narrowest of the words that a query asks for. */
export function wordOf({ requestId, traceId }: { requestId?: string; traceId?: string }): string {
  if (requestId !== undefined) return `request ${requestId}`;
  return traceId === undefined ? 'at' : `trace ${traceId}`;
}

/** The first and the last member of an index that may belong to a search. */
export function boundsOf({ word, since, until }: Bounds): [first: string, last: string] {
  const first = `[${word}\0${since === undefined ? '' : moment(since)}`;
  return [first, until === undefined ? `(${word}\0:` : `(${word}\0${moment(until)}`];
}

/** As `placeOf` in `log.lua` writes it. What lies before the year 1970 is the beginning. */
export function moment(at: number): string {
  return String(Math.max(0, Math.ceil(at))).padStart(15, '0');
}

/** Newest first, page by page, until there are enough that are wanted. */
export async function collect<Row>(search: {
  limit: number;
  last: string;
  /** From a bound on; `end` is the member to go on from, if there may be more. */
  page(from: string): Promise<{ rows: Row[]; end?: string }>;
  isWanted(row: Row): boolean;
}): Promise<Row[]> {
  const found: Row[] = [];
  let { last } = search;
  while (found.length < search.limit) {
    const { rows, end } = await search.page(last);
    found.push(...rows.filter((row) => search.isWanted(row)));
    if (end === undefined) break;
    last = `(${end}`;
  }
  return found.slice(0, search.limit);
}
