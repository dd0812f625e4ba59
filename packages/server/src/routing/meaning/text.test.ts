import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { keyOf, plain, TEXT_CHARS_MAX, termsOf, wordsOf } from './text.ts';

test('Chinese without spaces falls into words and pairs of letters', () => {
  const words = wordsOf('查询订单的物流轨迹');

  for (const word of ['查询', '订单', '物流', '轨迹']) assert.ok(words.includes(word), word);
  assert.ok(!words.includes('的'));
});

test('English words lose their endings, and words that say nothing', () => {
  assert.deepEqual(wordsOf('Where are the shipped orders'), wordsOf('where is a shipping order'));
  assert.deepEqual(wordsOf('what is it to you'), []);
});

test('names are split at points, underscores and capitals', () => {
  for (const name of ['find_symbol', 'findSymbol', 'find.symbol', 'find-symbol', 'FIND SYMBOL']) {
    assert.equal(keyOf(name), 'find symbol', name);
  }
  assert.equal(keyOf('HTTPServerError'), 'http server error');
});

test('wide letters, invisible characters and line breaks do not make another text', () => {
  assert.equal(keyOf('ｏｒｄｅｒ＿ｓｔａｔｕｓ'), 'order status');
  assert.equal(keyOf('or\u200bder\u0000 \u202estatus\n'), 'order status');
  assert.deepEqual(termsOf('订\u200d单'), termsOf('订单'));
});

test('scripts may be mixed in one word', () => {
  const words = wordsOf(plain('用SF快递查订单ORD2025号'));

  for (const word of ['sf', '快递', '订单']) assert.ok(words.includes(word), word);
});

test('a text of 100 KB, in any script, is bounded', () => {
  const random = seededRandom(5);
  const letter = () => String.fromCodePoint(0x4e00 + random.below(20_000));
  const texts = [
    'word'.repeat(25_000),
    Array.from({ length: 50_000 }, letter).join(''),
    Array.from({ length: 15_000 }, (_, i) => `w${i}`).join(' '),
    '\ufdfa'.repeat(50_000), // One character that becomes eighteen.
  ];
  for (const text of texts) {
    assert.ok(plain(text).length <= TEXT_CHARS_MAX);
    const { words, grams } = termsOf(text);
    assert.ok(words.size <= 256 && grams.size <= 2_048);
  }
});

test('what has no letters has no terms, and breaks nothing', () => {
  for (const text of ['', '   ', '😀🎉', '\u0000\u0007', '…!?', '\ud83d', '\u200b\u200b']) {
    assert.deepEqual(termsOf(text), { words: new Map(), grams: new Map() }, JSON.stringify(text));
  }
});

test('a cut leaves no half of a character', () => {
  const text = plain('😀'.repeat(TEXT_CHARS_MAX), 5);

  assert.equal(text, '😀😀');
});

test('one letter wrong leaves most of the spelling', () => {
  const [right, wrong] = [termsOf('invoice').grams, termsOf('invioce').grams];
  const common = [...right.keys()].filter((gram) => wrong.has(gram));

  assert.ok(common.length > 0);
  assert.equal(
    [...right.keys()].some((gram) => termsOf('weather').grams.has(gram)),
    false,
  );
});
