import { canonicalize, escape, type JsonSchema } from '@agent-reach/core';
import { TYPE_NAMES } from './grammar.ts';

import { type Question, type Reason, show, under } from './question.ts';

// The keywords of compatibility.ts, one function each. All answer the same question: may a value of
// `wide` miss `narrow`?

/** Types that `wide` lets through and `narrow` does not. */
export function typeFault(at: Question, wide: JsonSchema, narrow: JsonSchema): string | undefined {
  const taken = typesOf(narrow);
  const lost = [...typesOf(wide)].filter((type) => !isAmong(type, taken));
  if (lost.length === 0) return undefined;
  const names = lost.join(', ');
  return at.say(`no longer takes ${names}`, `may now be ${names}`);
}

/** An integer is a number, so a schema that says no type allows the six others. */
const TYPES = TYPE_NAMES.filter((name) => name !== 'integer');

function typesOf(schema: JsonSchema): Set<string> {
  const { type } = schema;
  if (type !== undefined) return new Set([type as string | string[]].flat());
  const listed = listOf(schema);
  return new Set(listed === undefined ? TYPES : listed.map(typeOf));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function isAmong(type: string, types: ReadonlySet<string>): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

/** Listed values, `const` being a list of one. */
export function enumFault(at: Question, wide: JsonSchema, narrow: JsonSchema): string | undefined {
  const taken = listOf(narrow);
  if (taken === undefined) return undefined;
  const offered = listOf(wide);
  if (offered === undefined) {
    return at.say('now takes listed values only', 'is no longer one of the listed values only');
  }
  const known = new Set(taken.map(canonicalize));
  const lost = offered.filter((value) => !known.has(canonicalize(value))).map(show);
  if (lost.length === 0) return undefined;
  const names = lost.slice(0, 8).join(', ') + (lost.length > 8 ? `, … (${lost.length})` : '');
  return at.say(`no longer takes ${names}`, `may now be ${names}`);
}

function listOf(schema: JsonSchema): unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return schema['enum'] as unknown[] | undefined;
}

const LOWER = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'] as const;
const UPPER = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'] as const;

/** Bounds that `narrow` draws tighter. */
export function boundFaults(at: Question, wide: JsonSchema, narrow: JsonSchema): Reason[] {
  const isTighter = (keyword: string, sign: 1 | -1): boolean => {
    const tight = narrow[keyword] as number | undefined;
    if (tight === undefined) return false;
    // A lower bound of 0 on a length bounds nothing.
    if (tight === 0 && /^min[A-Z]/.test(keyword)) return false;
    const loose = looseBound(keyword, wide);
    return (
      loose === undefined || sign * (tight - loose.value) > 0 || isOpener(keyword, tight, loose)
    );
  };
  const faults = [
    ...LOWER.filter((keyword) => isTighter(keyword, 1)),
    ...UPPER.filter((keyword) => isTighter(keyword, -1)),
  ];
  return faults.map((keyword) => ({
    at: `/${keyword}`,
    says: at.change(wide[keyword], narrow[keyword]),
  }));
}

interface LooseBound {
  value: number;
  isExclusive: boolean;
}

/** The bound of `wide` on the same side, the tighter one if it is there in both spellings. */
function looseBound(keyword: string, wide: JsonSchema): LooseBound | undefined {
  const spellings = [LOWER_NUMBER, UPPER_NUMBER].find((names) => names.includes(keyword));
  const sign = spellings === UPPER_NUMBER ? -1 : 1;
  let bound: LooseBound | undefined;
  for (const name of spellings ?? [keyword]) {
    const value = wide[name] as number | undefined;
    if (value === undefined || (bound !== undefined && sign * (value - bound.value) < 0)) continue;
    bound = { value, isExclusive: name.startsWith('exclusive') };
  }
  return bound;
}

/** The exclusive spelling comes last and so wins where both name the same number. */
const LOWER_NUMBER: readonly string[] = ['minimum', 'exclusiveMinimum'];
const UPPER_NUMBER: readonly string[] = ['maximum', 'exclusiveMaximum'];

/** `> 5` is tighter than `>= 5`. */
function isOpener(keyword: string, tight: number, loose: LooseBound): boolean {
  return keyword.startsWith('exclusive') && tight === loose.value && !loose.isExclusive;
}

