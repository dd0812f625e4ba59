import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf, seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import type { Embedded, Fault } from './embedders/embedder.ts';
import { EMBEDDER_OPTIONS } from './embedders/options.ts';
import {
  CONCEPT_DIMS,
  conceptEmbedder,
  conceptsOf,
  type ConceptEmbedder,
} from './embedders/testing/concepts.ts';
import { Embedding } from './embedding.ts';
import type { Language } from './meaning/language.ts';

const TRUST = { right: 1, share: 0.4, background: { mean: 0.1, deviation: 0.1 } };
const BUDGET_MS = 150;

/** An embedding that was tested, and knows English and Chinese. */
function open(languages: readonly Language[] = ['en', 'zh']) {
  const clock = new ManualClock();
  const embedder = conceptEmbedder();
  const options = { ...defaultsOf(EMBEDDER_OPTIONS), timeoutMs: BUDGET_MS };
  const embedding = new Embedding({
    embedder,
    options,
    clock,
    random: seededRandom(1),
    log: silentLog,
  });
  const trust = new Map(languages.map((language) => [language, TRUST]));
  embedding.tested({ is: 'passed', dims: CONCEPT_DIMS, trust, isSame: false });
  return { clock, embedder, embedding };
}

function failing(embedder: ConceptEmbedder, fault: Fault, waitMs?: number): void {
  const answer: Embedded = {
    ok: false,
    fault,
    detail: 'no',
    ...(waitMs === undefined ? {} : { waitMs }),
  };
  embedder.answer = async () => answer;
}

/** What an intent ends in, and which vector it has. */
async function isOf(embedding: Embedding, intent: string): Promise<string> {
  return (await embedding.sense(intent)).is;
}

test('an intent gets its vector, with what the embedder is trusted in its language', async () => {
  const { embedding } = open();

  const sense = await embedding.sense('我的订单');

  assert.ok(sense.is === 'used');
  assert.deepEqual([sense.make, sense.language], [`concepts/${CONCEPT_DIMS}#1`, 'zh']);
  assert.equal(sense.trust, TRUST);
  assert.equal(sense.vector.length, CONCEPT_DIMS);
});

test('numbers and addresses of an intent go to nobody', async () => {
  const { embedding, embedder } = open();

  await embedding.sense('where is order SF12345678 of anna@example.com');

  assert.deepEqual(embedder.asked, [['where is order of']]);
});

test('an intent that was heard before is not embedded again', async () => {
  const { embedding, embedder } = open();

  await embedding.sense('my order');
  await embedding.sense('my order');

  assert.equal(embedder.asked.length, 1);
});

test('the same intent at the same time is one request', async () => {
  const { embedding, embedder } = open();

  const both = await Promise.all([embedding.sense('my order'), embedding.sense('my order')]);

  assert.deepEqual(
    both.map(({ is }) => is),
    ['used', 'used'],
  );
  assert.equal(embedder.asked.length, 1);
});

test('a decision waits for its vector as long as is set, and not a millisecond more', async () => {
  const { embedding, embedder, clock } = open();
  let aborted = false;
  embedder.answer = (_, { signal }) => {
    signal.addEventListener('abort', () => (aborted = true));
    return new Promise<Embedded>(() => {});
  };
  let is: string | undefined;
  const asked = embedding.sense('my order').then((sense) => (is = sense.is));

  await clock.advance(BUDGET_MS - 1);
  assert.equal(is, undefined);
  await clock.advance(1);
  await asked;

  assert.equal(is, 'late');
  assert.ok(aborted);
  assert.equal(clock.waiting, 0);
});

test('a vector that comes too late changes nothing any more', async () => {
  const { embedding, embedder, clock } = open();
  let answer: (embedded: Embedded) => void = () => {};
  embedder.answer = () => new Promise((resolve) => (answer = resolve));
  const asked = isOf(embedding, 'my order');
  await clock.advance(BUDGET_MS);
  assert.equal(await asked, 'late');

  answer(conceptsOf(['my order']));
  await settled();
  embedder.answer = undefined;

  assert.equal(await isOf(embedding, 'my order'), 'used');
  assert.equal(embedder.asked.length, 2);
});

