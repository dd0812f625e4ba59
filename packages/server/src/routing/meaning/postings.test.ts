import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { numberIn, NUMBERS_MAX, pack, Postings, stepsIn, WEIGHTS } from './postings.ts';

/** Sorted, for the order of a list is nobody's concern. */
function listOf(postings: Postings, term: number): number[] {
  const { array, from, to } = postings.of(term);
  return [...array.subarray(from, to)].sort((a, b) => a - b);
}

test('lists of any length hold what was added and not removed, over many pages', () => {
  const seed = 3;
  const random = seededRandom(seed);
  const postings = new Postings();
  const expected = new Map<number, Map<number, number>>();
  // Some terms that many documents have, and many that few have.
  const someTerm = () => (random.below(4) === 0 ? random.below(8) : 8 + random.below(12_000));
  for (let step = 0; step < 120_000; step++) {
    const term = someTerm();
    const own = expected.get(term) ?? new Map<number, number>();
    expected.set(term, own);
    if (random.below(10) < 6 === step < 70_000) {
      const document = random.below(50_000);
      if (own.has(document)) continue;
      const posting = pack(document, 0.05 * (1 + random.below(40)));
      own.set(document, posting);
      postings.add(term, posting);
    } else {
      const documents = [...own.keys()];
      const gone = documents[random.below(documents.length)];
      if (gone === undefined) continue;
      own.delete(gone);
      postings.remove(term, gone);
    }
  }
  for (const [term, own] of expected) {
    assert.equal(postings.count(term), own.size, `seed ${seed}, term ${term}`);
    assert.deepEqual(
      listOf(postings, term),
      [...own.values()].sort((a, b) => a - b),
      `seed ${seed}, term ${term}`,
    );
  }
});

test('a list grows past every length at which it moves, and shrinks again', () => {
  const postings = new Postings();
  const other = pack(7, 1);
  postings.add(1, other);
  const all = Array.from({ length: 300 }, (_, document) => pack(document, 1));
  for (const [i, posting] of all.entries()) {
    postings.add(0, posting);
    assert.deepEqual(listOf(postings, 0), all.slice(0, i + 1));
  }
  postings.remove(0, 300);
  for (let document = 299; document >= 0; document--) {
    postings.remove(0, document);
    assert.deepEqual(listOf(postings, 0), all.slice(0, document));
  }
  postings.remove(0, 0);
  assert.equal(postings.count(0), 0);
  assert.deepEqual(listOf(postings, 1), [other]);
});

test('the largest number and the least and greatest weight share one number', () => {
  const most = NUMBERS_MAX - 1;
  assert.equal(numberIn(pack(most, 51.15)), most);
  assert.equal(WEIGHTS[stepsIn(pack(most, 51.15))], 51.15);
  assert.equal(WEIGHTS[stepsIn(pack(most, 1_000))], 51.15);
  assert.equal(WEIGHTS[stepsIn(pack(0, 0.001))], 0.05);
});
