import type { ErrorCode } from '@agent-reach/core';
import type { MonotonicMs } from '@agent-reach/core/kernel';

/** How the runs of the last five minutes at one endpoint ended. */
export interface Tally {
  runs: number;
  /** Of them, those that were the endpoint's own fault. */
  failures: number;
  /** Of them, those that took longer than their capability declares. */
  slow: number;
}

/** How one run ended. */
export interface RunEnd {
  isGood: boolean;
  isSlow: boolean;
}

const BUCKET_MS = 10_000;
/** Five minutes: the newest bucket is still being filled. */
const BUCKETS = 30;
const FIELDS = 3;

export const NO_RUNS: Readonly<Tally> = { runs: 0, failures: 0, slow: 0 };

/**
 * Runs of the last five minutes, in buckets of ten seconds: what is older falls out a bucket at a
 * time, and nothing is remembered of a single run. 360 bytes an endpoint, whatever its traffic.
 */
export class OutcomeWindow {
  readonly #counts = new Uint32Array(BUCKETS * FIELDS);
  readonly #sum: Tally = { ...NO_RUNS };
  /** The number of the newest bucket, counted from the clock's beginning. */
  #newest = 0;

  note(at: MonotonicMs, { isGood, isSlow }: RunEnd): void {
    this.#advance(at);
    this.#add(1, isGood ? 0 : 1, isSlow ? 1 : 0);
  }

  /** What is known now. The object is live: read it, do not keep it. */
  tally(at: MonotonicMs): Readonly<Tally> {
    this.#advance(at);
    return this.#sum;
  }

  #add(runs: number, failures: number, slow: number): void {
    const at = (this.#newest % BUCKETS) * FIELDS;
    const counts = this.#counts;
    counts[at] = (counts[at] ?? 0) + runs;
    counts[at + 1] = (counts[at + 1] ?? 0) + failures;
    counts[at + 2] = (counts[at + 2] ?? 0) + slow;
    this.#sum.runs += runs;
    this.#sum.failures += failures;
    this.#sum.slow += slow;
  }

  /** Empties the buckets for which the time has come again. */
  #advance(at: MonotonicMs): void {
    const bucket = Math.floor(at / BUCKET_MS);
    const steps = Math.min(BUCKETS, bucket - this.#newest);
    for (let step = 1; step <= steps; step++) {
      const from = ((bucket - steps + step) % BUCKETS) * FIELDS;
      this.#sum.runs -= this.#counts[from] ?? 0;
      this.#sum.failures -= this.#counts[from + 1] ?? 0;
      this.#sum.slow -= this.#counts[from + 2] ?? 0;
      this.#counts.fill(0, from, from + FIELDS);
    }
    this.#newest = Math.max(this.#newest, bucket);
  }
}

/** Errors that are the endpoint's own doing. */
const FAULTS: ReadonlySet<ErrorCode> = new Set([
  'agent-error',
  'connect-failed',
  'bad-response',
  'schema-drift',
  'deadline-exceeded',
]);

/**
 * Whether the end of a run speaks for its endpoint or against it; undefined: it says nothing of it.
 * A refusal speaks for it: it was there, and judged.
 */
export function speaksFor(code: ErrorCode | undefined): boolean | undefined {
  if (code === undefined || code === 'agent-rejected') return true;
  return FAULTS.has(code) ? false : undefined;
}
