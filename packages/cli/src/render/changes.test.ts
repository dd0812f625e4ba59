import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLine, changesOf } from './changes.ts';
import { withoutColour } from './page.ts';

const linesOf = (before: unknown, after: unknown) =>
  changesOf(before, after).map((one) => changeLine(one, { width: 80, paint: withoutColour }));

test('two values are compared place by place', () => {
  assert.deepEqual(linesOf({ a: 1, b: { c: [1, 2] } }, { a: 1, b: { c: [1, 3, 4] }, d: null }), [
    '~ /b/c/1 2 → 3',
    '+ /b/c/2 4',
    '+ /d null',
  ]);
  assert.deepEqual(linesOf({ 'a/b~c': 1 }, {}), ['- /a~1b~0c 1']);
  assert.deepEqual(linesOf({ a: [] }, { a: {} }), ['~ /a [] → {}']);
  assert.deepEqual(linesOf(1, 'x'), ['~ (all of it) 1 → "x"']);
  assert.deepEqual(linesOf({ a: [1] }, { a: [1] }), []);
  assert.deepEqual(linesOf({}, JSON.parse('{"__proto__":1}')), ['+ /__proto__ 1']);
});
