import type { MonotonicMs } from '@agent-reach/core/kernel';

// Design. One agent that falls silent has died. A third of all agents that fall silent within
// seconds have not: their switch has, or ours. Taking them all out would move the work of all
// to the rest, and when they are back all come at once. So where too large a part is silent nobody is
// declared gone for his silence alone: probes still say who can be reached. It ends when the silent
// are few again, or when it has lasted so long that it must be true. And at no time are many
// taken out in one minute.
//
// Source: Netflix Eureka, "self preservation mode" and its eviction by at most 15 % a sweep.

/** How many instances a tenant has that should beat, and how many of them are silent. */
export interface Roll {
  all: number;
  /** Their lease is over, and of those that were declared gone for it the ones of a moment ago. */
  silent: number;
}

/** Whether silence is believed. */
export type Holding =
  | { kind: 'believed' }
  /** It is not; `fewSince`: since when so few are silent that it may be over. */
  | { kind: 'held'; since: MonotonicMs; fewSince: MonotonicMs | undefined }
  /** It was not for as long as may be, and many are silent still. */
  | { kind: 'given-up' };

export const BELIEVED: Holding = { kind: 'believed' };

/** So many make a crowd, whatever the part. */
const CROWD_MIN = 5;
const CROWD_PART = 0.3;
const FEW_PART = 0.1;
/** The silent must have been few for so long. */
const FEW_MS = 60_000;
const HELD_MAX_MS = 900_000;

/** Whether silence is believed now. */
export function nextHolding(before: Holding, roll: Roll, now: MonotonicMs): Holding {
  switch (before.kind) {
    case 'believed':
      return isCrowd(roll) ? { kind: 'held', since: now, fewSince: undefined } : before;
    case 'held': {
      if (now - before.since >= HELD_MAX_MS) return isFew(roll) ? BELIEVED : { kind: 'given-up' };
      if (!isFew(roll)) return { ...before, fewSince: undefined };
      const fewSince = before.fewSince ?? now;
      return now - fewSince >= FEW_MS ? BELIEVED : { ...before, fewSince };
    }
    case 'given-up':
      return isCrowd(roll) ? before : BELIEVED;
  }
}

function isCrowd({ all, silent }: Roll): boolean {
  return silent >= CROWD_MIN && silent > CROWD_PART * all;
}

function isFew({ all, silent }: Roll): boolean {
  return silent < CROWD_MIN || silent <= FEW_PART * all;
}

/** Of one tenant so many are declared gone within this time at most. */
export const TURN_MS = 60_000;
const TURN_PART = 0.15;

/** How many more may be declared gone, of so many, where so many were within the last minute. */
export function mayStillGo(all: number, wentLately: number): number {
  return Math.max(0, Math.max(CROWD_MIN - 1, Math.floor(TURN_PART * all)) - wentLately);
}
