import type { MonotonicMs } from '@agent-reach/core/kernel';

// Design. A breaker keeps work from an endpoint that provably fails, so that callers learn it at
// once and the endpoint gets room to recover. Closed counts, open refuses, half-open lets a few
// through to see. Every transition raises the generation, and a result of an earlier one no longer
// counts: what was sent before a trip must not undo it. A trial slot is a lease: whoever vanishes
// with it gives no verdict and loses it, so that no breaker stays half-open for ever.
//
// Nothing here has a clock, a timer or an identity: time and chance are handed in.

/** What trips a breaker, and for how long. */
export interface BreakerRules {
  /** So many failures in a row trip it. */
  consecutive: number;
  /** Shares say nothing of fewer results than this. */
  samplesMin: number;
  /** More failures than this trip it, percent of the window. */
  failurePercent: number;
  /** So many slow answers trip it, percent of the window. */
  slowPercent: number;
  openMs: number;
  openMaxMs: number;
}

/** What one result says of the endpoint; `neutral`: nothing. */
export type Verdict = 'success' | 'failure' | 'neutral';

export interface Breaker {
  readonly state: BreakerState;
  /** Raised with every transition. */
  readonly generation: number;
  /** Trips since it was last closed for `CALM_MS`. */
  readonly trips: number;
  /** Failures since the last success, of this generation. */
  readonly inRow: number;
  /** Results of the last minute, oldest first. */
  readonly window: readonly Bucket[];
}

export type BreakerState =
  | { readonly is: 'closed'; readonly since: MonotonicMs }
  | { readonly is: 'open'; readonly until: MonotonicMs; readonly why: string }
  | {
      readonly is: 'half-open';
      readonly slots: readonly Slot[];
      /** Slots given so far: each has a number of its own. */
      readonly given: number;
      /** Of trials, in a row. */
      readonly successes: number;
      readonly why: string;
    };

interface Slot {
  readonly id: number;
  readonly endsAt: MonotonicMs;
}

interface Bucket {
  readonly index: number;
  readonly count: number;
  readonly failures: number;
  readonly slow: number;
}

/** The right to send one request; `slot` is set for a trial. */
export interface Pass {
  readonly generation: number;
  readonly slot?: number;
}

const BUCKET_MS = 10_000;
const BUCKETS = 6;
/** Trials at once, and how many must succeed in a row. */
export const SLOTS = 3;
const SUCCESSES = 3;
/** Closed for so long, the next trip is a first one. */
const CALM_MS = 60_000;

/** A breaker of an endpoint of which nothing is known. */
export function newBreaker(at: MonotonicMs): Breaker {
  return { state: { is: 'closed', since: at }, generation: 0, trips: 0, inRow: 0, window: [] };
}

/** For how long nothing gets through, 0: something would. */
export function blockedMs({ state }: Breaker, at: MonotonicMs): number {
  switch (state.is) {
    case 'closed':
      return 0;
    case 'open':
      return Math.max(0, state.until - at);
    case 'half-open': {
      const live = liveSlots(state.slots, at);
      if (live.length < SLOTS) return 0;
      return Math.min(...live.map(({ endsAt }) => endsAt)) - at;
    }
  }
}

/**
 * Asks to send one request. Of an open breaker whose time is over the first one makes it half-open;
 * there each takes a slot, for `leaseMs` at most.
 */
export function enter(
  breaker: Breaker,
  { at, leaseMs }: { at: MonotonicMs; leaseMs: number },
): { breaker: Breaker; pass: Pass | undefined } {
  if (breaker.state.is === 'closed') return { breaker, pass: { generation: breaker.generation } };
  if (blockedMs(breaker, at) > 0) return { breaker, pass: undefined };
  const trying = breaker.state.is === 'open' ? halfOpen(breaker, breaker.state.why) : breaker;
  if (trying.state.is !== 'half-open') return { breaker, pass: undefined };
  const slots = liveSlots(trying.state.slots, at);
  const id = trying.state.given + 1;
  const state = { ...trying.state, given: id, slots: [...slots, { id, endsAt: at + leaseMs }] };
  return { breaker: { ...trying, state }, pass: { generation: trying.generation, slot: id } };
}

/** The end of a request. */
export interface Result {
  verdict: Verdict;
  isSlow: boolean;
  at: MonotonicMs;
}

/** What a trip depends on beside the results: chance, and whether one more may be open. */
export interface TripPorts {
  rules: BreakerRules;
  /** Uniform in [0, 1). */
  chance: () => number;
  /** Asked only when a rule is broken. False: too many others are open, and this one goes on. */
  mayOpen: () => boolean;
}

