import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom } from '@agent-reach/core/kernel';
import { type DocumentText, Lexicon } from './lexicon.ts';
import { scorePlainly, type PlainDocument } from './testing/plain-lexicon.ts';
import { addTerms, noTerms, plain, termsOf } from './text.ts';

/** Few words that many have, so that lists are long, and many that few have. */
const COMMON = '订单 物流 发票 退款 order parcel invoice refund weather track list'.split(' ');

function wordFrom(random: Random): string {
  if (random.below(3) > 0) return COMMON[random.below(COMMON.length)] ?? '';
  const letter = () => String.fromCodePoint(0x61 + random.below(26));
  return Array.from({ length: 3 + random.below(5) }, letter).join('');
}

function phraseFrom(random: Random, most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => wordFrom(random)).join(' ');
}

function textFrom(random: Random): DocumentText {
  const some = (most: number) => (random.below(2) === 0 ? [] : [phraseFrom(random, most)]);
  return {
    names: [phraseFrom(random, 2)],
    description: phraseFrom(random, 12),
    tags: some(2),
    parameters: some(4),
    examples: some(6),
  };
}

/** By the same fields and weights, and with nothing of an index. */
function plainDocument(id: number, text: DocumentText): PlainDocument {
  const terms = noTerms();
  for (const one of text.names) addTerms(terms, plain(one), 1.5);
  addTerms(terms, plain(text.description), 1);
  for (const one of text.tags) addTerms(terms, plain(one), 0.5);
  for (const one of text.parameters) addTerms(terms, plain(one), 0.3, false);
  for (const one of text.examples) addTerms(terms, plain(one), 1);
  return { id, ...terms };
}

/** Adds, replaces and removes at random: first more comes than goes, then more goes than comes. */
function* history(random: Random, steps: number, lexicon: Lexicon) {
  const documents = new Map<number, PlainDocument>();
  const add = () => {
    const text = textFrom(random);
    const id = lexicon.add(text);
    assert.ok(!documents.has(id), `${id} is in use`);
    documents.set(id, plainDocument(id, text));
  };
  const remove = () => {
    const ids = [...documents.keys()];
    const id = ids[random.below(ids.length)];
    if (id === undefined) return;
    lexicon.remove(id);
    documents.delete(id);
  };
  for (let step = 0; step < steps; step++) {
    const isGrowing = step < steps / 2;
    const dice = random.below(10);
    if (dice === 0) {
      remove();
      add();
    } else if (dice < 8 === isGrowing) add();
    else remove();
    yield { step, documents: [...documents.values()] };
  }
}

function assertNear(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) < 1e-9, `${what}: ${actual}, and plainly ${expected}`);
}

test('scores are those of the plain formulas, whatever was added, replaced and removed before', () => {
  const seed = 20_261_201;
  const random = seededRandom(seed);
  const lexicon = new Lexicon();
  let most = 0;
  for (const { step, documents } of history(random, 1_200, lexicon)) {
    most = Math.max(most, documents.length);
    if (step % 20 !== 0) continue;
    const query = termsOf(phraseFrom(random, 8));
    const scores = lexicon.score(query);
    const expected = scorePlainly(query, documents);
    const at = `seed ${seed}, step ${step}`;
    assert.equal(scores.isRough, false);
    assert.deepEqual(new Set(scores.documents), new Set(expected.found.keys()), at);
    assert.equal(scores.documents.length, expected.found.size, at);
    assertNear(scores.unknown, expected.unknown, at);
    for (const [id, score] of expected.found) {
      assertNear(scores.words(id), score.words, `${at}, words of ${id}`);
      assertNear(scores.grams(id), score.grams, `${at}, grams of ${id}`);
      assertNear(scores.coverage(id), score.coverage, `${at}, coverage of ${id}`);
      assert.equal(scores.hasRarest(id), score.hasRarest, `${at}, rarest of ${id}`);
    }
  }
  // Lists must have been longer than a block, and short again.
  assert.ok(most > 200, `seed ${seed}: ${most} documents at most`);
});

test('a rough score of spelling is never too high, and right once a document is compared in full', () => {
  const seed = 20_261_202;
  const random = seededRandom(seed);
  const lexicon = new Lexicon({ wholeMax: 100, runsMax: 50 });
  let leftOut = 0;
  for (const { step, documents } of history(random, 500, lexicon)) {
    if (step % 25 !== 0) continue;
    const query = termsOf(phraseFrom(random, 8));
    const scores = lexicon.score(query);
    assert.equal(scores.isRough, documents.length > 100);
    const { found } = scorePlainly(query, documents);
    for (const { id } of documents) {
      const at = `seed ${seed}, step ${step}, document ${id}`;
      const expected = found.get(id)?.grams ?? 0;
      const rough = scores.grams(id);
      assert.ok(rough <= expected + 1e-9, `${at}: ${rough}, and plainly ${expected}`);
      if (rough < expected - 1e-9) leftOut += 1;
      scores.spell(id);
      scores.spell(id);
      assertNear(scores.grams(id), expected, at);
      assertNear(scores.words(id), found.get(id)?.words ?? 0, at);
    }
  }
  assert.ok(leftOut > 0, `seed ${seed}: nothing was left out`);
});

test('an index from which all was removed has no term and takes what comes in its place', () => {
  const seed = 5;
  const random = seededRandom(seed);
  const lexicon = new Lexicon();
  for (let round = 0; round < 3; round++) {
    const ids = Array.from({ length: 150 }, () => lexicon.add(textFrom(random)));
    assert.equal(Math.max(...ids), 149, `seed ${seed}, round ${round}`);
    assert.ok(lexicon.postings > lexicon.terms);
    for (const id of ids) lexicon.remove(id);
    assert.deepEqual([lexicon.size, lexicon.terms, lexicon.postings], [0, 0, 0]);
  }
});
