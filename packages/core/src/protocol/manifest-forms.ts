import Type, { type Static } from 'typebox';
import { ContextFields, IdempotencyStrategy, Protocols } from './agent.ts';
import { Effect } from './effects.ts';
import { FindStrategy } from './match-strategy.ts';
import { Aliases, CapabilityName, InstanceId, JsonObject, TagsInput } from './names.ts';

// The forms in which people write manifests: the seeds' own, and nothing looser. Rules
// that are not shapes (sound schemas, slugs, addresses) are the server's, which makes the canonical
// Manifest of them. Bounds of texts are those of agent.ts.

/** Fields that are nobody's business but their owner's may be there, under `x-…`. */
const open = { additionalProperties: false, patternProperties: { '^x-': {} } };

const Name = Type.String({ minLength: 1, maxLength: 256 });
const Text = Type.String({ maxLength: 2048 });
const Phrases = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 32 });
const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Path = Type.String({ minLength: 1, maxLength: 512 });
/** The rule `timeout-order` draws the real bound, and names the setting that it depends on. */
const TimeoutMs = Type.Integer({ minimum: 1, maximum: 3_600_000 });
/** YAML reads `version: 1.2` as a number. */
const Version = Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Number()]);
const SchemaVersion = Type.Optional(Type.Integer({ minimum: 1 }));

/** Names of capabilities, as callers name them; an empty list takes back the agent's own. */
const Fallback = Type.Array(CapabilityName, { maxItems: 3, uniqueItems: true });

/** What every form may say of a capability, whatever it calls it. */
const offer = {
  aliases: Type.Optional(Aliases),
  description: Type.Optional(Text),
  input_schema: Type.Optional(JsonObject),
  input: Type.Optional(JsonObject),
  output_schema: Type.Optional(JsonObject),
  output: Type.Optional(JsonObject),
  tags: Type.Optional(TagsInput),
  sla: Type.Optional(
    Type.Object(
      {
        timeout_ms: Type.Optional(TimeoutMs),
        max_timeout_ms: Type.Optional(TimeoutMs),
        max_qps: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      },
      open,
    ),
  ),
  effect: Type.Optional(Effect),
  idempotency: Type.Optional(IdempotencyStrategy),
  sensitive: Type.Optional(Type.Boolean()),
  strategy: Type.Optional(FindStrategy),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  examples: Type.Optional(Phrases),
  not_for: Type.Optional(Phrases),
  version: Type.Optional(Version),
  fallback: Type.Optional(Fallback),
};

/** What every form may say of an agent. */
const common = {
  agent_id: Type.Optional(Name),
  /** Another spelling of agent_id. */
  id: Type.Optional(Name),
  display_name: Type.Optional(Name),
  description: Type.Optional(Text),
  version: Type.Optional(Version),
  owner: Type.Optional(Name),
  schema_version: SchemaVersion,
  manifest_schema_version: SchemaVersion,
  tags: Type.Optional(TagsInput),
  metadata: Type.Optional(JsonObject),
  context: Type.Optional(ContextFields),
  /** Of each capability that says none itself. */
  fallback: Type.Optional(Fallback),
  network: Type.Optional(
    Type.Object(
      {
        base_url: Type.Optional(Url),
        health_path: Type.Optional(Path),
        heartbeat_interval_sec: Type.Optional(Type.Number({ minimum: 0, maximum: 3600 })),
        protocols: Type.Optional(Protocols),
        /** Of each capability that says none itself. */
        timeout_ms: Type.Optional(TimeoutMs),
        max_timeout_ms: Type.Optional(TimeoutMs),
      },
      open,
    ),
  ),
  dependencies: Type.Optional(
    Type.Object(
      {
        llm_model: Type.Optional(Name),
        max_concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
      },
      open,
    ),
  ),
  /** Where this registration's process lives; beside the manifest, not of it. */
  instance: Type.Optional(
    Type.Object(
      {
        instance_id: Type.Optional(InstanceId),
        base_url: Type.Optional(Url),
        boot_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        tags: Type.Optional(TagsInput),
        pull: Type.Optional(Type.Boolean()),
      },
      open,
    ),
  ),
};

const Capabilities = <T extends Type.TSchema>(item: T) =>
  Type.Array(item, { minItems: 1, maxItems: 50 });

/** Seed A: `name` and `capabilities`. */
export const ManifestFormA = Type.Object(
  {
    ...common,
    name: Name,
    capabilities: Capabilities(
      Type.Object({ ...offer, name: Name, display_name: Type.Optional(Name) }, open),
    ),
  },
  open,
);
export type ManifestFormA = Static<typeof ManifestFormA>;

/** Seed C: `agent_name`, and capabilities whose `id` is the name and whose `name` is for people. */
export const ManifestFormC = Type.Object(
  {
    ...common,
    agent_name: Name,
    health_endpoint: Type.Optional(Path),
    capabilities: Capabilities(
      Type.Object({ ...offer, id: Name, name: Type.Optional(Name) }, open),
    ),
  },
  open,
);
export type ManifestFormC = Static<typeof ManifestFormC>;

/** Seed D: one action of a connector. */
export const ManifestFormD = Type.Object(
  {
    ...offer,
    name: Name,
    display_name: Type.Optional(Name),
    connector: Name,
    protocol: Type.Enum(['http', 'grpc', 'sql', 'queue', 'mail']),
    endpoint: Url,
    method: Type.Optional(Type.String({ pattern: '^[A-Z]{3,10}$' })),
    auth_scheme: Type.Optional(Type.String({ maxLength: 512 })),
    timeout_ms: Type.Optional(TimeoutMs),
    max_timeout_ms: Type.Optional(TimeoutMs),
    context: Type.Optional(ContextFields),
    replay_policy: Type.Optional(Type.String({ maxLength: 64 })),
    health_check: Type.Optional(
      Type.Object(
        {
          type: Type.String({ maxLength: 64 }),
          path: Type.Optional(Path),
          interval_ms: Type.Optional(Type.Integer({ minimum: 1000, maximum: 3_600_000 })),
        },
        open,
      ),
    ),
    owner: Type.Optional(Name),
    metadata: Type.Optional(JsonObject),
    schema_version: SchemaVersion,
    manifest_schema_version: SchemaVersion,
  },
  open,
);
export type ManifestFormD = Static<typeof ManifestFormD>;