/** Takes in how a request ended. A result of another generation, or of a lapsed slot, changes nothing. */
export function leave(breaker: Breaker, pass: Pass, result: Result, ports: TripPorts): Breaker {
  if (pass.generation !== breaker.generation) return breaker;
  switch (breaker.state.is) {
    case 'closed':
      return result.verdict === 'neutral' ? breaker : counted(breaker, result, ports);
    case 'half-open':
      return tried(breaker, breaker.state, { pass, result }, ports);
    case 'open':
      return breaker; // Nobody was let through in this generation.
  }
}

function counted(before: Breaker, result: Result, ports: TripPorts): Breaker {
  const isFailure = result.verdict === 'failure';
  const breaker: Breaker = {
    ...before,
    inRow: isFailure ? before.inRow + 1 : 0,
    window: withResult(before.window, result),
  };
  const why = whyTrip(breaker, ports.rules);
  if (why === undefined || !ports.mayOpen()) return breaker;
  const { state } = before;
  const isCalm = state.is === 'closed' && result.at - state.since >= CALM_MS;
  return opened({ ...breaker, trips: isCalm ? 0 : breaker.trips }, why, result.at, ports);
}

function tried(
  breaker: Breaker,
  state: Extract<BreakerState, { is: 'half-open' }>,
  { pass, result }: { pass: Pass; result: Result },
  ports: TripPorts,
): Breaker {
  const isLive = liveSlots(state.slots, result.at).some(({ id }) => id === pass.slot);
  if (!isLive) return breaker;
  const slots = state.slots.filter(({ id }) => id !== pass.slot);
  switch (result.verdict) {
    case 'failure':
      return opened(breaker, state.why, result.at, ports);
    case 'neutral':
      return { ...breaker, state: { ...state, slots } };
    case 'success': {
      const successes = state.successes + 1;
      if (successes < SUCCESSES) return { ...breaker, state: { ...state, slots, successes } };
      return moved(breaker, { is: 'closed', since: result.at });
    }
  }
}

function opened(
  breaker: Breaker,
  why: string,
  at: MonotonicMs,
  { rules, chance }: Pick<TripPorts, 'rules' | 'chance'>,
): Breaker {
  const trips = breaker.trips + 1;
  const base = Math.min(rules.openMaxMs, rules.openMs * 2 ** Math.min(trips - 1, 30));
  const until = at + base * (0.9 + 0.2 * chance());
  return { ...moved(breaker, { is: 'open', until, why }), trips };
}

function halfOpen(breaker: Breaker, why: string): Breaker {
  return moved(breaker, { is: 'half-open', slots: [], given: 0, successes: 0, why });
}

function moved(breaker: Breaker, state: BreakerState): Breaker {
  return { ...breaker, state, generation: breaker.generation + 1, inRow: 0, window: [] };
}

/** Which rule is broken, in words; undefined: none. */
function whyTrip({ inRow, window }: Breaker, rules: BreakerRules): string | undefined {
  if (inRow >= rules.consecutive) return `${inRow} failures in a row`;
  let count = 0;
  let failures = 0;
  let slow = 0;
  for (const bucket of window) {
    count += bucket.count;
    failures += bucket.failures;
    slow += bucket.slow;
  }
  if (count < rules.samplesMin) return undefined;
  const within = `of ${count} within a minute`;
  if (failures * 100 > rules.failurePercent * count) return `${failures} ${within} failed`;
  return slow * 100 >= rules.slowPercent * count ? `${slow} ${within} were slow` : undefined;
}

function withResult(window: readonly Bucket[], { verdict, isSlow, at }: Result): readonly Bucket[] {
  const index = Math.floor(at / BUCKET_MS);
  const failures = verdict === 'failure' ? 1 : 0;
  const slow = isSlow ? 1 : 0;
  const last = window.at(-1);
  if (last === undefined || last.index < index) {
    const kept = window.filter((bucket) => bucket.index > index - BUCKETS);
    return [...kept, { index, count: 1, failures, slow }];
  }
  const sum = {
    index: last.index,
    count: last.count + 1,
    failures: last.failures + failures,
    slow: last.slow + slow,
  };
  return window.length === 1 ? [sum] : [...window.slice(0, -1), sum];
}

function liveSlots(slots: readonly Slot[], at: MonotonicMs): readonly Slot[] {
  return slots.filter(({ endsAt }) => endsAt > at);
}
