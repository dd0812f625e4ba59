/** Two models over the features, and the cuts that follow from what mistakes may cost. */
export interface Calibration {
  /** What it was made for: legs, features and terms. One of another make says nothing. */
  fingerprint: string;
  /** Labelled questions, and sets of them, that it was fitted to. */
  fitted: { questions: number; sets: number };
  /** The best candidate is the right one. */
  right: Logistic;
  /** The right one is among the three best. */
  among: Logistic;
  /** Least probability that it is right, for each budget of wrong routes among all questions. */
  routeFrom: Readonly<Record<Budget, number>>;
  /** Least probability that it is among three, to ask; below it nothing is offered. */
  askFrom: number;
}

/** Parts of all questions that may be routed wrong, in percent. */
export const BUDGETS = ['0.1', '1', '5'] as const;
export type Budget = (typeof BUDGETS)[number];

/** A logistic regression: one weight a feature. */
export interface Logistic {
  bias: number;
  weights: readonly number[];
}

/** The probability of so much evidence, which is the logarithm of its odds. */
export function sigmoid(evidence: number): number {
  return 1 / (1 + Math.exp(-evidence));
}

/** The probability that a model gives. Features beyond its weights count nothing. */
export function probability({ bias, weights }: Logistic, features: readonly number[]): number {
  let sum = bias;
  for (const [i, weight] of weights.entries()) sum += weight * (features[i] ?? 0);
  return sigmoid(sum);
}
