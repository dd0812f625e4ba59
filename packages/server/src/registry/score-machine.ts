import type { MonotonicMs } from '@agent-reach/core/kernel';

// Design. The score says how well an instance can be reached, by what the gateway itself has seen:
//
//   base  = 0.4 health + 0.3 (1 − saturation) + 0.2 (1 − rtt) + 0.1 (1 − errors)
//   score = the least of gate × base and the caps
//
// A sum forgives: what is dead and idle would have 0.4. So each lost probe in a row takes a third of
// it, and caps bound what a sum would let pass. Round trips are judged by the instance's own: one
// that is far away is not worse for it, and one that is slower than usual is.

/** The parts of the formula and what each counts. They add up to 1. */
export const SCORE_WEIGHTS = { health: 0.4, saturation: 0.3, rtt: 0.2, errors: 0.1 } as const;

/** What probes have shown of one instance. */
export interface Pulse {
  /** Share of probes that passed, the last seconds counting most; 0.5 before the first. */
  health: number;
  /** Smoothed round trip; undefined: none was made yet. */
  srttMs: number | undefined;
  /** What is usual for it; undefined: nothing is known. */
  usualMs: number | undefined;
  /** Round trips of the last ten minutes, oldest first, from which `usualMs` is read. */
  trips: readonly Trip[];
  /** How far its trips lay lately from what is usual, smoothed. */
  spreadMs: number;
  /** Probes in a row at which it was ten times as slow as usual. */
  slowInRow: number;
  /** The last probe; undefined: none came yet. */
  probedAt: MonotonicMs | undefined;
}

interface Trip {
  at: MonotonicMs;
  ms: number;
}

export const NO_PULSE: Pulse = {
  health: 0.5,
  srttMs: undefined,
  usualMs: undefined,
  trips: [],
  spreadMs: 0,
  slowInRow: 0,
  probedAt: undefined,
};

const HEALTH_HALF_LIFE_MS = 15_000;
/** Bad news is believed sooner than good news. */
const SLOWER_HALF_LIFE_MS = 5_000;
const FASTER_HALF_LIFE_MS = 20_000;
/** One late answer is no unrest. */
const SPREAD_HALF_LIFE_MS = 20_000;
const TRIPS_MS = 600_000;
/** Of many probes a second not every trip is kept: 120 at most, one in half of this. */
const TRIP_EVERY_MS = 5_000;
const USUAL_MS = { min: 20, max: 250 };
const SLOW_FACTOR = 10;
const SLOW_IN_ROW = 3;
/** A lost probe counts as so many of the longer of smoothed and usual trip: the whole timeout would say one thing thrice. */
const LOST_FACTOR = 4;

/** What a probe found; `rttMs` absent: it failed. */
export interface Beat {
  at: MonotonicMs;
  rttMs?: number;
  timeoutMs: number;
  /** Its trips say what is usual: it was well before. */
  isWell: boolean;
}

/** The pulse after one more probe. */
export function withProbe(before: Pulse, { at, rttMs, timeoutMs, isWell }: Beat): Pulse {
  const passed = rttMs !== undefined;
  const isFirst = before.probedAt === undefined;
  const sinceMs = Math.max(0, at - (before.probedAt ?? at));
  const value = passed ? 1 : 0;
  const health = isFirst
    ? value
    : before.health + (value - before.health) * share(sinceMs, HEALTH_HALF_LIFE_MS);
  const usualBefore = usualOf(before);
  const sampleMs =
    rttMs ?? Math.min(timeoutMs, LOST_FACTOR * Math.max(before.srttMs ?? 0, usualBefore));
  const srttMs = smoothed(before.srttMs, sampleMs, sinceMs);
  const trips = passed && isWell ? withTrip(before.trips, { at, ms: rttMs }) : before.trips;
  const usualMs = trips === before.trips ? before.usualMs : median(trips);
  const usual = usualOf({ usualMs });
  return {
    health,
    srttMs,
    usualMs,
    trips,
    spreadMs: spreadAfter(
      before.spreadMs,
      Math.abs(sampleMs - (before.usualMs ?? sampleMs)),
      sinceMs,
    ),
    slowInRow: srttMs >= SLOW_FACTOR * usual ? before.slowInRow + 1 : 0,
    probedAt: at,
  };
}

