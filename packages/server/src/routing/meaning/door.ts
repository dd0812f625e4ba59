export type { Capability } from '@agent-reach/core';
export { CALIBRATION } from './calibration.ts';
export {
  type Budget,
  BUDGETS,
  type Calibration,
  type Logistic,
  probability,
} from './calibrator.ts';
export { Catalogue } from './catalogue.ts';
export { FEATURES, FINGERPRINT, featuresOf } from './features.ts';
export { interpret, judge } from './interpret.ts';
export { LEGS } from './legs.ts';
export { type Question, rank } from './rank.ts';
export { termsOf } from './text.ts';
export { foldTwins } from './twins.ts';
export { cutFor, type Graded, wilson } from './wilson.ts';