/** `anyOf`, `oneOf`: each form of `wide` must fit some form of `narrow`. `allOf`: the reverse. */
export function alternativeFaults(at: Question, wide: JsonSchema, narrow: JsonSchema): Reason[] {
  const reasons: Reason[] = [];
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const forms = narrow[keyword] as unknown[] | undefined;
    if (forms === undefined) continue;
    const offered = (wide[keyword] as unknown[] | undefined) ?? [bare(wide)];
    const lost = offered.flatMap((form, index) =>
      forms.some((candidate) => at.compare(form, candidate).length === 0) ? [] : [index],
    );
    if (lost.length === 0) continue;
    const which = wide[keyword] === undefined ? 'all it took' : `form ${lost.join(', ')} as it was`;
    const says = at.say(`no longer takes ${which}`, 'may now have another form');
    reasons.push({ at: `/${keyword}`, says });
  }
  const given = [bare(wide), ...demandsOf(wide)];
  demandsOf(narrow).forEach((demand, index) => {
    if (given.some((one) => at.compare(one, demand).length === 0)) return;
    const says = at.say('demands more than it did', 'promises less than it did');
    reasons.push({ at: `/allOf/${index}`, says });
  });
  return reasons;
}

/** A `$ref` that stands beside other keywords is one more demand. */
function demandsOf(schema: JsonSchema): unknown[] {
  const all = (schema['allOf'] as unknown[] | undefined) ?? [];
  return schema['$ref'] === undefined ? all : [...all, { $ref: schema['$ref'] }];
}

/** Copies are kept, for the comparison knows schemas by identity. */
const bareCopies = new WeakMap<JsonSchema, JsonSchema>();

/** A schema without its combinators, so that looking for its like among them comes to an end. */
function bare(schema: JsonSchema): JsonSchema {
  let copy = bareCopies.get(schema);
  if (copy === undefined) {
    const { anyOf: _any, oneOf: _one, allOf: _all, $ref: _reference, ...rest } = schema;
    copy = rest;
    bareCopies.set(schema, copy);
  }
  return copy;
}

/** Keywords of which nothing is known but equal or not. */
const OPAQUE = [
  'pattern',
  'format',
  'multipleOf',
  'minContains',
  'maxContains',
  'dependentRequired',
] as const;
/** Keywords that demand one schema of something, and those that do so by name. */
const DEMANDS = ['contains', 'propertyNames', 'unevaluatedItems', 'then', 'else'] as const;
const NAMED_DEMANDS = ['patternProperties', 'dependentSchemas'] as const;

/** What the other keywords of `narrow` demand and `wide` does not. */
export function otherFaults(at: Question, wide: JsonSchema, narrow: JsonSchema): Reason[] {
  const reasons: Reason[] = [];
  for (const keyword of OPAQUE) {
    const demand = narrow[keyword];
    if (demand === undefined || isSame(wide[keyword], demand)) continue;
    if (keyword === 'multipleOf' && Number(wide[keyword]) % Number(demand) === 0) continue;
    reasons.push({ at: `/${keyword}`, says: at.change(wide[keyword], demand) });
  }
  for (const keyword of DEMANDS) {
    if (narrow[keyword] === undefined) continue;
    // That there is such an item at all is a demand of its own.
    const known = wide[keyword] ?? (keyword === 'contains' ? undefined : true);
    if (known === undefined)
      reasons.push({ at: `/${keyword}`, says: at.change(known, narrow[keyword]) });
    else reasons.push(...under(`/${keyword}`, at.compare(known, narrow[keyword])));
  }
  for (const keyword of NAMED_DEMANDS) {
    const demands = Object.entries((narrow[keyword] ?? {}) as Record<string, unknown>);
    const given = (wide[keyword] ?? {}) as Record<string, unknown>;
    for (const [name, demand] of demands) {
      const known = Object.hasOwn(given, name) ? given[name] : true;
      reasons.push(...under(`/${keyword}/${escape(name)}`, at.compare(known, demand)));
    }
  }
  if (narrow['uniqueItems'] === true && wide['uniqueItems'] !== true) {
    const says = at.say('now refuses equal items', 'may now have equal items');
    reasons.push({ at: '/uniqueItems', says });
  }
  return [...reasons, ...negationFaults(at, wide, narrow)];
}

/** `not` turns the question round; a condition must be the same in both directions. */
function negationFaults(at: Question, wide: JsonSchema, narrow: JsonSchema): Reason[] {
  const reasons: Reason[] = [];
  const isImplied = (narrower: unknown, wider: unknown): boolean =>
    at.reversed().compare(narrower, wider).length === 0;
  if (narrow['not'] !== undefined && !isImplied(narrow['not'], wide['not'] ?? false)) {
    const says = at.say('forbids more than it did', 'forbids less than it did');
    reasons.push({ at: '/not', says });
  }
  const condition = narrow['if'];
  if (condition === undefined || (narrow['then'] ?? narrow['else']) === undefined) return reasons;
  const known = wide['if'] ?? false;
  if (at.compare(known, condition).length > 0 || !isImplied(condition, known)) {
    reasons.push({ at: '/if', says: 'is another condition than it was' });
  }
  return reasons;
}

function isSame(one: unknown, other: unknown): boolean {
  return one !== undefined && canonicalize(one) === canonicalize(other);
}
