import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evaluation, Utterance } from '@agent-reach/core';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { evaluate } from './evaluate.ts';
import type { Sense } from './meaning/sense.ts';
import { leastFor } from './meaning/wilson.ts';
import type { RoutingPorts } from './ports.ts';
import { shop } from './testing/shop.ts';

async function evaluated(utterances: Utterance[], ports = shop().ports): Promise<Evaluation> {
  const of = { tenant: 'internal', utterances, budget: undefined };
  const evaluation = await evaluate(of, ports, new AbortController().signal);
  assert.ok(evaluation);
  return evaluation;
}

const counts = (of: Evaluation) =>
  (
    [
      'top1',
      'top3',
      'routed_right',
      'misrouted',
      'asked',
      'asked_right',
      'none',
      'none_right',
    ] as const
  )
    .map((name) => `${of[name].count}/${of[name].of}`)
    .join(' ');

test('each rate counts what it says, of those that it is about', async () => {
  const evaluation = await evaluated([
    { text: '查物流轨迹', expected: 'parcel.track' },
    { text: 'weather forecast for Berlin', expected: 'weather.forecast' },
    { text: '订单', expected: 'order.status' },
    { text: '写一首诗', expected: null },
    { text: '开发票还是查订单', expected: ['invoice.issue', 'order.status'] },
  ]);

  assert.equal(counts(evaluation), '3/3 3/3 2/3 0/5 2/5 1/3 1/5 1/1');
  const { share, low, high } = evaluation.routed_right;
  assert.ok(low < share && share < high);
  assert.deepEqual([evaluation.budget, evaluation.utterances], ['1', 5]);
  assert.deepEqual(evaluation.warnings, []);
});

test('what goes wrong is listed, with an example and whether it would have gone there', async () => {
  const { confusions, misrouted } = await evaluated([
    { text: '查物流轨迹', expected: 'order.status' },
    { text: '查物流轨迹', expected: 'order.status' },
    { text: 'weather forecast for Berlin', expected: null },
  ]);

  assert.equal(misrouted.count, 3);
  assert.deepEqual(confusions, [
    { expected: ['order.status'], got: 'parcel.track', count: 2, routed: 2, example: '查物流轨迹' },
    {
      expected: [],
      got: 'weather.forecast',
      count: 1,
      routed: 1,
      example: 'weather forecast for Berlin',
    },
  ]);
});

test('what only its name reaches is right when nothing is found, and a pinned phrase goes there', async () => {
  const { ports } = shop();
  const phrase = [{ text: '注销账户', expected: 'account.delete' }];

  const before = await evaluated(phrase, ports);
  assert.deepEqual([before.none_right.count, before.none_right.of], [1, 1]);
  assert.match(before.warnings.join(), /by name alone, so that none is right: account\.delete/);
  ports.pins.take('internal', 1, { phrases: { 注销账户: { capability: 'account.delete' } } });
  const after = await evaluated(phrase, ports);
  assert.deepEqual([after.routed_right.count, after.misrouted.count], [1, 0]);
});

test('what is found by its names alone is right for them, and for no other words', async () => {
  const { ports } = shop();
  const expected = 'weather.forecast';
  ports.pins.take('internal', 1, { capabilities: { [expected]: { strategy: 'exact' } } });

  const evaluation = await evaluated(
    [
      { text: '天气预报', expected },
      { text: 'weather forecast for Berlin', expected },
    ],
    ports,
  );

  assert.deepEqual([evaluation.routed_right.count, evaluation.routed_right.of], [1, 1]);
  assert.deepEqual([evaluation.none_right.count, evaluation.none_right.of], [1, 1]);
  assert.match(evaluation.warnings.join(), /only a name or an alias is right: weather\.forecast/);
});

test('a threshold is suggested from as many utterances as it takes to say anything, and not before', async () => {
  const right: Utterance[] = Array.from({ length: leastFor(0.05) }, () => {
    return { text: '查物流轨迹', expected: 'parcel.track' };
  });
  const of5 = ({ thresholds }: Evaluation) => thresholds.find(({ budget }) => budget === '5');

  const enough = of5(await evaluated(right));
  assert.deepEqual([enough?.routed_right, enough?.misrouted], [right.length, 0]);
  assert.ok((enough?.suggested ?? 0) > 0.9);
  const few = of5(await evaluated(right.slice(1)));
  assert.equal(few?.suggested, undefined);
  assert.match(few?.detail ?? '', /^51 utterances are too few to say: it takes 52/);
});

