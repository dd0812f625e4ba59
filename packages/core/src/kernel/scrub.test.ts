import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logTo } from './log.ts';
import { isSecretName, REDACTED, scrubText } from './scrub.ts';

const MAC = 'A'.repeat(22);

/** Secrets by their look; the part that must not be seen again is `S3CRET` or longer than that. */
export const SECRETS: readonly string[] = [
  `rsk_${'S3CRET'.repeat(7)}A`,
  `rtk_${'S3CRET'.repeat(7)}A`,
  'whsec_S3CRETS3CRETS3CRET',
  `eyJS3CRETS3CRET.S3CRETS3CRET.${MAC}`,
  `eyJS3CRETS3CRET.${MAC}`,
  `eyJ${'S3CRET'.repeat(50)}`,
  '-----BEGIN RSA PRIVATE KEY-----\nS3CRET\nS3CRET==\n-----END RSA PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nS3CRET cut off',
  'Authorization: Bearer S3CRETS3CRET',
  'Basic dXNlcjpTM0NSRVQ=S3CRET',
  'sk-proj-S3CRETS3CRETS3CRET',
  'sk_live_S3CRETS3CRETS3CRET',
  `ghp_${'S3CRET'.repeat(6)}`,
  'github_pat_S3CRETS3CRETS3CRETS3CRET',
  'glpat-S3CRETS3CRETS3CRET',
  'xoxb-S3CRETS3CRET',
  'AKIAS3CRETS3CRETS3CR',
  `AIza${'S3CRET'.repeat(6)}`,
  `npm_${'S3CRET'.repeat(6)}`,
  'ASIAS3CRETS3CRETS3CR',
  'ya29.S3CRETS3CRETS3CRET',
  `hf_${'S3CRET'.repeat(6)}`,
  `hvs.${'S3CRET'.repeat(4)}`,
  `SG.S3CRETS3CRETS3CRET.S3CRETS3CRETS3CRET`,
  'Negotiate S3CRETS3CRET',
  'BEARER S3CRETS3CRET',
  'BASIC dXNlcjpTM0NSRVQ=S3CRET',
  'postgres://app:S3CRET@db/prod',
  '{"password":"S3CRET with blanks S3CRET"}',
  String.raw`{\"api_key\": \"S3CRET\"}`,
  'https://x/cb?access_token=S3CRET&state=1',
];

for (const secret of SECRETS) {
  test(`${JSON.stringify(secret.slice(0, 30))} is not seen again, and what is beside it is`, () => {
    const text = scrubText(`before ${secret}" after`);

    assert.ok(!text.includes('S3CRET'), text);
    assert.match(text, /^before /);
    assert.match(text, /" after$/);
    assert.ok(text.includes(REDACTED));
  });
}

test('what only resembles a secret is left as it is', () => {
  for (const text of [
    'the token has expired',
    'Bearer of news',
    'Basic understanding of things',
    'risk-management-is-a-word-of-many-letters',
    'http://localhost:8080/v1/agents',
    'mailto:a@b.example',
    'ORD202501180001',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    'max_tokens: 4096',
    '密码错误',
    '',
  ]) {
    assert.equal(scrubText(text), text);
  }
});

test('the seal of a lease is a secret, though its words are not', () => {
  assert.equal(scrubText(`tsk_1~3~i-1~${MAC}`), `tsk_1${REDACTED}`);
});

test('a name tells a secret in every case, and figures are no tokens', () => {
  for (const name of [
    'password',
    'Password',
    'user_password',
    'userPassword',
    'X-Api-Key',
    'apiKey',
    'api_key',
    'APIKey',
    'client-secret',
    'accessToken',
    'refresh_token',
    'token',
    'Authorization',
    'set-cookie',
    'privateKey',
    'confirmation_code',
    'cvv',
    '密码',
    '登录密码',
    'credentials',
  ]) {
    assert.ok(isSecretName(name, 'x'), name);
    assert.ok(isSecretName(name, { deep: 'x' }), name);
    assert.ok(!isSecretName(name, null), name);
    assert.ok(!isSecretName(name, true), name);
  }
  for (const name of ['max_tokens', 'promptTokens', 'token_count']) {
    assert.ok(!isSecretName(name, 512), name);
  }
  assert.ok(isSecretName('cvv', 123));
  for (const name of [
    'key',
    'idempotency_key',
    'order_no',
    'author',
    'keyboard',
    'passenger',
    'tokenizer',
    'code',
    'pins',
  ]) {
    assert.ok(!isSecretName(name, 'x'), name);
  }
});

test('more names than are remembered are all judged', () => {
  for (let n = 0; n < 2_100; n++) {
    assert.ok(isSecretName(`password_${n}`, 'x'));
    assert.ok(!isSecretName(`field_${n}`, 'x'));
  }
  assert.ok(isSecretName(`${'x'.repeat(110)}_password`, 'x'));
});

test('a hostile text takes time in proportion to its length', () => {
  // Each would take minutes by a pattern that goes back over it; the runner's limit is the judge.
  for (const part of [
    '-----BEGIN A-----',
    'eyJaaaaaaaaa',
    '://a:',
    'password":"',
    'Basic aaaaaaaa ',
    'sk-a',
  ]) {
    assert.ok(scrubText(part.repeat(100_000 / part.length)).length > 0);
  }
});

test('a line of the log is JSON without the secrets, wherever they stand', () => {
  const lines: string[] = [];
  const log = logTo((line) => lines.push(line), 'info');

  for (const secret of SECRETS) {
    log.info({ err: new Error(`refused ${secret}`), deep: { list: [secret] } }, `said ${secret}`);
  }

  assert.equal(lines.length, SECRETS.length);
  for (const line of lines) {
    assert.ok(!line.includes('S3CRET'), line);
    assert.equal(typeof JSON.parse(line), 'object');
  }
});

test('what is looked for first is in all that is a secret by its look', () => {
  const secrets = [
    `rsk_${'a'.repeat(43)}`,
    `whsec_${'a'.repeat(20)}`,
    `eyJ${'a'.repeat(256)}`,
    `AKIA${'A'.repeat(16)}`,
    `AIza${'a'.repeat(35)}`,
    `Bearer ${'a'.repeat(20)}`,
    `SG.${'a'.repeat(16)}.${'a'.repeat(16)}`,
    'postgres://user:pass@host',
    'password=hunter22',
    '"secret":"hunter22"',
  ];
  for (const secret of secrets) assert.ok(scrubText(secret).includes(REDACTED), secret);
  // Without any of it nothing can be one.
  assert.equal(scrubText('ORD202501180001'), 'ORD202501180001');
});
