import {
  type Budget,
  type Calibration,
  CALIBRATION,
  cutFor,
  judge,
  probability,
} from '@agent-reach/server/meaning';
import { crossFit, cutsFor, type Judged, weightIn } from './calibrate.ts';
import type { Case, Observation } from './observe.ts';

/** What became of the questions of one case. */
export interface Outcome {
  set: string;
  examples: number;
  questions: number;
  inScope: number;
  top1: number;
  top3: number;
  /** Of those in scope. */
  routedRight: number;
  /** Of all questions: a wrong capability was taken. */
  misrouted: number;
  asked: number;
  /** Of those in scope: the right one was among what was offered. */
  askedRight: number;
  none: number;
  outOfScope: number;
  outOfScopeNone: number;
  /** The same of BM25 and character runs, half and half, with one threshold and no questions back. */
  plain: { top1: number; top3: number; routedRight: number; misrouted: number };
}

/**
 * What becomes of every case under a budget. `isShipped`: judged by the calibration that ships, which
 * is fair on questions that it was not fitted to; else by one fitted to all other families of sets.
 */
export function evaluate(cases: readonly Case[], budget: Budget, isShipped: boolean): Outcome[] {
  const judged = crossFit(cases);
  return judged.map((one) => {
    const others = judged.filter(({ family }) => family !== one.family);
    const calibration = isShipped ? CALIBRATION : calibrationOf(one, others);
    const plainFrom = plainCut(others, Number(budget) / 100);
    return outcomeOf(one, { calibration, budget, plainFrom });
  });
}

function calibrationOf(
  { right, among, fingerprint }: Judged,
  others: readonly Judged[],
): Calibration {
  const fitted = { questions: 0, sets: 0 };
  const { askFrom } = CALIBRATION;
  return { fingerprint, fitted, right, among, routeFrom: cutsFor(others), askFrom };
}

/** The threshold of the baseline's own score that keeps the same budget. */
function plainCut(others: readonly Judged[], budget: number): number {
  const rows = others.flatMap((one) =>
    one.observations.map(({ plain }) => ({
      value: plain.score,
      isWrong: plain.place !== 0,
      weight: weightIn(one),
    })),
  );
  return cutFor(rows, budget);
}

function outcomeOf(
  { set, examples, observations }: Case,
  by: { calibration: Calibration; budget: Budget; plainFrom: number },
): Outcome {
  const { calibration, budget, plainFrom } = by;
  const read = observations.map((seen) => ({
    ...seen,
    end: judge(seen.ranking, { budget, calibration }),
  }));
  const count = (is: (one: (typeof read)[number]) => boolean) => read.filter(is).length;
  const isIn = ({ kind }: Observation) => kind === 'in scope';
  const isOut = ({ kind }: Observation) => kind === 'out of scope';
  const isPlain = ({ plain }: Observation) => plain.score >= plainFrom;
  return {
    set,
    examples,
    questions: read.length,
    inScope: count(isIn),
    top1: count((one) => isIn(one) && one.place === 0),
    top3: count((one) => isIn(one) && one.place >= 0 && one.place < 3),
    routedRight: count((one) => isIn(one) && one.end.outcome === 'route' && one.place === 0),
    misrouted: count((one) => one.end.outcome === 'route' && one.place !== 0),
    asked: count(({ end }) => end.outcome === 'ask'),
    askedRight: count((one) => isIn(one) && isOffered(one, one.end.options.length)),
    none: count(({ end }) => end.outcome === 'none'),
    outOfScope: count(isOut),
    outOfScopeNone: count((one) => isOut(one) && one.end.outcome === 'none'),
    plain: {
      top1: count((one) => isIn(one) && one.plain.place === 0),
      top3: count((one) => isIn(one) && one.plain.place >= 0 && one.plain.place < 3),
      routedRight: count((one) => isIn(one) && isPlain(one) && one.plain.place === 0),
      misrouted: count((one) => isPlain(one) && one.plain.place !== 0),
    },
  };
}

function isOffered({ place }: Observation, options: number): boolean {
  return place >= 0 && place < options;
}

/** How far probabilities are from what happens: the mean difference over ten bins, each set alike. */
export function calibrationError(cases: readonly Case[]): number {
  const bins = Array.from({ length: 10 }, () => ({ said: 0, was: 0 }));
  let total = 0;
  for (const one of crossFit(cases)) {
    const weight = weightIn(one);
    for (const { features, kind, place } of one.observations) {
      const said = probability(one.right, features);
      const bin = bins[Math.min(9, Math.floor(said * 10))];
      if (bin === undefined) continue;
      bin.said += weight * said;
      bin.was += kind === 'in scope' && place === 0 ? weight : 0;
      total += weight;
    }
  }
  return bins.reduce((sum, { said, was }) => sum + Math.abs(said - was), 0) / total;
}
