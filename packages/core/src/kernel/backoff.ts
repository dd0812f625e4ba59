import type { Random } from './random.ts';

/** How long to wait before attempt n. */
export interface BackoffRule {
  /** Wait before the second attempt, milliseconds. */
  baseMs: number;
  /** No wait is longer. */
  maxMs: number;
}

/** A month after one millisecond. Without a bound, a base of 0 would end as 0 · ∞. */
const DOUBLINGS_MAX = 32;

/**
 * Exponential backoff with full jitter: uniform in [0, min(max, base · 2^(retry−1))].
 *
 * Spreads a crowd that failed together; the price is that a single retry may come at once.
 * Source: AWS Architecture Blog, "Exponential Backoff and Jitter" (2015).
 *
 * @param retry 1 for the first retry.
 */
export function fullJitterMs(rule: BackoffRule, retry: number, random: Random): number {
  const doublings = Math.min(retry - 1, DOUBLINGS_MAX);
  return random.next() * Math.min(rule.maxMs, rule.baseMs * 2 ** doublings);
}
