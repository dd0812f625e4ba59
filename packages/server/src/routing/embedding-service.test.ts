import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf, type Log, seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { addAgent, capability, definition, emptyDirectory } from '../registry/testing/builders.ts';
import type { Embedded } from './embedders/embedder.ts';
import { type EmbedderSettings, EMBEDDER_OPTIONS } from './embedders/options.ts';
import {
  CONCEPT_DIMS,
  conceptEmbedder,
  conceptsOf,
  type ConceptEmbedder,
} from './embedders/testing/concepts.ts';
import { Embedding } from './embedding.ts';
import { embeddingService } from './embedding-service.ts';
import { CALIBRATION } from './meaning/calibration.ts';
import type { Calibration } from './meaning/calibrator.ts';
import { LearnedBook } from './learned-book.ts';
import { fingerprintOf } from './meaning/features.ts';
import { SHOP } from './meaning/testing/shop.ts';
import { Meanings } from './meanings.ts';

const TENANT = 'internal';

/** A running service over a shop, with all that it may be told. */
async function open(
  embedder: ConceptEmbedder = conceptEmbedder(),
  over: Partial<EmbedderSettings> = {},
  calibration?: Calibration,
) {
  const clock = new ManualClock();
  const directory = emptyDirectory();
  for (const one of SHOP) addAgent(directory, definition(one.name, [one]), [one.name]);
  const meanings = new Meanings(directory, new LearnedBook());
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const log: Log = { ...silentLog, info: note, warn: note };
  const options = { ...defaultsOf(EMBEDDER_OPTIONS), ...over };
  const embedding = new Embedding({ embedder, options, clock, random: seededRandom(1), log });
  const service = embeddingService({ embedding, meanings, isBare: false, calibration });
  const catalogue = meanings.of(TENANT);
  await service.start();
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 250) {
      await clock.advance(Math.min(left, 250));
      for (let i = 0; i < 40; i++) await settled();
    }
  };
  return {
    clock,
    directory,
    meanings,
    embedding,
    embedder,
    catalogue,
    said,
    pass,
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

test('an embedder is tested before it gets a text of anybody, and then all is embedded', async () => {
  await using house = await open();
  assert.equal(house.embedding.state.is, 'checking');

  await house.pass(250);
  assert.equal(house.embedding.state.is, 'ready');
  const own = house.embedder.asked.flat().filter((text) => text.includes('when it ships'));
  assert.deepEqual(own, []);
  await house.pass(250);

  assert.equal(house.catalogue.vectors.size, SHOP.length);
  assert.equal(house.catalogue.vectors.waiting.size, 0);
  assert.equal((await house.embedding.sense('galoshes')).is, 'used');
});

test('an embedder that cannot tell things apart gets no weight, and the log says why', async () => {
  await using house = await open(conceptEmbedder([]));

  await house.pass(1_000);

  const { state } = house.embedding;
  assert.ok(state.is === 'refused');
  assert.match(state.why, /en: of 12 questions it found the answer to \d, and 6 are needed/);
  assert.deepEqual(house.said, ['the embedder gets no weight']);
  assert.equal(house.catalogue.vectors.size, 0);
  assert.equal((await house.embedding.sense('galoshes')).is, 'refused');
});

test('an embedder of one language is trusted in that one, and embeds nothing of the other', async () => {
  await using house = await open(conceptEmbedder(['zh']));

  await house.pass(1_000);

  const { state } = house.embedding;
  assert.deepEqual(state.is === 'ready' ? [...state.trust.keys()] : [], ['zh']);
  assert.ok(house.said.includes('the embedder lacks a language'));
  const english = house.embedder.asked.flat().filter((text) => text === 'where is my parcel');
  assert.deepEqual(english, []);
});

test('what is registered later is embedded, and what goes takes its vector along', async () => {
  await using house = await open();
  await house.pass(500);
  const { vectors } = house.catalogue;
  const hotel = capability({ name: 'hotel.book', description: 'Reserves a room.' });

  addAgent(house.directory, definition('hotel', [hotel]), ['hotel']);
  house.meanings.catchUp(10);
  await house.pass(250);
  assert.equal(vectors.size, SHOP.length + 1);

  house.directory.remove(TENANT, 'hotel');
  house.meanings.catchUp(10);
  assert.equal(vectors.size, SHOP.length);
});

test('a text is embedded once, however often it comes', async () => {
  await using house = await open();
  await house.pass(500);
  const before = house.embedder.asked.flat().length;
  const again = { ...SHOP[3], tags: { region: 'eu' } } as (typeof SHOP)[number];

  addAgent(house.directory, definition(again.name, [again]), [again.name]);
  house.meanings.catchUp(10);
  assert.equal(house.catalogue.vectors.waiting.size, 1);
  await house.pass(250);

  assert.equal(house.catalogue.vectors.size, SHOP.length);
  assert.equal(house.embedder.asked.flat().length, before);
});

test('one that is away is asked again, ever more slowly, and counts once it is there', async () => {
  const embedder = conceptEmbedder();
  embedder.answer = async () => ({ ok: false, fault: 'unreachable', detail: 'nobody there' });
  await using house = await open(embedder);

  await house.pass(60_000);
  assert.deepEqual(house.embedding.state, { is: 'failing', why: 'nobody there' });
  assert.ok(embedder.asked.length < 15, `${embedder.asked.length} requests`);
  embedder.answer = undefined;
  await house.pass(120_000);

  assert.equal(house.embedding.state.is, 'ready');
  assert.equal(house.catalogue.vectors.size, SHOP.length);
});

test('a text that it does not take leaves that one description without a vector', async () => {
  const embedder = conceptEmbedder();
  embedder.answer = async (texts) =>
    texts.some((text) => text.includes('Gives the weather forecast'))
      ? { ok: false, fault: 'not-taken', detail: 'too long' }
      : conceptsOf(texts);
  await using house = await open(embedder);

  await house.pass(2_000);

  assert.equal(house.catalogue.vectors.size, SHOP.length - 1);
  assert.equal(house.catalogue.vectors.waiting.size, 0);
});

test('a failure in the middle loses nothing: the rest is embedded afterwards', async () => {
  const embedder = conceptEmbedder();
  let requests = 0;
  const failures = 4;
  embedder.answer = async (texts): Promise<Embedded> => {
    requests += 1;
    return requests > 12 && requests <= 12 + failures
      ? { ok: false, fault: 'busy', detail: 'later', waitMs: 1_000 }
      : conceptsOf(texts);
  };
  await using house = await open(embedder);

  await house.pass(120_000);

  assert.ok(requests > 12 + failures);
  assert.equal(house.catalogue.vectors.size, SHOP.length);
});

test('another model under the same name is found out, and all is embedded anew', async () => {
  await using house = await open();
  await house.pass(1_000);
  const before = house.catalogue.vectors.make;
  house.embedder.answer = async (texts) => {
    const made = conceptsOf(texts);
    return made.ok ? { ok: true, vectors: made.vectors.map((one) => one.toReversed()) } : made;
  };

  await house.pass(301_000);

  assert.ok(house.said.includes('another model answers under the name of the embedder'));
  assert.notEqual(house.catalogue.vectors.make, before);
  assert.equal(house.catalogue.vectors.size, SHOP.length);
});

test('vectors take no more memory than is set, and what is beyond counts by its words', async () => {
  await using house = await open(conceptEmbedder(), { memoryMb: (3 * 18 * 4) / 2 ** 20 });

  await house.pass(1_000);

  assert.equal(house.catalogue.vectors.size, 3);
  assert.equal(house.catalogue.vectors.waiting.size, 0);
  assert.ok(house.said.some((line) => line.startsWith('no room for more vectors')));
});

test('a stop ends what is under way, and closes the embedder', async () => {
  const embedder = conceptEmbedder();
  const house = await open(embedder);
  let isAborted = false;
  embedder.answer = (_, { signal }) =>
    new Promise(() => signal.addEventListener('abort', () => (isAborted = true)));
  await house.pass(250);

  await house[Symbol.asyncDispose]();

  assert.ok(isAborted && embedder.isClosed);
  assert.equal(house.clock.waiting, 0);
});

test('a calibration of another embedder is told of, and one of this embedder is not', async () => {
  const model = `concepts/${CONCEPT_DIMS}`;
  const told = 'the calibration is of another embedder, and the one that ships is used';
  for (const [fingerprint, isTold] of [
    [fingerprintOf(model), false],
    [fingerprintOf('concepts/9'), true],
    [CALIBRATION.fingerprint, true],
  ] as const) {
    await using house = await open(conceptEmbedder(), {}, { ...CALIBRATION, fingerprint });
    await house.pass(500);
    assert.equal(house.said.includes(told), isTold, fingerprint);
  }
});
