import Type, { type Static } from 'typebox';
import { BudgetsPolicy } from './budget.ts';
import { ROLES } from './client.ts';
import { CONFIRMATION_FORMS } from './confirmation.ts';
import { Effect } from './effects.ts';
import { FindStrategy } from './match-strategy.ts';
import { AgentId, CapabilityName, InstanceId, Pattern } from './names.ts';

/** How one of several who can do the work is chosen. */
export const BALANCE_STRATEGIES = [
  'least-pending',
  'weighted-round-robin',
  'consistent-hash',
] as const;
export const BalanceStrategy = Type.Enum([...BALANCE_STRATEGIES]);
export type BalanceStrategy = Static<typeof BalanceStrategy>;

/** More than a person would tell apart, and small enough that a hundred agents add up exactly. */
export const Weight = Type.Number({
  minimum: 0,
  maximum: 1000,
  description: 'Work in proportion to others. 1 where nothing is said; 0: none, ever.',
});

const VersionName = Type.String({ minLength: 1, maxLength: 64 });

/** A map whose keys are checked by `propertyNames` alone, so that none goes unlooked at. */
const mapOf = <V extends Type.TSchema>(key: Type.TSchema, value: V, most: number) =>
  Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), value, {
    maxProperties: most,
    propertyNames: key,
  });

/** What each version gets, in percent; they add up to 100. */
export const Shares = mapOf(VersionName, Type.Number({ minimum: 0, maximum: 100 }), 10);
export type Shares = Static<typeof Shares>;

const canary = {
  versions: Type.Optional(Shares),
  stateful: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The version that has all work with a source_id while shares are set.',
    }),
  ),
};

/** More than a tenant has agents. */
const ENTRIES_MAX = 5_000;
const INSTANCES_MAX = 100;

const closed = { additionalProperties: false };

/** Who gets how much of the work: by agent, and by capability, whose word comes first. */
export const WeightsPolicy = Type.Object(
  {
    agents: Type.Optional(
      mapOf(
        AgentId,
        Type.Object(
          {
            weight: Type.Optional(Weight),
            instances: Type.Optional(mapOf(InstanceId, Weight, INSTANCES_MAX)),
            ...canary,
          },
          closed,
        ),
        ENTRIES_MAX,
      ),
    ),
    capabilities: Type.Optional(
      mapOf(
        CapabilityName,
        Type.Object(
          {
            strategy: Type.Optional(BalanceStrategy),
            agents: Type.Optional(mapOf(AgentId, Weight, INSTANCES_MAX)),
            ...canary,
          },
          closed,
        ),
        ENTRIES_MAX,
      ),
    ),
  },
  closed,
);
export type WeightsPolicy = Static<typeof WeightsPolicy>;

const Patterns = Type.Array(Pattern, { minItems: 1, maxItems: 200 });

/** Some clients, and the capabilities that they may have or not. */
export const GrantRow = Type.Object(
  {
    who: Pattern,
    may: Type.Optional(Patterns),
    not: Type.Optional(Patterns),
  },
  closed,
);
export type GrantRow = Static<typeof GrantRow>;

/** Who may have which capabilities. What is denied in any row is denied; what no row allows, too. */
export const GrantsPolicy = Type.Object(
  { rows: Type.Optional(Type.Array(GrantRow, { maxItems: ENTRIES_MAX })) },
  closed,
);
export type GrantsPolicy = Static<typeof GrantsPolicy>;

/** Who must say yes to what, and how long that holds. The first rule that matches is the one. */
export const ConfirmationRule = Type.Object(
  {
    match: Type.Object(
      {
        capability: Pattern,
        effect: Type.Optional(Effect),
        agent: Type.Optional(Pattern),
      },
      closed,
    ),
    by: Type.Enum([...CONFIRMATION_FORMS, 'none'], {
      description: '`none`: nobody is asked, though the capability is sensitive.',
    }),
    ttl_ms: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: 86_400_000,
        default: 300_000,
        description: 'How long there is to decide and to use it.',
      }),
    ),
    approvers: Type.Optional(
      Type.Array(
        Type.String({
          pattern: `^(?:role:(?:${ROLES.join('|')})|[a-z0-9][a-z0-9._-]{0,127})$`,
          description: 'A client, or `role:` and a role. Each must be an operator besides.',
        }),
        { minItems: 1, maxItems: 50 },
      ),
    ),
  },
  closed,
);
export type ConfirmationRule = Static<typeof ConfirmationRule>;

