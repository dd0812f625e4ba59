import Type from 'typebox';

/** Lengths are bounds of storage and of the console's columns, not of taste. */
export const AgentId = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,127}$',
  description: 'ASCII slug of the agent, unique in its tenant.',
});

export const InstanceId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$',
  description: 'One process or address of an agent.',
});

export const CapabilityName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
  description: 'Canonical ASCII name of a capability; `noun.verb.object` for connector actions.',
});

/** A name, or the beginning of several with `*` behind it; `*` alone is everybody, or everything. */
export const Pattern = Type.String({
  pattern: '^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,127}\\*?|\\*)$',
  description: 'A name, or its beginning and `*`.',
});
/** Capabilities that may stand in where the one asked for cannot be reached, the first one first. */
export const Fallback = Type.Array(CapabilityName, {
  minItems: 1,
  maxItems: 3,
  uniqueItems: true,
  description: 'Capabilities that may stand in where this one cannot be reached, in this order.',
});

export const TenantId = Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' });

/** Visible ASCII without comma, quote and backslash, so that a header carries it bare. */
export const IdempotencyKey = Type.String({
  pattern: '^[!#-+\\--\\[\\]-~]{1,255}$',
  description: '1 to 255 visible ASCII characters without comma, double quote and backslash.',
});

export const RequestId = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:|-]{0,127}$' });

export const TraceId = Type.String({ minLength: 1, maxLength: 128 });

export const DisplayName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Free Unicode, NFC, no control or invisible characters.',
});

/** Other names of a capability; more than eight are a list of words to be found by. */
export const Aliases = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 8,
  uniqueItems: true,
  description:
    'Other names of it, of any script: an intent that is one of them means it. It is called by `name` alone.',
});

/** No control characters: a tag is shown in tables, logs and on one line. */
const TagKey = Type.String({ maxLength: 64, pattern: '^[^\\x00-\\x1f\\x7f]+$' });

// The key pattern admits every key, line breaks included, so that no value goes unlooked at; what
// a key may be is said once, by `propertyNames`.
export const Tags = Type.Record(
  Type.String({ pattern: '^[\\s\\S]*$' }),
  Type.String({ maxLength: 64 }),
  {
    maxProperties: 32,
    propertyNames: TagKey,
    description: 'One map. A bare tag is a key with an empty value.',
  },
);

/** Tags as people write them: a list or a map. */
export const TagsInput = Type.Union([Type.Array(TagKey, { maxItems: 32 }), Tags]);

/** Any JSON object. */
export const JsonObject = Type.Record(Type.String(), Type.Unknown());

/** The tenant of a gateway that runs without authentication. */
export const OPEN_TENANT = 'internal';
