import { mixedHash } from '@agent-reach/core/kernel';
import { type Budget, BUDGETS, type Calibration, sigmoid } from './calibrator.ts';
import { leastFor } from './wilson.ts';

/** What labels of a registry's own make of the probability that ships. */
export interface OwnFit {
  /** Of the calibration that it was fitted on (`makeOf`). */
  fingerprint: string;
  labels: number;
  slope: number;
  shift: number;
  /** Where the labels say from when on to route; else the calibration does. */
  routeFrom: Readonly<Partial<Record<Budget, number>>>;
  /** Of the document that it comes from. */
  version: number;
}

/** A probability as it decides, from where on, and what an own fit had to do with it. */
export interface Held {
  right: number;
  routeFrom: number;
  own?: OwnShare;
}

export interface OwnShare {
  fit: OwnFit;
  /** The lower of both: too few labels for this budget. What ships: it was fitted for another. */
  decides: 'own' | 'lower' | 'shipped';
  /** Without the fit, and with it. */
  shipped: number;
  adapted: number;
}

/** Odds beyond these are told apart by nothing that was ever counted. */
const LOGIT_MAX = 15;
/** Nothing is certain: a cut of 1 lets nothing pass. */
const SUREST = 1 - 1e-9;
/** The strictest budget, to which all but reads are held. */
const STRICTEST = BUDGETS[0];
/** Fewer labels than these cannot say of one wrong route in a thousand that there are no more. */
export const STRICT_LABELS_MIN = leastFor(Number(STRICTEST) / 100);
/** Below it a route is wrong more often than right. */
const EVEN = 0.5;

/** The logarithm of the odds. */
export function logit(p: number): number {
  const odds = Math.log(p / (1 - p));
  return Math.max(-LOGIT_MAX, Math.min(LOGIT_MAX, odds));
}

/**
 * What a fit makes of a probability. What was surer than another stays so. Below the even chance it only
 * lowers: there stands what nobody should answer, of which labels mostly have too little.
 */
export function adapt(shipped: number, { slope, shift }: Pick<OwnFit, 'slope' | 'shift'>): number {
  const adapted = Math.min(SUREST, sigmoid(slope * logit(shipped) + shift));
  return shipped < EVEN ? Math.min(shipped, adapted) : adapted;
}

/**
 * A probability as it decides under a budget. Before labels can say anything of the strictest one, the
 * lower of both counts there: a fit of one's own then makes no such route, but may take one back.
 */
export function held(
  shipped: number,
  budget: Budget,
  { calibration, fit }: { calibration: Calibration; fit: OwnFit | undefined },
): Held {
  const asShipped = { right: shipped, routeFrom: calibration.routeFrom[budget] };
  if (fit === undefined) return asShipped;
  const adapted = adapt(shipped, fit);
  const own = { fit, shipped, adapted };
  if (fit.fingerprint !== makeOf(calibration)) {
    return { ...asShipped, own: { ...own, decides: 'shipped' } };
  }
  const isTooFew = budget === STRICTEST && fit.labels < STRICT_LABELS_MIN;
  return {
    right: isTooFew ? Math.min(shipped, adapted) : adapted,
    routeFrom: cutOf(budget, { calibration, fit }),
    own: { ...own, decides: isTooFew ? 'lower' : 'own' },
  };
}

/** From where on a budget lets routes pass: never sooner than a looser one, and never below its floor. */
export function cutOf(
  budget: Budget,
  { calibration, fit }: { calibration: Calibration; fit: Pick<OwnFit, 'routeFrom' | 'labels'> },
): number {
  const cuts = BUDGETS.slice(BUDGETS.indexOf(budget)).map((one) => {
    const shipped = calibration.routeFrom[one];
    if (one === STRICTEST && fit.labels < STRICT_LABELS_MIN) return shipped;
    return Math.max(floorOf(one, calibration), fit.routeFrom[one] ?? shipped);
  });
  return Math.max(...cuts);
}

/**
 * Labels loosen a budget as far as what ships for the next one, and no further: they say nothing of
 * what is asked here and is not among them, of which the sets of the shipped one are full.
 */
export function floorOf(budget: Budget, { routeFrom }: Calibration): number {
  const looser = BUDGETS[BUDGETS.indexOf(budget) + 1];
  return looser === undefined ? EVEN : routeFrom[looser];
}

const makes = new WeakMap<Calibration, string>();

/**
 * What an own fit must have been made for: the legs of a calibration, and its very numbers. A release
 * that fits them anew makes another one.
 */
export function makeOf(calibration: Calibration): string {
  const known = makes.get(calibration);
  if (known !== undefined) return known;
  const { fingerprint, right, routeFrom } = calibration;
  const cuts = BUDGETS.map((budget) => routeFrom[budget]);
  const numbers = mixedHash(JSON.stringify([right.bias, right.weights, cuts]));
  const make = `${fingerprint}#${numbers.toString(16).padStart(8, '0')}`;
  makes.set(calibration, make);
  return make;
}
