import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import { type CallChain, readCallToken, signCallToken } from './call-token.ts';
import { POLICY_OPTIONS } from './options.ts';

const KEY = seededRandom(1).bytes(32);
const NOW = 1_000_000;
const CHAIN: CallChain = {
  tenant: 'internal',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  root: 'shop',
  path: ['orders/query', 'stock/count'],
};

const sign = (chain = CHAIN, expiresAt = NOW + 1_000, key = KEY) =>
  signCallToken(chain, expiresAt, key);

function refuses(token: string, why: RegExp, now = NOW): void {
  assert.throws(
    () => readCallToken(token, now, KEY),
    (error) => {
      assert.ok(ReachError.is(error), String(error));
      assert.equal(error.code, 'signature-invalid');
      assert.match(error.message, why);
      return true;
    },
    token.slice(0, 80),
  );
}

test('what was signed is read back', () => {
  const { tenant, traceId, spanId, root, path } = readCallToken(sign(), NOW, KEY);

  assert.deepEqual({ tenant, traceId, spanId, root, path }, CHAIN);
});

test('a token is one header value and says nothing in clear that breaks one', () => {
  const token = sign({ ...CHAIN, root: '张三\r\nx: y', path: ['a/"b"'] });

  assert.match(token, /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{22}$/);
  assert.equal(readCallToken(token, NOW, KEY).root, '张三\r\nx: y');
});

test('a token lives to its very last millisecond and not one more', () => {
  const token = sign(CHAIN, NOW + 1_000);

  readCallToken(token, NOW + 1_000, KEY);
  refuses(token, /expired/, NOW + 1_001);
});

test('no character of a token may be changed', () => {
  const token = sign();
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'A' ? 'B' : 'A';

    refuses(`${token.slice(0, i)}${other}${token.slice(i + 1)}`, /verify|ours/);
  }
});

test('a path that was shortened or a tenant that was exchanged does not verify', () => {
  const [, mac = ''] = sign().split('.');
  for (const forged of [
    { ...CHAIN, path: [] },
    { ...CHAIN, tenant: 'other' },
  ]) {
    const [payload = ''] = sign(forged).split('.');

    refuses(`${payload}.${mac}`, /verify/);
  }
});

test('a token of another key does not verify', () => {
  refuses(sign(CHAIN, NOW + 1_000, seededRandom(2).bytes(32)), /verify/);
});

test('a cut or a prolonged signature does not verify', () => {
  const token = sign();

  refuses(token.slice(0, -1), /verify/);
  refuses(`${token}AA`, /verify/);
  refuses(`${token}=`, /verify/);
  refuses(`${token}.`, /verify/);
  refuses(token.slice(0, token.indexOf('.') + 1), /verify/);
});

test('text that is no token is refused as such', () => {
  for (const garbage of ['', 'x', 'null', '{}', 'a'.repeat(500), 'eyJhbGciOiJub25lIn0']) {
    refuses(garbage, /not one of ours/);
  }
  for (const garbage of ['.', '..', 'e30.', '.e30', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.']) {
    refuses(garbage, /verify/);
  }
});

test('a token past its longest is refused before anything is computed of it', () => {
  refuses(`${'a'.repeat(12_288)}.b`, /not one of ours/);
  refuses(`${'a'.repeat(12_000)}.b`, /verify/);
});

test('the longest chain of the longest names that may be configured still fits', () => {
  // The bound of the option, as its form says it.
  const [, depth] = / to (\d+)$/.exec(POLICY_OPTIONS.depthMax.form) ?? [];
  const step = `${'a'.repeat(128)}/${'c'.repeat(128)}`;
  const chain = {
    ...CHAIN,
    tenant: 't'.repeat(64),
    root: 'r'.repeat(128),
    path: Array.from({ length: Number(depth) }, () => step),
  };

  assert.equal(readCallToken(sign(chain), NOW, KEY).path.length, Number(depth));
});
