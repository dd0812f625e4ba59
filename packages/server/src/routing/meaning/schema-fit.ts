import type { JsonSchema } from '@agent-reach/core';

/** How far parameters look like what a schema asks for. */
export interface SchemaFit {
  /** 0: nothing of them; 1: all that it asks for, and nothing that it does not know. */
  score: number;
  /** What it asks for and they lack. Never a reason to leave it out: a caller may add it. */
  missing: readonly string[];
}

/** More keys or properties than people write; what is beyond is not looked at. */
export const KEYS_MAX = 64;

const NO_FIT: SchemaFit = { score: 0, missing: [] };

/**
 * Compares keys alone: half by how many keys the schema knows, half by how many of those it demands
 * are there, and a quarter off for what is foreign to it. A schema that demands nothing has half of
 * its half. Parameters without keys fit nothing: they say nothing.
 */
export function schemaFit(keys: readonly string[], { properties, required }: Facts): SchemaFit {
  if (keys.length === 0) return { ...NO_FIT, missing: required };
  const known = keys.filter((key) => properties.has(key)).length / keys.length;
  const missing = required.filter((key) => !keys.includes(key));
  const met = required.length === 0 ? 0.5 : 1 - missing.length / required.length;
  return { score: Math.max(0, known / 2 + met / 2 - (1 - known) / 4), missing };
}

/** The keys of what a caller sends, as far as it is an object. */
export function keysOf(params: unknown): string[] {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return [];
  return Object.keys(params).slice(0, KEYS_MAX);
}

/** What of a schema a fit looks at. */
export interface Facts {
  properties: ReadonlySet<string>;
  required: readonly string[];
}

export function factsOf(schema: JsonSchema): Facts {
  const { required } = schema;
  const names = Object.keys(propertiesOf(schema)).slice(0, KEYS_MAX);
  const demanded = Array.isArray(required) ? required.slice(0, KEYS_MAX) : [];
  return {
    properties: new Set(names),
    required: demanded.filter((name): name is string => typeof name === 'string'),
  };
}

/** The properties of a schema, whatever else it is. */
export function propertiesOf({ properties }: JsonSchema): Record<string, unknown> {
  const isMap = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
  return isMap ? (properties as Record<string, unknown>) : {};
}
