import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindable, textArray } from './values.ts';

test('a value goes over the wire as text, and what is not there as nothing', () => {
  assert.equal(bindable('a "b" \\'), 'a "b" \\');
  assert.equal(bindable('nul \u0000'), 'nul \u00010');
  assert.equal(bindable(12.5), '12.5');
  assert.equal(bindable(true), 'true');
  assert.equal(bindable(null), null);
});

test('a column of rows is one text, in which no word is taken for another', () => {
  assert.equal(bindable([]), '{}');
  assert.equal(bindable([1, null, 3]), '{1,NULL,3}');
  assert.equal(
    bindable(['a', null, 'NULL', '', 'b,"c"\\{}', '\u0000']),
    String.raw`{"a",NULL,"NULL","","b,\"c\"\\{}","${'\u0001'}0"}`,
  );
  assert.equal(textArray(['a', 'b"c']), String.raw`{"a","b\"c"}`);
});
