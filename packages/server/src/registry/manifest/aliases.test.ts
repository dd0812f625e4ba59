import assert from 'node:assert/strict';
import test from 'node:test';
import { checklist } from './checklist.ts';
import { digestManifest } from './digest.ts';
import { formA, read, refusalOf } from './testing/bodies.ts';

const of = (body: unknown) => read(body).manifest.capabilities[0]?.aliases;

test('aliases are read in every form, in NFC, and once each', () => {
  const aliases = ['查单', 'ask_codex', 'Café', 'Cafe\u0301'];
  const connector = { connector: 'crm', protocol: 'http', endpoint: 'http://crm' };

  for (const body of [
    formA({ aliases }),
    { agent_name: 'a', capabilities: [{ id: 'x', name: 'X', aliases }] },
    { ...connector, name: 'crm.read', aliases },
  ]) {
    assert.deepEqual(of(body), ['查单', 'ask_codex', 'Café']);
  }
});

test('a manifest without aliases is the one that it was before there were any', () => {
  const [none, empty] = [read(formA()).manifest, read(formA({ aliases: [] })).manifest];

  assert.equal(of(formA({ aliases: [] })), undefined);
  assert.equal(digestManifest(none), digestManifest(empty));
  assert.notEqual(digestManifest(none), digestManifest(read(formA({ aliases: ['x'] })).manifest));
});

test('an alias within its bounds is taken, and one past them is refused by field, value and bound', () => {
  const eight = Array.from({ length: 8 }, (_, i) => `alias ${i}`);
  assert.deepEqual(of(formA({ aliases: eight })), eight);
  assert.deepEqual(of(formA({ aliases: ['单'.repeat(64), '1'] })), ['单'.repeat(64), '1']);

  const refusals: [unknown, RegExp][] = [
    [[...eight, 'one more'], /^validation-failed #\/capabilities\/0\/aliases .*8/],
    [['x'.repeat(65)], /^validation-failed #\/capabilities\/0\/aliases\/0 .*64/],
    [['x', ''], /^validation-failed #\/capabilities\/0\/aliases\/1 .*1/],
    [['x', 'x'], /^validation-failed #\/capabilities\/0\/aliases /],
    ['x', /^validation-failed #\/capabilities\/0\/aliases /],
    [['x', '…!'], /^manifest-refused #\/capabilities\/0\/aliases\/1 is "…!", which has no letter/],
    [['a\nb'], /^manifest-refused #\/capabilities\/0\/aliases\/0 has U\+000A at 1/],
    [['a\u200bb'], /^manifest-refused #\/capabilities\/0\/aliases\/0 has U\+200B at 1/],
  ];
  for (const [aliases, expected] of refusals) assert.match(refusalOf(formA({ aliases })), expected);
});

test('an alias that is refused stands in the checklist under names', () => {
  const [item] = checklist(formA({ aliases: ['!'] })).filter(({ verdict }) => verdict === 'failed');

  assert.equal(item?.name, 'Names');
  assert.match(item.advice ?? '', /alias/);
});

test('a write whose alias speaks of money is sensitive unless it says otherwise', () => {
  const isSensitive = (over: object) =>
    read(formA({ name: 'desk_job', aliases: ['我要退款'], ...over })).manifest.capabilities[0]
      ?.sensitive;

  assert.equal(isSensitive({}), true);
  assert.equal(isSensitive({ effect: 'read' }), false);
  assert.equal(isSensitive({ sensitive: false }), false);
});
