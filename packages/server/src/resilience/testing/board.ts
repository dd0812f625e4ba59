import { type Clock, defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { Board } from '../board.ts';
import { Circuits } from '../circuits.ts';
import { BREAKER_OPTIONS } from '../options.ts';

/** An empty board with breakers as they are without settings. */
export function boardOn(clock: Clock): Board {
  return new Board(clock, new Circuits(clock, seededRandom(1), defaultsOf(BREAKER_OPTIONS)));
}
