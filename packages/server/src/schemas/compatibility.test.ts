import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '@agent-reach/core';
import fc from 'fast-check';
import { breakingChanges } from './compatibility.ts';
import { compileSchema } from './compile.ts';
import { admitSchema } from './intake.ts';
import { anySchema } from './testing/arbitrary.ts';

const ANY: JsonSchema = {};

function input(before: JsonSchema, after: JsonSchema): string[] {
  return breakingChanges({ input: before, output: ANY }, { input: after, output: ANY });
}

function output(before: JsonSchema, after: JsonSchema): string[] {
  return breakingChanges({ input: ANY, output: before }, { input: ANY, output: after });
}

/** An object with fields `a` and `b`, then with one of them changed. */
function fields(b: JsonSchema | undefined, more: JsonSchema = {}): JsonSchema {
  const properties = { a: { type: 'string' }, ...(b === undefined ? {} : { b }) };
  return { type: 'object', properties, ...more };
}

const TEXT: JsonSchema = { type: 'string' };

test('the same schema is compatible with itself', () => {
  const pair = { input: fields(TEXT, { required: ['a'] }), output: fields({ $ref: '#' }) };

  assert.deepEqual(breakingChanges(pair, structuredClone(pair)), []);
});

test('notes are not compared', () => {
  assert.deepEqual(input(fields(TEXT), fields({ ...TEXT, description: 'new', default: 'x' })), []);
});

test('an optional field may be added on either side, even where others are forbidden', () => {
  const closed = { additionalProperties: false };

  assert.deepEqual(input(fields(undefined, closed), fields(TEXT, closed)), []);
  assert.deepEqual(output(fields(undefined, closed), fields(TEXT, closed)), []);
});

test('a field that is gone breaks on either side', () => {
  assert.deepEqual(input(fields(TEXT), fields(undefined)), [
    'input #/properties/b was removed, and callers send it',
  ]);
  assert.deepEqual(output(fields(TEXT, { required: ['b'] }), fields(undefined)), [
    'output #/properties/b was removed, and callers read it',
  ]);
});

test('required breaks an input when it comes and an output when it goes', () => {
  const [optional, required] = [fields(TEXT), fields(TEXT, { required: ['b'] })];

  assert.deepEqual(input(optional, required), ['input #/properties/b is now required']);
  assert.deepEqual(input(required, optional), []);
  assert.deepEqual(output(required, optional), [
    'output #/properties/b is no longer always there, and callers read it',
  ]);
  assert.deepEqual(output(optional, required), []);
});

test('a new field that is required breaks an input', () => {
  assert.deepEqual(input(fields(undefined), fields(TEXT, { required: ['b'] })), [
    'input #/properties/b is now required',
  ]);
});

test('another type breaks either side, and hides what follows from it', () => {
  const [text, number] = [
    fields({ type: 'string', maxLength: 5 }),
    fields({ type: 'integer', minimum: 1 }),
  ];

  assert.deepEqual(input(text, number), ['input #/properties/b/type no longer takes string']);
  assert.deepEqual(output(text, number), ['output #/properties/b/type may now be integer']);
});

test('a wider type breaks an output only, a narrower one an input only', () => {
  const [wide, narrow] = [fields({ type: 'number' }), fields({ type: 'integer' })];

  assert.deepEqual(input(narrow, wide), []);
  assert.deepEqual(output(wide, narrow), []);
  assert.deepEqual(input(wide, narrow), ['input #/properties/b/type no longer takes number']);
  assert.deepEqual(output(narrow, fields({ type: ['integer', 'null'] })), [
    'output #/properties/b/type may now be null',
  ]);
});

test('listed values may grow in an input and shrink in an output', () => {
  const [two, three] = [fields({ enum: ['zh', 'en'] }), fields({ enum: ['en', 'zh', 'fr'] })];

  assert.deepEqual(input(two, three), []);
  assert.deepEqual(output(three, two), []);
  assert.deepEqual(input(three, two), ['input #/properties/b no longer takes "fr"']);
  assert.deepEqual(output(two, three), ['output #/properties/b may now be "fr"']);
  assert.deepEqual(input(fields({ const: 'zh' }), two), []);
  assert.deepEqual(input(fields(TEXT), two), ['input #/properties/b now takes listed values only']);
});

