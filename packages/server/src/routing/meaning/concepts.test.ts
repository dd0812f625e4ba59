import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conceptsInChinese, conceptsInEnglish, GROUPS } from './concepts.ts';
import { matchable, wordsOf } from './text.ts';
import { capability } from '../../registry/testing/builders.ts';
import { catalogueOf, read } from './testing/shop.ts';

const conceptsOf = (text: string) => matchable(text).filter((word) => word.startsWith('≈'));

test('words for one thing share a concept, in Chinese and in English', () => {
  const [parcel] = conceptsOf('package');

  assert.ok(parcel !== undefined);
  for (const text of ['parcels', 'shipment', '包裹', '快递']) {
    assert.ok(conceptsOf(text).includes(parcel), text);
  }
  assert.deepEqual(conceptsOf('zyzzyva'), []);
});

test('an expression of several words counts as a whole, and what is within it as well', () => {
  const whole = conceptsInEnglish(['credit', 'card', 'bill']);
  const parts = [conceptsInEnglish(['credit', 'card']), conceptsInEnglish(['bill'])];
  for (const concept of parts.flat()) assert.ok(whole.includes(concept), concept);

  const status = conceptsInChinese(Array.from('订单状态'));
  assert.ok(status.includes('≈order status'), String(status));
  for (const concept of conceptsInChinese(Array.from('订单'))) assert.ok(status.includes(concept));
});

test('what stands in different sentences of another script is no expression', () => {
  assert.deepEqual(conceptsOf('turn 灯 off'), conceptsOf('灯'));
});

test('concepts come on top of the words, which stay what they are', () => {
  for (const text of ['where is my parcel', '我的快递到哪了', '用SF快递查订单', '']) {
    const words = matchable(text).filter((word) => !word.startsWith('≈'));
    assert.deepEqual(words, wordsOf(text), text);
  }
});

test('what is described in one language is found in the other', () => {
  const catalogue = catalogueOf([
    capability({
      name: 'a',
      display_name: 'a',
      description: 'Tells where a parcel is on its way.',
      effect: 'read',
    }),
    capability({
      name: 'b',
      display_name: 'b',
      description: 'Books a room in a hotel.',
      effect: 'read',
    }),
  ]);

  assert.equal(read('我的快递到哪了', catalogue).ranking.candidates[0]?.name, 'a');
  assert.equal(read('预订酒店', catalogue).ranking.candidates[0]?.name, 'b');
});

test('the thesaurus is well formed: each group has a name of its own and several expressions', () => {
  const names = new Set<string>();
  const groupsOf = new Map<string, number>();
  for (const group of GROUPS) {
    const [name = ''] = group;
    assert.match(name, /^[a-z0-9][a-z0-9 .'&/-]*$/);
    assert.ok(!names.has(name), `${name} is the name of two groups`);
    names.add(name);
    assert.ok(group.length > 1, name);
    assert.equal(new Set(group).size, group.length, `${name} says something twice`);
    for (const entry of group) {
      assert.equal(entry, entry.trim().toLowerCase(), name);
      const isMixed = /\p{Script=Han}/u.test(entry) && /[a-z0-9]/.test(entry);
      assert.ok(entry !== '' && !isMixed, `${entry} of ${name} is of two scripts`);
      groupsOf.set(entry, (groupsOf.get(entry) ?? 0) + 1);
    }
  }
  // More senses than two are no sense.
  for (const [entry, groups] of groupsOf) assert.ok(groups <= 2, entry);
});
