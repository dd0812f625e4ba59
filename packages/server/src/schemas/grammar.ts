/**
 * Every keyword that a schema may use, and what its value must be: the allow-list and the grammar
 * in one table. It replaces Ajv's meta-schemas and strict mode, which cost more, stop at the
 * first fault and speak of themselves instead of the author's text.
 */
export type Shape =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  | 'pattern-map'
  | 'count'
  | 'number'
  | 'positive'
  | 'boolean'
  | 'type'
  | 'enum'
  | 'value'
  | 'values'
  | 'pattern'
  | 'format'
  | 'names'
  | 'names-map'
  | 'reference'
  | 'dialect'
  | 'text';

/** What a keyword does, as far as cost and copying are concerned. */
export type Role =
  /** Tests the value, or applies schemas to the value itself. */
  | 'here'
  /** Applies a schema to one named part of the value, once. */
  | 'part'
  /** Applies a schema to each of arbitrarily many parts of the value. */
  | 'each'
  /** Holds schemas for `$ref` and applies none. */
  | 'holder'
  /** Says something to readers and nothing to the validator. */
  | 'note';

interface Keyword {
  shape: Shape;
  role: Role;
}

const here = (shape: Shape): Keyword => ({ shape, role: 'here' });
const part = (shape: Shape): Keyword => ({ shape, role: 'part' });
const each = (shape: Shape): Keyword => ({ shape, role: 'each' });
const note = (shape: Shape): Keyword => ({ shape, role: 'note' });

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['$schema', note('dialect')],
  ['$ref', here('reference')],
  ['$defs', { shape: 'schema-map', role: 'holder' }],
  ['definitions', { shape: 'schema-map', role: 'holder' }], // Its name before 2019; still common.

  ['allOf', here('schemas')],
  ['anyOf', here('schemas')],
  ['oneOf', here('schemas')],
  ['not', here('schema')],
  ['if', here('schema')],
  ['then', here('schema')],
  ['else', here('schema')],
  ['dependentSchemas', here('schema-map')],

  ['properties', part('schema-map')],
  ['prefixItems', part('schemas')],
  ['patternProperties', each('pattern-map')],
  ['additionalProperties', each('schema')],
  ['unevaluatedProperties', each('schema')],
  ['propertyNames', each('schema')],
  ['items', each('schema')],
  ['unevaluatedItems', each('schema')],
  ['contains', each('schema')],

  ['type', here('type')],
  ['enum', here('enum')],
  ['const', here('value')],
  ['multipleOf', here('positive')],
  ['minimum', here('number')],
  ['maximum', here('number')],
  ['exclusiveMinimum', here('number')],
  ['exclusiveMaximum', here('number')],
  ['minLength', here('count')],
  ['maxLength', here('count')],
  ['pattern', here('pattern')],
  ['format', here('format')],
  ['minItems', here('count')],
  ['maxItems', here('count')],
  ['uniqueItems', here('boolean')],
  ['minContains', here('count')],
  ['maxContains', here('count')],
  ['minProperties', here('count')],
  ['maxProperties', here('count')],
  ['required', here('names')],
  ['dependentRequired', here('names-map')],

  ['title', note('text')],
  ['description', note('text')],
  ['$comment', note('text')],
  ['default', note('value')],
  ['examples', note('values')],
  ['deprecated', note('boolean')],
  ['readOnly', note('boolean')],
  ['writeOnly', note('boolean')],
  ['contentEncoding', note('text')],
  ['contentMediaType', note('text')],
  ['contentSchema', note('value')],
]);

const EXTENSION: Keyword = note('value');

/** The keyword of that name; none when it is not allowed. `x-…` is anybody's annotation. */
export function keywordOf(name: string): Keyword | undefined {
  return KEYWORDS.get(name) ?? (name.startsWith('x-') ? EXTENSION : undefined);
}

/** The only dialect, with and without the empty fragment that older tools write. */
export const DIALECTS: readonly string[] = [
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
];

export const TYPE_NAMES: readonly string[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
];

/** Why a well-known keyword is refused, and what to write instead. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['$id', 'is not allowed: a schema from outside may not give itself an address'],
  ['id', 'is not allowed: a schema from outside may not give itself an address'],
  ['$anchor', 'is not allowed: refer by "#/$defs/…"'],
  ['$dynamicRef', 'is not allowed: refer by "#/$defs/…"'],
  ['$dynamicAnchor', 'is not allowed: refer by "#/$defs/…"'],
  ['$recursiveRef', 'is not allowed: refer by "#" or "#/$defs/…"'],
  ['$recursiveAnchor', 'is not allowed: refer by "#" or "#/$defs/…"'],
  ['$vocabulary', 'is not allowed: the dialect is JSON Schema 2020-12'],
  ['additionalItems', 'is not in JSON Schema 2020-12: write "items" beside "prefixItems"'],
  ['dependencies', 'is not in JSON Schema 2020-12: write "dependentRequired"'],
  ['nullable', 'is not in JSON Schema: write "type": [… , "null"]'],
  ['discriminator', 'is not in JSON Schema: write "oneOf" with a "const" in each branch'],
  ['example', 'is not in JSON Schema: write "examples": […]'],
]);

/** The sentence for a keyword that is not allowed. */
export function refusalOf(name: string): string {
  return (
    REFUSED.get(name) ??
    'is not a keyword of JSON Schema 2020-12; notes of your own begin with "x-"'
  );
}
