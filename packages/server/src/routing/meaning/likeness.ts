import { termsOf } from './text.ts';

/** A text for comparisons with others. */
export interface Likenable {
  grams: ReadonlySet<number>;
}

export function likenable(text: string): Likenable {
  return { grams: new Set(termsOf(text).grams.keys()) };
}

/** How alike two texts are spelled: the cosine of their runs of letters, 0 to 1. */
export function likeness({ grams: a }: Likenable, { grams: b }: Likenable): number {
  if (a.size === 0 || b.size === 0) return 0;
  const [less, more] = a.size < b.size ? [a, b] : [b, a];
  let common = 0;
  for (const gram of less) if (more.has(gram)) common += 1;
  return common / Math.sqrt(a.size * b.size);
}
