import type { Scores } from './lexicon.ts';

/** One way to measure how well a capability answers an intent, 0 to 1. */
export interface Leg {
  name: string;
  of(scores: Scores, document: number): number;
  /** Its share of the whole, for an intent of so many words; the shares add up to 1. */
  share(words: number): number;
}

/** Short texts are told apart by their spelling, long ones by their words. */
function shareOfWords(words: number): number {
  return Math.min(0.7, Math.max(0.4, 0.35 + 0.02 * words));
}

/**
 * The legs that run. What is missing counts 0 and is never made up, so each alone can find a
 * capability. Vectors of an embedder come on top (`rank.ts`): they count what their test is worth.
 */
export const LEGS: readonly Leg[] = [
  {
    name: 'words',
    of: (scores, document) => scores.words(document),
    share: shareOfWords,
  },
  {
    name: 'spelling',
    of: (scores, document) => scores.grams(document),
    share: (words) => 1 - shareOfWords(words),
  },
];

/** What parameters add to that when they are sent: they decide what vague words leave open. */
export const SCHEMA_SHARE = 0.4;
