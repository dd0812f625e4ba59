import Type, { type Static } from 'typebox';
import { PERIODS } from '../kernel/calendar.ts';
import { Pattern } from './names.ts';

const closed = { additionalProperties: false };

export const BudgetId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
  description: 'Name of a budget, unique in its tenant.',
});

/** Whose calls a budget counts, all of them together; what is left out is everybody's. */
export const BudgetScope = Type.Object(
  {
    agent: Type.Optional(Pattern),
    capability: Type.Optional(Pattern),
    on_behalf_of: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'For whom a call says it is made, or its beginning and `*`.',
      }),
    ),
  },
  closed,
);
export type BudgetScope = Static<typeof BudgetScope>;

/** What somebody may use in a period of the calendar. */
export const BudgetRow = Type.Object(
  {
    id: BudgetId,
    scope: Type.Optional(BudgetScope),
    unit: Type.Optional(Type.Enum(['calls'], { default: 'calls' })),
    cost: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        default: 1,
        description: 'How many units one call is.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Units a period.' }),
    period: Type.Enum([...PERIODS]),
    tz: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'UTC',
        description: 'The zone in whose calendar periods begin, such as Asia/Shanghai.',
      }),
    ),
    burst: Type.Optional(
      Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.String({ maxLength: 16 })], {
        default: '1d',
        description:
          'The part of a period whose share may go at once, such as 1d or 1m; the rest comes minute by minute. As long as the period: nothing is held back.',
      }),
    ),
    soft: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        default: 0.8,
        description: 'The part of the limit from which on answers warn.',
      }),
    ),
    carry_over: Type.Optional(
      Type.Object(
        {
          max: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'The part of the limit that may be carried into the next period.',
          }),
        },
        closed,
      ),
    ),
    on_store_failure: Type.Optional(
      Type.Enum(['local', 'deny', 'allow'], {
        description:
          'What becomes of calls while no store can say what is left. `local`: each gateway lets its own part of what was left go; `deny`: none goes; `allow`: all go. Left out: `local` for reads, `deny` for everything else.',
      }),
    ),
  },
  closed,
);
export type BudgetRow = Static<typeof BudgetRow>;

/** A call asks all that it matches: more would make each of them dear. */
const BUDGETS_MAX = 200;

/** All budgets of a tenant. Of several that match all must have enough. */
export const BudgetsPolicy = Type.Object(
  { budgets: Type.Optional(Type.Array(BudgetRow, { maxItems: BUDGETS_MAX })) },
  closed,
);
export type BudgetsPolicy = Static<typeof BudgetsPolicy>;

/** How a budget stands. Numbers are units of its own. */
export const BudgetView = Type.Object({
  id: BudgetId,
  scope: BudgetScope,
  unit: Type.String(),
  limit: Type.Number({ description: 'With what was carried over.' }),
  used: Type.Number(),
  reserved: Type.Number({ description: 'By calls under way.' }),
  affordable: Type.Number({ description: 'What could go now.' }),
  carried: Type.Number(),
  period: Type.Enum([...PERIODS]),
  starts_at: Type.String({ description: 'In the zone of the budget.' }),
  reset_at: Type.String({ description: 'When the next period begins.' }),
  state: Type.Enum(['ok', 'soft', 'paced', 'exhausted']),
});
export type BudgetView = Static<typeof BudgetView>;

/** Why something was not done, and what an agent can do about it: wait, or ask for less. */
export const BudgetDegrade = Type.Object({
  code: Type.Enum(['budget-paced', 'budget-exhausted']),
  budget: BudgetId,
  text: Type.String({ description: 'For the user of the agent.' }),
  reset_at: Type.String({ description: 'When the next period begins, in the zone of the budget.' }),
  retry_after_ms: Type.Integer({ description: 'Earliest useful repetition.' }),
  affordable_now: Type.Integer({ description: 'So many requests like this one could go now.' }),
  splittable: Type.Boolean({ description: 'A part of the request could go now.' }),
});
export type BudgetDegrade = Static<typeof BudgetDegrade>;
