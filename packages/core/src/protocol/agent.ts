import Type, { type Static } from 'typebox';
import { Effect } from './effects.ts';
import {
  AgentId,
  Aliases,
  CapabilityName,
  DisplayName,
  Fallback,
  InstanceId,
  JsonObject,
  Tags,
  TenantId,
} from './names.ts';
import { FindStrategy } from './match-strategy.ts';
import { INTENT_OWNERS, INTENTS, OBSERVED } from './states.ts';

/**
 * How a write keeps one effect per key. `gateway`: the gateway's stored first result is enough.
 * `key`: the agent itself honours `Idempotency-Key`. `natural`: repeating changes nothing more.
 */
export const IdempotencyStrategy = Type.Enum(['gateway', 'key', 'natural']);

/** The ways to an agent: `http` posts to its address, `pull` waits until it fetches. */
export const PROTOCOLS = ['http', 'pull'] as const;
export type Protocol = (typeof PROTOCOLS)[number];
export const Protocols = Type.Array(Type.Enum([...PROTOCOLS]), { minItems: 1, uniqueItems: true });

/** What of a request's context travels to the agent. Trace, depth and deadline always do. */
export const CONTEXT_FIELDS = ['user_stamp', 'on_behalf_of', 'source_id'] as const;
export type ContextField = (typeof CONTEXT_FIELDS)[number];
export const ContextFields = Type.Array(Type.Enum([...CONTEXT_FIELDS]), { uniqueItems: true });

/** What a capability is, in the one form that everything inside uses. */
export const Capability = Type.Object(
  {
    name: CapabilityName,
    display_name: DisplayName,
    aliases: Type.Optional(Aliases),
    description: Type.String({ maxLength: 2048 }),
    input: Type.Unsafe<JsonSchema>(JsonObject),
    output: Type.Unsafe<JsonSchema>(JsonObject),
    tags: Tags,
    effect: Type.Optional(Effect),
    idempotency: Type.Optional(IdempotencyStrategy),
    sensitive: Type.Boolean(),
    /** Absent: `auto`. */
    strategy: Type.Optional(FindStrategy),
    sla: Type.Object({
      timeout_ms: Type.Integer({ minimum: 1, maximum: 60_000 }),
      /** The most that a request may ask for instead. */
      max_timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })),
      max_qps: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    }),
    priority: Type.Integer({ minimum: 0, maximum: 100 }),
    examples: Type.Array(Type.String({ maxLength: 512 }), { maxItems: 32 }),
    not_for: Type.Array(Type.String({ maxLength: 512 }), { maxItems: 32 }),
    version: Type.Optional(Type.String({ maxLength: 64 })),
    fallback: Type.Optional(Fallback),
    /** Connector actions only: how the connector reaches its downstream system. */
    action: Type.Optional(JsonObject),
  },
  { additionalProperties: false },
);
export type Capability = Static<typeof Capability>;

/** A JSON Schema 2020-12 document within the intake limits. */
export type JsonSchema = Record<string, unknown>;

/** A manifest in the one form that everything inside uses. */
export const Manifest = Type.Object(
  {
    agent_id: AgentId,
    kind: Type.Enum(['agent', 'connector']),
    display_name: DisplayName,
    description: Type.Optional(Type.String({ maxLength: 2048 })),
    version: Type.Optional(Type.String({ maxLength: 64 })),
    owner: Type.Optional(Type.String({ maxLength: 256 })),
    schema_version: Type.Integer({ minimum: 1 }),
    tags: Tags,
    capabilities: Type.Array(Capability, { maxItems: 50 }),
    network: Type.Object({
      base_url: Type.Optional(Type.String({ maxLength: 2048 })),
      health_path: Type.String({ maxLength: 512 }),
      heartbeat_interval_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
      /** How it is willing to be called; absent: either way. */
      protocols: Type.Optional(Protocols),
    }),
    /** What of a request's context it is told; absent: all of it. */
    context: Type.Optional(ContextFields),
    max_concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    metadata: JsonObject,
  },
  { additionalProperties: false },
);
export type Manifest = Static<typeof Manifest>;

/** One step of the question "why can this agent not be reached?", in the order it is asked. */
export const DiagnosisStep = Type.Object({
  step: Type.Enum(['address', 'resolve', 'connect', 'health', 'heartbeat', 'snapshot', 'circuit']),
  verdict: Type.Enum(['passed', 'failed', 'skipped']),
  detail: Type.String(),
  /** What to do about it; present when the step failed. */
  advice: Type.Optional(Type.String()),
  ms: Type.Optional(Type.Number()),
});
export type DiagnosisStep = Static<typeof DiagnosisStep>;

