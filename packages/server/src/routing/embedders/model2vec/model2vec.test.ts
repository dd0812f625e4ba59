import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { cosine } from '../../meaning/vectors.ts';
import { model2vecEmbedder } from './model2vec.ts';
import { readSafetensors } from './safetensors.ts';
import { safetensors } from './testing/safetensors.ts';
import { tableOf } from './table.ts';
import { tokenizerOf } from './tokenizer.ts';

const patience = { timeoutMs: 1_000, signal: new AbortController().signal };
const REAL = join(import.meta.dirname, '../testing/bge-base-en-64d');

/** A tokenizer of whole words, and a table of two numbers each. */
const WORDS = {
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'WhitespaceSplit' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    vocab: { '[UNK]': 0, cat: 1, '##s': 2, dog: 3 },
  },
};

function folder(files: Record<string, Uint8Array | string>) {
  return async (path: string): Promise<Uint8Array> => {
    const file = files[path.split(/[/\\]/).at(-1) ?? ''];
    if (file === undefined) throw new Error(`ENOENT: ${path}`);
    return typeof file === 'string' ? Buffer.from(file) : file;
  };
}

function tiny(over: Record<string, Uint8Array | string> = {}) {
  const table = safetensors({
    embeddings: { dtype: 'F32', shape: [4, 2], data: [9, 9, 1, 0, 0, 1, 0, 2] },
  });
  const files = { 'model.safetensors': table, 'tokenizer.json': JSON.stringify(WORDS), ...over };
  return model2vecEmbedder({ folder: '/models/tiny', batchMax: 8 }, folder(files));
}

async function vectorOf(text: string, embedder = tiny()): Promise<number[]> {
  const answer = await embedder.embed([text], 'query', patience);
  assert.ok(answer.ok, JSON.stringify(answer));
  return [...(answer.vectors[0] ?? [])].map((value) => +value.toFixed(3));
}

function refuses(work: () => unknown, why: RegExp): void {
  assert.throws(work, (error) => ReachError.is(error) && why.test(error.message));
}

test('a text is the mean of its tokens', async () => {
  assert.deepEqual(await vectorOf('CAT'), [1, 0]);
  const [first, second] = await vectorOf('cats');
  assert.ok(first === second && first !== 0);
  assert.deepEqual(await vectorOf('cat dog'), [0.447, 0.894]);
});

test('what has no token is left out, and a text of nothing else is not taken', async () => {
  assert.deepEqual(await vectorOf('cat 你好'), [1, 0]);

  const answer = await tiny().embed(['cat', '你好'], 'query', patience);

  assert.ok(!answer.ok && answer.fault === 'not-taken');
});

test('tokens may share vectors and have weights of their own', async () => {
  const embedder = tiny({
    'model.safetensors': safetensors({
      embeddings: { dtype: 'F16', shape: [2, 2], data: [1, 0, 0, 1] },
      mapping: { dtype: 'I64', shape: [4], data: [0, 0, 1, 1] },
      weights: { dtype: 'F64', shape: [4], data: [1, 3, 1, 4] },
    }),
  });

  assert.deepEqual(await vectorOf('cat dog', embedder), [0.6, 0.8]);
});

test('a model that cannot be read is refused, and read again once it is mended', async () => {
  const files: Record<string, Uint8Array | string> = { 'tokenizer.json': JSON.stringify(WORDS) };
  const embedder = model2vecEmbedder({ folder: 'm', batchMax: 8 }, folder(files));

  const broken = await embedder.embed(['cat'], 'query', patience);
  assert.ok(!broken.ok && broken.fault === 'refused');
  assert.match(broken.detail, /ENOENT/);

  files['model.safetensors'] = safetensors({
    embeddings: { dtype: 'F32', shape: [4, 2], data: [1, 1, 1, 1, 1, 1, 1, 1] },
  });
  assert.ok((await embedder.embed(['cat'], 'query', patience)).ok);
});

