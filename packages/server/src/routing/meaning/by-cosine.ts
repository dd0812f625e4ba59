import type { MeaningReason } from '@agent-reach/core';
import type { Catalogue } from './catalogue.ts';
import { optionsOf } from './differ.ts';
import { BOUNDARY_HIT, nothing, readNamed, type Reading } from './interpret.ts';
import { type Candidate, type Question, rank, type Ranking } from './rank.ts';
import type { Sensed } from './sense.ts';
import { type Folded, foldTwins } from './twins.ts';

/** Nearer than this nobody can say which of two is meant. */
const COSINE_TIE = 0.02;
const OPTIONS_MAX = 3;

type Compared = Candidate & { cosine: number };

/**
 * Reads an intent by one number: the cosine of its vector and that of a name and description, against
 * a threshold. No probability: for each model and catalogue another threshold is right. What is not a
 * read is asked about, and a tie is not guessed.
 */
export function readByCosine(
  question: Question,
  catalogue: Catalogue,
  { sense, from }: { sense: Sensed; from: number },
): Reading {
  const named = readNamed(question, catalogue);
  if (named !== undefined) return named;
  // Parameters say how it could be called; here they do not count.
  const ranked = rank({ ...question, params: {} }, catalogue, bare(sense));
  const ranking = foldTwins(byCosine(ranked));
  const [first, second] = ranking.candidates.filter(isCompared);
  const { passedOver } = ranking;
  if (first === undefined) return ended(ranking, from, 'NO_CANDIDATE');
  const isPast = passedOver?.cosine !== undefined && passedOver.cosine >= first.cosine;
  if (isPast && (passedOver.cosine ?? 0) >= from) {
    return { ...ended(ranking, from, 'NAMED_ONLY'), namedOnly: passedOver.name };
  }
  if (first.cosine < from) return ended(ranking, from, 'LOW_CONFIDENCE');
  const doubt = doubtOf(first, second);
  if (doubt === undefined) {
    const names = ranking.twins.map(({ name }) => name);
    return { ...ended(ranking, from, 'COSINE'), outcome: 'route', names };
  }
  const asked = ranking.candidates.filter((one) => isCompared(one) && one.cosine >= from);
  const options = optionsOf(asked.slice(0, OPTIONS_MAX).map(({ capability }) => capability));
  return { ...ended(ranking, from, doubt), outcome: 'ask', options };
}

/** In the order of the cosine alone, those below any background as well. */
function bare(sense: Sensed): Sensed {
  return { ...sense, trust: { right: 1, share: 1, background: { mean: -1, deviation: 0 } } };
}

function isCompared(candidate: Candidate): candidate is Compared {
  return candidate.cosine !== undefined;
}

function doubtOf(first: Compared, second: Compared | undefined): MeaningReason | undefined {
  if (second !== undefined && first.cosine - second.cosine < COSINE_TIE) return 'NEAR_TIE';
  if (first.boundary >= BOUNDARY_HIT) return 'BOUNDARY';
  return first.capability.effect === 'read' ? undefined : 'LOW_CONFIDENCE';
}

function ended(ranking: Folded, from: number, reason: MeaningReason): Reading {
  return {
    ...nothing(ranking, reason),
    right: Math.max(0, ranking.candidates.find(isCompared)?.cosine ?? 0),
    routeFrom: from,
    askFrom: from,
    calibration: 'cosine',
  };
}

/** What has no vector stands behind: its score by words is none of these. */
function byCosine(ranking: Ranking): Ranking {
  const cosineOf = ({ cosine = -1 }: Candidate) => cosine;
  return {
    ...ranking,
    candidates: ranking.candidates.toSorted((a, b) => cosineOf(b) - cosineOf(a)),
  };
}
