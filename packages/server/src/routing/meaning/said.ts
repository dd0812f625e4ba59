import type { Capability } from '@agent-reach/core';
import { matchable, plain } from './text.ts';

/**
 * How much of what a capability says of itself a question has, by the weight of its words, 0 to 1. A
 * question may have a word of a long description by chance; the whole of a name it hardly has.
 */
export interface Said {
  /** Of its name, or of its display name if that is more: they may be of two languages. */
  name: number;
  description: number;
  /** The part of the question that its names have. */
  byName: number;
}

/** Nothing is there to be said. */
export const UNSAID: Said = { name: 0, description: 0, byName: 0 };

export function saidOf(
  { name, display_name: displayName, description }: Capability,
  words: ReadonlySet<string>,
  weightOf: (word: string) => number,
): Said {
  const weigh = (some: ReadonlySet<string>) => {
    let sum = 0;
    for (const word of some) sum += weightOf(word);
    return sum;
  };
  const shareOf = (whole: ReadonlySet<string>, part: ReadonlySet<string>) => {
    return whole.size === 0 ? 0 : weigh(whole.intersection(part)) / weigh(whole);
  };
  const names = [name, displayName].map(wordsIn);
  return {
    name: Math.max(...names.map((one) => shareOf(one, words))),
    description: shareOf(wordsIn(description), words),
    byName: shareOf(words, new Set(names.flatMap((one) => [...one]))),
  };
}

function wordsIn(text: string): Set<string> {
  return new Set(matchable(plain(text)));
}