test('a table with NaN in it gives nonsense, and no vector', async () => {
  const embedder = tiny({
    'model.safetensors': safetensors({
      embeddings: { dtype: 'F32', shape: [4, 2], data: [0, 0, Number.NaN, 0, 0, 1, 0, 1] },
    }),
  });

  const answer = await embedder.embed(['cat'], 'query', patience);

  assert.ok(!answer.ok && answer.fault === 'nonsense');
});

for (const [what, file, why] of [
  ['nothing', new Uint8Array(0), /header does not fit/],
  ['a header longer than the file', new Uint8Array([255, 0, 0, 0, 0, 0, 0, 0, 1]), /does not fit/],
  ['a header of a gigabyte', new Uint8Array([0, 0, 0, 64, 0, 0, 0, 0]), /does not fit/],
  ['no JSON', new Uint8Array([2, 0, 0, 0, 0, 0, 0, 0, 123, 33]), /no JSON/],
  ['a type that nobody knows', raw({ a: { dtype: 'X9', shape: [1], data_offsets: [0, 1] } }), /X9/],
  [
    'a place behind its end',
    raw({ a: { dtype: 'I8', shape: [9], data_offsets: [0, 9] } }),
    /place/,
  ],
  [
    'another size than its shape',
    raw({ a: { dtype: 'F32', shape: [2], data_offsets: [0, 4] } }),
    /8 bytes/,
  ],
  [
    'a negative place',
    raw({ a: { dtype: 'I8', shape: [1], data_offsets: [-1, 0] } }),
    /no shape or no place/,
  ],
] as const) {
  test(`a safetensors file with ${what} is refused`, () => {
    refuses(() => readSafetensors(file), why);
  });
}

function raw(header: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.alloc(4)]);
}

test('a table that does not fit its tokenizer is refused', () => {
  const tokenizer = tokenizerOf(WORDS);
  const of = (tensors: Parameters<typeof safetensors>[0]) => () =>
    tableOf(readSafetensors(safetensors(tensors)), tokenizer);

  refuses(of({}), /no `embeddings`/);
  refuses(
    of({ embeddings: { dtype: 'F32', shape: [3, 2], data: [1, 1, 1, 1, 1, 1] } }),
    /4 tokens share 3/,
  );
  refuses(of({ embeddings: { dtype: 'F32', shape: [4], data: [1, 1, 1, 1] } }), /no table/);
  const embeddings = { dtype: 'F32', shape: [2, 2], data: [1, 0, 0, 1] } as const;
  refuses(
    of({ embeddings, mapping: { dtype: 'I32', shape: [4], data: [0, 1, 2, 0] } }),
    /row 2 of 2/,
  );
  refuses(
    of({ embeddings, mapping: { dtype: 'I32', shape: [3], data: [0, 1, 0] } }),
    /3 numbers for 4/,
  );
});

test('the real table tells related texts from others', async () => {
  const embedder = model2vecEmbedder({ folder: REAL, batchMax: 32 }, (path) => readFile(path));
  const texts = ['how is the weather', 'will it rain tomorrow', 'send an invoice to the customer'];

  const answer = await embedder.embed(texts, 'query', patience);

  assert.ok(answer.ok);
  const [weather, rain, invoice] = answer.vectors;
  assert.ok(weather && rain && invoice);
  assert.equal(weather.length, 64);
  assert.ok(cosine(weather, rain) > cosine(weather, invoice) + 0.2);
});

test('the real table gives the vector that its own library gives', async () => {
  const embedder = model2vecEmbedder({ folder: REAL, batchMax: 1 }, (path) => readFile(path));

  const answer = await embedder.embed(['has my package left the warehouse yet'], 'query', patience);

  assert.ok(answer.ok);
  const first = [...(answer.vectors[0] ?? [])].slice(0, 4).map((value) => +value.toFixed(5));
  assert.deepEqual(first, [-0.02386, 0.08226, 0.43874, -0.24541]);
});
