import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '@agent-reach/core/testing';
import { shown } from './foreign-text.ts';

test('plain words of any script are shown as they are, without their full stop', () => {
  assert.equal(shown('No such order.'), 'No such order');
  assert.equal(shown('订单不存在 😀'), '订单不存在 😀');
  assert.equal(shown(''), '');
});

test('200 characters are shown whole, one more is cut', () => {
  assert.equal(shown('x'.repeat(200)), 'x'.repeat(200));
  assert.equal(shown('x'.repeat(201)), `${'x'.repeat(200)}…`);
});

test('no text can leave its line, hide, or turn what follows it', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const marks = fc.constantFrom('\n', '\r', '\0', '\u001b', '\u0085', '\u2028', '\u202e', '\ufeff');
  const any = fc.array(fc.oneof(marks, fc.string({ unit: 'binary' })), { maxLength: 300 });
  fc.assert(
    fc.property(any, (parts) => {
      const text = shown(parts.join(''));

      assert.ok(text.length <= 201);
      assert.ok(text.isWellFormed());
      assert.doesNotMatch(
        text,
        /[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u,
      );
    }),
    { seed, numRuns: 500 },
  );
});

test('half a surrogate pair becomes a replacement character', () => {
  assert.equal(shown('a\ud83d'), 'a\ufffd');
});
