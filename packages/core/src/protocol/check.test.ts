import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { demand, escape, issuesOf, validationFailed } from './check.ts';
import { ReachError } from './errors.ts';
import { parseJson } from './json.ts';

const Schema = Type.Object(
  {
    id: Type.Integer({ minimum: 1, maximum: 5 }),
    name: Type.Optional(Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]*$' })),
    rate: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    on: Type.Optional(Type.Boolean()),
    mode: Type.Optional(Type.Enum(['fast', 'slow'])),
    kind: Type.Optional(Type.Literal('q')),
    list: Type.Optional(Type.Array(Type.Integer(), { maxItems: 2 })),
    map: Type.Optional(Type.Record(Type.String(), Type.Integer(), { maxProperties: 1 })),
    either: Type.Optional(Type.Union([Type.Integer(), Type.Boolean()])),
    deep: Type.Optional(
      Type.Object({ 'a/b~c': Type.Optional(Type.Integer()) }, { additionalProperties: false }),
    ),
  },
  { additionalProperties: false },
);

const faults: [what: string, fields: object, pointer: string, detail: string][] = [
  ['a wrong type', { id: '1' }, '#/id', 'must be integer, is "1"'],
  ['a fraction for an integer', { id: 1.5 }, '#/id', 'must be integer, is 1.5'],
  ['null for a number', { id: null }, '#/id', 'must be integer, is null'],
  ['one below the least', { id: 0 }, '#/id', 'must be >= 1, is 0'],
  ['one past the most', { id: 6 }, '#/id', 'must be <= 5, is 6'],
  ['an excluded least', { rate: 0 }, '#/rate', 'must be > 0, is 0'],
  [
    'one character too few',
    { name: 'a' },
    '#/name',
    'must not have fewer than 2 characters, is "a"',
  ],
  ['one too many', { name: 'abcde' }, '#/name', 'must not have more than 4 characters, is "abcde"'],
  ['a pattern', { name: 'AB' }, '#/name', 'must match pattern "^[a-z]*$", is "AB"'],
  ['a word that is none of', { mode: 'fat' }, '#/mode', 'must be one of fast, slow, is "fat"'],
  ['another constant', { kind: 'w' }, '#/kind', 'must be "q", is "w"'],
  ['a text for a boolean', { on: 'true' }, '#/on', 'must be boolean, is "true"'],
  [
    'one item too many',
    { list: [1, 2, 3] },
    '#/list',
    'must not have more than 2 items, is an array of 3',
  ],
  ['an item', { list: [1, 'x'] }, '#/list/1', 'must be integer, is "x"'],
  [
    'one member too many',
    { map: { a: 1, b: 2 } },
    '#/map',
    'must not have more than 1 properties, is an object of 2',
  ],
  ['a member', { map: { 'x/y~z': 'no' } }, '#/map/x~1y~0z', 'must be integer, is "no"'],
  ['an object for a list', { list: {} }, '#/list', 'must be array, is an object of 0'],
  ['an unknown field', { 'ty/po': 1 }, '#/ty~1po', 'is not a known field'],
  ['an unknown field inside', { deep: { e: 1 } }, '#/deep/e', 'is not a known field'],
  [
    'a field with odd marks',
    { deep: { 'a/b~c': 'x' } },
    '#/deep/a~1b~0c',
    'must be integer, is "x"',
  ],
];

for (const [what, fields, pointer, detail] of faults) {
  test(`the fault of ${what} names place, bound and value`, () => {
    assert.deepEqual(issuesOf(Schema, { id: 1, ...fields }), [{ pointer, detail }]);
  });
}

test('what fits has no issues', () => {
  assert.deepEqual(issuesOf(Schema, { id: 5, name: 'ab', list: [1, 2], either: true }), []);
});

test('a missing field is named, and every other one with it', () => {
  const Two = Type.Object({ a: Type.Integer(), 'b/c': Type.Integer() });

  assert.deepEqual(issuesOf(Two, {}), [
    { pointer: '#/a', detail: 'is missing' },
    { pointer: '#/b~1c', detail: 'is missing' },
  ]);
});

test('all unknown fields are named, and past eight the first eight', () => {
  const unknown = (count: number) => {
    const fields = Array.from({ length: count }, (_, i) => [`x${i}`, i] as const);
    return issuesOf(Schema, { id: 1, ...Object.fromEntries(fields) });
  };

  assert.deepEqual(
    unknown(3).map((issue) => issue.pointer),
    ['#/x0', '#/x1', '#/x2'],
  );
  for (const count of [8, 9, 100]) {
    assert.equal(unknown(count).length, 8);
    assert.ok(unknown(count).every((issue) => issue.detail === 'is not a known field'));
  }
});

test('a value that fits none of several forms hears of each', () => {
  assert.deepEqual(issuesOf(Schema, { id: 1, either: 'x' }), [
    { pointer: '#/either', detail: 'must be integer, is "x"' },
    { pointer: '#/either', detail: 'must be boolean, is "x"' },
  ]);
});

test('a body that is no object at all is told so at the root', () => {
  for (const [body, shown] of [
    [5, '5'],
    [null, 'null'],
    [[], 'an array of 0'],
    [undefined, 'undefined'],
  ]) {
    assert.deepEqual(issuesOf(Schema, body), [
      { pointer: '#', detail: `must be object, is ${shown as string}` },
    ]);
  }
});

test('a long value is cut, and never in the middle of a character', () => {
  for (const [mark, value] of [
    ['ascii', 'a'.repeat(10_000)],
    ['emoji', '😀'.repeat(30)],
    ['shifted emoji', `a${'😀'.repeat(30)}`],
  ] as const) {
    const [issue] = issuesOf(Schema, { id: value });

    assert.ok(issue !== undefined && issue.detail.length < 80, mark);
    assert.ok(issue.detail.endsWith('…'), mark);
    assert.ok(issue.detail.isWellFormed(), mark);
    // What we answer, our own reader must accept.
    assert.ok(parseJson(JSON.stringify(issue), { depthMax: 4 }));
  }
});

test('a key as long as a body does not come back as long', () => {
  const issues = issuesOf(Schema, { id: 1, ['k'.repeat(1_000_000)]: 1 });

  assert.equal(issues.length, 1);
  assert.ok((issues[0]?.pointer.length ?? 0) <= 1_025);
});

test('a hundred thousand wrong items are eight issues', () => {
  const many = Array.from({ length: 100_000 }, () => 'x');

  assert.equal(issuesOf(Type.Array(Type.Integer()), many).length, 8);
});

test('demand throws validation-failed with the issues and the first one in words', () => {
  demand(Schema, { id: 1 }, 'The request');

  assert.throws(
    () => demand(Schema, { id: 9 }, 'The request'),
    (error) => {
      assert.ok(ReachError.is(error));
      assert.equal(error.code, 'validation-failed');
      assert.equal(error.message, 'The request is not valid: #/id must be <= 5, is 9.');
      assert.deepEqual(error.facts.errors, [{ pointer: '#/id', detail: 'must be <= 5, is 9' }]);
      return true;
    },
  );
});

test('a failure without issues is still a sentence', () => {
  assert.equal(validationFailed('The query', []).message, 'The query is not valid.');
});

test('a reference token is escaped as RFC 6901 has it', () => {
  assert.equal(escape('a/b~c~1'), 'a~1b~0c~01');
});
