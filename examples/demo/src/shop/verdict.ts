import type { Outcome } from './outcome.ts';

/** What a run comes to. */
export interface Verdict {
  questions: number;
  /** Somebody was reached who was not wanted. */
  misrouted: number;
  /** The share of them, and between what it is with 95 % certainty. */
  share: number;
  low: number;
  high: number;
  failed: number;
  /** How often something was reached by meaning that is had by its name alone. */
  sensitive: number;
  /** Nothing sensitive, nothing failed, and not surely more misrouted than the budget allows. */
  isKept: boolean;
}

/** Holds a run to a budget of wrong routes, a share of all questions. */
export function verdictOf(
  outcomes: readonly Outcome[],
  sensitive: number,
  budget: number,
): Verdict {
  const questions = outcomes.length;
  const misrouted = outcomes.filter((one) => one.end === 'reached' && !one.isWanted).length;
  const failed = outcomes.filter(({ end }) => end === 'failed').length;
  const share = questions === 0 ? 0 : misrouted / questions;
  const { low, high } = intervalOf(share, questions);
  const isKept = sensitive === 0 && failed === 0 && low <= budget;
  return { questions, misrouted, share, low, high, failed, sensitive, isKept };
}

/** Wilson's interval: honest near 0, where a run hopes to be. */
function intervalOf(share: number, count: number): { low: number; high: number } {
  if (count === 0) return { low: 0, high: 1 };
  const square = 1.96 ** 2 / count;
  const middle = share + square / 2;
  const half = 1.96 * Math.sqrt((share * (1 - share)) / count + square / (4 * count));
  const end = (value: number) => Math.min(1, Math.max(0, value / (1 + square)));
  return { low: end(middle - half), high: end(middle + half) };
}
