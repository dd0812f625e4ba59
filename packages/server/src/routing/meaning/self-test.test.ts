import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, languageOf } from './language.ts';
import { judgeTrial, PAIRS } from './self-test.ts';
import { isClear, scoreOf } from './sense.ts';

const COUNT = PAIRS.en.length;

/** One vector along each axis, or along the axis that is named for it. */
function axes(of: (place: number) => number): Float32Array[] {
  return Array.from({ length: COUNT }, (_, place) => {
    const vector = new Float32Array(COUNT);
    vector[of(place)] = 1;
    return vector;
  });
}

/** An embedder that finds the first `hits`. */
function finding(hits: number) {
  const own = (place: number) => place;
  const wrong = (place: number) => (place < hits ? place : (place + 1) % COUNT);
  return judgeTrial({ queries: axes(wrong), passages: axes(own) }, 0.5);
}

test('whoever finds all gets the whole share, and whoever finds half next to nothing', () => {
  const all = finding(COUNT);
  assert.ok('trust' in all && all.trust.share === 0.5 && all.right === 1);

  const half = finding(COUNT / 2);
  assert.ok('trust' in half);
  assert.ok(Math.abs(half.trust.share - 0.5 / 6) < 1e-9);
});

test('whoever finds fewer than half gets none, and is told how many', () => {
  const found = finding(COUNT / 2 - 1);

  assert.ok('why' in found);
  assert.match(found.why, /of 12 questions it found the answer to 5, and 6 are needed/);
});

test('whoever says the same of everything has found nothing', () => {
  const same = axes(() => 0);

  assert.deepEqual(judgeTrial({ queries: same, passages: same }, 0.5).right, 0);
});

test('each language has a dozen pairs of its own, in that language', () => {
  for (const language of LANGUAGES) {
    const texts = PAIRS[language].flat();
    assert.equal(new Set(texts).size, 24);
    assert.ok(
      texts.every((text) => languageOf(text) === language),
      language,
    );
  }
});

test('a text is in the language of most of its words', () => {
  for (const [text, language] of [
    ['where is my parcel', 'en'],
    ['我的快递到哪了', 'zh'],
    ['查询 order 的状态和物流轨迹', 'zh'],
    ['please look up 订单 for me now', 'en'],
    ['wo ist mein Paket', 'en'],
    ['12345', 'en'],
    ['', 'en'],
  ] as const) {
    assert.equal(languageOf(text), language, text);
  }
});

test('a cosine is a score over what texts have that mean different things', () => {
  const trust = { right: 1, share: 0.5, background: { mean: 0.75, deviation: 0.02 } };

  assert.equal(scoreOf(0.75, trust), 0);
  assert.equal(scoreOf(0.2, trust), 0);
  assert.equal(scoreOf(1, trust), 1);
  assert.ok(Math.abs(scoreOf(0.875, trust) - 0.5) < 1e-9);
});

test('the more there are to compare with, the clearer it must be', () => {
  const trust = { right: 1, share: 0.5, background: { mean: 0.2, deviation: 0.1 } };

  assert.ok(isClear(0.6, 10, trust));
  assert.ok(!isClear(0.6, 10_000, trust));
  assert.ok(isClear(0.75, 10_000, trust));
  assert.ok(!isClear(0.75, 10_000, { ...trust, right: 0.5 }));
});