test('after three failures it is left alone, and tried again after a while', async () => {
  const { embedding, embedder, clock } = open();
  failing(embedder, 'unreachable');
  for (const intent of ['one', 'two', 'three'])
    assert.equal(await isOf(embedding, intent), 'failing');

  assert.equal(await isOf(embedding, 'four'), 'busy');
  assert.equal(embedder.asked.length, 3);

  embedder.answer = undefined;
  await clock.advance(5_500);
  assert.equal(await isOf(embedding, 'five'), 'used');
});

test('an embedder that is late again and again is left alone as well', async () => {
  const { embedding, embedder, clock } = open();
  embedder.answer = () => new Promise<Embedded>(() => {});
  for (const intent of ['one', 'two', 'three']) {
    const asked = isOf(embedding, intent);
    await clock.advance(BUDGET_MS);
    assert.equal(await asked, 'late');
  }

  assert.equal(await isOf(embedding, 'four'), 'busy');
});

test('one that asks for a pause gets it', async () => {
  const { embedding, embedder, clock } = open();
  failing(embedder, 'busy', 2_000);
  assert.equal(await isOf(embedding, 'one'), 'busy');
  embedder.answer = undefined;

  await clock.advance(1_999);
  assert.equal(await isOf(embedding, 'two'), 'busy');
  assert.equal(embedder.asked.length, 1);
  await clock.advance(1);

  assert.equal(await isOf(embedding, 'three'), 'used');
});

for (const [fault, is] of [
  ['late', 'late'],
  ['busy', 'busy'],
  ['unreachable', 'failing'],
  ['refused', 'failing'],
  ['nonsense', 'failing'],
  ['not-taken', 'unknown-language'],
] as const) {
  test(`an embedder that answers “${fault}” leaves a decision its words`, async () => {
    const { embedding, embedder } = open();
    failing(embedder, fault);

    assert.deepEqual(await embedding.sense('my order'), { is, detail: 'no' });
  });
}

test('an embedder that throws has failed like any other', async () => {
  const { embedding, embedder } = open();
  embedder.answer = () => Promise.reject(new TypeError('a bug'));

  assert.equal(await isOf(embedding, 'my order'), 'failing');
});

test('vectors of another length than before make it untested', async () => {
  const { embedding, embedder } = open();
  embedder.answer = async () => ({ ok: true, vectors: [new Float32Array([1, 0])] });

  assert.equal(await isOf(embedding, 'my order'), 'failing');
  assert.equal(embedding.state.is, 'checking');
  assert.equal(await isOf(embedding, 'my order'), 'checking');
});

test('an intent in a language that it is not trusted in is not sent to it', async () => {
  const { embedding, embedder } = open(['en']);

  assert.equal(await isOf(embedding, '我的订单'), 'unknown-language');
  assert.equal(await isOf(embedding, '12345678'), 'unknown-language');
  assert.deepEqual(embedder.asked, []);
});

test('intents that wait for it are so many at most', async () => {
  const { embedding, embedder, clock } = open();
  embedder.answer = () => new Promise<Embedded>(() => {});
  const waiting = Array.from({ length: 16 }, (_, i) => isOf(embedding, `intent ${'x'.repeat(i)}`));

  assert.equal(await isOf(embedding, 'one more'), 'busy');
  assert.equal(embedder.asked.length, 16);
  await clock.advance(BUDGET_MS);
  assert.ok((await Promise.all(waiting)).every((is) => is === 'late'));
});

test('the same embedder keeps its name after a test, and another one does not', () => {
  const { embedding } = open();
  const makeOf = () => (embedding.state.is === 'ready' ? embedding.state.make : '');
  const trust = new Map([['en', TRUST]] as const);
  const passed = { is: 'passed', dims: CONCEPT_DIMS, trust } as const;
  const before = makeOf();

  embedding.tested({ ...passed, isSame: true });
  assert.equal(makeOf(), before);
  embedding.tested({ ...passed, isSame: false });
  assert.notEqual(makeOf(), before);
});

test('what models want before a text is written before it', async () => {
  const { embedding, embedder } = open();
  const { ports } = embedding;
  const options = { ...ports.options, queryPrefix: 'query: ', passagePrefix: 'passage: ' };
  const prefixed = new Embedding({ ...ports, options });
  const patience = { timeoutMs: 1, signal: new AbortController().signal };

  await prefixed.ask(['a'], 'query', patience);
  await prefixed.ask(['b'], 'passage', patience);

  assert.deepEqual(embedder.asked, [['query: a'], ['passage: b']]);
});