function smoothed(before: number | undefined, sampleMs: number, sinceMs: number): number {
  if (before === undefined) return sampleMs;
  const halfLife = sampleMs > before ? SLOWER_HALF_LIFE_MS : FASTER_HALF_LIFE_MS;
  return before + (sampleMs - before) * share(sinceMs, halfLife);
}

/** Of trips that differ by less than 20 ms nothing is said: that is noise. */
function spreadAfter(before: number, apartMs: number, sinceMs: number): number {
  const counted = apartMs < USUAL_MS.min ? 0 : apartMs;
  return before + (counted - before) * share(sinceMs, SPREAD_HALF_LIFE_MS);
}

/** How far its trips lie from the usual, in parts of what they take. */
export function spreadOf(pulse: Pick<Pulse, 'spreadMs' | 'srttMs' | 'usualMs'>): number {
  return pulse.spreadMs / Math.max(pulse.srttMs ?? 0, usualOf(pulse));
}

/** How far a value moves towards a new one after so long: half of the way in a half-life. */
function share(sinceMs: number, halfLifeMs: number): number {
  return 1 - 2 ** (-sinceMs / halfLifeMs);
}

function withTrip(trips: readonly Trip[], trip: Trip): readonly Trip[] {
  const last = trips.at(-1);
  if (last !== undefined && trip.at - last.at < TRIP_EVERY_MS / 2) return trips;
  return [...trips.filter(({ at }) => trip.at - at < TRIPS_MS), trip].slice(
    -TRIPS_MS / TRIP_EVERY_MS,
  );
}

