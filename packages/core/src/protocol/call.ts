import Type, { type Static } from 'typebox';
import { BudgetDegrade, BudgetId } from './budget.ts';
import { ConfirmationCode, NeedsConfirmation } from './confirmation.ts';
import { Effect } from './effects.ts';
import { MeaningView, RouteOption } from './meaning.ts';
import {
  AgentId,
  CapabilityName,
  Fallback,
  IdempotencyKey,
  InstanceId,
  RequestId,
  TagsInput,
  TenantId,
  TraceId,
} from './names.ts';
import { Reachability } from './agent.ts';
import { MatchStrategy } from './match-strategy.ts';
import { PinView, WeightParts } from './policy.ts';

/** What rides along with a request and is not a parameter of the capability. */
export const RequestContext = Type.Object(
  {
    trace_id: Type.Optional(TraceId),
    user_stamp: Type.Optional(Type.String({ maxLength: 512 })),
    on_behalf_of: Type.Optional(Type.String({ maxLength: 256 })),
    deadline_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
    source_id: Type.Optional(Type.String({ maxLength: 256 })),
    fallback: Type.Optional(Fallback),
  },
  { additionalProperties: false },
);
export type RequestContext = Static<typeof RequestContext>;

const Share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }));

/** What a request would like of those who are as good as each other; it flips no clear winner. */
export const Prefer = Type.Object(
  { reachability_score: Share, latency: Share, affinity: Share },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      'Who can be reached best, who answers soonest, who had the same source (else the same caller) before: how much each counts, in proportion.',
  },
);
export type Prefer = Static<typeof Prefer>;

const selection = {
  request_id: Type.Optional(RequestId),
  agent_id: Type.Optional(AgentId),
  tenant: Type.Optional(TenantId),
  capability: Type.Optional(CapabilityName),
  action: Type.Optional(CapabilityName),
  intent: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  tags: Type.Optional(TagsInput),
  strict_tags: Type.Optional(Type.Boolean()),
  strategy: Type.Optional(MatchStrategy),
  prefer: Type.Optional(Prefer),
  agent: Type.Optional(AgentId),
  version: Type.Optional(Type.String({ maxLength: 64 })),
  params: Type.Optional(Type.Unknown()),
  payload: Type.Optional(Type.Unknown()),
  context: Type.Optional(RequestContext),
};

/** The request of a route decision: who should do this now? */
export const RouteRequest = Type.Object(
  { ...selection, explain: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type RouteRequest = Static<typeof RouteRequest>;

/** What would become of a call; nothing is sent, reserved or used up. */
export const ExplainRequest = Type.Object(
  {
    ...selection,
    idempotency_key: Type.Optional(IdempotencyKey),
    as: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9][A-Za-z0-9._@-]{0,127}$',
        description: 'Whose call it would be; another than the asker needs the role operator.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ExplainRequest = Static<typeof ExplainRequest>;

/** Steps of the road, in their order. */
export const EXPLAIN_STEPS = [
  'request',
  'key',
  'route',
  'grant',
  'binding',
  'budgets',
  'confirmation',
  'place',
] as const;

/** The request of a call: run the road now and wait. */
export const CallRequest = Type.Object(
  {
    ...selection,
    idempotency_key: Type.Optional(IdempotencyKey),
    confirmation_code: Type.Optional(ConfirmationCode),
    timeout_ms: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 60_000, description: 'Patience, in milliseconds.' }),
    ),
    timeout: Type.Optional(
      Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 60 }), Type.String()], {
        description: 'Patience: a number of seconds, or "1500ms", "2s".',
      }),
    ),
    explain: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type CallRequest = Static<typeof CallRequest>;

export const Provider = Type.Object({
  agent: AgentId,
  instance: InstanceId,
  version: Type.Integer({ description: 'manifest_version of the chosen provider.' }),
});
export type Provider = Static<typeof Provider>;

/** How a route was found. The names are those of the trace. */
export const RouteStrategy = Type.Enum(['exact_match', 'tag_match', 'semantic_match', 'pinned']);
export type RouteStrategy = Static<typeof RouteStrategy>;

export const Timing = Type.Object({
  match_ms: Type.Number(),
  queue_ms: Type.Number(),
  agent_ms: Type.Number(),
  return_ms: Type.Number(),
  total_ms: Type.Number(),
});
export type Timing = Static<typeof Timing>;

/** Why one candidate was taken or left. */
export const CandidateView = Type.Object({
  agent: AgentId,
  instance: Type.Optional(InstanceId),
  capability: CapabilityName,
  verdict: Type.Enum(['chosen', 'eligible', 'excluded']),
  reason: Type.String(),
  observed: Type.Optional(Type.String()),
  intent: Type.Optional(Type.String()),
  inflight: Type.Optional(Type.Integer()),
  version: Type.Optional(Type.String()),
  weight: Type.Optional(Type.Number()),
  prefer: Type.Optional(
    Type.Number({ description: 'How far it is what the request prefers, 0.05 to 1.' }),
  ),
  parts: Type.Optional(WeightParts),
  reachability: Type.Optional(Reachability),
  last_seen: Type.Optional(Type.String()),
});
export type CandidateView = Static<typeof CandidateView>;

