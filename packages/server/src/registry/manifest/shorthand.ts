import { escape, type Issue, type JsonSchema } from '@agent-reach/core';
import { keywordOf } from '../../schemas/grammar.ts';
import { isObject, valueFault } from '../../schemas/values.ts';

// Seed A writes fields where JSON Schema has keywords: `order_no: {type: string, required: true}`.
// Both are objects of objects, so each key is asked whether it can be a keyword with a sound value,
// and whether it can be a field. A document that answers both ways for different keys is refused:
// guessing would let through what its author forbids.

/** A schema as the manifest means it. `isShort`: its fields stand one level higher in the body. */
export type ReadSchema =
  | { isRefused: false; schema: JsonSchema; isShort: boolean }
  | { isRefused: true; issue: Issue };

/**
 * The JSON Schema that a manifest's author means. A JSON Schema passes as it is; short fields
 * become the properties of an object; `required: true` inside a property, which is no JSON
 * Schema, becomes a name in the list `required` of what holds it. Refused where it could be either.
 */
export function readSchema(raw: Record<string, unknown>, pointer: string): ReadSchema {
  const kinds = Object.entries(raw).map(([name, value]) => kindOf(name, value));
  const keyword = kinds.find(({ can }) => can === 'keyword');
  const field = kinds.find(({ can }) => can === 'field');
  if (keyword !== undefined && field !== undefined) {
    const detail = `reads as a field in short form, but "${keyword.name}" beside it as a keyword of JSON Schema; write {"type": "object", "properties": {…}}`;
    return { isRefused: true, issue: { pointer: `${pointer}/${escape(field.name)}`, detail } };
  }
  const isShort = field !== undefined;
  const whole = isShort ? { type: 'object', properties: raw } : raw;
  const lifted = liftRequired(whole, isShort ? pointer : `${pointer}/properties`, pointer);
  if ('pointer' in lifted) return { isRefused: true, issue: lifted };
  return { isRefused: false, schema: lifted.schema, isShort };
}

interface Kind {
  name: string;
  /** `both`: a name that is a keyword, with a value that could be either. Others decide. */
  can: 'keyword' | 'field' | 'both' | 'neither';
}

function kindOf(name: string, value: unknown): Kind {
  const keyword = keywordOf(name);
  const isField =
    isObject(value) && (isType(value['type']) || typeof value['required'] === 'boolean');
  if (keyword === undefined) return { name, can: isField ? 'field' : 'neither' };
  // A note of the author's own decides nothing; a field may be called `x-request-id`.
  if (name.startsWith('x-')) return { name, can: isField ? 'both' : 'neither' };
  if (!isField) return { name, can: 'keyword' };
  // `required: true` is no JSON Schema anywhere, so what has it can only be a field.
  if (typeof value['required'] === 'boolean') return { name, can: 'field' };
  if (isMap(keyword.shape)) {
    // `properties: {type: "string"}` is a field; `properties: {type: {…}}` has a property `type`.
    return { name, can: typeof value['type'] === 'string' ? 'field' : 'keyword' };
  }
  return { name, can: valueFault(keyword.shape, value) === undefined ? 'both' : 'field' };
}

function isType(type: unknown): boolean {
  return typeof type === 'string' || Array.isArray(type);
}

function isMap(shape: string): boolean {
  return shape === 'schema-map' || shape === 'pattern-map' || shape === 'names-map';
}

/** Deeper than this nothing is lifted, and the intake refuses the schema for its depth. */
const DEPTH_MAX = 32;

/**
 * Moves `required: true` from properties into the list of what holds them, at every level.
 * `fieldsAt` is where the properties stand in the body, `at` where the schema does.
 */
function liftRequired(
  schema: JsonSchema,
  fieldsAt: string,
  at: string,
  depth = 1,
): { schema: JsonSchema } | Issue {
  if (depth > DEPTH_MAX) return { schema };
  const { properties, items } = schema;
  const copy = { ...schema };
  if (isObject(items)) {
    const here = `${at}/items`;
    const below = liftRequired(items, `${here}/properties`, here, depth + 1);
    if ('pointer' in below) return below;
    copy['items'] = below.schema;
  }
  if (!isObject(properties)) return { schema: copy };
  const listed: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const found: string[] = [];
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(properties)) {
    const here = `${fieldsAt}/${escape(name)}`;
    const { required, ...rest } = isObject(field) ? field : {};
    if (required === false && listed.includes(name)) {
      return { pointer: `${here}/required`, detail: 'is false, but the list "required" names it' };
    }
    if (required === true && !listed.includes(name)) found.push(name);
    const inner = typeof required === 'boolean' ? rest : field;
    const below = isObject(inner)
      ? liftRequired(inner, `${here}/properties`, here, depth + 1)
      : { schema: inner };
    if ('pointer' in below) return below;
    fields.push([name, below.schema]);
  }
  copy['properties'] = Object.fromEntries(fields);
  if (found.length > 0) copy['required'] = [...listed, ...found];
  return { schema: copy };
}
