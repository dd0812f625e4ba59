import type { JsonSchema } from '@agent-reach/core';
import { Budget, BudgetSpent, CHECK_STEPS } from './budget.ts';
import { eachSchema, saysSecret } from './instrument.ts';
import { type BudgetedPattern, budgeted } from './pattern.ts';
import { targetOf } from './references.ts';
import { isObject } from './values.ts';

/** Where in a value that a schema describes the secrets are: a place, and the places inside it. */
export interface SecretPlaces {
  /** All that stands here must not be shown. */
  readonly isSecret: boolean;
  /** Undefined: nothing in there is known to be secret. */
  field(name: string): SecretPlaces | undefined;
  item(index: number): SecretPlaces | undefined;
}

/**
 * The places of what a schema calls `x-reach-sensitive` or `writeOnly`; undefined: it calls nothing so.
 * Whatever a schema may apply to a value counts, whether or not it does: the branches of `anyOf` and
 * `oneOf`, what `if` leads to, what a reference leads to. Compiled once for a schema.
 */
export function secretPlacesOf(schema: JsonSchema): SecretPlaces | undefined {
  if (known.has(schema)) return known.get(schema);
  const places = compile(schema);
  known.set(schema, places);
  return places;
}

/** Those of several schemas together: which of them a value was made for is not known. */
export function anyOfPlaces(all: readonly (SecretPlaces | undefined)[]): SecretPlaces | undefined {
  const places = all.filter((place) => place !== undefined);
  if (places.length <= 1) return places[0];
  return {
    isSecret: places.some(({ isSecret }) => isSecret),
    field: (name) => anyOfPlaces(places.map((place) => place.field(name))),
    item: (index) => anyOfPlaces(places.map((place) => place.item(index))),
  };
}

const known = new WeakMap<JsonSchema, SecretPlaces | undefined>();

type Schema = Record<string, unknown>;

function compile(root: JsonSchema): SecretPlaces | undefined {
  const targets = new Map<string, unknown>();
  let hasSecret = false;
  eachSchema(root, '', (schema, at) => {
    targets.set(at, schema);
    hasSecret ||= isObject(schema) && saysSecret(schema);
  });
  return hasSecret
    ? placeOf([root], { targets, patterns: new Map(), budget: new Budget() })
    : undefined;
}

/** What the places of one schema share. */
interface Program {
  /** Schemas by their pointers below the root. */
  targets: ReadonlyMap<string, unknown>;
  patterns: Map<string, BudgetedPattern>;
  budget: Budget;
}

/** Keywords that apply a schema, or several, to the value itself. */
const HERE = ['not', 'if', 'then', 'else'];
const HERE_LISTS = ['allOf', 'anyOf', 'oneOf'];

function placeOf(start: readonly unknown[], program: Program): SecretPlaces | undefined {
  const schemas = closure(start, program.targets);
  if (schemas.length === 0) return undefined;
  return {
    isSecret: schemas.some((schema) => saysSecret(schema) || hasSecretNames(schema)),
    field(name) {
      program.budget.fill(CHECK_STEPS);
      return placeOf(
        schemas.flatMap((schema) => ofField(schema, name, program)),
        program,
      );
    },
    item: (index) =>
      placeOf(
        schemas.flatMap((schema) => ofItem(schema, index)),
        program,
      ),
  };
}

/** All that is applied to one value because these are. */
function closure(start: readonly unknown[], targets: Program['targets']): Schema[] {
  const found = new Set<Schema>();
  const open = [...start];
  for (let schema = open.pop(); open.length > 0 || schema !== undefined; schema = open.pop()) {
    if (!isObject(schema) || found.has(schema)) continue;
    found.add(schema);
    const reference = schema['$ref'];
    if (typeof reference === 'string') open.push(targets.get(targetOf(reference)));
    for (const name of HERE) open.push(schema[name]);
    for (const name of HERE_LISTS) open.push(...listIn(schema[name]));
    open.push(...Object.values(mapIn(schema['dependentSchemas'])));
  }
  return [...found];
}

function ofField(schema: Schema, name: string, program: Program): unknown[] {
  const applied: unknown[] = [];
  const properties = mapIn(schema['properties']);
  if (Object.hasOwn(properties, name)) applied.push(properties[name]);
  for (const [source, below] of Object.entries(mapIn(schema['patternProperties']))) {
    if (matches(source, name, program)) applied.push(below);
  }
  if (applied.length > 0) return applied;
  return [schema['additionalProperties'], schema['unevaluatedProperties']];
}

function ofItem(schema: Schema, index: number): unknown[] {
  const first = listIn(schema['prefixItems']);
  const own = index < first.length ? first[index] : schema['items'];
  return [own, schema['contains'], schema['unevaluatedItems']];
}

/** The names of the fields are secret themselves. */
function hasSecretNames({ propertyNames: names }: Schema): boolean {
  return isObject(names) && saysSecret(names);
}

/** What takes too long to find out is taken for secret. */
function matches(source: string, name: string, { patterns, budget }: Program): boolean {
  let pattern = patterns.get(source);
  if (pattern === undefined) {
    pattern = budgeted(source, budget);
    patterns.set(source, pattern);
  }
  try {
    return pattern.test(name);
  } catch (error) {
    if (error instanceof BudgetSpent) return true;
    throw error;
  }
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mapIn(value: unknown): Schema {
  return isObject(value) ? value : {};
}