/** How a call fared at a step of the road. */
export const ExplainStep = Type.Object({
  step: Type.Enum([...EXPLAIN_STEPS]),
  verdict: Type.Enum(['passed', 'stopped']),
  detail: Type.String(),
  rule: Type.Optional(
    Type.String({ description: 'What decided: a row of a policy, an option, a manifest.' }),
  ),
  code: Type.Optional(Type.String({ description: 'With which error the call would end.' })),
});
export type ExplainStep = Static<typeof ExplainStep>;

export const ExplainAnswer = Type.Object({
  outcome: Type.Enum(['call', 'replay', 'ask', 'confirm', 'refuse'], {
    description:
      'call: it would be sent. replay: its key has an answer. ask: it means several things. confirm: somebody would have to say yes. refuse: see the last step.',
  }),
  who: Type.Object({
    tenant: TenantId,
    principal: Type.String(),
    acts_for: Type.String({ description: 'The agent that it is bound to; else itself.' }),
  }),
  capability: Type.Optional(CapabilityName),
  agent: Type.Optional(AgentId),
  instance: Type.Optional(InstanceId),
  effect: Type.Optional(Effect),
  steps: Type.Array(ExplainStep),
  candidates: Type.Array(CandidateView),
});
export type ExplainAnswer = Static<typeof ExplainAnswer>;

/** A capability that is declared to stand in for the one asked for, and whether it could now. */
export const FallbackView = Type.Object({
  capability: CapabilityName,
  from: Type.Enum(['request', 'manifest'], { description: 'Who declares it.' }),
  verdict: Type.Enum(['ready', 'excluded']),
  reason: Type.String(),
});
export type FallbackView = Static<typeof FallbackView>;

/** A decision and, when asked for, why. */
export const RouteAnswer = Type.Object({
  outcome: Type.Enum(['route', 'ask', 'none']),
  route_id: Type.String(),
  strategy: Type.Optional(RouteStrategy),
  score: Type.Optional(Type.Number()),
  capability: Type.Optional(CapabilityName),
  effect: Type.Optional(Effect),
  target_agent: Type.Optional(AgentId),
  instance_id: Type.Optional(InstanceId),
  address: Type.Optional(Type.String()),
  target_address: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  addr_version: Type.Optional(Type.String()),
  manifest_version: Type.Optional(Type.Integer()),
  ttl_ms: Type.Optional(Type.Integer()),
  call_token: Type.Optional(Type.String()),
  trace_id: Type.String(),
  panic: Type.Optional(
    Type.Boolean({
      description: 'So few can be reached that those in doubt are used as well; see `warnings`.',
    }),
  ),
  reason: Type.Optional(Type.String({ description: 'Why nobody was chosen.' })),
  code: Type.Optional(
    Type.String({ description: 'Where nobody was: the error that a call would end in.' }),
  ),
  options: Type.Optional(
    Type.Array(RouteOption, {
      description: 'What to choose from; `routes.choose` takes the answer, with this route_id.',
    }),
  ),
  missing: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Parameters that the capability demands and that were not sent.',
    }),
  ),
  pin: Type.Optional(PinView),
  meaning: Type.Optional(MeaningView),
  candidates: Type.Optional(Type.Array(CandidateView)),
  fallbacks: Type.Optional(
    Type.Array(FallbackView, {
      description: 'What a call would turn to if it could reach nobody; given with `candidates`.',
    }),
  ),
  budgets: Type.Optional(
    Type.Array(BudgetId, {
      description: 'Budgets that a call would be counted in; given with `candidates`.',
    }),
  ),
  warnings: Type.Array(Type.String()),
});
export type RouteAnswer = Static<typeof RouteAnswer>;

/** The one form in which a call, an action and a waited task answer. */
export const Answer = Type.Object({
  request_id: RequestId,
  trace_id: Type.String(),
  status: Type.Enum(['ok', 'accepted', 'needs_confirmation', 'degraded']),
  degraded_to: Type.Optional(
    Type.String({ description: 'The fallback that answered; `warnings` say for what and why.' }),
  ),
  panic: Type.Optional(
    Type.Boolean({
      description: 'So few could be reached that those in doubt were used as well; see `warnings`.',
    }),
  ),
  degrade: Type.Optional(
    Type.Object(BudgetDegrade.properties, {
      description: 'A budget had not enough, and nothing was done; `result` is null.',
    }),
  ),
  confirmation: Type.Optional(NeedsConfirmation),
  result: Type.Unknown(),
  provider: Provider,
  route: Type.Object({
    route_id: Type.String(),
    strategy: RouteStrategy,
    score: Type.Number(),
    candidates: Type.Optional(Type.Array(CandidateView)),
  }),
  timing: Timing,
  retry_count: Type.Integer(),
  replayed: Type.Boolean(),
  warnings: Type.Array(Type.String()),
});
export type Answer = Static<typeof Answer>;
