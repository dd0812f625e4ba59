import type { Logistic } from '@agent-reach/server/meaning';

/** One observation of a model: features, what came of it, and what it counts. */
export interface Sample {
  features: readonly number[];
  isTrue: boolean;
  weight: number;
}

/** Holds weights of standardised features to about one: a feature that few sets have cannot run away. */
const RIDGE = 1;
const ROUNDS_MAX = 30;

/** Logistic regression by Newton's method on standardised features, given back for raw ones. */
export function fitLogistic(samples: readonly Sample[]): Logistic {
  const { means, deviations } = spread(samples);
  const rows = samples.map((sample) => ({
    ...sample,
    x: [1, ...sample.features.map((value, i) => (value - (means[i] ?? 0)) / (deviations[i] ?? 1))],
  }));
  const size = means.length + 1;
  let beta = zeros(size);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const step = newtonStep(rows, beta);
    beta = beta.map((value, i) => value + (step[i] ?? 0));
    if (Math.max(...step.map(Math.abs)) < 1e-7) break;
  }
  const weights = means.map((_, i) => (beta[i + 1] ?? 0) / (deviations[i] ?? 1));
  const bias = weights.reduce((sum, weight, i) => sum - weight * (means[i] ?? 0), beta[0] ?? 0);
  return { bias, weights };
}

function spread(samples: readonly Sample[]) {
  const width = samples[0]?.features.length ?? 0;
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const average = (of: (features: readonly number[]) => number) =>
    samples.reduce((sum, { features, weight }) => sum + weight * of(features), 0) / total;
  const means = Array.from({ length: width }, (_, i) => average((x) => x[i] ?? 0));
  const deviations = means.map(
    (mean, i) => Math.sqrt(average((x) => ((x[i] ?? 0) - mean) ** 2)) || 1,
  );
  return { means, deviations };
}

function newtonStep(
  rows: readonly (Sample & { x: readonly number[] })[],
  beta: readonly number[],
): number[] {
  const size = beta.length;
  const hessian = Array.from({ length: size }, () => zeros(size + 1));
  for (const { x, isTrue, weight } of rows) {
    const sum = x.reduce((total, value, i) => total + value * (beta[i] ?? 0), 0);
    const p = 1 / (1 + Math.exp(-sum));
    const pull = weight * ((isTrue ? 1 : 0) - p);
    const bend = weight * p * (1 - p);
    for (let i = 0; i < size; i++) {
      const row = hessian[i] as number[];
      row[size] = (row[size] ?? 0) + pull * (x[i] ?? 0);
      for (let j = 0; j < size; j++) row[j] = (row[j] ?? 0) + bend * (x[i] ?? 0) * (x[j] ?? 0);
    }
  }
  for (let i = 1; i < size; i++) {
    const row = hessian[i] as number[];
    row[i] = (row[i] ?? 0) + RIDGE;
    row[size] = (row[size] ?? 0) - RIDGE * (beta[i] ?? 0);
  }
  return solve(hessian);
}

/** Gauss and Jordan, with the largest pivot; the right side is the last column. */
function solve(rows: number[][]): number[] {
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    const pivot = rows.reduce(
      (best, row, at) =>
        at > i && Math.abs(row[i] ?? 0) > Math.abs(rows[best]?.[i] ?? 0) ? at : best,
      i,
    );
    [rows[i], rows[pivot]] = [rows[pivot] as number[], rows[i] as number[]];
    const own = rows[i] as number[];
    for (const [at, row] of rows.entries()) {
      if (at === i) continue;
      const factor = (row[i] ?? 0) / (own[i] ?? 1);
      for (let j = i; j <= size; j++) row[j] = (row[j] ?? 0) - factor * (own[j] ?? 0);
    }
  }
  return rows.map((row, i) => (row[size] ?? 0) / (row[i] ?? 1));
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}
