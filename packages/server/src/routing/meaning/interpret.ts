import type { Capability, MeaningReason, NamedOnlyBy } from '@agent-reach/core';
import { InvariantError } from '@agent-reach/core/kernel';
import { CALIBRATION } from './calibration.ts';
import { type Budget, type Calibration, probability } from './calibrator.ts';
import type { Catalogue, Entry, KeyKind } from './catalogue.ts';
import { type Option, optionsOf } from './differ.ts';
import { featuresOf, fingerprintOf, marginTo } from './features.ts';
import { held, type OwnFit, type OwnShare } from './own-fit.ts';
import { type Candidate, type Question, type Ranking, rank, type Verdict } from './rank.ts';
import type { Sense } from './sense.ts';
import { type Folded, foldTwins } from './twins.ts';

/** What an intent was taken to mean. */
export interface Reading {
  outcome: 'route' | 'ask' | 'none';
  reason: MeaningReason;
  /** Where to go: the best one, then those that say the same under other names. Empty: nowhere. */
  names: readonly string[];
  /** What to ask, at most three; empty unless the outcome is `ask`. */
  options: readonly Option[];
  /** What only its name reaches, where that is the reason. */
  namedOnly: string | undefined;
  /** Whose word that is, and what it says; absent: whoever reads was not told. */
  restraint?: { by: NamedOnlyBy; said: string };
  ranking: Ranking;
  features: readonly number[];
  /** Of whom `right` speaks: the best one, and those that say the same. Absent: nothing was measured. */
  best?: readonly string[];
  /** That the best is the right one, and that the right one is among three. */
  right: number;
  among: number;
  routeFrom: number;
  askFrom: number;
  /** What became of it at the embedder; undefined: there is none. */
  sense?: Sense;
  /** For which legs its probabilities were fitted; `cosine`: it has none. Absent: for words alone. */
  calibration?: string;
  /** What labels of the registry's own made of `right`; absent: there are none. */
  own?: OwnShare;
}

/** How much may go wrong. */
export interface Caution {
  /** Of what only reads. All else is held to the strictest budget. */
  budget: Budget;
  /** Which calibration; the one that ships, unless said. */
  calibration?: Calibration;
  /** What labels of the registry's own say; used where it was fitted on that very calibration. */
  ownFit?: OwnFit | undefined;
}

/** More options than three are a search. */
const OPTIONS_MAX = 3;
/** What has less of the best one's score than this is not meant. */
const OPTION_SHARE = 0.15;
/** Nearer than this is a tie, whatever a calibrator says: there right and wrong are even. */
const NEAR_TIE = 0.1;
/** From here on what a capability says it is not for is what was asked. */
export const BOUNDARY_HIT = 0.34;
/** Below this the best has too little of what could be answered. */
const COVERAGE_LOW = 0.34;

/** Reads an intent: a route only where that is sure enough, a question where one helps, else none. */
export function interpret(question: Question, catalogue: Catalogue, caution: Caution): Reading {
  const named = readNamed(question, catalogue);
  if (named !== undefined) return named;
  const ranking = foldTwins(rank(question, catalogue));
  return judge(ranking, caution);
}

/** What a capability is called; its last part and its examples are not. */
export const TITLES: ReadonlySet<KeyKind> = new Set(['name', 'display name', 'alias'] as const);

/** An intent that is a name, or an example, needs no measuring. */
export function readNamed(question: Question, catalogue: Catalogue): Reading | undefined {
  const named = catalogue.named(question.intent);
  if (named === undefined) return undefined;
  const hits: Capability[] = [];
  for (const name of named.names) {
    const entries = catalogue.entriesKnownAs(name, question.intent, named.kind);
    const is = (verdict: Verdict) => (one: Entry) => question.admits(name, one.agents) === verdict;
    const isTitle = TITLES.has(named.kind);
    const entry = entries.find(is('in')) ?? (isTitle ? entries.find(is('titled')) : undefined);
    if (entry !== undefined) hits.push(entry.capability);
    // An alias that something sensitive has as well is not the other’s alone.
    else if (named.kind === 'alias' && entries.some(is('named-only'))) return undefined;
  }
  const [only, ...others] = hits;
  if (only === undefined) return undefined;
  const reading = { ...nothing(NO_RANKING, 'EXACT'), right: 1, among: 1 };
  if (others.length === 0) {
    const reason = named.kind.endsWith('example') ? 'EXAMPLE' : 'EXACT';
    return { ...reading, outcome: 'route', reason, names: [only.name] };
  }
  const options = optionsOf(hits.slice(0, OPTIONS_MAX));
  return { ...reading, outcome: 'ask', reason: 'NEAR_TIE', options };
}

