import type { MonotonicMs } from '@agent-reach/core/kernel';

// Design. After a restart all agents of a house may register within a second, and each registration
// is a write, a probe and, for the first of a name, schemas to read. Taken all at once they would hold
// up what keeps everybody else alive: heartbeats. So they are taken at a pace, and whoever is over
// it is told when to come again: the more are waiting, the later and the farther apart.
//
// Source: the generic cell rate algorithm (ATM Forum, 1996), as a virtual schedule.

/** At which pace registrations are taken. */
export interface AdmissionRule {
  /** Over 0. */
  perSecond: number;
  /** So many may come at once. */
  burst: number;
}

/** How far the schedule is, and how many were sent away and are to come again. */
export interface AdmissionState {
  /** When the next one would come who keeps the pace exactly. */
  nextAt: MonotonicMs;
  sentAway: number;
  at: MonotonicMs;
}

export const NOBODY_CAME: AdmissionState = {
  nextAt: Number.NEGATIVE_INFINITY,
  sentAway: 0,
  at: Number.NEGATIVE_INFINITY,
};

/** Nobody waits longer before he asks again. */
const AGAIN_MAX_MS = 30_000;
const AGAIN_MIN_MS = 1_000;

/**
 * Whether one more is taken, and the state after it; undefined: it is, else when it should come again.
 * `chance` from 0 to 1 spreads those that were sent away over the time that they will take.
 */
export function admit(
  before: AdmissionState,
  { perSecond, burst }: AdmissionRule,
  { now, chance }: { now: MonotonicMs; chance: () => number },
): { state: AdmissionState; againMs: number | undefined } {
  const everyMs = 1_000 / perSecond;
  const nextAt = Math.max(before.nextAt, now);
  // Those that were sent away come back at the pace at which they are taken.
  const passed = Math.max(0, now - before.at) / everyMs;
  const waiting = Number.isFinite(passed) ? Math.max(0, before.sentAway - passed) : 0;
  if (nextAt - now > (burst - 1) * everyMs) {
    const sentAway = Math.min(waiting + 1, AGAIN_MAX_MS / everyMs);
    const againMs = Math.min(AGAIN_MAX_MS, AGAIN_MIN_MS + chance() * sentAway * everyMs);
    return { state: { nextAt: before.nextAt, sentAway, at: now }, againMs };
  }
  return { state: { nextAt: nextAt + everyMs, sentAway: waiting, at: now }, againMs: undefined };
}
