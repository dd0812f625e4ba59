import type { Transaction } from './transaction.ts';

/** Any method of a store. */
export type Method = (move: never) => Promise<unknown>;

/**
 * One atomic move or one read, over a transaction that it neither begins nor needs to end. If it
 * throws, all is undone; if it lost a race, it is run again from the beginning.
 */
export type Operation<M extends Method> = (
  tx: Transaction,
  move: Parameters<M>[0],
) => Promise<Awaited<ReturnType<M>>>;