/** What is done only after somebody's word. What no rule matches is confirmed if it is sensitive. */
export const ConfirmationsPolicy = Type.Object(
  { rules: Type.Optional(Type.Array(ConfirmationRule, { maxItems: 500 })) },
  closed,
);
export type ConfirmationsPolicy = Static<typeof ConfirmationsPolicy>;

const Agents = Type.Array(AgentId, { maxItems: 500, uniqueItems: true });

/** Who may offer which capability. The first to offer a name has it; others are let in by operators. */
export const OwnersPolicy = Type.Object(
  {
    capabilities: Type.Optional(
      mapOf(
        CapabilityName,
        Type.Object({ agents: Agents, refused: Type.Optional(Agents) }, closed),
        ENTRIES_MAX,
      ),
    ),
  },
  closed,
);
export type OwnersPolicy = Static<typeof OwnersPolicy>;
/** An utterance that somebody said belongs to something. */
const taught = {
  text: Type.String({ minLength: 1, maxLength: 256 }),
  by: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
    minItems: 1,
    maxItems: 8,
    uniqueItems: true,
    description: 'Who said so, the first one first.',
  }),
  at: Type.String({ maxLength: 32, description: 'When it was said last, RFC 3339.' }),
  sure: Type.Optional(
    Type.Boolean({ description: 'An operator says so: it counts without a second caller.' }),
  ),
};

/** An utterance for which a capability was chosen. */
export const TaughtExample = Type.Object(taught, closed);
export type TaughtExample = Static<typeof TaughtExample>;

/** An utterance for which none of what was offered was right. */
export const TaughtRefusal = Type.Object(
  { ...taught, options: Type.Array(CapabilityName, { minItems: 1, maxItems: 3 }) },
  closed,
);
export type TaughtRefusal = Static<typeof TaughtRefusal>;

/** Of one capability: newer and more various ones take the place of others. */
export const EXAMPLES_MAX = 20;
export const REFUSALS_MAX = 100;

/** What answers to questions taught: it is written by them, and operators may change it. */
export const ExamplesPolicy = Type.Object(
  {
    capabilities: Type.Optional(
      mapOf(CapabilityName, Type.Array(TaughtExample, { maxItems: EXAMPLES_MAX }), ENTRIES_MAX),
    ),
    none: Type.Optional(Type.Array(TaughtRefusal, { maxItems: REFUSALS_MAX })),
  },
  closed,
);
export type ExamplesPolicy = Static<typeof ExamplesPolicy>;

/** A whole utterance, however it is written. */
export const Phrase = Type.String({ minLength: 1, maxLength: 256 });

/**
 * What operators nail down. A capability that is pinned is reached by its name or by a pinned phrase,
 * never by meaning or by tags alone unless `strategy` says so, and by fewer tags than were asked for
 * never; only the agents that are named may serve it. A phrase that is pinned goes where it says, whatever it would mean.
 */
export const PinsPolicy = Type.Object(
  {
    capabilities: Type.Optional(
      mapOf(
        CapabilityName,
        Type.Object(
          {
            agents: Type.Optional(
              Type.Array(AgentId, {
                minItems: 1,
                maxItems: 100,
                uniqueItems: true,
                description: 'They alone may serve it. Left out: whoever offers it.',
              }),
            ),
            strategy: Type.Optional(FindStrategy),
          },
          closed,
        ),
        ENTRIES_MAX,
      ),
    ),
    phrases: Type.Optional(
      mapOf(
        Phrase,
        Type.Object({ capability: CapabilityName, agent: Type.Optional(AgentId) }, closed),
        1_000,
      ),
    ),
  },
  closed,
);
export type PinsPolicy = Static<typeof PinsPolicy>;

/** What an operator's own labels may make of a probability: never another order, and no cliff. */
export const SLOPE = { minimum: 0.25, maximum: 4 } as const;
export const SHIFT = { minimum: -4, maximum: 4 } as const;

/** Below it a route is wrong more often than right, whatever a budget allows. */
const ownCut = Type.Number({ minimum: 0.5, maximum: 1 });

/**
 * What labelled utterances of one's own make of the probability that ships: on the scale of the
 * logarithm of the odds it is multiplied by `slope`, and `shift` is added. Empty: nothing.
 */
