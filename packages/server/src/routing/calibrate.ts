import type {
  Ends,
  LocalCalibration,
  MeaningReason,
  MisrouteBudget,
  Utterance,
} from '@agent-reach/core';
import { thousandth } from '../registry/score-view.ts';
import { calibrationHere } from './by-meaning.ts';
import { warningsOf } from './evaluate.ts';
import { BUDGETS, type Calibration } from './meaning/calibrator.ts';
import { FINGERPRINT } from './meaning/features.ts';
import { cutLabelsMin, fitOwn, FOLDS, type Label } from './meaning/fit-own.ts';
import { cutOf, makeOf, type OwnFit } from './meaning/own-fit.ts';
import { keyOf, plain } from './meaning/text.ts';
import type { RoutingPorts } from './ports.ts';
import { endsOf, isIn, type Read, readAgain, readUtterances } from './read-utterances.ts';

/** A fit, and what it changes. */
export interface Calibrated {
  /** Undefined: there was no label. */
  fit: Omit<OwnFit, 'version'> | undefined;
  told: LocalCalibration;
}

/** A label, the part of the labels that it stands in, and where its utterance is. */
interface Placed extends Label {
  place: number;
  fold: number;
}

/** One in so many utterances should be one that nothing answers. */
const BESIDE = 20;

/** Ends in which a probability had its say: nothing stood against a route that it would have made. */
const DECIDED: ReadonlySet<MeaningReason> = new Set([
  'CALIBRATED',
  'LOW_CONFIDENCE',
  'LOW_COVERAGE',
  'VECTORS',
]);

/**
 * Fits the probability to labelled utterances, and judges every utterance by a fit that has not seen
 * it. What is in force does not count: before is what ships. Undefined: whoever asked is gone.
 */
export async function calibrate(
  of: { tenant: string; utterances: readonly Utterance[]; budget: MisrouteBudget | undefined },
  ports: RoutingPorts,
  signal: AbortSignal,
): Promise<Calibrated | undefined> {
  const { tenant, utterances, budget = ports.options.semanticBudget } = of;
  const calibration = calibrationHere(ports);
  const how = { tenant, budget };
  const before = await readUtterances(utterances, { ...how, ownFit: undefined }, ports, signal);
  if (before === undefined) return undefined;
  const folds = foldsOf(utterances);
  const { labels, warnings } = labelsIn(before, { tenant, utterances, folds, calibration }, ports);
  const fit = labels.length === 0 ? undefined : fitOwn(labels, calibration);
  const fits = fit === undefined ? [] : fitsWithout(labels, calibration);
  const fitOf = (place: number) => fits[folds[place] ?? 0];
  const after = await readAgain(utterances, before, { ...how, fitOf }, { ports, signal });
  if (after === undefined) return undefined;
  const ends = { before: endsOf(before), after: endsOf(after) };
  const told: LocalCalibration = {
    budget,
    utterances: utterances.length,
    fingerprint: makeOf(calibration),
    labels: labels.length,
    slope: fit?.slope ?? 1,
    shift: fit?.shift ?? 0,
    cuts: cutsOf(fit, calibration),
    ...ends,
    warnings: [
      ...warnings,
      ...beside(utterances),
      ...overBudget(budget, ends.after),
      ...warningsOf(tenant, utterances, ports).warnings,
    ],
  };
  return { fit, told };
}

/** Of each part a fit that has not seen it. */
function fitsWithout(labels: readonly Placed[], calibration: Calibration): OwnFit[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const others = labels.filter((one) => one.fold !== fold);
    // As strict as the whole: a part that has fewer labels may not be held to more, or to less.
    const { length } = labels;
    return { ...fitOwn(others, calibration, length), labels: length, version: 0 };
  });
}

/** The part in which each utterance stands: those that say the same stand in one. */
function foldsOf(utterances: readonly Utterance[]): number[] {
  const folds = new Map<string, number>();
  return utterances.map(({ text }) => {
    const key = sayingOf(text);
    const fold = folds.get(key) ?? folds.size % FOLDS;
    folds.set(key, fold);
    return fold;
  });
}

/** What is said, however it is written. */
function sayingOf(text: string): string {
  return keyOf(plain(text)) || text;
}

/**
 * What the utterances say of the probability. Nothing say those that a pin, a name, an example or a
 * doubt decides, what nobody offers, and what was said before.
 */
function labelsIn(
  read: readonly Read[],
  of: {
    tenant: string;
    utterances: readonly Utterance[];
    folds: readonly number[];
    calibration: Calibration;
  },
  { directory }: RoutingPorts,
): { labels: Placed[]; warnings: string[] } {
  const labels: Placed[] = [];
  const said = new Set<string>();
  let [repeated, otherwise] = [0, 0];
  for (const [place, one] of read.entries()) {
    const { expected } = of.utterances[place] ?? {};
    const isUnknown = (name: string) => directory.offers(of.tenant, name).length === 0;
    const { reading } = one;
    if (reading?.best === undefined || !DECIDED.has(reading.reason)) continue;
    if ([expected ?? []].flat().some(isUnknown)) continue;
    const key = sayingOf(one.text);
    if (said.has(key)) repeated += 1;
    // What an embedder has not seen in time was judged by another calibration.
    else if ((reading.calibration ?? FINGERPRINT) !== of.calibration.fingerprint) otherwise += 1;
    else {
      said.add(key);
      const isRight = isIn(one) && reading.best.some((name) => one.expected.includes(name));
      labels.push({ place, fold: of.folds[place] ?? 0, shipped: reading.right, isRight });
    }
  }
  const warnings = [
    ...(repeated === 0 ? [] : [`Said before, and counted once: ${repeated} utterances.`]),
    ...(otherwise === 0
      ? []
      : [`Read without their vectors, so that they count for nothing: ${otherwise}.`]),
  ];
  return { labels, warnings };
}

/** Labels that are all of what there is make everything else look like one of them. */
function beside(utterances: readonly Utterance[]): string[] {
  const count = utterances.filter(({ expected }) => expected === null).length;
  if (count >= utterances.length / BESIDE) return [];
  return [
    `Of ${utterances.length} utterances ${count} are such as nothing here should answer (expected: null): what is asked beside these is told apart better with one in ${BESIDE}.`,
  ];
}

/** Says so where not even the interval reaches down to what may be routed wrong. */
function overBudget(budget: MisrouteBudget, { misrouted: { low, count, of } }: Ends): string[] {
  if (low <= Number(budget) / 100) return [];
  return [`Of ${of} utterances ${count} go wrong even so, and ${budget} of 100 may.`];
}

/** From where on each budget lets routes pass with a fit, and why. */
function cutsOf(
  fit: Omit<OwnFit, 'version'> | undefined,
  calibration: Calibration,
): LocalCalibration['cuts'] {
  return BUDGETS.map((budget) => {
    const shipped = calibration.routeFrom[budget];
    const cut = fit === undefined ? shipped : cutOf(budget, { calibration, fit });
    const labels = fit?.labels ?? 0;
    const least = cutLabelsMin(budget);
    const detail =
      labels >= least
        ? `What ${labels} labels say: looser by an upper bound alone, stricter where more went wrong.`
        : `${labels} labels are too few for a cut of their own: it takes ${least}.`;
    return { budget, shipped: thousandth(shipped), route_from: thousandth(cut), detail };
  });
}
