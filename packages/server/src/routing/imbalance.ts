/** Whether one candidate of a capability has far more waiting than the others, and since when. */
export type Evenness =
  | { is: 'even'; aboveSince: number | undefined }
  | { is: 'skewed'; since: number; belowSince: number | undefined };

/** What is told of an imbalance. */
export interface Skew {
  agentId: string;
  /** What waits for it for its weight, over what waits for the others for theirs. */
  ratio: number;
}

/** When an imbalance is one: how large, and for how long. */
export interface SkewMarks {
  ratio: number;
  afterMs: number;
}

export const EVEN: Evenness = { is: 'even', aboveSince: undefined };

/** An imbalance ends only this far below where it began: a queue that breathes is told of once. */
const HYSTERESIS = 0.75;

/** The state after one more measurement: both ways it must last before it counts. */
export function watchRatio(
  before: Evenness,
  ratio: number,
  now: number,
  marks: SkewMarks,
): Evenness {
  switch (before.is) {
    case 'even': {
      if (ratio < marks.ratio) return EVEN;
      const aboveSince = before.aboveSince ?? now;
      if (now - aboveSince < marks.afterMs) return { is: 'even', aboveSince };
      return { is: 'skewed', since: aboveSince, belowSince: undefined };
    }
    case 'skewed': {
      if (ratio >= marks.ratio * HYSTERESIS) return { ...before, belowSince: undefined };
      const belowSince = before.belowSince ?? now;
      return now - belowSince < marks.afterMs ? { ...before, belowSince } : EVEN;
    }
  }
}

/** What one candidate has, and what it should have it in proportion to. */
export interface Portion {
  agentId: string;
  waiting: number;
  weight: number;
}

/**
 * The candidate with most waiting for its weight, against all others together; undefined: nobody
 * has `least` waiting, or there is nobody to compare with.
 */
export function skewOf(portions: readonly Portion[], least: number): Skew | undefined {
  const able = portions.filter(({ weight }) => weight > 0);
  if (able.length < 2) return undefined;
  const most = able.reduce((a, b) => (b.waiting / b.weight > a.waiting / a.weight ? b : a));
  if (most.waiting < least) return undefined;
  const others = { waiting: 1, weight: 0 }; // One, so that there is a ratio where nothing waits.
  for (const portion of able) {
    if (portion === most) continue;
    others.waiting += portion.waiting;
    others.weight += portion.weight;
  }
  const ratio = most.waiting / most.weight / (others.waiting / others.weight);
  return { agentId: most.agentId, ratio };
}
