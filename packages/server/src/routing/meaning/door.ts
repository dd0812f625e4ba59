export type { Capability } from '@agent-reach/core';
export type { Embedder } from '../embedders/embedder.ts';
export { embedMany } from '../embedders/in-batches.ts';
export { openEmbedder } from '../embedders/open.ts';
export { EMBEDDER_OPTIONS } from '../embedders/options.ts';
export { tryEmbedder } from '../try-embedder.ts';
export { CALIBRATION } from './calibration.ts';
export {
  type Budget,
  BUDGETS,
  type Calibration,
  type Logistic,
  probability,
} from './calibrator.ts';
export { Catalogue } from './catalogue.ts';
export { describe } from './describe.ts';
export { FEATURES, FINGERPRINT, featuresOf, fingerprintOf } from './features.ts';
export { interpret, judge, type Reading } from './interpret.ts';
export { LANGUAGES, languageOf } from './language.ts';
export { masked } from './learn.ts';
export { LEGS } from './legs.ts';
export { type Question, rank } from './rank.ts';
export { readIntent } from './read-intent.ts';
export type { Sense, Sensed } from './sense.ts';
export { plain, termsOf, wordsOf } from './text.ts';
export { foldTwins } from './twins.ts';
export { cutFor, type Graded, wilson } from './wilson.ts';
export { together } from './vectors.ts';
