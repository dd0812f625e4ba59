import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '@agent-reach/core/testing';
import { MASKED, maskSecrets } from './mask.ts';

const secret = { type: 'string', 'x-reach-sensitive': true };
const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  ...more,
});

test('secret members are masked, wherever a schema reaches them', () => {
  const schema = object(
    {
      card: secret,
      pin: { type: 'string', writeOnly: true },
      list: { type: 'array', items: object({ key: secret }) },
      pair: { type: 'array', prefixItems: [{}, secret], items: {} },
      deep: { $ref: '#/$defs/deep' },
    },
    { $defs: { deep: object({ token: { $ref: '#/$defs/secret' } }), secret } },
  );
  const value = {
    card: '4111',
    pin: { any: 'form' },
    list: [{ key: 'a', open: 1 }, { key: 'b' }],
    pair: ['open', 'shut', 'open'],
    deep: { token: 't', open: null },
    other: ['x'],
  };

  assert.deepEqual(maskSecrets(schema, value), {
    card: MASKED,
    pin: MASKED,
    list: [{ key: MASKED, open: 1 }, { key: MASKED }],
    pair: ['open', MASKED, 'open'],
    deep: { token: MASKED, open: null },
    other: ['x'],
  });
  assert.equal(value.card, '4111');
});

test('a branch that could hold counts, whether it does or not', () => {
  for (const schema of [
    { allOf: [object({ a: secret })] },
    { anyOf: [object({}), object({ a: secret })] },
    { oneOf: [object({ a: { type: 'string' } }), object({ a: secret })] },
    // As JSON: an object with `then` is taken for a promise by whoever awaits it.
    JSON.parse(`{"if":{},"then":${JSON.stringify(object({ a: secret }))}}`) as object,
    { if: object({}), else: { $ref: '#/$defs/x' }, $defs: { x: object({ a: secret }) } },
    { dependentSchemas: { b: object({ a: secret }) } },
    { patternProperties: { '^b$': secret } },
    { additionalProperties: secret },
  ]) {
    assert.deepEqual(maskSecrets(schema, { a: 'x' }), { a: MASKED }, JSON.stringify(schema));
  }
  const own = object({ a: {} }, { additionalProperties: secret });
  assert.deepEqual(maskSecrets(own, { a: 1, b: 2 }), { a: 1, b: MASKED });
});

test('a schema that calls all of it secret, or none, or is none', () => {
  assert.equal(maskSecrets({ writeOnly: true }, { a: 1 }), MASKED);
  assert.deepEqual(maskSecrets({}, { a: 1 }), { a: 1 });
  assert.deepEqual(maskSecrets(true, [1]), [1]);
  assert.deepEqual(maskSecrets(undefined, null), null);
  assert.deepEqual(maskSecrets(object({ toString: {} }), { toString: 'x' }), { toString: 'x' });
});

test('a schema that refers to itself ends, and past the bound nothing is shown', () => {
  const schema = object({ next: { $ref: '#' }, key: secret });
  const deep = { next: { next: { key: 'k' }, key: 'k' }, key: 'k' };
  assert.deepEqual(maskSecrets(schema, deep), {
    next: { next: { key: MASKED }, key: MASKED },
    key: MASKED,
  });

  const shown = maskSecrets(
    object({ key: secret }),
    Array.from({ length: 20_000 }, () => 'x'),
  );
  assert.equal((shown as unknown[]).at(-1), MASKED);
});

test('no secret text is left, whatever stands around it', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const schema = { $ref: '#/$defs/node', $defs: { node: {} as object } };
  schema.$defs.node = {
    ...object({ secret, child: { $ref: '#/$defs/node' } }),
    items: { $ref: '#/$defs/node' },
    additionalProperties: { $ref: '#/$defs/node' },
  };
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      fc.constant(1),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.record({ secret: fc.constant('TOP'), child: tie('node'), other: tie('node') }),
    ),
  }));
  fc.assert(
    fc.property(node, (value) => !JSON.stringify(maskSecrets(schema, value)).includes('TOP')),
    { seed },
  );
});
