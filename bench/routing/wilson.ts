/** Wilson's interval of a share `p` of `n`: honest near 0 and 1, where the usual one is not. */
export function wilson(p: number, n: number, z = 1.96): { low: number; high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const square = (z * z) / n;
  const middle = (p + square / 2) / (1 + square);
  const half = (z * Math.sqrt((p * (1 - p)) / n + square / (4 * n))) / (1 + square);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
