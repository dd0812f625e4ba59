import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { issuesOf } from './check.ts';
import {
  AgentId,
  CapabilityName,
  DisplayName,
  IdempotencyKey,
  InstanceId,
  RequestId,
  Tags,
  TagsInput,
  TenantId,
} from './names.ts';

const fits = (schema: TSchema, value: unknown) => issuesOf(schema, value).length === 0;

const names: [what: string, schema: TSchema, longest: number, good: string[], bad: string[]][] = [
  ['an agent id', AgentId, 128, ['a', '0', 'order-query.v2_x'], ['', 'A', '-a', 'a b', '订单']],
  ['an instance id', InstanceId, 128, ['A', '10.0.0.1:80', 'i-1'], ['', '-', 'a/b', 'a b']],
  ['a capability', CapabilityName, 128, ['crm.contact.read', 'Q1'], ['', '.a', 'a/b', '查询']],
  ['a tenant', TenantId, 64, ['internal', 'a.b'], ['', '@system', 'A']],
  ['a request id', RequestId, 128, ['req-1', 'a|b:c'], ['', '|a', 'a b', 'a/b', 'a\n']],
];

for (const [what, schema, longest, good, bad] of names) {
  test(`${what} has its own alphabet and at most ${longest} characters`, () => {
    for (const name of [...good, 'a'.repeat(longest)]) assert.ok(fits(schema, name), name);
    for (const name of [...bad, 'a'.repeat(longest + 1), 'a\r\nb', 'a\n', 5, null]) {
      assert.ok(!fits(schema, name), JSON.stringify(name));
    }
  });
}

test('an idempotency key is 1 to 255 visible characters that a header carries bare', () => {
  for (let code = 0; code < 256; code++) {
    const mark = String.fromCharCode(code);
    const isFit = code > 0x20 && code < 0x7f && !',"\\'.includes(mark);

    assert.equal(fits(IdempotencyKey, mark), isFit, `code ${code}`);
  }
  assert.ok(fits(IdempotencyKey, 'k'.repeat(255)));
  assert.ok(!fits(IdempotencyKey, 'k'.repeat(256)));
  assert.ok(!fits(IdempotencyKey, ''));
});

test('a display name is 1 to 256 characters of any script', () => {
  assert.ok(fits(DisplayName, '订单查询助手 😀'));
  assert.ok(fits(DisplayName, '名'.repeat(256)));
  assert.ok(!fits(DisplayName, '名'.repeat(257)));
  assert.ok(!fits(DisplayName, ''));
});

test('tags are a map of short texts, up to 32', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '']));

  for (const tags of [{}, { region: 'cn' }, { 地区: '华东' }, many(32), { ['k'.repeat(64)]: '' }]) {
    assert.ok(fits(Tags, tags), JSON.stringify(tags));
  }
  for (const tags of [many(33), { a: 'v'.repeat(65) }, { a: 1 }, { a: {} }, { a: null }, []]) {
    assert.ok(!fits(Tags, tags), JSON.stringify(tags));
  }
});

test('the key of a tag has bounds as well, and no line break hides a value', () => {
  for (const key of ['k'.repeat(65), '', 'a\nb', 'a\u0000', '\u007f', '\n']) {
    assert.ok(!fits(Tags, { [key]: 'v' }), JSON.stringify(key));
    assert.ok(!fits(TagsInput, [key]), JSON.stringify(key));
    assert.ok(!fits(Tags, { [key]: { any: 'thing' } }), JSON.stringify(key));
  }
  assert.deepEqual(issuesOf(Tags, { ['k'.repeat(65)]: 'v' }), [
    {
      pointer: `#/${'k'.repeat(65)}`,
      detail: 'its name must not have more than 64 characters',
    },
  ]);
});

test('tags may be a list of up to 32 words', () => {
  const words = Array.from({ length: 33 }, (_, i) => `w${i}`);

  assert.ok(fits(TagsInput, []));
  assert.ok(fits(TagsInput, words.slice(1)));
  assert.ok(!fits(TagsInput, words));
  assert.ok(!fits(TagsInput, 'word'));
});