export const Diagnosis = Type.Object({
  reachable: Type.Boolean(),
  instance_id: Type.Optional(InstanceId),
  /** The first step that failed. */
  failing_step: Type.Optional(Type.String()),
  steps: Type.Array(DiagnosisStep),
});
export type Diagnosis = Static<typeof Diagnosis>;

/** One instance as it is shown. */
const ScoreParts = {
  health: Type.Number(),
  saturation: Type.Number(),
  rtt: Type.Number(),
  errors: Type.Number(),
};

/** How well an instance can be reached, and how that was found. */
export const Reachability = Type.Object(
  {
    score: Type.Number({
      description:
        '0 to 1: the least of gate × base and the caps; 0 for what is away or taken out.',
    }),
    base: Type.Number({
      description: '0.4 × health + 0.3 × (1 − saturation) + 0.2 × (1 − rtt) + 0.1 × (1 − errors).',
    }),
    weights: Type.Object(ScoreParts, { description: 'What each part counts in `base`.' }),
    parts: Type.Object(ScoreParts, {
      description: 'Probes that pass; how full it is; its round trip; runs that failed in 5 min.',
    }),
    gate: Type.Number({ description: '1, 2/3, 1/3 or 0, by the probes lost in a row.' }),
    caps: Type.Array(Type.Object({ max: Type.Number(), reason: Type.String() }), {
      description: 'Bounds that hold now.',
    }),
    stale: Type.Boolean({ description: 'It was not probed for too long: the score falls.' }),
  },
  { description: 'As this gateway has measured it; its own word can only make it worse.' },
);
export type Reachability = Static<typeof Reachability>;

/** A fence, as it is shown: for how long the gateway itself sends an instance nothing while others are there. */
export const FenceView = Type.Object({
  epoch: Type.Integer({ description: 'Rises with each fence of the tenant: a later word wins.' }),
  since: Type.String(),
  until: Type.String({ description: 'Not before this, and two passed probes, is it lifted.' }),
  times: Type.Integer({
    description: 'Fences of it in the last ten minutes; each is twice as long.',
  }),
});
export type FenceView = Static<typeof FenceView>;

export const InstanceView = Type.Object({
  instance_id: InstanceId,
  mode: Type.Enum(['push', 'pull']),
  base_url: Type.Optional(Type.String()),
  observed: Type.Enum([...OBSERVED]),
  observed_cause: Type.String(),
  intent: Type.Enum([...INTENTS]),
  intent_by: Type.Enum([...INTENT_OWNERS]),
  intent_reason: Type.Optional(Type.String()),
  routable: Type.Boolean(),
  addr_version: Type.String(),
  identity: Type.Optional(
    Type.Enum(['verified', 'unverified'], {
      description:
        'Whether the last passed probe said which instance answers; absent: none passed.',
    }),
  ),
  fence: Type.Optional(FenceView),
  tags: Tags,
  inflight: Type.Integer(),
  reachability: Reachability,
  circuits: Type.Optional(
    Type.Array(
      Type.Object({
        capability: CapabilityName,
        state: Type.Enum(['open', 'half-open']),
        detail: Type.String(),
      }),
      { description: 'Capabilities of it that fail and are left alone for a while.' },
    ),
  ),
  rtt_ms: Type.Optional(Type.Number()),
  last_heartbeat: Type.String(),
  lease_ends: Type.String(),
});
export type InstanceView = Static<typeof InstanceView>;

/** One agent as it is shown. `status` is the best of its instances. */
export const AgentView = Type.Object({
  agent_id: AgentId,
  tenant: TenantId,
  kind: Type.Enum(['agent', 'connector']),
  display_name: DisplayName,
  description: Type.Optional(Type.String()),
  version: Type.Optional(Type.String()),
  owner: Type.Optional(Type.String()),
  manifest_version: Type.Integer(),
  breaking: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Why this version breaks callers of the one before.',
    }),
  ),
  status: Type.Enum([...OBSERVED, 'absent']),
  last_seen: Type.Optional(Type.String()),
  tags: Tags,
  capabilities: Type.Array(Capability),
  pending: Type.Optional(
    Type.Array(CapabilityName, {
      description: 'Capabilities that others had first: not routed to before an operator approves.',
    }),
  ),
  instances: Type.Array(InstanceView),
  metadata: JsonObject,
});
export type AgentView = Static<typeof AgentView>;
