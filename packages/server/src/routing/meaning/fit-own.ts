import { SHIFT, SLOPE } from '@agent-reach/core';
import { type Budget, BUDGETS, type Calibration, sigmoid } from './calibrator.ts';
import { adapt, floorOf, logit, makeOf, type OwnFit } from './own-fit.ts';
import { cutFor, type Graded, leastFor } from './wilson.ts';

/** A question that a probability decides: what it says, and whether the best candidate was right. */
export interface Label {
  /** The probability that ships. */
  shipped: number;
  isRight: boolean;
}

/** In how many parts labels are judged by the others. */
export const FOLDS = 5;
/** What ships is believed as much as so many labels: their share in the word is n / (n + 200). */
const PRIOR_LABELS = 200;
/** Fewer are too few for cuts of their own. */
const CUT_LABELS_MIN = 300;
const STEPS_MAX = 30;
const DIGITS = 1e6;

interface Row {
  x: number;
  target: number;
}

/** Labels that say that the shipped probability is true, evenly over all that it may be. */
const PRIOR: readonly Row[] = Array.from({ length: PRIOR_LABELS }, (_, i) => {
  const x = logit((i + 0.5) / PRIOR_LABELS);
  // Of the very odds, so that without labels the slope is 1 and the shift 0 to the last digit.
  return { x, target: sigmoid(x) };
});

/**
 * Fits slope and shift to labels, and cuts where there are enough. `total`: how many labels there are
 * where these are the part by which others are judged.
 */
export function fitOwn(
  labels: readonly Label[],
  calibration: Calibration,
  total = labels.length,
): Omit<OwnFit, 'version'> {
  const rows = labels.map(({ shipped, isRight }) => {
    return { x: logit(shipped), target: isRight ? 1 : 0 };
  });
  const line = rounded(fitLine([...PRIOR, ...rows]));
  const graded = labels.map(({ shipped, isRight }) => {
    return { value: adapt(shipped, line), isWrong: !isRight, weight: 1 };
  });
  const cuts = BUDGETS.filter((budget) => total >= cutLabelsMin(budget)).map((budget) => {
    const present = adapt(calibration.routeFrom[budget], line);
    const cut = Math.ceil(ownCut(graded, budget, present) * DIGITS) / DIGITS;
    return [budget, Math.max(floorOf(budget, calibration), cut)] as const;
  });
  const routeFrom = Object.fromEntries(cuts) as OwnFit['routeFrom'];
  return { fingerprint: makeOf(calibration), labels: labels.length, ...line, routeFrom };
}

/**
 * Labels loosen what ships where wrong routes among them stay within the budget by the upper bound, and
 * tighten it where more than the budget went wrong. In between they do not know better: a few hundred
 * can vouch for no cut as the many thousands do of which it came.
 */
function ownCut(graded: readonly Graded[], budget: Budget, present: number): number {
  const part = Number(budget) / 100;
  return Math.min(cutFor(graded, part), Math.max(present, cutFor(graded, part, 0)));
}

/** How many labels a cut takes: four fifths of them must be able to say that the budget holds. */
export function cutLabelsMin(budget: Budget): number {
  const least = leastFor(Number(budget) / 100);
  return Math.max(CUT_LABELS_MIN, Math.ceil((least * FOLDS) / (FOLDS - 1)));
}

interface Line {
  slope: number;
  shift: number;
}

function rounded({ slope, shift }: Line): Line {
  return { slope: Math.round(slope * DIGITS) / DIGITS, shift: Math.round(shift * DIGITS) / DIGITS };
}

/** The likeliest line within its bounds. The loss is convex: at a bound the other one is fitted alone. */
function fitLine(rows: readonly Row[]): Line {
  const free = newton(rows, { slope: 1, shift: 0 }, true);
  const slope = within(free.slope, SLOPE);
  const line = slope === free.slope ? free : newton(rows, { slope, shift: free.shift }, false);
  return { slope, shift: within(line.shift, SHIFT) };
}

function within(value: number, { minimum, maximum }: { minimum: number; maximum: number }): number {
  return Math.max(minimum, Math.min(maximum, value));
}

/** Newton's steps, each halved until it is one downwards. */
function newton(rows: readonly Row[], from: Line, isSlopeFree: boolean): Line {
  let line = from;
  let loss = lossOf(rows, line);
  for (let step = 0; step < STEPS_MAX; step++) {
    const by = stepOf(rows, line, isSlopeFree);
    let part = 1;
    let next = moved(line, by, part);
    while (part > 1e-6 && lossOf(rows, next) > loss) {
      part /= 2;
      next = moved(line, by, part);
    }
    const now = lossOf(rows, next);
    if (!(now < loss)) return line;
    line = next;
    loss = now;
  }
  return line;
}

function moved({ slope, shift }: Line, by: Line, part: number): Line {
  return { slope: slope - part * by.slope, shift: shift - part * by.shift };
}

/** Where the slope of the loss ends by its curvature. */
function stepOf(rows: readonly Row[], line: Line, isSlopeFree: boolean): Line {
  let [gSlope, gShift, slopes, both, shifts] = [0, 0, 0, 0, 0];
  for (const { x, target } of rows) {
    const p = sigmoid(line.slope * x + line.shift);
    const curve = p * (1 - p);
    gSlope += (p - target) * x;
    gShift += p - target;
    slopes += curve * x * x;
    both += curve * x;
    shifts += curve;
  }
  const size = slopes * shifts - both * both;
  if (!isSlopeFree || size <= 0) return { slope: 0, shift: shifts === 0 ? 0 : gShift / shifts };
  return {
    slope: (gSlope * shifts - gShift * both) / size,
    shift: (gShift * slopes - gSlope * both) / size,
  };
}

/** The negative logarithm of the likelihood. */
function lossOf(rows: readonly Row[], { slope, shift }: Line): number {
  return rows.reduce((sum, { x, target }) => {
    const z = slope * x + shift;
    return sum + Math.max(z, 0) - target * z + Math.log1p(Math.exp(-Math.abs(z)));
  }, 0);
}
