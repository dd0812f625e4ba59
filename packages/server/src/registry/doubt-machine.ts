import type { MonotonicMs } from '@agent-reach/core/kernel';

// Design. Whoever sees many others fail at once should first ask whether it is he who fails: a
// process that was stopped for half a minute hears nobody, a machine without a network reaches nobody.
// So a gateway keeps a level of doubt in itself. Rounds in which it was late, or most of those that it
// could reach before did not answer, raise it; every clean round lowers it. While it doubts, it
// waits longer before it says anything of others.
//
// Source: Dadgar, Phillips, Currey, "Lifeguard: Local Health Awareness for More Accurate Failure
// Detection" (2018).

/** How far a gateway doubts itself, and what it has seen of this round. */
export interface Doubt {
  /** 0: not at all; 7 at most. */
  level: number;
  round: { from: MonotonicMs; looks: number; lost: number; isLate: boolean };
}

const LEVEL_MAX = 7;
const ROUND_MS = 5_000;
/** So late is no jitter of timers any more. */
const LATE_MS = 1_000;
/** Fewer looks make no majority: two dead agents on a laptop are no broken network. */
const LOOKS_MIN = 5;

/** That of a gateway that has just begun. */
export function noDoubt(now: MonotonicMs): Doubt {
  return { level: 0, round: emptyRound(now) };
}

/** After a look at an instance that could be reached before: what is known to be dead says nothing. */
export function withLook({ level, round }: Doubt, isLost: boolean): Doubt {
  return {
    level,
    round: { ...round, looks: round.looks + 1, lost: round.lost + (isLost ? 1 : 0) },
  };
}

/** After it was so late with what it had to do. */
export function withLateness({ level, round }: Doubt, lateMs: number): Doubt {
  return { level, round: { ...round, isLate: round.isLate || lateMs > LATE_MS } };
}

/** At this moment: rounds that are over are judged; of all but the first nothing was told. */
export function doubtAt(doubt: Doubt, now: MonotonicMs): Doubt {
  const { level, round } = doubt;
  const over = Math.floor((now - round.from) / ROUND_MS);
  if (over < 1) return doubt;
  const isBad = round.isLate || (round.looks >= LOOKS_MIN && round.lost > round.looks / 2);
  const judged = isBad ? Math.min(LEVEL_MAX, level + 1) : level - 1;
  const from = round.from + over * ROUND_MS;
  return { level: Math.max(0, judged - (over - 1)), round: emptyRound(from) };
}

function emptyRound(from: MonotonicMs): Doubt['round'] {
  return { from, looks: 0, lost: 0, isLate: false };
}