test('a threshold that is suggested leaves out what would break the budget', async () => {
  const good = { text: '查物流轨迹', expected: 'parcel.track' };
  const bad = { text: '我订单发货了没有', expected: null };
  const { thresholds } = await evaluated([
    ...Array.from({ length: 300 }, () => good),
    ...Array.from({ length: 30 }, () => bad),
  ]);

  const one = thresholds.find(({ budget }) => budget === '1');
  assert.equal(one?.misrouted, 0);
  assert.equal(one.routed_right, 300);
});

test('names that nobody offers are told, and constructor is one like any other', async () => {
  const { warnings, top1 } = await evaluated([{ text: '查物流轨迹', expected: 'constructor' }]);

  assert.match(warnings.join(), /offered by nobody: constructor/);
  assert.equal(top1.count, 0);
});

test('an embedder is asked as for a decision: not for names, few at once, and its silence changes nothing', async () => {
  const { ports } = shop();
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const sense = async (intent: string): Promise<Sense> => {
    asked.push(intent);
    running += 1;
    most = Math.max(most, running);
    await settled();
    running -= 1;
    return { is: 'late', detail: 'No vector within 150 ms.' };
  };
  const embedding = { sense } as unknown as NonNullable<RoutingPorts['embedding']>;
  const rows: Utterance[] = [
    { text: '天气预报', expected: 'weather.forecast' },
    ...Array.from({ length: 9 }, (_, i) => ({ text: `查物流轨迹 ${i}`, expected: 'parcel.track' })),
  ];

  const evaluation = await evaluated(rows, { ...ports, embedding });

  assert.deepEqual(
    asked,
    rows.slice(1).map(({ text }) => text),
  );
  assert.equal(most, 4);
  assert.equal(counts(evaluation), counts(await evaluated(rows, ports)));
});

test('where a bare cosine decides, it is what is measured', async () => {
  const { ports } = shop();
  const rows: Utterance[] = [{ text: 'weather forecast for Berlin', expected: 'weather.forecast' }];
  const vectors = ports.meanings.of('internal').vectors;
  const forecast = ports.meanings.of('internal').entriesOf('weather.forecast')[0];
  assert.ok(forecast);
  const make = 'test/2#1';
  const trust = { right: 1, share: 0.4, background: { mean: 0, deviation: 0.1 } };
  const sense = async (): Promise<Sense> => {
    return {
      is: 'used',
      make,
      model: 'test',
      language: 'en',
      vector: Float32Array.of(0, 1),
      trust,
    };
  };
  vectors.begin(make, 2);
  vectors.set(forecast.document, Float32Array.of(1, 0));
  const embedding = { sense } as unknown as NonNullable<RoutingPorts['embedding']>;
  const options = { ...ports.options, semanticMode: 'cosine' as const };

  const evaluation = await evaluated(rows, { ...ports, embedding, options });

  // By words it would be routed; its vector says that it is something else.
  assert.deepEqual([evaluation.routed_right.count, evaluation.none.count], [0, 1]);
});

test('whoever has left is not worked for', async () => {
  const gone = new AbortController();
  gone.abort();
  const utterances = [{ text: 'x', expected: null }];

  assert.equal(
    await evaluate({ tenant: 'internal', utterances, budget: '1' }, shop().ports, gone.signal),
    undefined,
  );
});

test('the same is had over HTTP, bounded, and nothing is learned or sent', async () => {
  await using house = await openHouse();
  const look = { name: 'look', description: '查询订单状态', effect: 'read' };
  await house.agent('orders', look, () => assert.fail('it was called'));
  const row = { text: 'look', expected: 'look' };

  const evaluation = await house.ask<Evaluation>('POST', '/v1/routes/evaluate', {
    utterances: [row],
    budget: '5',
  });

  assert.equal(evaluation.budget, '5');
  assert.deepEqual([evaluation.routed_right.count, evaluation.utterances], [1, 1]);
  for (const utterances of [[], Array.from({ length: 2_001 }, () => row), [{ text: 'x' }]]) {
    await assert.rejects(
      house.ask('POST', '/v1/routes/evaluate', { utterances }),
      failsWith('validation-failed'),
    );
  }
  const { version } = await house.ask<{ version: number }>('GET', '/v1/policies/examples');
  assert.equal(version, 0);
});