/** What a ranking comes to. */
export function judge(ranking: Folded, caution: Caution): Reading {
  const calibration = caution.calibration ?? CALIBRATION;
  demandOwn(calibration, ranking);
  const [first] = ranking.candidates;
  const { passedOver } = ranking;
  const namedOnly = passedOver?.name;
  if (passedOver !== undefined && isClearlyAhead(ranking)) {
    // A few letters in common are no reason to say that it is this.
    if (!isCovered(passedOver)) return nothing(ranking, 'LOW_COVERAGE');
    return { ...nothing(ranking, 'NAMED_ONLY'), namedOnly };
  }
  if (first === undefined) {
    return nothing(ranking, ranking.words.length === 0 ? 'NO_WORDS' : 'NO_CANDIDATE');
  }
  const features = featuresOf(ranking);
  const isRead = first.capability.effect === 'read';
  const how = { calibration, fit: caution.ownFit };
  const shipped = probability(calibration.right, features);
  const by = held(shipped, isRead ? caution.budget : '0.1', how);
  const { right, routeFrom } = by;
  const among = Math.max(right, probability(calibration.among, features));
  const { askFrom } = calibration;
  const base = nothing(ranking, 'LOW_CONFIDENCE');
  const best = ranking.twins.map(({ name }) => name);
  const measured = { ...base, ...by, best, namedOnly, features, among, askFrom };
  const doubt = doubtOf(ranking, first);
  if (right >= routeFrom && doubt === undefined) {
    return { ...measured, outcome: 'route', reason: 'CALIBRATED', names: best };
  }
  if (among >= askFrom || ranking.candidates.some(({ isMentioned }) => isMentioned)) {
    const options = optionsAmong(ranking.candidates);
    return { ...measured, outcome: 'ask', reason: doubt ?? 'LOW_CONFIDENCE', options };
  }
  return { ...measured, reason: isCovered(first) ? 'LOW_CONFIDENCE' : 'LOW_COVERAGE' };
}

/** Whether it answers enough of what could be answered. */
function isCovered({ coverage, hasRarest }: Candidate): boolean {
  return coverage >= COVERAGE_LOW && hasRarest;
}

/** What to ask, of candidates in their order: those that are near enough to the best one. */
export function optionsAmong(candidates: readonly Candidate[]): Option[] {
  const least = Math.max((candidates[0]?.score ?? 0) * OPTION_SHARE, Number.MIN_VALUE);
  const asked = candidates.filter((one) => one.isMentioned || one.score >= least);
  return optionsOf(asked.slice(0, OPTIONS_MAX).map(({ capability }) => capability));
}

/** Probabilities of other legs would be numbers without a meaning. */
function demandOwn({ fingerprint }: Calibration, { model }: Ranking): void {
  const legs = fingerprintOf(model);
  if (fingerprint === legs) return;
  throw new InvariantError(`A calibration for ${fingerprint}, and the legs are ${legs}.`);
}

/** Whether what only its name reaches leaves all others behind. */
function isClearlyAhead({ passedOver, candidates: [first] }: Ranking): boolean {
  if (passedOver === undefined) return false;
  return (passedOver.score - (first?.score ?? 0)) / passedOver.score >= NEAR_TIE;
}

/** What no probability outweighs. */
function doubtOf({ candidates, passedOver }: Ranking, first: Candidate): MeaningReason | undefined {
  if (passedOver !== undefined) return 'NAMED_ONLY';
  if (candidates.length > 1 && marginTo(candidates, 1) < NEAR_TIE) return 'NEAR_TIE';
  // Parameters that fit say how it could be called, not that it is what was meant.
  if (first.coverage === 0) return 'LOW_COVERAGE';
  return first.boundary >= BOUNDARY_HIT ? 'BOUNDARY' : undefined;
}

const NO_RANKING: Ranking = {
  candidates: [],
  isCut: false,
  passedOver: undefined,
  words: [],
  unknown: 0,
  size: 0,
  embedded: 0,
  model: undefined,
};

/** A reading that finds nothing. */
export function nothing(ranking: Ranking, reason: MeaningReason): Reading {
  return {
    outcome: 'none',
    reason,
    names: [],
    options: [],
    namedOnly: undefined,
    ranking,
    features: [],
    right: 0,
    among: 0,
    routeFrom: 1,
    askFrom: 1,
  };
}