export const CalibrationPolicy = Type.Object(
  {
    fingerprint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Of the calibration that it was fitted on. With any other it is not used.',
      }),
    ),
    labels: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'It was fitted to so many.' }),
    ),
    slope: Type.Optional(Type.Number(SLOPE)),
    shift: Type.Optional(Type.Number(SHIFT)),
    route_from: Type.Optional(
      Type.Object(
        {
          '0.1': Type.Optional(ownCut),
          '1': Type.Optional(ownCut),
          '5': Type.Optional(ownCut),
        },
        {
          ...closed,
          description:
            'From which probability on it is routed, by budget. Left out: as the calibration that ships says.',
        },
      ),
    ),
  },
  closed,
);
export type CalibrationPolicy = Static<typeof CalibrationPolicy>;

/** The pin by which a route was found. */
export const PinView = Type.Object({
  version: Type.Integer({ description: 'Of the policy `pins`.' }),
  capability: CapabilityName,
  phrase: Type.Optional(Type.String({ description: 'The intent said this, as it is pinned.' })),
  agents: Type.Optional(Type.Array(AgentId, { description: 'They alone may serve it.' })),
  strategy: Type.Optional(FindStrategy),
});
export type PinView = Static<typeof PinView>;

/** The documents that operators write, each with its form. */
export const POLICY_DOCS = {
  weights: WeightsPolicy,
  grants: GrantsPolicy,
  budgets: BudgetsPolicy,
  confirmations: ConfirmationsPolicy,
  owners: OwnersPolicy,
  examples: ExamplesPolicy,
  pins: PinsPolicy,
  calibration: CalibrationPolicy,
} as const;
export type PolicyName = keyof typeof POLICY_DOCS;
export const PolicyName = Type.Unsafe<PolicyName>({
  type: 'string',
  enum: Object.keys(POLICY_DOCS),
});
export const PolicyDoc = Type.Union([
  WeightsPolicy,
  GrantsPolicy,
  BudgetsPolicy,
  ConfirmationsPolicy,
  OwnersPolicy,
  ExamplesPolicy,
  PinsPolicy,
  CalibrationPolicy,
]);
export type PolicyDoc = Static<typeof PolicyDoc>;

/** A document as it stands. Version 0: nobody has written it yet. */
export const PolicyView = Type.Object({
  policy: PolicyName,
  version: Type.Integer({ minimum: 0 }),
  doc: PolicyDoc,
  by: Type.Optional(Type.String()),
  at: Type.Optional(Type.String()),
});
export type PolicyView = Static<typeof PolicyView>;

/** The factors of a weight. Their product is the weight. */
export const WeightParts = Type.Object({
  hand: Type.Number({ description: 'Set by an operator; 1 where nothing is said.' }),
  capacity: Type.Number({ description: 'The reserved tag `capacity`; 1 without one.' }),
  reported: Type.Number({ description: 'By what it says of its own load: 0.1 to 1.' }),
  reachability: Type.Number({
    description: 'Its reachability score, 0.05 at least, squared.',
  }),
  slow_start: Type.Number({
    description: '0.1 when it has just come back, 1 after half a minute, and for tasks.',
  }),
});
export type WeightParts = Static<typeof WeightParts>;

/** How one candidate stands in the distribution of a capability's work. */
export const BalanceRow = Type.Object({
  agent: AgentId,
  instance: InstanceId,
  version: Type.Optional(Type.String()),
  weight: Type.Number(),
  parts: WeightParts,
  share: Type.Number({ description: 'Of the work, by weight and version, 0 to 1.' }),
  held: Type.Integer({ description: 'Requests it has not answered yet.' }),
  waiting: Type.Integer({ description: 'Tasks that wait in its agent’s queue.' }),
  why: Type.Optional(Type.String({ description: 'Why it gets nothing, if it does.' })),
});
export type BalanceRow = Static<typeof BalanceRow>;

/** How the work of a capability is shared out now. */
export const BalanceView = Type.Object({
  capability: CapabilityName,
  strategy: BalanceStrategy,
  versions: Type.Optional(Shares),
  stateful: Type.Optional(Type.String()),
  candidates: Type.Array(BalanceRow),
  imbalance: Type.Optional(
    Type.Object({
      agent: AgentId,
      ratio: Type.Number({ description: 'What it holds, over what its weight would give it.' }),
      since: Type.String(),
    }),
  ),
});
export type BalanceView = Static<typeof BalanceView>;
