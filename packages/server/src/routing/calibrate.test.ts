import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability, LocalCalibration, Utterance } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import { testRandom } from '@agent-reach/core/testing';
import { capability } from '../registry/testing/builders.ts';
import { calibrate } from './calibrate.ts';
import type { Embedding } from './embedding.ts';
import { CALIBRATION } from './meaning/calibration.ts';
import { fingerprintOf } from './meaning/features.ts';
import { makeOf } from './meaning/own-fit.ts';
import type { Sense } from './meaning/sense.ts';
import { OFFICE, officeTalk } from './testing/office.ts';
import { shop } from './testing/shop.ts';

const portsWith = (some: readonly Partial<Capability>[]) =>
  shop(some.map((one) => capability(one))).ports;

async function calibrated(
  utterances: readonly Utterance[],
  ports = shop().ports,
): Promise<LocalCalibration> {
  const of = { tenant: 'internal', utterances, budget: undefined };
  const found = await calibrate(of, ports, new AbortController().signal);
  assert.ok(found);
  return found.told;
}

const SAID: readonly Utterance[] = [
  { text: 'weather forecast for Berlin', expected: 'weather.forecast' },
  { text: '查物流轨迹', expected: 'parcel.track' },
];

test('what a name, an example, a pin or a doubt decides is no label, nor what nobody offers', async () => {
  const ports = shop().ports;
  ports.pins.take('internal', 1, { phrases: { 天气如何: { capability: 'weather.forecast' } } });
  const none: Utterance[] = [
    { text: 'order.status', expected: 'order.status' },
    { text: '天气预报', expected: 'weather.forecast' },
    { text: 'where is my parcel', expected: 'parcel.track' },
    { text: '天气如何', expected: 'weather.forecast' },
    { text: 'delete my account and all its data', expected: null },
    { text: '😀🎉', expected: null },
    { text: 'weather forecast for Rome', expected: 'weather.nowhere' },
  ];

  for (const one of none) {
    assert.equal((await calibrated([one], ports)).labels, 0, one.text);
  }
  const { labels, fingerprint, warnings } = await calibrated([...none, ...SAID], ports);
  assert.deepEqual([labels, fingerprint], [2, makeOf(CALIBRATION)]);
  assert.match(warnings.join(), /offered by nobody: weather\.nowhere/);
});

test('what is said again in other writing is one label', async () => {
  const again = { text: 'Weather Forecast for BERLIN!', expected: 'weather.forecast' };

  const { labels, warnings } = await calibrated([...SAID, again]);

  assert.equal(labels, 2);
  assert.match(warnings.join(), /counted once: 1 utterances/);
});

test('a label says whether the best one was right, also where it is one of those that say the same', async () => {
  const twin = {
    display_name: 'x',
    description: 'Gives the weather forecast of a city.',
    effect: 'read' as const,
  };
  const ports = portsWith([
    { ...twin, name: 'a.sky' },
    { ...twin, name: 'b.sky' },
  ]);
  const asks = (expected: string | null): Utterance[] =>
    Array.from({ length: 40 }, (_, i) => ({ text: `weather forecast for town ${i}`, expected }));

  const shiftFor = async (expected: string | null) =>
    (await calibrated(asks(expected), ports)).shift;

  assert.equal(await shiftFor('a.sky'), await shiftFor('b.sky'));
  assert.ok((await shiftFor('b.sky')) > (await shiftFor(null)));
});

test('what was read without its vector says nothing of a calibration for words and vectors', async () => {
  const model = 'test/2';
  const sense = async (): Promise<Sense> => {
    return { is: 'late', detail: 'No vector within 150 ms.' };
  };
  const embedding = { state: { is: 'ready', model }, sense } as unknown as Embedding;
  const calibration = { ...CALIBRATION, fingerprint: fingerprintOf(model) };

  const told = await calibrated(SAID, { ...shop().ports, embedding, calibration });

  assert.deepEqual([told.labels, told.fingerprint], [0, makeOf(calibration)]);
  assert.match(told.warnings.join(), /Read without their vectors.*: 2\./);
});

test('without labels nothing changes, and it is not said that it did', async () => {
  const told = await calibrated([{ text: 'order.status', expected: 'order.status' }]);

  assert.deepEqual([told.labels, told.slope, told.shift], [0, 1, 0]);
  assert.deepEqual(told.after, told.before);
  for (const { shipped, route_from: from } of told.cuts) assert.equal(from, shipped);
});

test('what goes wrong is judged by labels that do not know of it', async () => {
  const names = OFFICE.map(({ name }) => name);
  // Every fifth stands in one part: the others are right throughout, and loosen what they judge.
  const utterances = officeTalk(500, seededRandom(6))
    .filter(({ expected }) => expected !== null)
    .map((one, i) => (i % 5 === 0 ? { ...one, expected: notAmong(names, one.expected) } : one));

  const { before, after } = await calibrated(utterances, portsWith(OFFICE));

  assert.ok(before.misrouted.count > 30);
  assert.ok(after.misrouted.count >= before.misrouted.count, `${after.misrouted.count} misrouted`);
});

function notAmong(names: readonly string[], right: Utterance['expected']): string {
  return names.find((name) => name !== right) ?? '';
}

test('labels by chance let next to nothing pass', async (t) => {
  const random = testRandom((seed) => t.diagnostic(seed));
  const names = OFFICE.map(({ name }) => name);
  const utterances = officeTalk(400, random).map((one) => {
    return { ...one, expected: names[random.below(names.length)] ?? null };
  });

  const { before, after } = await calibrated(utterances, portsWith(OFFICE));

  assert.ok(before.misrouted.count > 100);
  assert.ok(after.misrouted.count <= 12, `${after.misrouted.count} misrouted`);
});

test('before is as it ships, whatever is in force', async () => {
  const ports = portsWith(OFFICE);
  const utterances = officeTalk(400, seededRandom(4));
  const first = await calibrated(utterances, ports);
  const { fingerprint, labels } = first;
  const doc = { fingerprint, labels, slope: 0.25, shift: -4 };
  ports.fits.take('internal', 1, doc);

  assert.deepEqual(await calibrated(utterances, ports), first);
});

test('labels with nothing beside what is offered are warned of', async () => {
  const isTold = async (utterances: Utterance[]) =>
    /expected: null/.test((await calibrated(utterances)).warnings.join());

  assert.equal(await isTold([...SAID]), true);
  assert.equal(await isTold([...SAID, { text: 'sing a song', expected: null }]), false);
});

test('whoever has left is not worked for', async () => {
  const gone = new AbortController();
  gone.abort();
  const of = { tenant: 'internal', utterances: SAID, budget: '1' as const };

  assert.equal(await calibrate(of, shop().ports, gone.signal), undefined);
});
