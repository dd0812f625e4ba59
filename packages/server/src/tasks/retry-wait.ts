import type { Random } from '@agent-reach/core/kernel';

/** How long tasks wait before they run again. */
export interface RetryRule {
  retryBaseMs: number;
  retryWaitMaxMs: number;
}

const DOUBLINGS_MAX = 20;
const SPREAD = 0.2;

/**
 * The wait before the next run: 2, 4, 8 s … × U(0.8, 1.2), whole milliseconds. Less spread than
 * full jitter: nobody waits on the line, and an agent that failed is given its time.
 *
 * Source: seed B §5.
 *
 * @param attempts runs so far, from 1.
 */
export function retryWaitMs(rule: RetryRule, attempts: number, random: Random): number {
  const doublings = Math.min(Math.max(0, attempts - 1), DOUBLINGS_MAX);
  const waitMs = Math.min(rule.retryWaitMaxMs, rule.retryBaseMs * 2 ** doublings);
  return Math.round(waitMs * (1 - SPREAD + 2 * SPREAD * random.next()));
}

/** The waits by attempt, as a store takes them: the last one repeats. */
export function retryWaits(rule: RetryRule, attemptsMax: number, random: Random): number[] {
  return Array.from({ length: Math.max(1, attemptsMax) }, (_, i) =>
    retryWaitMs(rule, i + 1, random),
  );
}
