import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forAudit, type Places, withoutSecrets } from './redact.ts';

test('a value for the audit is JSON, whole up to 4,096 characters and cut past them', () => {
  assert.equal(forAudit({ a: 1 }), '{"a":1}');
  assert.equal(forAudit(undefined), 'null');
  assert.equal(forAudit(null), 'null');
  const whole = 'x'.repeat(4_094);
  assert.equal(forAudit(whole), `"${whole}"`);
  assert.equal(forAudit(`${whole}y`), `"${whole}y…`);
});

test('a value for the audit is never cut to half a character', () => {
  for (const pad of ['', 'x']) {
    const text = forAudit(pad + '😀'.repeat(4_000));

    assert.ok(text.isWellFormed());
    assert.ok(text.length <= 4_097);
  }
});

const places = (secret: string): Places => ({
  isSecret: false,
  field: (name) => (name === secret ? SECRET : undefined),
  item: () => places(secret),
});
const SECRET: Places = { isSecret: true, field: () => undefined, item: () => undefined };

test('what a schema calls secret is not kept, whatever it is; that it was null is', () => {
  const value = { iban: 'DE1', list: [1], inner: { iban: 'DE2' } };

  assert.equal(
    forAudit(value, places('iban')),
    '{"iban":"[redacted]","list":[1],"inner":{"iban":"DE2"}}',
  );
  assert.equal(
    forAudit([{ iban: { deep: 1 } }, { iban: null }], places('iban')),
    '[{"iban":"[redacted]"},{"iban":null}]',
  );
  assert.equal(forAudit('x', SECRET), '"[redacted]"');
});

test('what stands under the name of a secret, or looks like one, is not kept', () => {
  const value = {
    user: 'li',
    password: 'hunter2',
    auth: [{ accessToken: 'abc', max_tokens: 5 }],
    note: 'call with Bearer abcdefgh please',
    rsk_ABCDEFGHIJ: 1,
  };

  assert.deepEqual(JSON.parse(forAudit(value)), {
    user: 'li',
    password: '[redacted]',
    auth: [{ accessToken: '[redacted]', max_tokens: 5 }],
    note: 'call with [redacted] please',
    '[redacted]': 1,
  });
});

test('a secret is not seen where a text is cut', () => {
  const token = `eyJ${'S3CRET'.repeat(2_000)}.${'S3CRET'.repeat(100)}`;
  for (const before of [0, 4_000, 4_090, 8_100, 8_190]) {
    for (const fill of ['x', 'x ', 'sk-S3CRETS3CRETS3CRET1 ']) {
      const text = fill.repeat(10_000).slice(0, before);

      const kept = forAudit({ text: `${text} ${token}` });

      assert.ok(!kept.includes('S3CRET'), `${before} of ${fill}`);
      assert.ok(kept.length <= 4_097);
    }
  }
});

test('a large value costs what is shown of it, and what is too deep is not shown', () => {
  let looked = 0;
  const many = Array.from({ length: 100_000 }, () => ({
    get n() {
      looked += 1;
      return 'some text that is shown';
    },
  }));
  assert.match(forAudit(many), /…$/);
  assert.ok(looked < 200, String(looked));

  let deep: unknown = 'S3CRET';
  for (let n = 0; n < 5_000; n++) deep = [deep];
  assert.equal(forAudit(deep), `${'['.repeat(32)}"…"${']'.repeat(32)}`);
});

test('a value without secrets is the JSON that it always was', () => {
  const value = { a: [1, -0.5, null, true, 'é😀"\\\n'], b: { c: {}, d: [] }, e: undefined };
  assert.equal(forAudit(value), JSON.stringify(value));
});

test('for whoever is to say yes to it a value is whole, but for the same secrets', () => {
  const list = Array.from({ length: 5_000 }, (_, n) => n);
  const value = { iban: 'DE1', list, none: null, password: 'x', note: 'Bearer abcdefgh', n: 1 };

  assert.deepEqual(withoutSecrets(value, places('iban')), {
    ...value,
    iban: '[redacted]',
    password: '[redacted]',
    note: '[redacted]',
  });
  assert.equal(value.iban, 'DE1');
  assert.equal(withoutSecrets(undefined), undefined);
  const deep = JSON.parse(`${'['.repeat(65)}"x"${']'.repeat(65)}`) as unknown;
  assert.match(JSON.stringify(withoutSecrets(deep)), /^\[{64}"…"\]{64}$/);
});