test('bounds may loosen in an input and tighten in an output', () => {
  const cases: [JsonSchema, JsonSchema, string][] = [
    [{ maxLength: 9 }, { maxLength: 5 }, 'maxLength was 9, is now 5'],
    [{}, { minLength: 1 }, 'minLength was absent, is now 1'],
    [{ minimum: 1 }, { minimum: 2 }, 'minimum was 1, is now 2'],
    [{ minimum: 1 }, { exclusiveMinimum: 1 }, 'exclusiveMinimum was absent, is now 1'],
    [{ maxItems: 3 }, { maxItems: 2 }, 'maxItems was 3, is now 2'],
    [{}, { pattern: '^a' }, 'pattern was absent, is now "^a"'],
    [{}, { format: 'uuid' }, 'format was absent, is now "uuid"'],
    [{ multipleOf: 2 }, { multipleOf: 4 }, 'multipleOf was 2, is now 4'],
    [{}, { uniqueItems: true, maxItems: 1 }, 'maxItems was absent, is now 1'],
  ];
  for (const [loose, tight, says] of cases) {
    assert.equal(input(fields(loose), fields(tight))[0], `input #/properties/b/${says}`);
    assert.equal(output(fields(loose), fields(tight)).length, 0, says);
    assert.notEqual(output(fields(tight), fields(loose)).length, 0, says);
  }
  assert.deepEqual(input(fields(TEXT), fields({ ...TEXT, minLength: 0 })), []);
  assert.deepEqual(input(fields({ exclusiveMinimum: 1 }), fields({ minimum: 1 })), []);
});

test('closing additional fields breaks an input, and never an output', () => {
  const [open, closed] = [fields(TEXT), fields(TEXT, { additionalProperties: false })];

  assert.deepEqual(input(open, closed), [
    'input #/additionalProperties now refuses fields that are not listed',
  ]);
  assert.deepEqual(input(closed, open), []);
  assert.deepEqual(output(closed, open), []);
  assert.deepEqual(output(open, closed), []);
});

test('items, forms, demands and definitions are looked into', () => {
  const items = (schema: JsonSchema) => ({ type: 'array', items: schema });
  assert.deepEqual(input(items({ maxLength: 9 }), items({ maxLength: 5 })), [
    'input #/items/maxLength was 9, is now 5',
  ]);

  const forms = (...any: JsonSchema[]) => ({ anyOf: any });
  assert.deepEqual(input(forms(TEXT), forms({ type: 'null' }, TEXT)), []);
  assert.deepEqual(input(forms(TEXT, { type: 'null' }), forms(TEXT)), [
    'input #/anyOf no longer takes form 1 as it was',
  ]);
  assert.deepEqual(input(TEXT, forms(TEXT, { type: 'null' })), []);
  assert.deepEqual(output(forms(TEXT), forms(TEXT, { type: 'null' })), [
    'output #/anyOf may now have another form',
  ]);

  const defined = (schema: JsonSchema) => ({ items: { $ref: '#/$defs/a' }, $defs: { a: schema } });
  assert.deepEqual(input(defined(TEXT), items(TEXT)), [
    'input #/type no longer takes string, number, boolean, object, null',
  ]);
  assert.deepEqual(input(defined(TEXT), defined({ type: 'integer' })), [
    'input #/items/type no longer takes string',
  ]);
  assert.deepEqual(input(defined(TEXT), { items: TEXT }), []);

  assert.deepEqual(input({ allOf: [TEXT] }, { allOf: [{ maxLength: 3 }, TEXT] }), [
    'input #/allOf/0 demands more than it did',
  ]);
});

test('not turns the direction round', () => {
  const not = (schema: JsonSchema) => ({ not: schema });
  const [less, more] = [not({ const: 1 }), not({ enum: [1, 2] })];

  assert.deepEqual(input(less, more), ['input #/not forbids more than it did']);
  assert.deepEqual(input(more, less), []);
});

test('sentences are bounded', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, TEXT]));

  const sentences = input({ properties: many }, {});

  assert.equal(sentences.length, 20);
  assert.equal(sentences.at(-1), 'and 81 more');
});

test('versions that circle, and versions with hundreds of forms, come to an end', () => {
  const circle = (type: string) => ({ properties: { next: { $ref: '#' }, v: { type } } });
  assert.deepEqual(input(circle('string'), circle('null')), [
    'input #/properties/v/type no longer takes string',
  ]);

  const forms = (from: number) => ({
    oneOf: Array.from({ length: 290 }, (_, i) => ({ const: from + i })),
  });
  assert.equal(input(forms(0), forms(1000)).length, 1);
});

test('a value that fitted before fits whatever is called compatible', () => {
  fc.assert(
    fc.property(anySchema(), anySchema(), fc.array(fc.jsonValue()), (before, after, values) => {
      if (admitSchema(before, '#').length + admitSchema(after, '#').length > 0) return;
      if (breakingChanges({ input: before, output: ANY }, { input: after, output: ANY }).length > 0)
        return;
      const [fitted, fits] = [compileSchema(before), compileSchema(after)];
      for (const value of values) {
        if (fitted(value).length === 0 && !leavesSets(after)) assert.deepEqual(fits(value), []);
      }
    }),
    { numRuns: 1000 },
  );
});

/** A field that is newly described, and one more form of a `oneOf`, are compatible by rule. */
function leavesSets(schema: JsonSchema): boolean {
  return /"properties"|"oneOf"/.test(JSON.stringify(schema));
}
