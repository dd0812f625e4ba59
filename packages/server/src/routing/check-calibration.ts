import type { CalibrationPolicy } from '@agent-reach/core';
import type { Verdict } from './check-weights.ts';
import { BUDGETS, type Calibration } from './meaning/calibrator.ts';
import { cutLabelsMin } from './meaning/fit-own.ts';
import { floorOf, makeOf, STRICT_LABELS_MIN } from './meaning/own-fit.ts';

const PARTS = ['fingerprint', 'labels', 'slope', 'shift'] as const;

/**
 * Judges a document of an own fit. Half a fit is refused, and so is a cut that its labels cannot bear.
 * One that was fitted for another calibration is kept, and warned of: it is not used.
 */
export function checkCalibration(doc: CalibrationPolicy, here: Calibration): Verdict {
  const verdict: Verdict = { faults: [], warnings: [] };
  if (Object.keys(doc).length === 0) return verdict;
  for (const part of PARTS) {
    if (doc[part] !== undefined) continue;
    const detail = `is missing: a fit has ${PARTS.join(', ')}, and an empty document is none`;
    verdict.faults.push({ pointer: `#/doc/${part}`, detail });
  }
  const { fingerprint, labels = 0, route_from: cuts = {} } = doc;
  for (const budget of BUDGETS) {
    const cut = cuts[budget];
    if (cut === undefined) continue;
    const least = cutLabelsMin(budget);
    const pointer = `#/doc/route_from/${budget}`;
    if (labels < least) {
      verdict.faults.push({ pointer, detail: `takes ${least} labels, and there are ${labels}` });
    } else if (cut < floorOf(budget, here)) {
      const floor = floorOf(budget, here);
      verdict.warnings.push(`route_from.${budget} is ${cut}; ${floor} is the least, and is used.`);
    }
  }
  const make = makeOf(here);
  if (fingerprint !== undefined && fingerprint !== make) {
    verdict.warnings.push(
      `It was fitted for ${fingerprint}, and ${make} is in use: it is not used.`,
    );
  }
  if (labels >= STRICT_LABELS_MIN) {
    const detail = `With ${labels} labels it may make routes of what is no read as well.`;
    verdict.warnings.push(detail);
  }
  return verdict;
}
