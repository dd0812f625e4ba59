import { ReachError } from '@agent-reach/core';
import { unpacked } from './text.ts';

/** The client library, which only those install who have a PostgreSQL. */
export type Pg = Pick<typeof import('pg'), 'Pool' | 'Client'>;

/** Loads the client. Throws `store-unavailable` with what to install where it is missing. */
export async function loadPg(): Promise<Pg> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    const detail = `PostgreSQL needs its client, which is not there: npm install pg@${PG_VERSION}`;
    throw new ReachError('store-unavailable', detail, { retryable: false }, error);
  }
}

/** The one this driver was tested with. */
const PG_VERSION = '8.23.1';

/**
 * How values come back: numbers as numbers (all of ours are below 2^53), text without the escapes
 * of `text.ts`, everything else as PostgreSQL prints it.
 */
export function parserOf(oid: number): (text: string) => unknown {
  return PARSERS.get(oid) ?? String;
}

/** https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [16, (text) => text === 't'],
  [20, Number],
  [21, Number],
  [23, Number],
  [25, unpacked],
]);
