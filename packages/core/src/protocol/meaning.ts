import Type, { type Static } from 'typebox';
import { CapabilityName } from './names.ts';

/** One of those between which a caller is to choose. */
export const RouteOption = Type.Object({
  capability: CapabilityName,
  display_name: Type.String(),
  description: Type.String(),
  not_for: Type.Array(Type.String()),
  differs: Type.Array(Type.String(), {
    description: 'Words of it that none of the other options has.',
  }),
});
export type RouteOption = Static<typeof RouteOption>;

/** Why an intent was read as it was. */
export const MeaningReason = Type.Enum([
  /** It is a name, word for word. */
  'EXACT',
  /** It is an example of one capability, word for word. */
  'EXAMPLE',
  /** The probability is over the threshold. */
  'CALIBRATED',
  /** Another one is as near. */
  'NEAR_TIE',
  /** The best one says that it is not for this. */
  'BOUNDARY',
  /** Not sure enough to go there unasked. */
  'LOW_CONFIDENCE',
  /** Too little of it is known, or the best one has none of what says most. */
  'LOW_COVERAGE',
  /** Nothing in it can be matched. */
  'NO_WORDS',
  'NO_CANDIDATE',
  /** What fits best must be called by its name. */
  'NAMED_ONLY',
  /** Words say one thing and vectors another. */
  'VECTORS_DIFFER',
  /** No words say so, and vectors clearly do: asked about, never gone to. */
  'VECTORS',
  /** The bare cosine is over `routing.semantic.threshold`. */
  'COSINE',
]);
export type MeaningReason = Static<typeof MeaningReason>;

/** How a capability compares with an intent. */
export const MeaningCandidate = Type.Object({
  capability: CapabilityName,
  score: Type.Number({ description: 'What it is ranked by; no probability.' }),
  legs: Type.Record(Type.String(), Type.Number(), {
    description: 'What each way of matching gives, 0 to 1.',
  }),
  cosine: Type.Optional(
    Type.Number({ description: 'Of its vector and that of the intent, where both have one.' }),
  ),
  coverage: Type.Number({
    description: 'The part of what could be answered that it answers, 0 to 1.',
  }),
  schema: Type.Number({ description: 'How far the parameters fit, 0 to 1.' }),
  boundary: Type.Number({
    description: 'The part of the intent that it says it is not for, 0 to 1.',
  }),
});
export type MeaningCandidate = Static<typeof MeaningCandidate>;

/** What became of an intent at the embedder. */
export const SenseView = Type.Object({
  is: Type.Enum(['used', 'checking', 'refused', 'failing', 'late', 'busy', 'unknown-language'], {
    description: '`used`: vectors counted. Else the intent was read by its words alone.',
  }),
  detail: Type.Optional(Type.String({ description: 'Why it was not used.' })),
  make: Type.Optional(Type.String({ description: 'Whose vectors: kind, model and length.' })),
  share: Type.Optional(
    Type.Number({ description: 'What they counted beside words and spelling, 0 to 1.' }),
  ),
  embedded: Type.Optional(Type.Integer({ description: 'Descriptions that have a vector.' })),
});
export type SenseView = Static<typeof SenseView>;

/** Whose word it is that no meaning leads to a capability. */
export const NamedOnlyBy = Type.Enum(['sensitive', 'pin', 'operator', 'manifest'], {
  description:
    'Why `named_only` is: it is sensitive, it is pinned, or an operator or its manifest gave it a `strategy`.',
});
export type NamedOnlyBy = Static<typeof NamedOnlyBy>;

/** What labels of one's own made of a probability. */
export const OwnFitView = Type.Object({
  used: Type.Boolean({ description: 'False: it was fitted for another calibration.' }),
  version: Type.Integer({ description: 'Of the policy `calibration`.' }),
  labels: Type.Integer(),
  slope: Type.Number(),
  shift: Type.Number(),
  shipped: Type.Number({ description: 'The probability without it.' }),
  own: Type.Optional(Type.Number({ description: 'The probability with it, where it is used.' })),
  detail: Type.Optional(Type.String({ description: 'What keeps it from being what decides.' })),
});
export type OwnFitView = Static<typeof OwnFitView>;

/** What an intent was taken to mean, and by which numbers. */
export const MeaningView = Type.Object({
  reason: MeaningReason,
  legs: Type.Array(Type.String(), { description: 'Ways of matching that ran.' }),
  words: Type.Array(Type.String(), { description: 'Of the intent, as they were matched.' }),
  unknown: Type.Number({ description: 'The part of them that no capability has, 0 to 1.' }),
  compared: Type.Integer({ description: 'Descriptions in the index.' }),
  is_full: Type.Boolean({
    description: 'The index had no room for all: some are found by name alone.',
  }),
  is_cut: Type.Boolean({ description: 'There are more candidates than are shown.' }),
  right: Type.Number({
    description:
      'Probability that the best candidate is meant; where `calibration` is `cosine` its bare cosine, which is none.',
  }),
  among: Type.Number({ description: 'Probability that one of the three best is meant.' }),
  route_from: Type.Number({ description: 'It is routed from this probability on.' }),
  ask_from: Type.Number({ description: 'It is asked about from this probability on.' }),
  calibration: Type.String({
    description:
      'For which legs the probabilities were fitted, and to how many labels of one’s own if any count.',
  }),
  own_fit: Type.Optional(OwnFitView),
  features: Type.Record(Type.String(), Type.Number()),
  named_only: Type.Optional(CapabilityName),
  named_only_by: Type.Optional(NamedOnlyBy),
  embedder: Type.Optional(SenseView),
  candidates: Type.Array(MeaningCandidate),
});
export type MeaningView = Static<typeof MeaningView>;
