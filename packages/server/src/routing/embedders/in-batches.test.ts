import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Embedder, vectorsFrom } from './embedder.ts';
import { embedMany } from './in-batches.ts';

const patience = { timeoutMs: 1_000, signal: new AbortController().signal };

/** Takes batches of `most`, no text with an x, and gives its length as its vector. */
function picky(batchMax: number, most: number): Embedder & { sizes: number[] } {
  const sizes: number[] = [];
  return {
    name: 'picky',
    batchMax,
    sizes,
    async embed(texts) {
      sizes.push(texts.length);
      if (texts.length > most || texts.some((text) => text.includes('x'))) {
        return { ok: false, fault: 'not-taken', detail: 'no' };
      }
      return vectorsFrom(
        texts.map((text) => [text.length, 1]),
        texts.length,
      );
    },
    close: async () => {},
  };
}

const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];

test('texts are embedded in requests of so many, in their order', async () => {
  const embedder = picky(2, 2);

  const answer = await embedMany(texts, 'passage', embedder, patience);

  assert.ok(answer.ok);
  assert.deepEqual(embedder.sizes, [2, 2, 1]);
  const slopes = answer.vectors.map((vector) =>
    Math.round((vector?.[0] ?? 0) / (vector?.[1] ?? 1)),
  );
  assert.deepEqual(slopes, [1, 2, 3, 4, 5]);
});

test('a batch that is too large is halved until it is taken', async () => {
  const embedder = picky(5, 2);

  const answer = await embedMany(texts, 'passage', embedder, patience);

  assert.ok(answer.ok && answer.vectors.every((vector) => vector !== undefined));
  assert.deepEqual(embedder.sizes, [5, 3, 2, 1, 2]);
});

test('one text that nobody takes is left out alone', async () => {
  const answer = await embedMany(['a', 'xx', 'ccc'], 'passage', picky(3, 3), patience);

  assert.ok(answer.ok);
  assert.deepEqual(
    answer.vectors.map((vector) => vector !== undefined),
    [true, false, true],
  );
});

test('any other fault ends it, and is told', async () => {
  const embedder: Embedder = {
    ...picky(1, 1),
    embed: async () => ({ ok: false, fault: 'busy', detail: 'later', waitMs: 5 }),
  };

  const answer = await embedMany(texts, 'passage', embedder, patience);

  assert.deepEqual(answer, { ok: false, fault: 'busy', detail: 'later', waitMs: 5 });
});
