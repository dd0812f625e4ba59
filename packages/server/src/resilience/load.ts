/** Work that says nothing of its priority. */
export const PRIORITY_DEFAULT = 5;
const PRIORITY_MAX = 10;

/**
 * Whether new work is turned away for how late the process is: the least important at `limitMs`, the
 * most important at twice that. What has been taken in already is never.
 */
export function isTurnedAway(delayMs: number, priority: number, limitMs: number): boolean {
  if (limitMs === 0) return false;
  const rank = Math.min(PRIORITY_MAX, Math.max(0, priority));
  return delayMs > limitMs * (1 + rank / PRIORITY_MAX);
}
