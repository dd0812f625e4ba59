import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { CALIBRATION } from './calibration.ts';
import { BUDGETS } from './calibrator.ts';
import { featureNames, fingerprintOf } from './features.ts';
import { held, makeOf, type OwnFit, STRICT_LABELS_MIN } from './own-fit.ts';
import { interpret } from './interpret.ts';
import { catalogueOf, question, SHOP } from './testing/shop.ts';

const FIT: OwnFit = {
  fingerprint: makeOf(CALIBRATION),
  labels: 400,
  slope: 1.2,
  shift: 2,
  routeFrom: {},
  version: 3,
};

function readWith(intent: string, over: Partial<OwnFit> = {}, catalogue = catalogueOf(SHOP)) {
  const ownFit = { ...FIT, ...over };
  return interpret(question(intent, catalogue), catalogue, { budget: '1', ownFit });
}

test('a fit of one’s own routes what was asked about, and says by how much', () => {
  const catalogue = catalogueOf(SHOP);
  const intents = [
    '物流',
    'my parcel',
    'weather',
    'where is the order',
    'forecast tomorrow',
    '快递',
  ];
  const plain = (intent: string) =>
    interpret(question(intent, catalogue), catalogue, { budget: '1' });
  const asked = intents.filter((intent) => {
    const { outcome, right, reason } = plain(intent);
    return outcome === 'ask' && reason === 'LOW_CONFIDENCE' && right > 0.5;
  });
  const [intent] = asked;
  assert.ok(intent !== undefined);

  const reading = readWith(intent, { shift: 4 });

  assert.equal(reading.outcome, 'route');
  assert.deepEqual(reading.names, reading.best);
  assert.equal(reading.own?.decides, 'own');
  assert.equal(reading.own.shipped, plain(intent).right);
  assert.ok(reading.right > reading.own.shipped && reading.among >= reading.right);
});

test('a fit takes a route back where labels say that it is not so sure', () => {
  const reading = readWith('weather forecast for Berlin', { slope: 0.5, shift: -2 });

  assert.equal(reading.outcome, 'ask');
  assert.ok(reading.right < (reading.own?.shipped ?? 0));
});

test('a fit for another calibration is not used, and the reading says so', () => {
  const intent = 'weather forecast for Berlin';
  const reading = readWith(intent, { fingerprint: 'words/3#00000000', shift: -4 });

  assert.deepEqual([reading.outcome, reading.own?.decides], ['route', 'shipped']);
  assert.equal(reading.right, reading.own?.shipped);
});

test('a calibration is told from another by its numbers, its legs and its embedder', () => {
  const weights = [...CALIBRATION.right.weights.slice(1), 1];
  const model = 'ollama:x/3';
  const fitted = featureNames(model).map(() => 0);
  const others = [
    CALIBRATION,
    { ...CALIBRATION, right: { ...CALIBRATION.right, weights } },
    { ...CALIBRATION, routeFrom: { ...CALIBRATION.routeFrom, '5': 0.6 } },
    { ...CALIBRATION, fingerprint: fingerprintOf(model), right: { bias: 0, weights: fitted } },
  ];

  assert.equal(new Set(others.map(makeOf)).size, others.length);
  assert.equal(makeOf({ ...CALIBRATION }), makeOf(CALIBRATION));
});

test('whatever a fit says, nothing that is held to the strictest budget is routed that was not before', (t) => {
  const random = testRandom((seed) => t.diagnostic(seed));
  for (let round = 0; round < 2_000; round++) {
    const shipped = random.next();
    const fit: OwnFit = {
      ...FIT,
      labels: 1 + random.below(STRICT_LABELS_MIN - 1),
      slope: 0.25 + 3.75 * random.next(),
      shift: 8 * random.next() - 4,
      routeFrom: { '0.1': 0.5, '1': 0.5 + random.next() / 2 },
    };
    const how = { calibration: CALIBRATION, fit };

    const { right, routeFrom } = held(shipped, '0.1', how);

    assert.ok(routeFrom >= CALIBRATION.routeFrom['0.1']);
    if (right >= routeFrom) assert.ok(shipped >= CALIBRATION.routeFrom['0.1']);
    const cuts = BUDGETS.map((budget) => held(shipped, budget, how).routeFrom);
    assert.deepEqual(
      cuts,
      cuts.toSorted((a, b) => b - a),
    );
  }
});

test('a cut that a document sets too low is held to its floor', () => {
  const how = { calibration: CALIBRATION, fit: { ...FIT, routeFrom: { '1': 0.5, '5': 0.5 } } };

  assert.equal(held(0.6, '1', how).routeFrom, CALIBRATION.routeFrom['5']);
  assert.equal(held(0.6, '5', how).routeFrom, 0.5);
});

test('from so many labels on that they can say it, a fit makes routes of what is no read as well', () => {
  const shipped = CALIBRATION.routeFrom['0.1'] - 0.01;
  const at = (labels: number) => {
    const how = { calibration: CALIBRATION, fit: { ...FIT, labels, shift: 4 } };
    return held(shipped, '0.1', how);
  };

  const [few, enough] = [at(STRICT_LABELS_MIN - 1), at(STRICT_LABELS_MIN)];

  assert.deepEqual([few.own?.decides, enough.own?.decides], ['lower', 'own']);
  assert.ok(few.right < few.routeFrom && enough.right >= enough.routeFrom);
});
