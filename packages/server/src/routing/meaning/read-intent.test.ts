import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability } from '@agent-reach/core';
import { capability } from '../../registry/testing/builders.ts';
import { CONCEPT_DIMS, conceptsOf } from '../embedders/testing/concepts.ts';
import type { Catalogue } from './catalogue.ts';
import type { Calibration } from './calibrator.ts';
import { featureNames, fingerprintOf } from './features.ts';
import type { Reading } from './interpret.ts';
import { type ReadBy, readIntent } from './read-intent.ts';
import type { Sensed } from './sense.ts';
import { catalogueOf, offered, put, question, read, SHOP } from './testing/shop.ts';

const TRUST = { right: 1, share: 0.5, background: { mean: 0.1, deviation: 0.05 } };

function vectorOf(text: string): Float32Array {
  const answer = conceptsOf([text]);
  assert.ok(answer.ok && answer.vectors[0]);
  return answer.vectors[0];
}

/** A catalogue whose documents have the vectors of an embedder of concepts. */
function embedded(capabilities: readonly Capability[] = SHOP): Catalogue {
  const catalogue = catalogueOf(capabilities);
  catalogue.vectors.begin('concepts', CONCEPT_DIMS);
  embedAll(catalogue);
  return catalogue;
}

function embedAll(catalogue: Catalogue): void {
  const { vectors } = catalogue;
  for (const document of vectors.waiting) {
    vectors.set(document, vectorOf(catalogue.passagesOf(document)[0] ?? ''));
  }
}

function sensed(intent: string, over: Partial<Sensed> = {}): Sensed {
  const vector = vectorOf(intent);
  return {
    is: 'used',
    make: 'concepts',
    model: 'concepts',
    language: 'en',
    vector,
    trust: TRUST,
    ...over,
  };
}

function readBy(intent: string, catalogue: Catalogue, by: Partial<ReadBy> = {}): Reading {
  const sense = sensed(intent);
  return readIntent(question(intent, catalogue), catalogue, {
    budget: '1',
    sense,
    cosineFrom: undefined,
    ...by,
  });
}

test('what no word of says is asked about where vectors clearly say so, and never gone to', () => {
  const catalogue = embedded();
  const intent = 'shall i wear galoshes';

  assert.equal(read(intent, catalogue).outcome, 'none');
  const reading = readBy(intent, catalogue);

  assert.deepEqual([reading.outcome, reading.reason], ['ask', 'VECTORS']);
  assert.deepEqual(offered(reading), ['weather.forecast']);
  assert.equal(reading.ranking.embedded, SHOP.length);
});

test('an intent in one language finds what is described in another', () => {
  const weather = capability({
    name: 'weather.now',
    display_name: 'Weather',
    description: 'Gives the weather of a city.',
    effect: 'read',
  });
  const catalogue = embedded([weather]);

  assert.equal(read('今天要穿胶鞋吗', catalogue).outcome, 'none');
  assert.deepEqual(offered(readBy('今天要穿胶鞋吗', catalogue)), ['weather.now']);
});

test('nothing is offered where vectors are no nearer than those of other things', () => {
  const reading = readBy('write me a poem', embedded());

  assert.deepEqual([reading.outcome, reading.options], ['none', []]);
});

test('a route by words stands where vectors say the same, with the same probability', () => {
  const catalogue = embedded();
  const plain = read('weather forecast for Berlin', catalogue);

  const reading = readBy('weather forecast for Berlin', catalogue);

  assert.deepEqual([reading.outcome, reading.names], ['route', ['weather.forecast']]);
  assert.deepEqual([reading.right, reading.features], [plain.right, plain.features]);
});

test('a route by words is taken back where vectors say otherwise, and both are offered', () => {
  const catalogue = embedded();
  const intent = 'weather forecast for Berlin';
  const sense = sensed('where is my parcel', { trust: { ...TRUST, share: 0.8 } });

  const reading = readBy(intent, catalogue, { sense });

  assert.deepEqual([reading.outcome, reading.reason], ['ask', 'VECTORS_DIFFER']);
  assert.deepEqual(reading.names, []);
  assert.deepEqual(offered(reading), ['parcel.track', 'weather.forecast']);
});

test('vectors never make a route', () => {
  const catalogue = embedded();
  const surest = { trust: { right: 1, share: 0.8, background: { mean: 0, deviation: 0 } } };
  const intents = ['订单', '包裹到哪了', 'galoshes', 'my purchase', 'invoice', '物流', 'order'];

  for (const intent of intents) {
    const reading = readBy(intent, catalogue, { sense: sensed(intent, surest) });
    if (read(intent, catalogue).outcome !== 'route')
      assert.notEqual(reading.outcome, 'route', intent);
  }
});

test('what only its name reaches is not reached by vectors, and nothing else takes its place', () => {
  const reading = readBy('forget me and erase everything', embedded());

  assert.deepEqual([reading.outcome, reading.reason], ['none', 'NAMED_ONLY']);
  assert.equal(reading.namedOnly, 'account.delete');
});

