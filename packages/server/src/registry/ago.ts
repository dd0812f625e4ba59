/** How long ago a moment was, in the words of a person in a hurry. */
export function endedAgo(at: number, now: number): string {
  const s = Math.max(0, Math.round((now - at) / 1000));
  if (s < 120) return `${s} s ago`;
  const m = Math.round(s / 60);
  return m < 120 ? `${m} min ago` : `${Math.round(m / 60)} h ago`;
}
