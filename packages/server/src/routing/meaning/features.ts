import { LEGS } from './legs.ts';
import type { Candidate, Ranking } from './rank.ts';
import { UNSAID } from './said.ts';

/**
 * What a calibrator sees of a ranking, in this order. Each is free at this point and means about the
 * same in a registry of ten capabilities and of ten thousand.
 */
export const FEATURES = [
  'score',
  'margin to the 2nd',
  'margin to the 3rd',
  'margin to the 4th',
  'words',
  'spelling',
  'best by words',
  'best by spelling',
  'coverage',
  'unknown words',
  'has the rarest word',
  'schema',
  'log of the index size',
  'score and margin',
  'root of the score',
  'coverage before the 2nd',
  'log of the words covered',
  'best by both',
  'words covered and margin',
  'alone',
  'one of two',
  'log of the candidates',
  'name said',
  'description said',
  'name said before the 2nd',
  'said by the name',
  'concepts had',
  'concepts missing',
  'part of the concepts',
] as const;

/** What comes on top where vectors were compared. */
const VECTOR_FEATURES = ['vectors', 'best by vectors', 'vectors before the 2nd'] as const;

/** What a calibration must have been fitted for. Another leg or feature makes another one. */
export const FINGERPRINT = fingerprintOf(undefined);

/** The same with the vectors of a model: of each model another one. */
export function fingerprintOf(model: string | undefined): string {
  const legs = LEGS.map(({ name }) => name).join('+');
  if (model === undefined) return `${legs}/${FEATURES.length}`;
  return `${legs}+vectors/${FEATURES.length + VECTOR_FEATURES.length} ${model}`;
}

/** The names of a ranking's features. */
export function featureNames(model: string | undefined): readonly string[] {
  return model === undefined ? FEATURES : [...FEATURES, ...VECTOR_FEATURES];
}

/** The features of a ranking that has at least one candidate. */
export function featuresOf(ranking: Ranking): number[] {
  const { candidates, model } = ranking;
  if (candidates.length === 0) return featureNames(model).map(() => 0);
  const worded = wordFeatures(ranking);
  return model === undefined ? worded : [...worded, ...vectorFeatures(candidates)];
}

function vectorFeatures(candidates: readonly Candidate[]): number[] {
  const [first = 0, second = 0] = candidates.map(({ like = 0 }) => like);
  const isBest = first > 0 && candidates.every(({ like = 0 }) => like <= first);
  return [first, isBest ? 1 : 0, first - second];
}

function wordFeatures({ candidates, unknown, size, words }: Ranking): number[] {
  const [first, second] = candidates;
  if (first === undefined) return [];
  const [byWords = 0, bySpelling = 0] = first.legs;
  const margin = marginTo(candidates, 1);
  const { said } = first;
  const { had, missing } = first.concepts;
  const bestByWords = isBestBy(0, candidates);
  const bestBySpelling = isBestBy(1, candidates);
  const covered = Math.log(1 + words.length * (1 - unknown) * first.coverage);
  return [
    first.score,
    margin,
    marginTo(candidates, 2),
    marginTo(candidates, 3),
    byWords,
    bySpelling,
    bestByWords,
    bestBySpelling,
    first.coverage,
    unknown,
    first.hasRarest ? 1 : 0,
    first.schema,
    Math.log(1 + size),
    first.score * margin,
    Math.sqrt(first.score),
    first.coverage - (second?.coverage ?? 0),
    covered,
    bestByWords * bestBySpelling,
    margin * covered,
    // Where there is little to choose from, to be ahead of the others says little.
    candidates.length === 1 ? 1 : 0,
    candidates.length === 2 ? 1 : 0,
    Math.log(1 + candidates.length),
    said.name,
    said.description,
    said.name - (second?.said ?? UNSAID).name,
    said.byName,
    Math.log(1 + had),
    Math.log(1 + missing),
    (had + 0.5) / (had + missing + 1),
  ];
}

/** How far the best is before the one at `place`, as a part of its own score; 1: nobody is there. */
export function marginTo(candidates: readonly Candidate[], place: number): number {
  const first = candidates[0]?.score ?? 0;
  const other = candidates[place]?.score ?? 0;
  return first === 0 ? 0 : (first - other) / first;
}

function isBestBy(leg: number, candidates: readonly Candidate[]): number {
  const own = candidates[0]?.legs[leg] ?? 0;
  return own > 0 && candidates.every(({ legs }) => (legs[leg] ?? 0) <= own) ? 1 : 0;
}
