import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability } from '@agent-reach/core';
import { capability } from '../../registry/testing/builders.ts';
import { lint } from './lint.ts';
import { catalogueOf, SHOP } from './testing/shop.ts';

const read = (name: string, description: string, over: Partial<Capability> = {}) =>
  capability({ name, display_name: name, description, effect: 'read', ...over });

/** What is found of the first one beside all of them. */
function lintFirst(...all: Capability[]) {
  const [first] = all;
  assert.ok(first);
  return lint(first, catalogueOf(all));
}

const STOCK = read('stock.look', '查询某个商品在各仓库的可用库存数量');

test('a shop whose capabilities differ has nothing to be told', () => {
  for (const one of SHOP) assert.deepEqual(lint(one, catalogueOf()), [], one.name);
});

test('one that reads like another is told which one, whose it is and what both say', () => {
  const twin = read('warehouse.count', '查询某个商品在各仓库的库存数量');

  const [found] = lintFirst(twin, STOCK, ...SHOP);

  assert.equal(found?.kind, 'alike');
  assert.ok(found.kind === 'alike');
  assert.equal(found.neighbour, 'stock.look');
  assert.deepEqual(found.agents, ['agent-0']);
  for (const word of ['查询', '商品', '库存']) assert.ok(found.shared.includes(word), word);
});

test('the same words in another order are alike, in English as well', () => {
  const one = read('alarm.add', 'Sets an alarm for a given time of the day.');
  const other = read('wake', 'For a given time of the day sets an alarm.');

  assert.equal(lintFirst(one, other)[0]?.kind, 'alike');
});

test('those that say what they are not for have been told apart', () => {
  const twin = read('warehouse.count', '查询某个商品在各仓库的库存数量', { not_for: ['不预测'] });

  assert.deepEqual(lintFirst(twin, STOCK), []);
});

test('a description that only repeats the name is weak, in either language', () => {
  const kinds = (one: Capability) => lintFirst(one, STOCK).map(({ kind }) => kind);

  assert.deepEqual(kinds(read('weather_forecast', 'Weather forecast.')), ['weak']);
  const named = { display_name: '天气预报' };
  assert.deepEqual(kinds(read('weather', '天气预报。', named)), ['weak']);
  assert.deepEqual(kinds(read('weather', '查询城市的天气预报。', named)), []);
  // Whoever says nothing is told so where his manifest is read.
  assert.deepEqual(kinds(read('weather', '')), []);
});

test('an example that two have decides nothing, and is told', () => {
  const one = read('a.one', '查询城市的天气预报', { examples: ['Look it up!', '明天下雨吗'] });
  const other = read('b.two', '翻译一段文字', { examples: ['look it up'] });

  assert.deepEqual(lintFirst(one, other), [
    { kind: 'example', neighbour: 'b.two', example: 'Look it up!' },
  ]);
});

test('what is not there yet, or has no words, is looked at without harm', () => {
  const { length } = lint(read('x', '😀 …'), catalogueOf([]));
  assert.equal(length, 1);
});
