import assert from 'node:assert/strict';
import test from 'node:test';
import type { JsonSchema } from '@agent-reach/core';
import { readSchema } from './shorthand.ts';

function schemaOf(raw: Record<string, unknown>): JsonSchema | undefined {
  const read = readSchema(raw, '#');
  return read.isRefused ? undefined : read.schema;
}

function refusalOf(raw: Record<string, unknown>): string {
  const read = readSchema(raw, '#');
  return read.isRefused ? `${read.issue.pointer} ${read.issue.detail}` : 'not refused';
}

test('a JSON Schema passes unchanged', () => {
  const schemas: JsonSchema[] = [
    {},
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    { $ref: '#/$defs/a', $defs: { a: { properties: { type: { type: 'string' } } } } },
    { properties: { type: { type: 'string' }, required: { type: 'array' } } },
    { items: { type: 'string' } },
    { not: { type: 'null' }, description: 'anything' },
    { patternProperties: { '^a': { type: 'string' } } },
    { 'x-note': { type: 'string' } },
  ];
  for (const schema of schemas) assert.deepEqual(schemaOf(schema), schema);
});

test('fields in short form become properties, those with required: true required', () => {
  assert.deepEqual(
    schemaOf({
      a: { type: 'string', required: true },
      b: { type: 'integer', required: false, minimum: 1 },
    }),
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer', minimum: 1 } },
      required: ['a'],
    },
  );
});

test('fields may be called like keywords', () => {
  const raw = {
    type: { type: 'string', required: true },
    items: { type: 'array' },
    properties: { type: 'string' },
    title: { type: 'string' },
    not: { required: true },
  };

  assert.deepEqual(schemaOf(raw), {
    type: 'object',
    properties: {
      type: { type: 'string' },
      items: { type: 'array' },
      properties: { type: 'string' },
      title: { type: 'string' },
      not: {},
    },
    required: ['type', 'not'],
  });
});

test('required: true inside properties is lifted at every level', () => {
  const raw = {
    order: {
      type: 'object',
      properties: { no: { type: 'string', required: true } },
      required: true,
    },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { n: { type: 'integer', required: true } } },
    },
  };

  assert.deepEqual(schemaOf(raw), {
    type: 'object',
    properties: {
      order: { type: 'object', properties: { no: { type: 'string' } }, required: ['no'] },
      lines: {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      },
    },
    required: ['order'],
  });
});

test('a document that is both is refused at the field', () => {
  assert.match(
    refusalOf({ type: 'object', order_no: { type: 'string', required: true } }),
    /^#\/order_no reads as a field in short form, but "type" beside it as a keyword/,
  );
  assert.match(refusalOf({ required: ['a'], a: { type: 'string' } }), /^#\/a reads as a field/);
});

test('a list and a flag that disagree are refused at the flag', () => {
  const raw = { properties: { 'a/b': { type: 'string', required: false } }, required: ['a/b'] };

  assert.equal(
    refusalOf(raw),
    '#/properties/a~1b/required is false, but the list "required" names it',
  );
});
