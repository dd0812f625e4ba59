import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { HashNumbers, type TermNumbers, WordNumbers } from './term-numbers.ts';

function rehearse<Term>(numbers: TermNumbers<Term>, termFrom: (n: number) => Term, seed: number) {
  const random = seededRandom(seed);
  const expected = new Map<Term, number>();
  for (let step = 0; step < 60_000; step++) {
    const isGrowing = step < 35_000;
    const term = termFrom(random.below(20_000));
    if (random.below(10) < 7 === isGrowing) {
      const number = numbers.take(term);
      const known = expected.get(term);
      if (known !== undefined) assert.equal(number, known, `seed ${seed}, step ${step}`);
      expected.set(term, number);
    } else {
      const number = expected.get(term);
      assert.equal(numbers.find(term), number ?? -1, `seed ${seed}, step ${step}`);
      if (number === undefined) continue;
      numbers.giveBack(number);
      expected.delete(term);
    }
  }
  assert.equal(numbers.size, expected.size);
  assert.equal(new Set(expected.values()).size, expected.size);
  for (const [term, number] of expected) assert.equal(numbers.find(term), number, `seed ${seed}`);
}

test('a word keeps its number until it is given back', () => {
  rehearse(new WordNumbers(), (n) => `word ${n}`, 1);
});

test('a hash keeps its number while tables grow, are split and lose others', () => {
  rehearse(new HashNumbers(), (n) => Math.imul(n, 0x2c1b3c6d) & 0x3fffffff, 2);
});

test('hashes that were made to fall into one table are all found', () => {
  // Multiples of a high power of two leave the lowest bits of what is made of them empty.
  rehearse(new HashNumbers(), (n) => (n << 14) & 0x3fffffff, 3);
  rehearse(new HashNumbers(), (n) => n, 4);
});

test('numbers that were given back are used again first', () => {
  const numbers = new HashNumbers();
  assert.deepEqual(
    [7, 8, 9].map((term) => numbers.take(term)),
    [0, 1, 2],
  );
  numbers.giveBack(1);
  numbers.giveBack(1);
  assert.equal(numbers.size, 2);
  assert.equal(numbers.find(8), -1);
  assert.equal(numbers.take(10), 1);
  assert.equal(numbers.take(11), 3);
});
