import Type, { type Static } from 'typebox';
import { CapabilityName } from './names.ts';

/** More is measured in several runs: one takes about a millisecond an utterance. */
export const UTTERANCES_MAX = 2_000;

/** Parts of all intents that may be routed wrong, in percent. */
export const MisrouteBudget = Type.Enum(['0.1', '1', '5']);
export type MisrouteBudget = Static<typeof MisrouteBudget>;

/** Something that somebody said, and what should come of it. */
export const Utterance = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 4096 }),
    expected: Type.Union(
      [
        CapabilityName,
        Type.Null(),
        Type.Array(CapabilityName, { minItems: 1, maxItems: 10, uniqueItems: true }),
      ],
      { description: 'The right capability; null: none; a list: it should be asked about.' },
    ),
    params: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);
export type Utterance = Static<typeof Utterance>;

/** So many of so many, as a part of them with its 95 % interval (Wilson). */
export const Rate = Type.Object({
  count: Type.Integer(),
  of: Type.Integer(),
  share: Type.Number(),
  low: Type.Number(),
  high: Type.Number(),
});
export type Rate = Static<typeof Rate>;

/** What was taken for what. */
export const Confusion = Type.Object({
  expected: Type.Array(CapabilityName, { description: 'Empty: nothing should have been found.' }),
  got: CapabilityName,
  count: Type.Integer(),
  routed: Type.Integer({ description: 'How many of them would have gone there unasked.' }),
  example: Type.String(),
});
export type Confusion = Static<typeof Confusion>;

/** From which probability on it is routed, and what these utterances say of it. */
export const Threshold = Type.Object({
  budget: MisrouteBudget,
  route_from: Type.Number({ description: 'In force.' }),
  suggested: Type.Optional(
    Type.Number({
      description:
        'The least one whose wrong routes of these utterances stay within the budget, by the upper bound of a one-sided 95 % interval.',
    }),
  ),
  routed_right: Type.Optional(Type.Integer({ description: 'With the suggested one.' })),
  misrouted: Type.Optional(Type.Integer({ description: 'With the suggested one.' })),
  detail: Type.String(),
});
export type Threshold = Static<typeof Threshold>;

/** How well intents are read, by utterances whose end is known. */
export const Evaluation = Type.Object({
  budget: MisrouteBudget,
  utterances: Type.Integer(),
  top1: Rate,
  top3: Rate,
  routed_right: Rate,
  misrouted: Type.Object(Rate.properties, { description: 'Of all: gone unasked to a wrong one.' }),
  asked: Rate,
  asked_right: Type.Object(Rate.properties, {
    description: 'Of those with one right capability: it was among what was offered.',
  }),
  none: Rate,
  none_right: Type.Object(Rate.properties, {
    description: 'Of those that nothing should answer: nothing was offered.',
  }),
  confusions: Type.Array(Confusion),
  thresholds: Type.Array(Threshold),
  warnings: Type.Array(Type.String()),
});
export type Evaluation = Static<typeof Evaluation>;

/** How the same utterances end. */
export const Ends = Type.Object({
  routed_right: Rate,
  misrouted: Type.Object(Rate.properties, { description: 'Of all: gone unasked to a wrong one.' }),
  asked: Rate,
  none: Rate,
});
export type Ends = Static<typeof Ends>;

/** What labels of one's own make of the probability that ships, and whether that is better. */
export const LocalCalibration = Type.Object({
  budget: MisrouteBudget,
  utterances: Type.Integer(),
  fingerprint: Type.String({ description: 'Of the calibration that it was fitted on.' }),
  labels: Type.Integer({
    description:
      'Utterances that a probability decides, each counted once however often it is there.',
  }),
  slope: Type.Number(),
  shift: Type.Number(),
  cuts: Type.Array(
    Type.Object({
      budget: MisrouteBudget,
      shipped: Type.Number({ description: 'Routed from this probability on, without labels.' }),
      route_from: Type.Number({ description: 'Routed from this one on, with them.' }),
      detail: Type.String(),
    }),
  ),
  before: Type.Object(Ends.properties, { description: 'By the calibration that ships.' }),
  after: Type.Object(Ends.properties, {
    description:
      'By five fits: each utterance is judged by one that was made without it, and without any that says the same.',
  }),
  version: Type.Optional(
    Type.Integer({ description: 'Of the policy `calibration`, where it was applied.' }),
  ),
  warnings: Type.Array(Type.String()),
});
export type LocalCalibration = Static<typeof LocalCalibration>;
