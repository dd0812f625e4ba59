import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { type DocumentText, Lexicon } from './lexicon.ts';
import { termsOf } from './text.ts';

function text(description: string, over: Partial<DocumentText> = {}): DocumentText {
  return { names: [], description, tags: [], parameters: [], examples: [], ...over };
}

test('scores of words are those of BM25, over the most that the query could have', () => {
  const lexicon = new Lexicon();
  const apple = lexicon.add(text('apple apple pear'));
  lexicon.add(text('plum'));
  const scores = lexicon.score(termsOf('apple fig'));

  // k1 1.2, b 0.75; 2 documents, of 3 words and 1; `apple` twice in one, `fig` in none.
  const idf = (having: number) => Math.log(1 + (2 - having + 0.5) / (having + 0.5));
  const norm = 1.2 * (1 - 0.75 + (0.75 * 3) / 2);
  const most = (idf(1) + idf(0)) * 2.2;
  const expected = (idf(1) * 2 * 2.2) / (2 + norm) / most;
  assert.ok(Math.abs(scores.words(apple) - expected) < 1e-12, String(scores.words(apple)));
  assert.equal(scores.unknown, 0.5);
  assert.equal(scores.coverage(apple), 1);
});

test('each leg finds alone what the other misses, and what is missing counts nothing', () => {
  const lexicon = new Lexicon();
  const invoice = lexicon.add(text('invoice'));
  const parameter = lexicon.add(text('', { parameters: ['warehouse'] }));

  const misspelt = lexicon.score(termsOf('invioce'));
  assert.deepEqual([...misspelt.documents], [invoice]);
  assert.equal(misspelt.words(invoice), 0);
  assert.ok(misspelt.grams(invoice) > 0);

  const byParameter = lexicon.score(termsOf('warehouse'));
  assert.ok(byParameter.words(parameter) > 0);
  assert.equal(byParameter.grams(parameter), 0);
});

test('what is added is found at once, and what is taken out is not', () => {
  const lexicon = new Lexicon();
  const first = lexicon.add(text('track a parcel', { examples: ['where is my parcel'] }));
  assert.deepEqual([...lexicon.score(termsOf('parcel')).documents], [first]);

  lexicon.remove(first);

  assert.deepEqual([...lexicon.score(termsOf('parcel')).documents], []);
  assert.equal(lexicon.size, 0);
  assert.equal(lexicon.terms, 0);
  lexicon.remove(first);
  assert.equal(lexicon.size, 0);
  const second = lexicon.add(text('parcel'));
  assert.deepEqual([...lexicon.score(termsOf('parcel')).documents], [second]);
});

const WORDS = '订单 物流 发票 退款 天气 order parcel invoice refund weather track list'.split(' ');

test('scores depend on what is there, not on how it came to be there', () => {
  const seed = 20_251_201;
  const random = seededRandom(seed);
  const some = () =>
    Array.from({ length: 1 + random.below(6) }, () => WORDS[random.below(WORDS.length)]).join(' ');
  for (let round = 0; round < 30; round++) {
    const kept = Array.from({ length: 12 }, some);
    const straight = new Lexicon();
    const winding = new Lexicon();
    const ids = new Map(kept.map((one) => [straight.add(text(one)), one]));
    const passing = Array.from({ length: 5 }, () => winding.add(text(some())));
    const windingIds = new Map(kept.toReversed().map((one) => [winding.add(text(one)), one]));
    for (const id of passing) winding.remove(id);

    const query = termsOf(some());
    const told = (lexicon: Lexicon, of: Map<number, string>) => {
      const scores = lexicon.score(query);
      return scores.documents
        .map((id) => `${of.get(id)} ${scores.words(id).toFixed(9)} ${scores.grams(id).toFixed(9)}`)
        .sort();
    };
    assert.deepEqual(
      told(winding, windingIds),
      told(straight, ids),
      `seed ${seed}, round ${round}`,
    );
  }
});

test('every score lies between 0 and 1', () => {
  const seed = 7;
  const random = seededRandom(seed);
  const some = (n: number) =>
    Array.from({ length: n }, () => WORDS[random.below(WORDS.length)]).join(' ');
  const lexicon = new Lexicon();
  for (let i = 0; i < 200; i++) {
    lexicon.add(text(some(1 + random.below(40)), { names: [some(2)], examples: [some(3)] }));
  }
  for (let i = 0; i < 200; i++) {
    const scores = lexicon.score(termsOf(some(1 + random.below(20))));
    for (const id of scores.documents) {
      for (const value of [scores.words(id), scores.grams(id), scores.coverage(id)]) {
        assert.ok(value >= 0 && value <= 1 + 1e-9, `seed ${seed}: ${value}`);
      }
    }
  }
});
