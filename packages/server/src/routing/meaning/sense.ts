import type { Language } from './language.ts';

/** How far an embedder is to be trusted in one language, as its test has shown. */
export interface Trust {
  /** The part of its test that it got right, 0 to 1. */
  right: number;
  /** What its vectors count beside words and spelling, 0 to 1. */
  share: number;
  /** The cosine of texts that have nothing to do with each other: the mean, and how far it spreads. */
  background: { mean: number; deviation: number };
}

/** An intent as an embedder sees it. */
export interface Sensed {
  is: 'used';
  /** Of which embedder; vectors of another one are not compared with it. */
  make: string;
  /** Kind, model and length of its vectors: what a calibration is for. */
  model: string;
  language: Language;
  vector: Float32Array;
  trust: Trust;
}

/** Why an intent is read by its words alone. */
export interface Unsensed {
  is: /** It was not tested yet. */
    | 'checking'
    /** It cannot tell apart what means different things. */
    | 'refused'
    /** It does not answer, or answers nonsense. */
    | 'failing'
    | 'late'
    | 'busy'
    /** It does not know the language, or has no word of the text. */
    | 'unknown-language';
  detail: string;
}

/** What became of an intent at the embedder. */
export type Sense = Sensed | Unsensed;

/** A cosine as a score: 0 is what texts have that mean different things, 1 what equal ones have. */
export function scoreOf(cosine: number, { background: { mean } }: Trust): number {
  return Math.min(1, Math.max(0, (cosine - mean) / (1 - mean)));
}

/**
 * Whether a cosine is more than the best of so many that mean nothing: of many draws the largest is
 * large. Of an embedder that got half of its test right twice as much is demanded.
 */
export function isClear(cosine: number, among: number, { right, background }: Trust): boolean {
  const { mean, deviation } = background;
  const deviations = CLEARLY + Math.sqrt(2 * Math.log(1 + among));
  return cosine > mean + (deviation * deviations) / right;
}

const CLEARLY = 1;
