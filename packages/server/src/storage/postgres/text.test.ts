import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { packed, unpacked } from './text.ts';

const rareText = fc.string({
  unit: fc.constantFrom('\u0000', '\u0001', '\u0002', '0', '1', 'a', '，'),
});

test('every text comes back as it was, and never holds what PostgreSQL refuses', () => {
  fc.assert(
    fc.property(rareText, (text) => {
      assert.ok(!packed(text).includes('\u0000'));
      assert.equal(unpacked(packed(text)), text);
    }),
  );
});

test('packed texts stand in the order of the texts', () => {
  const order = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  fc.assert(
    fc.property(rareText, rareText, (a, b) => {
      assert.equal(order(packed(a), packed(b)), order(a, b));
    }),
  );
});

test('a text without them is not copied', () => {
  assert.equal(packed('订单'), '订单');
});
