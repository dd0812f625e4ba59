import { ReachError } from '@agent-reach/core';
import { BUDGETS, type Calibration } from './calibrator.ts';

/** More than any calibration has. */
const WEIGHTS_MAX = 64;

/**
 * A calibration as a file holds it. Throws `validation-failed`, naming what is wrong: a number that is
 * none would decide where calls go.
 */
export function readCalibration(text: string): Calibration {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw unfit('is no JSON');
  }
  const { fingerprint, fitted, right, among, routeFrom, askFrom } = objectIn(read, 'the file');
  if (typeof fingerprint !== 'string') throw unfit('has no `fingerprint`');
  const { questions, sets } = objectIn(fitted, 'fitted');
  const cuts = objectIn(routeFrom, 'routeFrom');
  const width = Number(/\/(\d+)(?: |$)/.exec(fingerprint)?.[1]);
  return {
    fingerprint,
    fitted: { questions: numberIn(questions, 'questions'), sets: numberIn(sets, 'sets') },
    right: modelIn(right, 'right', width),
    among: modelIn(among, 'among', width),
    routeFrom: Object.fromEntries(
      BUDGETS.map((budget) => [budget, shareIn(cuts[budget], `routeFrom.${budget}`)]),
    ) as Calibration['routeFrom'],
    askFrom: shareIn(askFrom, 'askFrom'),
  };
}

function modelIn(value: unknown, name: string, width: number): Calibration['right'] {
  const { bias, weights } = objectIn(value, name);
  if (!Array.isArray(weights) || weights.length !== width || width > WEIGHTS_MAX) {
    throw unfit(`has not as many weights in \`${name}\` as its fingerprint says`);
  }
  return {
    bias: numberIn(bias, `${name}.bias`),
    weights: weights.map((weight, i) => numberIn(weight, `${name}.weights.${i}`)),
  };
}

/** Nothing is surer than sure, and 0 would route everything. */
function shareIn(value: unknown, name: string): number {
  const share = numberIn(value, name);
  if (share > 0 && share <= 1) return share;
  throw unfit(`says ${share} as \`${name}\`, which is over 0 and 1 at most`);
}

function numberIn(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw unfit(`has no number as \`${name}\``);
}

function objectIn(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  throw unfit(`has no \`${name}\``);
}

function unfit(why: string): ReachError {
  return new ReachError('validation-failed', `The calibration ${why}.`, {
    errors: [{ pointer: '#/routing.semantic.calibration', detail: why }],
  });
}