test('a name or an example is decided before any vector is looked at', () => {
  const catalogue = embedded();

  for (const intent of ['天气预报', 'where is my parcel']) {
    const reading = readBy(intent, catalogue, { sense: sensed('forget me') });
    assert.equal(reading.outcome, 'route', intent);
    assert.equal(reading.sense, undefined, intent);
  }
});

test('a capability that is new is found by its words, without a vector, as it would be without an embedder', () => {
  const catalogue = embedded();
  const hotel = capability({
    name: 'hotel.book',
    display_name: 'Hotel booking',
    description: 'Reserves a room in a hotel.',
    effect: 'read',
  });
  put(catalogue, hotel);

  const [first] = readBy('reserve a room in a hotel', catalogue).ranking.candidates;

  assert.equal(first?.name, 'hotel.book');
  assert.equal(first?.cosine, undefined);
  assert.equal(
    first?.score,
    read('reserve a room in a hotel', catalogue).ranking.candidates[0]?.score,
  );
});

test('what is taken out is not found by its vector any more', () => {
  const catalogue = embedded();

  catalogue.put('weather.forecast', []);

  assert.equal(readBy('shall i wear galoshes', catalogue).outcome, 'none');
  assert.equal(catalogue.vectors.size, SHOP.length - 1);
});

test('what it is not for is not part of what is embedded', () => {
  const catalogue = catalogueOf();

  const texts = [...catalogue.vectors.waiting].flatMap((one) => catalogue.passagesOf(one));

  assert.ok(texts.some((text) => text.includes('订单状态查询')));
  assert.ok(
    texts.every((text) => !text.includes('不返回物流轨迹') && !/tracking history/.test(text)),
  );
});

for (const [why, sense] of [
  ['it was late', { is: 'late', detail: 'No vector within 150 ms.' }],
  ['it fails', { is: 'failing', detail: 'no' }],
  ['vectors are of another one', sensed('galoshes', { make: 'other' })],
] as const) {
  test(`where ${why}, an intent is read by its words, and the reading says so`, () => {
    const catalogue = embedded();

    const reading = readBy('weather forecast for Berlin', catalogue, { sense });
    const { sense: told, ...rest } = reading;

    assert.deepEqual(rest, read('weather forecast for Berlin', catalogue));
    assert.notEqual(told?.is, 'used');
  });
}

test('vectors of another length than the index has are compared with nothing', () => {
  const catalogue = embedded();

  assert.deepEqual(catalogue.vectors.compare(new Float32Array([1, 0])).documents, []);
  catalogue.vectors.set(0, new Float32Array([1, 0]));
  assert.equal(catalogue.vectors.has(0), false);
});

test('the order in which vectors came changes nothing', () => {
  const forth = embedded(SHOP);
  const back = embedded(SHOP.toReversed());
  const scores = (catalogue: Catalogue) =>
    readBy('包裹和订单', catalogue).ranking.candidates.map(({ name, score }) => [name, score]);

  assert.deepEqual(scores(forth), scores(back));
});

const MODEL = 'concepts';
/** Believes what is far ahead, and most of all what vectors say. */
const OWN: Calibration = {
  fingerprint: fingerprintOf(MODEL),
  fitted: { questions: 1, sets: 1 },
  right: { bias: -4, weights: featureNames(MODEL).map((name) => (name === 'vectors' ? 12 : 0)) },
  among: { bias: -4, weights: featureNames(MODEL).map((name) => (name === 'vectors' ? 12 : 0)) },
  routeFrom: { '0.1': 0.99, '1': 0.9, '5': 0.8 },
  askFrom: 0.3,
};

test('with a calibration of its own an embedder may make a route, where a word says so as well', () => {
  const catalogue = embedded();
  const intent = 'galoshes for a city';

  assert.notEqual(readBy(intent, catalogue).outcome, 'route');
  const reading = readBy(intent, catalogue, { own: OWN });

  assert.deepEqual([reading.outcome, reading.names], ['route', ['weather.forecast']]);
  assert.equal(reading.calibration, OWN.fingerprint);
  assert.equal(reading.features.length, featureNames(MODEL).length);
});

test('with a calibration of its own what no word of says is still asked about', () => {
  const reading = readBy('shall i wear galoshes', embedded(), { own: OWN });

  assert.equal(reading.outcome, 'ask');
  assert.equal(offered(reading)[0], 'weather.forecast');
});

test('a calibration of another embedder is not used', () => {
  const catalogue = embedded();
  const intent = 'galoshes for a city';
  const own = { ...OWN, fingerprint: fingerprintOf('another') };

  assert.deepEqual(readBy(intent, catalogue, { own }), readBy(intent, catalogue));
  const late = { is: 'late', detail: 'late' } as const;
  const { sense: _, ...reading } = readBy(intent, catalogue, { own: OWN, sense: late });
  assert.deepEqual(reading, read(intent, catalogue));
});
