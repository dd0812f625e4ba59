import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { test } from 'node:test';
import { defaultsOf } from '@agent-reach/core/kernel';
import { openRoom, serve } from '../outbound/testing/room.ts';
import type { Embedded, Embedder, Fault } from '../routing/embedders/embedder.ts';
import { openEmbedder } from '../routing/embedders/open.ts';
import { EMBEDDER_OPTIONS } from '../routing/embedders/options.ts';

const patience = { timeoutMs: 1_000, signal: new AbortController().signal };
const KEY = 'sk-test-0123456789abcdef';

/** What reached a server. */
interface Asked {
  url: string | undefined;
  authorization: string | undefined;
  body: unknown;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}

/** A server that answers JSON, through the gateway's own way out. */
async function at(
  kind: 'openai' | 'ollama' | 'tei',
  answer: { by: RequestListener } | ((texts: readonly string[]) => unknown),
  path = '',
) {
  const asked: Asked[] = [];
  const server = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      const { url, headers } = request;
      asked.push({ url, authorization: headers.authorization, body });
      if (typeof answer !== 'function') return answer.by(request, response);
      const { input, inputs } = body as { input?: string[]; inputs?: string[] };
      const made = answer(input ?? inputs ?? []);
      response.end(JSON.stringify(made));
    });
  });
  const room = openRoom();
  const settings = { kind, url: `${server.url}${path}`, model: 'bge-m3', key: KEY };
  const embedder = openEmbedder(
    { ...defaultsOf(EMBEDDER_OPTIONS), ...settings },
    { fetch: room.fetch, readBytes: () => assert.fail('reads nothing'), cacheFolder: undefined },
  );
  assert.ok(embedder);
  return {
    embedder,
    asked,
    room,
    server,
    async [Symbol.asyncDispose]() {
      await room.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A vector that tells which text it is of. */
const rowOf = (text: string) => [text.length, 1];

function lengthsOf(answer: Embedded): number[] {
  assert.ok(answer.ok, JSON.stringify(answer));
  return answer.vectors.map(([first = 0, second = 1]) => Math.round(first / second));
}

async function faultOf(embedder: Embedder, texts = ['one']): Promise<Fault> {
  const answer = await embedder.embed(texts, 'query', patience);
  assert.ok(!answer.ok);
  assert.ok(!answer.detail.includes(KEY), answer.detail);
  return answer.fault;
}

const openai = (texts: readonly string[]) => ({
  object: 'list',
  data: texts
    .map((text, index) => ({ object: 'embedding', index, embedding: rowOf(text) }))
    .reverse(),
  usage: {},
});

for (const [path, wanted] of [
  ['', '/v1/embeddings'],
  ['/', '/v1/embeddings'],
  ['/v1', '/v1/embeddings'],
  ['/compatible-mode/v1/', '/compatible-mode/v1/embeddings'],
  ['/openai/embeddings?api-version=1', '/openai/embeddings?api-version=1'],
] as const) {
  test(`a server that speaks as OpenAI does is asked at ${wanted}, given ${path || 'nothing'}`, async () => {
    await using site = await at('openai', openai, path);

    const answer = await site.embedder.embed(['a', 'bbb', 'cc'], 'passage', patience);

    assert.deepEqual(lengthsOf(answer), [1, 3, 2], 'by their index, not as they come');
    assert.deepEqual(site.asked, [
      {
        url: wanted,
        authorization: `Bearer ${KEY}`,
        body: { model: 'bge-m3', input: ['a', 'bbb', 'cc'], encoding_format: 'float' },
      },
    ]);
  });
}

test('Ollama is asked in its own words', async () => {
  await using site = await at('ollama', (texts) => ({ embeddings: texts.map(rowOf) }));

  assert.deepEqual(lengthsOf(await site.embedder.embed(['aa', 'b'], 'query', patience)), [2, 1]);
  assert.equal(site.asked[0]?.url, '/api/embed');
  const body = { model: 'bge-m3', input: ['aa', 'b'], truncate: true };
  assert.deepEqual(site.asked[0]?.body, body);
});

test('Text Embeddings Inference is asked in its own words', async () => {
  await using site = await at('tei', (texts) => texts.map(rowOf));

  assert.deepEqual(lengthsOf(await site.embedder.embed(['aa', 'b'], 'query', patience)), [2, 1]);
  assert.equal(site.asked[0]?.url, '/embed');
  const body = { inputs: ['aa', 'b'], normalize: true, truncate: true };
  assert.deepEqual(site.asked[0]?.body, body);
});

test('names of embedders tell kind and model, and neither address nor key', async () => {
  await using site = await at('ollama', () => ({}));

  assert.equal(site.embedder.name, 'ollama:bge-m3');
});

const status = (
  code: number,
  headers: Record<string, string> = {},
  body = '{}',
): { by: RequestListener } => ({
  by: (_, response) => void response.writeHead(code, headers).end(body),
});

for (const [code, fault] of [
  [302, 'refused'],
  [400, 'not-taken'],
  [401, 'refused'],
  [404, 'refused'],
  [413, 'not-taken'],
  [422, 'not-taken'],
  [429, 'busy'],
  [500, 'unreachable'],
  [503, 'busy'],
] as const) {
  test(`a server that answers ${code} is ${fault}`, async () => {
    await using site = await at('tei', status(code, { location: 'http://127.0.0.1:1/' }));

    assert.equal(await faultOf(site.embedder), fault);
    assert.equal(site.asked.length, 1, 'nothing is followed, and nothing sent twice');
  });
}

test('what a server writes with an error is cut, and secrets in it are left out', async () => {
  const text = `your key ${KEY} is wrong\n${'x'.repeat(5_000)}`;
  await using site = await at('openai', status(401, {}, text));

  const answer = await site.embedder.embed(['one'], 'query', patience);

  assert.ok(!answer.ok && answer.detail.length < 300);
  assert.match(answer.detail, /your key \[redacted\] is wrong/);
});

for (const [said, waitMs] of [
  ['7', 7_000],
  ['86400', 300_000],
  ['-5', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 1_000],
  [undefined, 1_000],
] as const) {
  test(`a pause of ${said ?? 'nothing'} that a server asks for is one of ${waitMs} ms`, async () => {
    const headers = said === undefined ? {} : { 'retry-after': said };
    await using site = await at('tei', status(429, headers));

    const answer = await site.embedder.embed(['one'], 'query', patience);

    assert.ok(!answer.ok);
    assert.equal(answer.waitMs, waitMs);
  });
}

for (const [what, body] of [
  ['no JSON', '<html>'],
  ['nothing', ''],
  ['NaN', '[[NaN, 1]]'],
  ['null for a number', '[[null, 1]]'],
  ['too few vectors', '[[1, 0]]'],
  ['too many vectors', '[[1, 0], [0, 1], [1, 1]]'],
  ['vectors of different lengths', '[[1, 0], [1]]'],
  ['a number for a vector', '[1, 2]'],
  ['something else', '{"error": "no"}'],
] as const) {
  test(`an answer of ${what} is nonsense`, async () => {
    await using site = await at('tei', status(200, {}, body));

    assert.equal(await faultOf(site.embedder, ['one', 'two']), 'nonsense');
  });
}

for (const [what, indexes] of [
  ['twice the same text', [0, 0]],
  ['a text that was not sent', [0, 2]],
  ['no whole number', [0, 0.5]],
] as const) {
  test(`an answer whose vectors are of ${what} is nonsense`, async () => {
    await using site = await at('openai', () => ({
      data: indexes.map((index) => ({ index, embedding: [1, 0] })),
    }));

    assert.equal(await faultOf(site.embedder, ['one', 'two']), 'nonsense');
  });
}

test('an answer that is too large is not read to its end', async () => {
  await using site = await at('tei', status(200, {}, `[[${'1,'.repeat(200_000)}1]]`));

  assert.equal(await faultOf(site.embedder), 'nonsense');
});

test('a server that does not answer is late, at the time that was given', async () => {
  await using site = await at('tei', { by: () => {} });
  const answer = site.embedder.embed(['one'], 'query', { ...patience, timeoutMs: 150 });
  while (site.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));

  await site.room.clock.advance(150);

  const ended = await answer;
  assert.ok(!ended.ok && ended.fault === 'late');
});

test('a server that is not there is unreachable', async () => {
  const site = await at('tei', () => []);
  await site.server[Symbol.asyncDispose]();

  assert.equal(await faultOf(site.embedder), 'unreachable');
  await site.room.close();
});

test('an address that egress does not allow is not asked', async () => {
  const room = openRoom();
  const settings = {
    ...defaultsOf(EMBEDDER_OPTIONS),
    kind: 'tei',
    url: 'http://10.0.0.1/',
  } as const;
  const ports = { fetch: room.fetch, readBytes: () => assert.fail(), cacheFolder: undefined };
  const embedder = openEmbedder(settings, ports);

  assert.ok(embedder);
  assert.equal(await faultOf(embedder), 'refused');
  await room.close();
});
