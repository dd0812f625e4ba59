import type { Observed } from '@agent-reach/core';
import type { MonotonicMs } from '@agent-reach/core/kernel';
import type { InstanceRow } from '../storage/spi/agents.ts';
import { NO_PULSE, type Pulse, type Score } from './score-machine.ts';

/** What of an instance's reachability is kept from look to look. */
export interface Scoring {
  pulse: Pulse;
  /** Looks in a row at which it was well while it was degraded. */
  wellInRow: number;
  /** When it could be reached again after it could not: it gets its full share little by little. */
  backAt: MonotonicMs | undefined;
  /** The score that was made last, and of what. */
  last: { at: MonotonicMs; of: InstanceRow; observed: Observed; score: Score } | undefined;
}

/** Of an instance of which nothing is known. */
export function noScoring(): Scoring {
  return { pulse: NO_PULSE, wellInRow: 0, backAt: undefined, last: undefined };
}
