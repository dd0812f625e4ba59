import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type Fetch,
  FetchFailure,
  type FetchRequest,
  type FetchResponse,
} from '@agent-reach/core/kernel';
import { cosine } from '../meaning/vectors.ts';
import { hubFetch } from './hub-fetch.ts';
import { type Transformers, transformersEmbedder } from './transformers.ts';

const patience = { timeoutMs: 1_000, signal: new AbortController().signal };
const LOCAL: Transformers = {
  model: '/models/mini',
  isRemote: false,
  cacheFolder: '/cache',
  dtype: 'q8',
  pooling: 'mean',
  batchMax: 10,
};

const nowhere: Fetch = Object.assign(
  async (): Promise<FetchResponse> => {
    throw new FetchFailure('refused-address', false, 'not allowed');
  },
  { judge: () => assert.fail('judges nothing') },
);

/** The library as far as it is used, and what it was asked. */
function library(rows: { dims: number[]; data: ArrayLike<number> }) {
  const env: Record<string, unknown> = {};
  const asked: unknown[] = [];
  let isDisposed = false;
  const extract = async (texts: string[], options: unknown) => {
    asked.push([texts, options]);
    return rows;
  };
  const pipeline = async (...args: unknown[]) => {
    asked.push(args);
    return Object.assign(extract, { dispose: async () => (isDisposed = true) });
  };
  return { env, asked, load: async () => ({ env, pipeline }), isDisposed: () => isDisposed };
}

const TWO = { dims: [2, 2], data: [3, 4, 0, 2] };

test('a model in a folder is loaded at the first text, and nothing is fetched', async () => {
  const { env, asked, load, isDisposed } = library(TWO);
  const embedder = transformersEmbedder(LOCAL, { fetch: nowhere, load });
  assert.deepEqual(asked, []);

  const answer = await embedder.embed(['a', 'b'], 'query', patience);
  await embedder.embed(['a', 'b'], 'query', patience);

  assert.ok(answer.ok);
  assert.deepEqual([...(answer.vectors[1] ?? [])], [0, 1]);
  assert.equal(embedder.name, 'transformers:mini@q8');
  assert.deepEqual([env['allowRemoteModels'], env['localModelPath']], [false, '/models/']);
  assert.deepEqual(asked[0], ['feature-extraction', 'mini', { dtype: 'q8', device: 'cpu' }]);
  assert.deepEqual(asked[1], [['a', 'b'], { pooling: 'mean', normalize: true }]);
  assert.equal(asked.length, 3, 'it is loaded once');
  await embedder.close();
  assert.ok(isDisposed());
});

test('a model of the hub is fetched the gateway’s own way, and kept', async () => {
  const { env, asked, load } = library(TWO);
  const model = 'Xenova/paraphrase-multilingual-MiniLM-L12-v2';
  const about = { ...LOCAL, model, isRemote: true, pooling: 'cls' } as const;
  const embedder = transformersEmbedder(about, { fetch: nowhere, load });

  await embedder.embed(['a', 'b'], 'query', patience);

  assert.equal(embedder.name, `transformers:${model}@q8`);
  assert.deepEqual([env['allowRemoteModels'], env['useFSCache']], [true, true]);
  assert.equal(env['cacheDir'], '/cache');
  assert.deepEqual((asked[0] as unknown[])[1], model);
  const fetch = env['fetch'] as (url: string) => Promise<unknown>;
  await assert.rejects(fetch('https://hub.example/x'), FetchFailure);
});

for (const [what, rows] of [
  ['NaN', { dims: [2, 2], data: [Number.NaN, 1, 0, 1] }],
  ['too few rows', { dims: [1, 2], data: [1, 0] }],
  ['fewer numbers than it says', { dims: [2, 2], data: [1, 0] }],
] as const) {
  test(`a model that gives ${what} gives nonsense`, async () => {
    const { load } = library({ dims: [...rows.dims], data: rows.data });
    const embedder = transformersEmbedder(LOCAL, { fetch: nowhere, load });

    const answer = await embedder.embed(['a', 'b'], 'query', patience);

    assert.ok(!answer.ok && answer.fault === 'nonsense');
  });
}

test('without the library it says what to install, and tries again the next time', async () => {
  const { load } = library(TWO);
  let isThere = false;
  const missing = Object.assign(new Error("Cannot find package '@huggingface/transformers'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  const embedder = transformersEmbedder(LOCAL, {
    fetch: nowhere,
    load: async () => (isThere ? load() : Promise.reject(missing)),
  });

  const answer = await embedder.embed(['a', 'b'], 'query', patience);
  assert.ok(!answer.ok && answer.fault === 'refused');
  assert.match(answer.detail, /npm install @huggingface\/transformers/);

  isThere = true;
  assert.ok((await embedder.embed(['a', 'b'], 'query', patience)).ok);
});

/** A way out that answers by URL, and what it was asked. */
function site(answers: Record<string, Partial<FetchResponse>>) {
  const asked: FetchRequest[] = [];
  const fetch: Fetch = Object.assign(
    async (request: FetchRequest): Promise<FetchResponse> => {
      asked.push(request);
      return { status: 200, headers: {}, body: new Uint8Array(0), ...answers[request.url] };
    },
    { judge: () => assert.fail('judges nothing') },
  );
  return { fetch: hubFetch(fetch), asked };
}

test('a file of the hub is followed to where it is kept, and the token stays at home', async () => {
  const { fetch, asked } = site({
    'https://hub.example/a': { status: 302, headers: { location: '/b' } },
    'https://hub.example/b': { status: 307, headers: { location: 'https://files.example/c' } },
    'https://files.example/c': { body: Buffer.from('{"a":1}') },
  });

  const answer = await fetch('https://hub.example/a', {
    headers: new Headers({ authorization: 'Bearer hf', 'user-agent': 'x' }),
  });

  assert.deepEqual(await answer.json(), { a: 1 });
  assert.deepEqual(
    asked.map(({ headers }) => headers['authorization']),
    ['Bearer hf', 'Bearer hf', undefined],
  );
});

test('redirects are followed four times and no more', async () => {
  const { fetch, asked } = site({
    'https://hub.example/a': { status: 302, headers: { location: '/a' } },
  });

  assert.equal((await fetch('https://hub.example/a')).ok, false);
  assert.equal(asked.length, 5);
});

test('the real library gives a real model’s vectors', async (t) => {
  const models = process.env['REACH_EMBEDDER_MODELS'];
  const model = join(models ?? '', 'm2v-onnx-local');
  if (models === undefined || !existsSync(model)) {
    return t.skip('REACH_EMBEDDER_MODELS names no folder with m2v-onnx-local');
  }
  const about = { ...LOCAL, model, dtype: 'fp32' };
  const embedder = transformersEmbedder(about, { fetch: nowhere });
  const texts = ['will it rain tomorrow', 'how is the weather', 'send the customer an invoice'];

  const answer = await embedder.embed(texts, 'query', patience);

  if (!answer.ok && answer.fault === 'refused') return t.skip(answer.detail);
  assert.ok(answer.ok, JSON.stringify(answer));
  const [rain, weather, invoice] = answer.vectors;
  assert.ok(rain && weather && invoice);
  assert.ok(cosine(rain, weather) > cosine(rain, invoice));
  await embedder.close();
});
