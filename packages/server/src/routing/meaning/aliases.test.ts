import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability } from '@agent-reach/core';
import { capability } from '../../registry/testing/builders.ts';
import { lint } from './lint.ts';
import { catalogueOf, offered, put, read, SHOP } from './testing/shop.ts';

const CODEX = capability({
  name: 'mcp__plugin_x__ask_codex',
  display_name: 'Codex',
  aliases: ['ask_codex', 'oldDesk', '问代码', 'Second Opinion'],
  description: 'Hands a programming question on.',
  effect: 'read',
});
const one = (name: string, over: Partial<Capability> = {}) =>
  capability({ name, display_name: name, description: 'Packs files.', effect: 'read', ...over });

for (const intent of ['ask_codex', 'askCodex', 'Ask-Codex', '问代码', 'ｓｅｃｏｎｄ opinion！']) {
  test(`${intent} is an alias, and as good as the name`, () => {
    const reading = read(intent, catalogueOf([...SHOP, CODEX]));

    assert.deepEqual([reading.outcome, reading.reason, reading.right], ['route', 'EXACT', 1]);
    assert.deepEqual(reading.names, [CODEX.name]);
  });
}

test('an alias that stands in a sentence as names do is mentioned, and is offered at least', () => {
  const catalogue = catalogueOf([...SHOP, CODEX]);
  const mentioned = (intent: string) =>
    read(intent, catalogue)
      .ranking.candidates.filter(({ isMentioned }) => isMentioned)
      .map(({ name }) => name);

  assert.deepEqual(mentioned('where is my parcel, says ask_codex'), [CODEX.name]);
  assert.ok(offered(read('开发票之前先 oldDesk 一下', catalogue)).includes(CODEX.name));
  // Neither another way to write it, nor words that happen to be an alias.
  assert.deepEqual(mentioned('where is my parcel, says Ask.Codex'), []);
  assert.deepEqual(mentioned('a Second Opinion of my parcel'), []);
});

test('names and display names go before aliases, whoever declared them first', () => {
  const thief = one('thief', { aliases: ['order.status', '订单状态查询', 'parcel_track'] });

  for (const capabilities of [
    [...SHOP, thief],
    [thief, ...SHOP],
  ]) {
    const catalogue = catalogueOf(capabilities);
    assert.deepEqual(read('order status', catalogue).names, ['order.status']);
    assert.deepEqual(read('订单状态查询', catalogue).names, ['order.status']);
    assert.deepEqual(read('parcel.track', catalogue).names, ['parcel.track']);
    assert.equal(catalogue.mentioned('order.status'), 'order.status');
  }
});

test('an alias goes before the last part of a name, which nobody declared', () => {
  const other = one('mcp__plugin_y__ask_codex');

  assert.deepEqual(read('ask codex', catalogueOf([CODEX, other])).names, [CODEX.name]);
});

test('an alias that two have is asked about, and mentions neither', () => {
  const other = one('second', { aliases: ['ask-codex', 'ask_codex'] });
  const catalogue = catalogueOf([...SHOP, CODEX, other]);
  const reading = read('ask codex', catalogue);

  assert.deepEqual([reading.outcome, reading.reason], ['ask', 'NEAR_TIE']);
  assert.deepEqual(offered(reading), [CODEX.name, 'second']);
  assert.equal(catalogue.mentioned('ask_codex'), undefined);
  assert.equal(catalogue.mentioned('ask-codex'), 'second');
});

test('the alias of what is sensitive leads there by no intent, and nothing else by it', () => {
  const sensitive = one('pay_back', { sensitive: true, aliases: ['money_back'] });
  const alone = catalogueOf([...SHOP, sensitive]);
  for (const intent of ['money back', 'money_back', 'please money_back my parcel']) {
    const reading = read(intent, alone);
    assert.notEqual(reading.outcome, 'route', intent);
    assert.ok(!offered(reading).includes('pay_back'), intent);
  }

  const both = catalogueOf([...SHOP, sensitive, one('zip', { aliases: ['money_back'] })]);
  assert.notEqual(read('money back', both).outcome, 'route');
  assert.deepEqual(read('zip', both).names, ['zip']);
});

test('aliases are keys alone: with them every other number stays as it was', () => {
  const intent = 'where is my parcel right now, and what is the state of my order';
  const numbers = (aliases: string[]) => {
    const [first, ...rest] = SHOP;
    const catalogue = catalogueOf([{ ...(first as Capability), aliases }, ...rest]);
    const { ranking, right } = read(intent, catalogue);
    return { ranking: ranking.candidates.map(({ capability: _, ...said }) => said), right };
  };

  assert.deepEqual(numbers(['where is my order now', 'parcel state']), numbers([]));
});

test('offers that differ in their aliases alone are one text with all of them', () => {
  const catalogue = catalogueOf();
  const before = catalogue.lexicon.size;
  const { aliases: _, ...bare } = CODEX;
  put(catalogue, bare, { ...bare, aliases: ['a b'] }, { ...bare, aliases: ['c d'] });

  assert.equal(catalogue.lexicon.size, before + 1);
  for (const alias of ['a b', 'c-d']) assert.deepEqual(read(alias, catalogue).names, [CODEX.name]);
});

test('an alias leads nowhere where those who declare it may not offer the capability', () => {
  const { aliases: _, ...bare } = CODEX;
  const catalogue = catalogueOf();
  put(catalogue, bare, { ...bare, aliases: ['wipe it'] });
  const admits = (_name: string, agents: ReadonlySet<string>) =>
    agents.has('agent-0') ? ('in' as const) : ('out' as const);

  assert.deepEqual(read('wipe it', catalogue).names, [CODEX.name]);
  assert.notEqual(read('wipe it', catalogue, { admits }).outcome, 'route');
  assert.deepEqual(read('Codex', catalogue, { admits }).names, [CODEX.name]);
});

test('an alias that is no longer declared is forgotten, and the others are kept', () => {
  const catalogue = catalogueOf([...SHOP, CODEX]);
  put(catalogue, { ...CODEX, aliases: ['问代码'] });

  assert.notEqual(read('second opinion', catalogue).reason, 'EXACT');
  assert.equal(catalogue.mentioned('ask_codex'), undefined);
  assert.deepEqual(read('问代码', catalogue).names, [CODEX.name]);
  catalogue.put(CODEX.name, []);
  assert.equal(read('问代码', catalogue).outcome, 'none');
  assert.deepEqual(catalogue.aliased('问代码'), []);
});

test('whoever shares an alias, or a name with one, is told with whom, and whose it is', () => {
  const found = (one: Capability, ...others: Capability[]) =>
    lint(one, catalogueOf([one, ...others])).filter(({ kind }) => kind.startsWith('alias'));
  const stock = one('stock.look', { display_name: '查库存' });

  assert.deepEqual(found(one('a', { aliases: ['stockLook', '查库存', 'x'] }), stock), [
    { kind: 'alias', neighbour: 'stock.look', alias: 'stockLook', is: 'name' },
    { kind: 'alias', neighbour: 'stock.look', alias: '查库存', is: 'display name' },
  ]);
  const [a, b] = [one('a', { aliases: ['x y'] }), one('b', { aliases: ['X-Y'] })];
  assert.deepEqual(found(a, b), [{ kind: 'alias', neighbour: 'b', alias: 'x y', is: 'alias' }]);
  assert.deepEqual(found(stock, one('a', { aliases: ['stock look'] })), [
    { kind: 'aliased', neighbour: 'a' },
  ]);
  // Its own names twice harm nobody.
  assert.deepEqual(found(one('a b', { aliases: ['a-b'] }), stock), []);
});
