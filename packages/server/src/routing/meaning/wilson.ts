/** Wilson's interval of a share `p` of `n`: honest near 0 and 1, where the usual one is not. */
export function wilson(p: number, n: number, z = 1.96): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const square = (z * z) / n;
  const middle = (p + square / 2) / (1 + square);
  const half = (z * Math.sqrt((p * (1 - p)) / n + square / (4 * n))) / (1 + square);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** A value that a decision depends on: how sure it is, whether it would be wrong, what it counts. */
export interface Graded {
  value: number;
  isWrong: boolean;
  weight: number;
}

/** One-sided 95 %: a budget holds for what may be, not for what happened to be seen. */
const Z = 1.645;

/** The least value from which on at most `budget` of all rows are wrong, by the upper bound. */
export function cutFor(rows: readonly Graded[], budget: number): number {
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const squares = rows.reduce((sum, { weight }) => sum + weight * weight, 0);
  let wrong = 0;
  let cut = 1;
  for (const { value, isWrong, weight } of rows.toSorted((a, b) => b.value - a.value)) {
    if (isWrong) wrong += weight;
    if (wilson(wrong / total, (total * total) / squares, Z).high > budget) break;
    cut = value;
  }
  return cut;
}

/** How many rows without a single fault it takes before a budget can be said to hold. */
export function leastFor(budget: number): number {
  return Math.ceil((Z * Z * (1 - budget)) / budget);
}