function median(trips: readonly Trip[]): number | undefined {
  const sorted = trips.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** What is usual, within what can be: less than 20 ms is noise, more than 250 ms is no standard. */
export function usualOf({ usualMs }: Pick<Pulse, 'usualMs'>): number {
  return Math.min(USUAL_MS.max, Math.max(USUAL_MS.min, usualMs ?? USUAL_MS.min));
}

/** All that the score is made of. */
export interface ScoreFacts {
  /** It could take work at all: it is wanted, and neither unreachable nor gone. */
  isPresent: boolean;
  /** What comes for its work is not probed: it is well as long as its lease holds. */
  isProbed: boolean;
  pulse: Pick<Pulse, 'health' | 'srttMs' | 'usualMs' | 'slowInRow' | 'probedAt'>;
  /** Probes lost in a row. */
  lost: number;
  now: MonotonicMs;
  probeIntervalMs: number;
  probeTimeoutMs: number;
  /** Sent from here and not answered, and what waits here for a place at it. */
  inflight: number;
  waiting: number;
  /** By its own word: it can only look worse for it. */
  reportedPending: number;
  /** It said that it takes no more for now. */
  isBusy: boolean;
  /** Why it is not fenced, though it would be. */
  spared?: string | undefined;
  /** What it has room for: at once, and in line. Over 0. */
  capacity: number;
  runs: number;
  failures: number;
  slow: number;
}

/** A bound on the score, and why. */
export interface Cap {
  max: number;
  reason: string;
}

/** The four quantities of the formula, 0 to 1. Of health more is better, of the others less. */
export type ScoreParts = Record<keyof typeof SCORE_WEIGHTS, number>;

/** How well an instance can be reached, and how that was found. */
export interface Score {
  /** 0 to 1. */
  score: number;
  /** What the formula gives, before gate and caps. */
  base: number;
  parts: ScoreParts;
  /** 1, 2/3, 1/3 or 0, by the probes lost in a row. */
  gate: number;
  /** Caps that hold now, whether they bound the score or not. */
  caps: Cap[];
  /** The last probe is too long ago: the score falls until there is another. */
  stale: boolean;
  /**
   * What was measured, as if nobody had taken it out and it were not full: that is nobody's illness,
   * and over as soon as somebody says so, or one place is free.
   */
  steady: number;
}

const RUNS_MIN = 20;
/** Of 100 runs, more than so many slow ones: their 95th percentile is past the declared time. */
const SLOW_PART_MAX = 0.05;
const STALE_INTERVALS = 3;
const STALE_HALF_LIFE_MS = 30_000;

/** The score of an instance. */
export function scoreOf(facts: ScoreFacts): Score {
  const parts = partsOf(facts);
  const sum =
    SCORE_WEIGHTS.health * parts.health +
    SCORE_WEIGHTS.saturation * (1 - parts.saturation) +
    SCORE_WEIGHTS.rtt * (1 - parts.rtt) +
    SCORE_WEIGHTS.errors * (1 - parts.errors);
  // 0.4 and 0.3 and 0.2 and 0.1 are 1, which binary fractions miss by a hair.
  const base = Math.round(sum * 1e12) / 1e12;
  const gate = Math.max(0, 3 - facts.lost) / 3;
  const caps = capsOf(facts, parts);
  const freshness = freshnessOf(facts);
  const ceiling = Math.min(1, ...caps.map(({ max }) => max));
  const isFull = parts.saturation >= 1;
  const steady = Math.min(gate * base, ceiling) * freshness;
  const score = isFull ? Math.min(steady, FULL.max * freshness) : steady;
  return {
    score: facts.isPresent ? score : 0,
    base,
    parts,
    gate,
    caps: isFull ? [...caps, FULL] : caps,
    stale: freshness < 1,
    steady,
  };
}

function partsOf(facts: ScoreFacts): ScoreParts {
  const { pulse, isProbed, inflight, waiting, reportedPending, capacity, runs, failures } = facts;
  const seen = inflight + waiting;
  return {
    health: isProbed ? pulse.health : 1,
    saturation: facts.isBusy ? 1 : Math.min(1, Math.max(seen, reportedPending) / capacity),
    rtt: rttPart(pulse, facts.probeTimeoutMs),
    errors: failures / Math.max(runs, RUNS_MIN),
  };
}

/** 0 for no time at all, 1 for the timeout; logarithmic, so that 20 and 100 ms are told apart. */
function rttPart({ srttMs, usualMs }: ScoreFacts['pulse'], timeoutMs: number): number {
  if (srttMs === undefined) return 0;
  const usual = usualOf({ usualMs });
  return Math.min(1, Math.log1p(srttMs / usual) / Math.log1p(timeoutMs / usual));
}

const FULL: Cap = { max: 0.49, reason: 'it is full' };

function capsOf({ runs, slow, pulse, spared }: ScoreFacts, { errors }: ScoreParts): Cap[] {
  const caps: Cap[] = [];
  if (runs >= RUNS_MIN) {
    const percent = `${Math.round(errors * 100)} % of ${runs} runs failed`;
    if (errors >= 0.5) caps.push({ max: 0.3, reason: percent });
    else if (errors >= 0.2) caps.push({ max: 0.69, reason: percent });
    if (slow > runs * SLOW_PART_MAX) {
      caps.push({ max: 0.49, reason: `${slow} of ${runs} runs took longer than declared` });
    }
  }
  if (pulse.slowInRow >= SLOW_IN_ROW) {
    const ms = Math.round(pulse.srttMs ?? 0);
    caps.push({ max: 0.49, reason: `probes take ${ms} ms, ten times as long as usual` });
  }
  if (spared !== undefined) caps.push({ max: 0.49, reason: spared });
  return caps;
}

function freshnessOf({ isProbed, pulse, now, probeIntervalMs }: ScoreFacts): number {
  if (!isProbed || pulse.probedAt === undefined) return 1;
  const lateMs = now - pulse.probedAt - STALE_INTERVALS * probeIntervalMs;
  return lateMs <= 0 ? 1 : 2 ** (-lateMs / STALE_HALF_LIFE_MS);
}

/** Below this an instance is degraded. */
export const DEGRADED_BELOW = 0.5;
/** Above this, so often in a row, it is well again. */
const WELL_ABOVE = 0.6;
const WELL_IN_ROW = 2;

/** Which of two bands a score lies in, with a gap between them so that nothing flaps. */
export interface Band {
  isDegraded: boolean;
  /** Looks in a row at which a degraded one was well. */
  wellInRow: number;
}

/** The band after one more look at the score. */
export function nextBand({ isDegraded, wellInRow }: Band, steady: number): Band {
  if (!isDegraded) return { isDegraded: steady < DEGRADED_BELOW, wellInRow: 0 };
  if (steady <= WELL_ABOVE) return { isDegraded, wellInRow: 0 };
  const inRow = wellInRow + 1;
  return inRow < WELL_IN_ROW
    ? { isDegraded, wellInRow: inRow }
    : { isDegraded: false, wellInRow: 0 };
}
