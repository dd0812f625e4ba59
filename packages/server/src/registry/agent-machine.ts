import { OBSERVED_MOVES, type Observed, type ObservedCause } from '@agent-reach/core';

const MOVES = new Map<string, Observed>(
  OBSERVED_MOVES.map(([from, cause, to]) => [`${from} ${cause}`, to]),
);

/** The observed state after `cause`; a move that the table does not list changes nothing. */
export function observe(from: Observed, cause: ObservedCause): Observed {
  return MOVES.get(`${from} ${cause}`) ?? from;
}
