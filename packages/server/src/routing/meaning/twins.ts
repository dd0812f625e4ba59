import { marginTo } from './features.ts';
import type { Candidate, Ranking } from './rank.ts';
import { plain, wordsOf } from './text.ts';

/** Whoever is further ahead than this is the clear winner, and is not given up for anybody. */
const SAME_SCORE = 0.2;
/** Share of common words from which two descriptions say the same. */
const SAME_WORDS = 0.8;

/** A ranking in which capabilities that say the same stand as one. */
export interface Folded extends Ranking {
  /** The best one and those that are the same under another name, the best first. */
  twins: readonly Candidate[];
}

/**
 * Takes out of a ranking what is the best one once more: a near score, the same description,
 * boundary and effect. Nobody could say which of them he means, so nobody is asked; who can be reached is.
 */
export function foldTwins(ranking: Ranking): Folded {
  const [first, ...rest] = ranking.candidates;
  if (first === undefined) return { ...ranking, twins: [] };
  const twins = [first];
  const others: Candidate[] = [];
  for (const [i, one] of rest.entries()) {
    const isNear = marginTo(ranking.candidates, i + 1) < SAME_SCORE;
    (isNear && saysTheSame(first, one) ? twins : others).push(one);
  }
  return { ...ranking, candidates: [first, ...others], twins };
}

function saysTheSame({ capability: a }: Candidate, { capability: b }: Candidate): boolean {
  if (a.effect !== b.effect || a.not_for.join('\n') !== b.not_for.join('\n')) return false;
  const ours = new Set(wordsOf(plain(a.description)));
  const theirs = new Set(wordsOf(plain(b.description)));
  const all = ours.union(theirs);
  return all.size > 0 && ours.intersection(theirs).size / all.size >= SAME_WORDS;
}
