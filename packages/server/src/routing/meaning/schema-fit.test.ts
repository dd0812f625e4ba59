import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, keysOf, schemaFit } from './schema-fit.ts';

const order = factsOf({ properties: { order_no: {}, note: {} }, required: ['order_no'] });

test('all that is asked for and nothing else fits wholly', () => {
  assert.deepEqual(schemaFit(['order_no'], order), { score: 1, missing: [] });
  assert.equal(schemaFit(['order_no', 'note'], order).score, 1);
});

test('what is missing costs, and is told', () => {
  assert.deepEqual(schemaFit(['note'], order), { score: 0.5, missing: ['order_no'] });
});

test('what is foreign costs more the more of it there is, never below nothing', () => {
  assert.equal(schemaFit(['order_no', 'x'], order).score, 0.25 + 0.5 - 0.125);
  assert.equal(schemaFit(['x', 'y'], order).score, 0);
});

test('no parameters fit nothing, and a schema that demands nothing has half of its half', () => {
  assert.deepEqual(schemaFit([], order), { score: 0, missing: ['order_no'] });
  assert.equal(schemaFit(['a'], factsOf({ properties: { a: {} } })).score, 0.75);
});

test('parameters and schemas of any form are looked at without harm', () => {
  for (const params of [null, 'text', 5, ['a'], undefined]) assert.deepEqual(keysOf(params), []);
  for (const schema of [
    {},
    { properties: [], required: 'x' },
    { properties: null, required: [1] },
  ]) {
    assert.deepEqual(factsOf(schema).required, []);
    assert.equal(factsOf(schema).properties.size, 0);
  }
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i]));
  assert.equal(keysOf(many).length, 64);
});
