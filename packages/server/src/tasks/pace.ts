/** How long runs of one kind take, as far as they were seen: mean and spread, milliseconds. */
export interface Pace {
  runs: number;
  meanMs: number;
  /** Variance, milliseconds squared. */
  variance: number;
}

/** An estimate of a time to come, milliseconds: as likely shorter as longer, and 9 times of 10 shorter. */
export interface Estimate {
  p50Ms: number;
  p90Ms: number;
}

/** How far a run moves the mean: about the last ten count, and all of the first few. */
const SMOOTHING = 0.1;
/** Where a tenth of a normal distribution lies beyond, in standard deviations. */
const P90_DEVIATIONS = 1.2816;

/** The pace after one more run. Exponentially weighted mean and variance. */
export function paced(before: Pace | undefined, ms: number): Pace {
  if (before === undefined) return { runs: 1, meanMs: ms, variance: 0 };
  const runs = before.runs + 1;
  const weight = Math.max(SMOOTHING, 1 / runs);
  const off = ms - before.meanMs;
  const step = weight * off;
  return {
    runs,
    meanMs: before.meanMs + step,
    variance: (1 - weight) * (before.variance + off * step),
  };
}

/** How long `rounds` runs one after the other take: their sum is normal enough for a forecast. */
export function estimateOf({ meanMs, variance }: Pace, rounds: number): Estimate {
  const p50Ms = rounds * meanMs;
  const p90Ms = p50Ms + P90_DEVIATIONS * Math.sqrt(variance * Math.max(0, rounds));
  return { p50Ms: Math.round(p50Ms), p90Ms: Math.round(p90Ms) };
}

/** What a run under way has said of itself. */
export interface Course {
  /** Since it began. */
  elapsedMs: number;
  /** Its last word of progress, 0 to 100 percent, and how long ago that was. */
  progress: { percent: number; agoMs: number } | undefined;
}

/**
 * What is left of a run: what its own progress says and what others took, the former the more the
 * further it is. Never negative, and without a new word it only shrinks. Undefined: neither is known.
 */
export function remainingOf(course: Course, pace: Pace | undefined): Estimate | undefined {
  const { elapsedMs, progress } = course;
  const byOthers = pace === undefined ? undefined : Math.max(0, pace.meanMs - elapsedMs);
  const share = (progress?.percent ?? 0) / 100;
  const spent = Math.max(0, elapsedMs - (progress?.agoMs ?? 0));
  const byItself =
    share > 0 ? Math.max(0, (spent * (1 - share)) / share - (progress?.agoMs ?? 0)) : undefined;
  if (byItself === undefined && byOthers === undefined) return undefined;
  const weight = byOthers === undefined ? 1 : byItself === undefined ? 0 : share;
  const p50Ms = weight * (byItself ?? 0) + (1 - weight) * (byOthers ?? 0);
  const spread = P90_DEVIATIONS * Math.sqrt(pace?.variance ?? 0) * (1 - weight);
  return { p50Ms: Math.round(p50Ms), p90Ms: Math.round(p50Ms + spread) };
}
