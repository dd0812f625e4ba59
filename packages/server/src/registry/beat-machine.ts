import type { MonotonicMs } from '@agent-reach/core/kernel';

// Design. A heartbeat renews a lease and says how full somebody is. Of one that has been well for
// minutes both could come less often; of one in trouble they cannot come often enough. So the pause
// grows by a quarter after three beats that found nothing, and is halved by one that found something:
// slow to trust, quick to doubt. That alone would make an incident of all agents a flood of beats
// at the worst moment, so no pause is shorter than what the budget of the gateway leaves each of them.

/** How often one instance is asked to beat, and what is usual for it. */
export interface BeatPace {
  /** Before the budget has its say. */
  intervalMs: number;
  /** Beats in a row that found it steady. */
  steadyInRow: number;
  /** Its score, and the part of its runs that fail: the last minute counts most. */
  usual: Pick<BeatLook, 'score' | 'errors'>;
  at: MonotonicMs;
}

/** What a beat finds. */
export interface BeatLook {
  at: MonotonicMs;
  score: number;
  /** The part of its runs that failed, 0 to 1. */
  errors: number;
  /** How far its round trips lie apart, in parts of a usual one. */
  spread: number;
  isUp: boolean;
}

/** Between which bounds a pause lies, and where it begins. */
export interface BeatBounds {
  minMs: number;
  startMs: number;
  maxMs: number;
}

const GROWTH = 1.25;
const STEADY_IN_ROW = 3;
const USUAL_HALF_LIFE_MS = 60_000;
/** What makes a drift of 1. */
const DRIFT = { score: 0.15, spread: 0.5, errors: 0.05 } as const;
const TROUBLE_DRIFT = 1;
const TROUBLE_SCORE = 0.7;
const STEADY_DRIFT = 0.5;
const STEADY_SCORE = 0.9;

/** The pace of an instance after one more beat. */
export function nextPace(
  before: BeatPace | undefined,
  look: BeatLook,
  bounds: BeatBounds,
): BeatPace {
  const usual = before?.usual ?? look;
  const drift = driftOf(look, usual);
  const kept = {
    intervalMs: before?.intervalMs ?? bounds.startMs,
    steadyInRow: before?.steadyInRow ?? 0,
    usual: moved(usual, look, look.at - (before?.at ?? look.at)),
    at: look.at,
  };
  if (drift >= TROUBLE_DRIFT || look.score < TROUBLE_SCORE || !look.isUp) {
    return { ...kept, intervalMs: Math.max(bounds.minMs, kept.intervalMs / 2), steadyInRow: 0 };
  }
  if (drift >= STEADY_DRIFT || look.score <= STEADY_SCORE) return kept;
  const steadyInRow = kept.steadyInRow + 1;
  if (steadyInRow < STEADY_IN_ROW) return { ...kept, steadyInRow };
  const intervalMs = Math.min(bounds.maxMs, kept.intervalMs * GROWTH);
  return { ...kept, intervalMs, steadyInRow: 0 };
}

/** How far it is from what is usual for it, whichever way; 1 is trouble. */
function driftOf(look: BeatLook, usual: BeatPace['usual']): number {
  return Math.max(
    Math.abs(look.score - usual.score) / DRIFT.score,
    look.spread / DRIFT.spread,
    Math.abs(look.errors - usual.errors) / DRIFT.errors,
  );
}

function moved(usual: BeatPace['usual'], look: BeatLook, sinceMs: number): BeatPace['usual'] {
  const share = 1 - 2 ** (-Math.max(0, sinceMs) / USUAL_HALF_LIFE_MS);
  return {
    score: usual.score + (look.score - usual.score) * share,
    errors: usual.errors + (look.errors - usual.errors) * share,
  };
}

/** The shortest pause at which so many beats a second do not exceed the budget. */
export function budgetFloorMs(instances: number, beatsPerSecond: number): number {
  return (instances / beatsPerSecond) * 1_000;
}

/**
 * How long an instance is believed: three of the longest pause that it may be keeping, and a bit. It
 * keeps the pause told before where the answer that told another was lost.
 */
export function leaseMsFor(intervalMs: number, leaseMinMs: number): number {
  return Math.max(leaseMinMs, Math.ceil(3 * intervalMs) + 1_000);
}

/** The longest pause for which a lease was given. */
export function intervalOfLease(leaseMs: number): number {
  return Math.max(0, (leaseMs - 1_000) / 3);
}
