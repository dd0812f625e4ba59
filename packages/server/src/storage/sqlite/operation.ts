import type { Now } from '../spi/now.ts';
import type { Database } from './database.ts';

/** A move as it reaches the database: whose time it is has been decided. */
export type Timed<Move> = Move extends { now: Now } ? Omit<Move, 'now'> & { now: number } : Move;

/** Any method of a store. */
export type Method = (move: never) => Promise<unknown>;

/**
 * One atomic move or one read, as a plain function over a connection: it knows neither thread nor
 * transaction. A move checks first and writes last; if it throws midway it may be run again, for
 * what it had written is undone.
 */
export type Operation<M extends Method> = (
  db: Database,
  move: Timed<Parameters<M>[0]>,
) => Awaited<ReturnType<M>>;
