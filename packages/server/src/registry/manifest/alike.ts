/** What of a text is compared: pairs of neighbouring words, or of characters in Chinese. */
export type Pairs = ReadonlySet<string>;

/** The pairs of a text. Words in scripts that part words, characters in those that do not. */
export function pairsOf(text: string): Pairs {
  const units = text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
  if (units.length === 1) return new Set(units);
  return new Set(units.slice(1).map((unit, i) => `${units[i]} ${unit}`));
}

/** How alike two texts are, 0 to 1: the share of their pairs that both have (Jaccard). */
export function alike(one: Pairs, other: Pairs): number {
  if (one.size === 0 || other.size === 0) return 0;
  const common = one.intersection(other).size;
  return common / (one.size + other.size - common);
}
