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

/**
 * The least value from which on at most `budget` of all rows are wrong, by the upper bound; with `z` 0
 * by what was seen alone.
 */
export function cutFor(rows: readonly Graded[], budget: number, z = Z): number {
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const squares = rows.reduce((sum, { weight }) => sum + weight * weight, 0);
  const sorted = rows.toSorted((a, b) => b.value - a.value);
  let wrong = 0;
  let cut = 1;
  for (const [i, { value, isWrong, weight }] of sorted.entries()) {
    if (isWrong) wrong += weight;
    // What has one value passes together or not at all.
    if (sorted[i + 1]?.value === value) continue;
    if (wilson(wrong / total, (total * total) / squares, z).high > budget) break;
    cut = value;
  }
  return cut;
}

/** How many rows without a single fault it takes before a budget can be said to hold. */
export function leastFor(budget: number): number {
  return Math.ceil((Z * Z * (1 - budget)) / budget);
}
