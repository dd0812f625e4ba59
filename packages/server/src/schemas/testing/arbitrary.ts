import type { JsonSchema } from '@agent-reach/core';
import fc from 'fast-check';

/** Names that trip careless code. */
const NAMES = ['a', 'b', 'toString', 'constructor', 'a/b', '~', '订单', '%', '', 'x y', "'"];
const name = fc.constantFrom(...NAMES);

/** Any schema built of known keywords, sound or not: references may lead anywhere or in circles. */
export function anySchema(): fc.Arbitrary<JsonSchema> {
  const { schema } = fc.letrec<{ schema: JsonSchema; sub: JsonSchema | boolean }>((tie) => {
    const members = Object.entries(keywords(tie('sub'))).map(([keyword, value]) =>
      fc.tuple(fc.constant(keyword), value),
    );
    return {
      sub: fc.oneof({ maxDepth: 4, depthSize: 'small' }, fc.boolean(), tie('schema')),
      // A few keywords each, or the schema would grow with the fourth power of their number.
      schema: fc.array(fc.oneof(...members), { maxLength: 4 }).map(Object.fromEntries),
    };
  });
  return schema;
}

function keywords(sub: fc.Arbitrary<unknown>): Record<string, fc.Arbitrary<unknown>> {
  const map = fc.dictionary(name, sub, { maxKeys: 3, noNullPrototype: true });
  const list = fc.array(sub, { minLength: 1, maxLength: 3 });
  const count = fc.nat(4);
  const tokens = NAMES.map((n) =>
    encodeURIComponent(n.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const places = ['$defs', 'properties'].flatMap((at) => tokens.map((token) => `#/${at}/${token}`));
  return {
    ...Object.fromEntries(['$defs', 'properties', 'dependentSchemas'].map((k) => [k, map])),
    ...Object.fromEntries(['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((k) => [k, list])),
    ...Object.fromEntries(
      ['not', 'if', 'then', 'items', 'contains', 'additionalProperties', 'propertyNames'].map(
        (k) => [k, sub],
      ),
    ),
    ...Object.fromEntries(['unevaluatedProperties', 'unevaluatedItems'].map((k) => [k, sub])),
    ...Object.fromEntries(
      ['minLength', 'maxItems', 'minProperties', 'maxContains'].map((k) => [k, count]),
    ),
    $ref: fc.constantFrom('#', ...places),
    type: fc.constantFrom('string', 'object', ['array', 'null'], 'integer'),
    enum: fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1, maxLength: 10 }),
    const: fc.jsonValue({ maxDepth: 1 }),
    pattern: fc.constantFrom('^a+$', '[\\u4e00-\\u9fff]', '(?=x)'),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), sub, { noNullPrototype: true }),
    format: fc.constantFrom('date', 'email', 'uri'),
    required: fc.uniqueArray(name, { maxLength: 9 }),
    uniqueItems: fc.boolean(),
    writeOnly: fc.boolean(),
  };
}

/** A schema of ordinary shape, together with values that fit it. */
export interface Fitting {
  schema: JsonSchema;
  value: fc.Arbitrary<unknown>;
}

/** Objects, lists, texts and numbers with bounds, nested a few levels, and what fits them. */
export function fitting(): fc.Arbitrary<Fitting> {
  const { any } = fc.letrec<{ any: Fitting }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      text(),
      integer(),
      choice(),
      listOf(tie('any')),
      objectOf(tie('any')),
    ),
  }));
  return any;
}

function text(): fc.Arbitrary<Fitting> {
  return fc.tuple(fc.nat(3), fc.nat(5)).map(([least, more]) => ({
    schema: { type: 'string', minLength: least, maxLength: least + more },
    value: fc.string({ unit: 'binary', minLength: least, maxLength: least + more }).filter(
      // The length of JSON Schema is counted in code points, and so is this one.
      (value) => Array.from(value).length >= least && value.isWellFormed(),
    ),
  }));
}

function integer(): fc.Arbitrary<Fitting> {
  return fc.tuple(fc.integer(), fc.nat()).map(([least, more]) => ({
    schema: { type: 'integer', minimum: least, maximum: least + more },
    value: fc.integer({ min: least, max: Math.min(least + more, 2 ** 31 - 1) }),
  }));
}

function choice(): fc.Arbitrary<Fitting> {
  return fc
    .uniqueArray(fc.string(), { minLength: 1, maxLength: 12 })
    .map((values) => ({ schema: { enum: values }, value: fc.constantFrom(...values) }));
}

function listOf(item: fc.Arbitrary<Fitting>): fc.Arbitrary<Fitting> {
  return fc.tuple(item, fc.nat(4)).map(([{ schema, value }, most]) => ({
    schema: { type: 'array', items: schema, maxItems: most },
    value: fc.array(value, { maxLength: most }),
  }));
}

function objectOf(member: fc.Arbitrary<Fitting>): fc.Arbitrary<Fitting> {
  return fc
    .tuple(fc.dictionary(name, member, { maxKeys: 4, noNullPrototype: true }), fc.boolean())
    .map(([members, areRequired]) => {
      const properties = Object.entries(members).map(([key, { schema }]) => [key, schema] as const);
      const values = Object.entries(members).map(([key, { value }]) => [key, value] as const);
      const required = areRequired ? Object.keys(members) : [];
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(properties),
          required,
          additionalProperties: false,
        },
        value: fc.record(Object.fromEntries(values), {
          requiredKeys: required,
          noNullPrototype: true,
        }),
      };
    });
}
