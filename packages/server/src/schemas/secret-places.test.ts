import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '@agent-reach/core';
import { secretPartOf } from './secret-part.ts';
import { anyOfPlaces, type SecretPlaces, secretPlacesOf } from './secret-places.ts';

const SECRET = { type: 'string', 'x-reach-sensitive': true };
const HIDDEN = { type: 'string', writeOnly: true };

/** Pointers of a value at which a secret stands. */
function secretsIn(value: unknown, places: SecretPlaces | undefined, at = ''): string[] {
  if (places === undefined) return [];
  if (places.isSecret) return [at];
  if (Array.isArray(value)) {
    return value.flatMap((item, n) => secretsIn(item, places.item(n), `${at}/${n}`));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, places.field(name), `${at}/${name}`),
  );
}

const CONDITIONS = `{
  "if": {},
  "then": { "properties": { "a": ${JSON.stringify(SECRET)} } },
  "else": { "properties": { "b": ${JSON.stringify(SECRET)} } }
}`;

const CASES: [what: string, schema: JsonSchema, value: unknown, found: string[]][] = [
  ['a field', { properties: { a: SECRET, b: HIDDEN, c: {} } }, { a: 1, b: 2, c: 3 }, ['/a', '/b']],
  ['the value itself', SECRET, 'x', ['']],
  [
    'a field of a field',
    { properties: { a: { properties: { b: SECRET } } } },
    { a: { b: 1 }, b: 2 },
    ['/a/b'],
  ],
  [
    'a field whose schema is secret as a whole',
    { properties: { a: { ...SECRET, properties: {} } } },
    { a: { b: 1 } },
    ['/a'],
  ],
  ['items', { items: { properties: { a: SECRET } } }, [{ a: 1 }, { b: 1 }], ['/0/a']],
  ['items behind a prefix', { prefixItems: [{}, SECRET], items: HIDDEN }, [1, 2, 3], ['/1', '/2']],
  ['what a list contains', { contains: SECRET }, [1], ['/0']],
  [
    'a reference',
    { $defs: { s: SECRET }, properties: { a: { $ref: '#/$defs/s' } } },
    { a: 1, s: 2 },
    ['/a'],
  ],
  [
    'a reference to a reference, with odd names',
    {
      $defs: { 'a/b~c': { $ref: '#/$defs/x%20y' }, 'x y': SECRET },
      properties: { a: { $ref: '#/$defs/a~1b~0c' } },
    },
    { a: 1 },
    ['/a'],
  ],
  [
    'a tree that refers to itself',
    { properties: { s: SECRET, next: { $ref: '#' }, all: { items: { $ref: '#' } } } },
    { s: 1, next: { s: 2, next: { s: 3 } }, all: [{ s: 4 }] },
    ['/s', '/next/s', '/next/next/s', '/all/0/s'],
  ],
  [
    'every branch of allOf',
    { allOf: [{ properties: { a: SECRET } }, { properties: { b: HIDDEN } }] },
    { a: 1, b: 2 },
    ['/a', '/b'],
  ],
  [
    'a branch that does not hold',
    { oneOf: [{ type: 'null' }, { required: ['z'], properties: { a: SECRET } }] },
    { a: 1 },
    ['/a'],
  ],
  ['a branch of anyOf', { anyOf: [{ properties: { a: SECRET } }, {}] }, { a: 1 }, ['/a']],
  [
    'conditions',
    // As it comes off the wire.
    JSON.parse(CONDITIONS) as JsonSchema,
    { a: 1, b: 1 },
    ['/a', '/b'],
  ],
  [
    'what a field brings along',
    { dependentSchemas: { a: { properties: { b: SECRET } } } },
    { b: 1 },
    ['/b'],
  ],
  ['names that match', { patternProperties: { '^s_': SECRET } }, { s_1: 1, t: 2 }, ['/s_1']],
  [
    'all other fields',
    { properties: { a: {} }, additionalProperties: SECRET },
    { a: 1, b: 2 },
    ['/b'],
  ],
  ['fields that nothing else looked at', { unevaluatedProperties: HIDDEN }, { a: 1 }, ['/a']],
  ['secret names', { propertyNames: SECRET }, { a: 1 }, ['']],
  [
    'a field named as an inherited one',
    { properties: { a: SECRET } },
    { toString: 1, constructor: 2 },
    [],
  ],
];

for (const [what, schema, value, found] of CASES) {
  test(`secrets are found in ${what}`, () => {
    assert.deepEqual(secretsIn(value, secretPlacesOf(schema)), found);
    const part = secretPartOf(schema)?.schema;
    assert.deepEqual(secretsIn(value, part && secretPlacesOf(part)), found, JSON.stringify(part));
  });
}

test('a schema without secrets has no places, and one is compiled once', () => {
  assert.equal(secretPlacesOf({ properties: { a: { type: 'string' } } }), undefined);
  const schema = { properties: { a: SECRET } };
  assert.equal(secretPlacesOf(schema), secretPlacesOf(schema));
});

test('a circle of references ends', () => {
  const schema = {
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a', ...SECRET } },
    $ref: '#/$defs/a',
  };

  assert.deepEqual(secretsIn('x', secretPlacesOf(schema)), ['']);
});

test('of several schemas each counts', () => {
  const all = [
    { properties: { a: SECRET } },
    { properties: { b: {} } },
    { properties: { b: SECRET } },
  ];

  const places = anyOfPlaces(all.map((schema) => secretPlacesOf(schema)));

  assert.deepEqual(secretsIn({ a: 1, b: 2, c: 3 }, places), ['/a', '/b']);
  assert.equal(anyOfPlaces([undefined, undefined]), undefined);
});

test('of a schema only what leads to its secrets is kept', () => {
  const plain = { type: 'string', description: 'x'.repeat(1_000) };
  const schema = {
    $defs: { card: { properties: { pin: SECRET, bank: plain } }, other: plain },
    properties: { name: plain, card: { $ref: '#/$defs/card' }, other: { $ref: '#/$defs/other' } },
    required: ['name'],
  };

  assert.deepEqual(secretPartOf(schema)?.schema, {
    $defs: { card: { properties: { pin: { writeOnly: true } } } },
    properties: { card: { $ref: '#/$defs/card' } },
  });
  assert.equal(secretPartOf({ properties: { a: plain } }), undefined);
  assert.equal(secretPartOf(schema), secretPartOf(schema), 'it is made once');
});

test('what is named beside secret others is kept as what it is: no secret', () => {
  const schema = {
    properties: { a: {} },
    patternProperties: { '^x_': {} },
    additionalProperties: SECRET,
  };
  const part = secretPartOf(schema)?.schema ?? {};

  assert.deepEqual(secretsIn({ a: 1, x_1: 2, b: 3 }, secretPlacesOf(part)), ['/b']);
});
