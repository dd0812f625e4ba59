import { DIALECTS, type Shape, TYPE_NAMES } from './grammar.ts';
import { FORMAT_NAMES, LIMITS } from './limits.ts';

/** What is wrong with the value of a keyword, and where inside it if not as a whole. */
export interface ValueFault {
  at?: string;
  detail: string;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the value of a keyword has the shape that the keyword demands. */
export function valueFault(shape: Shape, value: unknown): ValueFault | undefined {
  switch (shape) {
    case 'schema':
      return Array.isArray(value)
        ? { detail: 'must be one schema; a list of them is "prefixItems" in JSON Schema 2020-12' }
        : undefined;
    case 'schemas':
      return Array.isArray(value) && value.length > 0
        ? undefined
        : { detail: 'must be a list of schemas that is not empty' };
    case 'schema-map':
    case 'pattern-map':
      return mapFault(value);
    case 'names-map':
      return mapFault(value) ?? dependentsFault(value as Record<string, unknown>);
    case 'names':
      return namesFault(value);
    case 'reference':
      return referenceFault(value);
    case 'type':
      return typeFault(value);
    case 'enum':
      return enumFault(value);
    case 'values':
      return Array.isArray(value) ? depthFault(value) : { detail: 'must be a list' };
    case 'value':
      return depthFault(value);
    case 'count':
    case 'number':
    case 'positive':
    case 'boolean':
    case 'pattern':
    case 'format':
    case 'dialect':
    case 'text':
      return scalarFault(shape, value);
  }
}

/**
 * Whether a schema asks for unique items where a validator must compare every pair of arbitrarily
 * many. Items of one scalar type are found by a table; of anything else there may be few.
 */
export function isUnboundedUnique(schema: Record<string, unknown>): boolean {
  const { uniqueItems, items, maxItems } = schema;
  if (uniqueItems !== true) return false;
  if (typeof maxItems === 'number' && maxItems <= LIMITS.uniqueItems) return false;
  const type = isObject(items) ? items['type'] : undefined;
  return typeof type !== 'string' || type === 'object' || type === 'array';
}

type ScalarShape = Extract<
  Shape,
  'count' | 'number' | 'positive' | 'boolean' | 'pattern' | 'format' | 'dialect' | 'text'
>;

function scalarFault(shape: ScalarShape, value: unknown): ValueFault | undefined {
  switch (shape) {
    case 'count':
      return want(
        Number.isSafeInteger(value) && (value as number) >= 0,
        'a whole number, 0 or more',
      );
    case 'number':
      return want(typeof value === 'number', 'a number');
    case 'positive':
      return want(typeof value === 'number' && value > 0, 'a number above 0');
    case 'boolean':
      return want(typeof value === 'boolean', 'true or false');
    case 'pattern':
    case 'text':
      return want(typeof value === 'string', 'a text');
    case 'dialect':
      return want(DIALECTS.includes(value as string), `"${DIALECTS[0]}", or left out`);
    case 'format':
      return want(
        FORMAT_NAMES.some((name) => name === value),
        `one of ${FORMAT_NAMES.join(', ')}; a "pattern" may describe others`,
      );
  }
}

function want(isSo: boolean, what: string): ValueFault | undefined {
  return isSo ? undefined : { detail: `must be ${what}` };
}

function mapFault(value: unknown): ValueFault | undefined {
  if (!isObject(value)) return { detail: 'must be an object' };
  const entries = Object.keys(value).length;
  if (entries <= LIMITS.entries) return undefined;
  return { detail: `has ${entries} entries, at most ${LIMITS.entries}` };
}

function dependentsFault(value: Record<string, unknown>): ValueFault | undefined {
  for (const [name, names] of Object.entries(value)) {
    const fault = namesFault(names);
    if (fault !== undefined) return { detail: `${JSON.stringify(name)} ${fault.detail}` };
    const { length } = names as string[];
    if (length > LIMITS.dependents) {
      return {
        detail: `${JSON.stringify(name)} has ${length} names, at most ${LIMITS.dependents}`,
      };
    }
  }
  return undefined;
}

function namesFault(value: unknown): ValueFault | undefined {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    return {
      detail: 'must be a list of names; beside a field of its own, "required" is seed shorthand',
    };
  }
  if (value.length > LIMITS.entries) {
    return { detail: `has ${value.length} names, at most ${LIMITS.entries}` };
  }
  return new Set(value).size === value.length ? undefined : { detail: 'names something twice' };
}

function referenceFault(value: unknown): ValueFault | undefined {
  if (typeof value !== 'string') return { detail: 'must be a text' };
  if (value === '#' || value.startsWith('#/')) return undefined;
  return { detail: `is ${show(value)}; only "#" and "#/…" are followed, nothing is fetched` };
}

function typeFault(value: unknown): ValueFault | undefined {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  const isSound = names.length > 0 && new Set(names).size === names.length;
  if (isSound && names.every((name) => TYPE_NAMES.includes(name as string))) return undefined;
  return {
    detail: `must be one of ${TYPE_NAMES.join(', ')}, or a list of them, is ${show(value)}`,
  };
}

function enumFault(value: unknown): ValueFault | undefined {
  if (!Array.isArray(value) || value.length === 0) {
    return { detail: 'must be a list of values that is not empty' };
  }
  if (value.length > LIMITS.enumValues) {
    return { detail: `has ${value.length} values, at most ${LIMITS.enumValues}` };
  }
  return depthFault(value);
}

/** Level by level, so that a deep value finds no stack to blow. */
function depthFault(value: unknown): ValueFault | undefined {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.valueDepth) {
      return { detail: `is nested more than ${LIMITS.valueDepth} levels deep` };
    }
    level = level.flatMap((v) =>
      typeof v === 'object' && v !== null ? (Object.values(v) as unknown[]) : [],
    );
  }
  return undefined;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
