import {
  type Budget,
  BUDGETS,
  type Calibration,
  cutFor,
  FINGERPRINT,
  type Logistic,
  probability,
} from '@agent-reach/server/meaning';
import { withFew } from './few.ts';
import { fitLogistic, type Sample } from './logistic.ts';
import type { Case, Observation } from './observe.ts';

/** A case, with the models that its questions are judged by. */
export interface Judged extends Case {
  right: Logistic;
  among: Logistic;
}

/** Large sets say no more than small ones: a case counts as 300 questions at most. */
const CASE_WEIGHT_MAX = 300;
/** What questions with few to choose from count beside those of whole sets. */
const FEW_WEIGHT = 0.25;
/**
 * Whoever is asked finds the right one among three at least about every other time; below that a
 * question is noise. Higher says none sooner.
 */
const ASK_FROM = 0.45;

/**
 * Fits the two models to all cases but those of one family, for each family: what a calibration says
 * of a registry that it has never seen.
 */
export function crossFit(cases: readonly Case[]): Judged[] {
  const families = new Set(cases.map(({ family }) => family));
  return [...families].flatMap((family) => {
    const models = fitModels(cases.filter((one) => one.family !== family));
    return cases.filter((one) => one.family === family).map((one) => ({ ...one, ...models }));
  });
}

/** The calibration that ships: models of all cases, cuts from those of `crossFit`. */
export function calibrate(cases: readonly Case[]): Calibration {
  const cuts = cutsFor(crossFit(cases));
  return {
    fingerprint: cases[0]?.fingerprint ?? FINGERPRINT,
    fitted: {
      questions: cases.reduce((sum, { observations }) => sum + observations.length, 0),
      sets: new Set(cases.map(({ set }) => set)).size,
    },
    ...fitModels(cases),
    routeFrom: cuts,
    askFrom: ASK_FROM,
  };
}

/** For each budget the least probability whose wrong routes stay within it, by their upper bound. */
export function cutsFor(judged: readonly Judged[]): Record<Budget, number> {
  const rows = judged.flatMap((one) =>
    one.observations.map((seen) => ({
      value: probability(one.right, seen.features),
      isWrong: seen.place !== 0,
      weight: weightIn(one),
    })),
  );
  return Object.fromEntries(
    BUDGETS.map((budget) => [budget, cutFor(rows, Number(budget) / 100)]),
  ) as Record<Budget, number>;
}

/** Cuts come of whole sets alone: the others are easier, and would let more pass. */
function fitModels(cases: readonly Case[]): { right: Logistic; among: Logistic } {
  const weighed = cases.flatMap((one) => {
    const few = withFew(one);
    return [
      { ...one, weight: weightIn(one) },
      { ...few, weight: FEW_WEIGHT * weightIn(few) },
    ];
  });
  const samples = (isTrue: (seen: Observation) => boolean): Sample[] =>
    weighed.flatMap(({ observations, weight }) =>
      observations.map((seen) => ({ features: seen.features, isTrue: isTrue(seen), weight })),
    );
  return {
    // An ambiguous question is one to ask, so whoever routes it was too sure.
    right: fitLogistic(samples(({ kind, place }) => kind === 'in scope' && place === 0)),
    among: fitLogistic(samples(({ place }) => place >= 0 && place < 3)),
  };
}

export function weightIn({ observations }: Pick<Case, 'observations'>): number {
  return Math.min(1, CASE_WEIGHT_MAX / observations.length);
}
