import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ReachError, type RouteAnswer, type TaskTicket } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import type { Embedded } from '../routing/embedders/embedder.ts';
import { model2vecEmbedder } from '../routing/embedders/model2vec/model2vec.ts';
import { type ConceptEmbedder, conceptEmbedder } from '../routing/embedders/testing/concepts.ts';
import { SHOP } from '../routing/meaning/testing/shop.ts';
import { loadConfig } from './config.ts';
import { failsWith, openHouse, type TestHouse } from './testing/house.ts';
import { json } from './testing/network.ts';

/** A shop at a gateway with an embedder, everything embedded. */
async function openShop(
  embedder: ConceptEmbedder = conceptEmbedder(),
  flags: Record<string, unknown> = {},
): Promise<TestHouse> {
  const house = await openHouse(
    { 'routing.embedder.kind': 'tei', ...URL, ...flags },
    silentLog,
    embedder,
  );
  for (const { name, sla: _, ...said } of SHOP) {
    const { input, output: __, ...rest } = said;
    const manifest = { name, ...rest, input_schema: input };
    await house.agent(name.replace('.', '-'), manifest, () => json(200, { from: name }));
  }
  await house.during(house.clock.sleep(3_000), 4_000);
  return house;
}

const URL = { 'routing.embedder.url': 'http://127.0.0.1:1' };
const GALOSHES = 'shall i wear galoshes';
const WEATHER = 'weather forecast for Berlin';

const decide = (house: TestHouse, body: Record<string, unknown>) =>
  house.ask<RouteAnswer>('POST', '/v1/routes', body);

test('what no word of says is asked about, and explained: the leg, its share, whose vectors', async () => {
  await using house = await openShop();

  const answer = await decide(house, { intent: GALOSHES });

  assert.equal(answer.outcome, 'ask');
  assert.deepEqual(
    answer.options?.map(({ capability }) => capability),
    ['weather.forecast'],
  );
  const { meaning } = answer;
  assert.deepEqual(meaning?.legs, ['words', 'spelling', 'vectors']);
  assert.equal(meaning?.reason, 'VECTORS');
  assert.equal(meaning?.calibration, 'words+spelling/29');
  assert.match(meaning?.embedder?.make ?? '', /^concepts\/\d+#1$/);
  assert.deepEqual([meaning?.embedder?.is, meaning?.embedder?.share], ['used', 0.5]);
  assert.equal(meaning?.embedder?.embedded, SHOP.length);
  const best = meaning?.candidates.find(({ capability }) => capability === 'weather.forecast');
  assert.ok((best?.legs['vectors'] ?? 0) > 0.5 && (best?.cosine ?? 0) > 0.5);
});

test('the answer to such a question is taken as any other', async () => {
  await using house = await openShop();
  const { route_id: routeId } = await decide(house, { intent: GALOSHES });

  const choice = { capability: 'weather.forecast', agent_id: 'desk' };
  const chosen = await house.ask('POST', `/v1/routes/${routeId}/choice`, choice);

  assert.equal(chosen['capability'], 'weather.forecast');
});

test('an evaluation reads as decisions do', async () => {
  await using house = await openShop();
  const utterances = [{ text: GALOSHES, expected: 'weather.forecast' }];

  const result = await house.ask<{ top1: { count: number }; asked: { count: number } }>(
    'POST',
    '/v1/routes/evaluate',
    { utterances },
  );

  assert.deepEqual([result.top1.count, result.asked.count], [1, 1]);
});

test('an explained call is read as a call is', async () => {
  await using house = await openShop();
  const body = { request_id: 'r', agent_id: 'desk', intent: GALOSHES, params: { city: 'Berlin' } };

  const { outcome } = await house.ask<{ outcome: string }>('POST', '/v1/routes/explain', body);

  assert.equal(outcome, 'ask');
});

test('a pinned phrase waits for no embedder', async () => {
  const embedder = conceptEmbedder();
  await using house = await openShop(embedder);
  const phrases = { [GALOSHES]: { capability: 'weather.forecast' } };
  await house.ask('PUT', '/v1/policies/pins', { doc: { phrases } });
  embedder.answer = () => new Promise<Embedded>(() => {});

  const answer = await decide(house, { intent: GALOSHES });

  assert.deepEqual([answer.outcome, answer.strategy], ['route', 'pinned']);
});

test('calls and tasks by meaning are read with vectors as well', async () => {
  await using house = await openShop();
  const body = { request_id: 'r', agent_id: 'desk', intent: GALOSHES, params: { city: 'Berlin' } };

  const task = house.ask<TaskTicket>('POST', '/v1/tasks', { ...body, request_id: 's' });
  await assert.rejects(task, failsWith('ambiguous-match'));
  await assert.rejects(house.call(body), failsWith('ambiguous-match'));
});

test('a name waits for no embedder, and neither does an intent that is one', async () => {
  const embedder = conceptEmbedder();
  await using house = await openShop(embedder);
  embedder.answer = () => new Promise<Embedded>(() => {});
  const before = embedder.asked.length;
  const body = { request_id: 'r', agent_id: 'desk', params: { city: 'Berlin' } };

  // Nobody moves the clock: whatever waited for a time would wait for ever.
  await house.call({ ...body, capability: 'weather.forecast' });
  await house.call({ ...body, request_id: 's', capability: 'weather.forecast', intent: GALOSHES });
  await house.call({ ...body, request_id: 't', intent: '天气预报' });
  await decide(house, { capability: 'weather.forecast' });

  assert.equal(embedder.asked.length, before);
});

test('a decision goes on without a vector that is late, and says so', async () => {
  const embedder = conceptEmbedder();
  await using house = await openShop(embedder);
  embedder.answer = () => new Promise<Embedded>(() => {});

  const answer = await house.during(decide(house, { intent: WEATHER, explain: true }), 2_000);

  assert.deepEqual([answer.outcome, answer.capability], ['route', 'weather.forecast']);
  assert.equal(answer.meaning?.embedder?.is, 'late');
  assert.deepEqual(answer.meaning?.legs, ['words', 'spelling']);
});

for (const [what, embedded] of [
  ['NaN', { ok: false, fault: 'nonsense', detail: 'NaN' }],
  ['a pause', { ok: false, fault: 'busy', detail: '429' }],
  ['vectors of another length', { ok: true, vectors: [new Float32Array([1, 0])] }],
] as const) {
  test(`a decision goes on where the embedder answers ${what}`, async () => {
    const embedder = conceptEmbedder();
    await using house = await openShop(embedder);
    embedder.answer = async () => embedded;

    const answer = await decide(house, { intent: WEATHER });

    assert.deepEqual([answer.outcome, answer.capability], ['route', 'weather.forecast']);
  });
}

test('health tells of the embedder, and readiness does not depend on it', async () => {
  await using house = await openShop(conceptEmbedder([]));

  const health = (await house.http.inject({ method: 'GET', url: '/health' })).json();
  assert.equal((health as { embedder: string }).embedder, 'refused');
  assert.equal((await house.http.inject({ method: 'GET', url: '/readyz' })).statusCode, 200);
  const { meaning } = await decide(house, { intent: WEATHER, explain: true });
  assert.match(meaning?.embedder?.detail ?? '', /does not know its languages/);
});

test('without an embedder nothing tells of one', async () => {
  await using house = await openHouse();

  const health = (await house.http.inject({ method: 'GET', url: '/health' })).json();
  assert.ok(!('embedder' in (health as object)));
});

test('a real table is read, tested and used, in the language that it knows', async () => {
  const folder = join(import.meta.dirname, '../routing/embedders/testing/bge-base-en-64d');
  const embedder = model2vecEmbedder({ folder, batchMax: 10 }, (path) => readFile(path));
  const flags = { 'routing.embedder.kind': 'model2vec', 'routing.embedder.model': folder };
  await using house = await openHouse(flags, silentLog, embedder);
  const weather = {
    name: 'weather.now',
    description: 'Gives the weather of a city.',
    effect: 'read',
  };
  await house.agent('weather', weather, () => json(200, {}));
  const ready = async () => {
    const { body } = await house.http.inject({ method: 'GET', url: '/health' });
    await house.clock.advance(250);
    return (JSON.parse(body) as { embedder: string }).embedder === 'ready';
  };
  while (!(await ready())) await setImmediate();
  const explained = async (intent: string) =>
    (await decide(house, { intent, explain: true })).meaning;
  while ((await explained('will it rain today'))?.embedder?.is !== 'used') {
    await house.clock.advance(250);
  }

  const english = await explained('will it rain today');
  assert.match(english?.embedder?.make ?? '', /^model2vec:bge-base-en-64d\/64#1$/);
  assert.ok((english?.candidates[0]?.cosine ?? 0) > 0.4);
  const chinese = await explained('今天会下雨吗');
  assert.equal(chinese?.embedder?.is, 'unknown-language');
});

const COSINE = { 'routing.semantic.mode': 'cosine' };

test('by bare cosine a read is routed over the threshold, which is no probability, and says so', async () => {
  await using house = await openShop(conceptEmbedder(), COSINE);

  const answer = await decide(house, { intent: GALOSHES, explain: true });

  assert.deepEqual([answer.outcome, answer.capability], ['route', 'weather.forecast']);
  assert.deepEqual([answer.meaning?.reason, answer.meaning?.calibration], ['COSINE', 'cosine']);
  assert.equal(answer.meaning?.route_from, 0.72);
  assert.ok((answer.score ?? 0) > 0.72);
  assert.ok(Math.abs((answer.score ?? 0) - (answer.meaning?.right ?? 0)) < 1e-3);
});

test('by bare cosine nothing is routed below the threshold', async () => {
  await using house = await openShop(conceptEmbedder(), {
    ...COSINE,
    'routing.semantic.threshold': '0.999',
  });

  const answer = await decide(house, { intent: 'galoshes for my parcel' });

  assert.deepEqual([answer.outcome, answer.meaning?.reason], ['none', 'LOW_CONFIDENCE']);
});

test('by bare cosine a sensitive capability is not reached', async () => {
  await using house = await openShop(conceptEmbedder(), COSINE);

  const answer = await decide(house, { intent: 'forget me' });

  assert.deepEqual([answer.outcome, answer.meaning?.named_only], ['none', 'account.delete']);
});

function refusal(flags: Record<string, unknown>): string {
  try {
    loadConfig({ cwd: '/nonexistent', env: {}, flags });
  } catch (error) {
    assert.ok(ReachError.is(error));
    return error.message;
  }
  return 'taken';
}

test('settings that could not work are refused at the start, and say which is missing', () => {
  const key = (name: string) => `routing.embedder.${name}`;
  assert.match(
    refusal({ [key('kind')]: 'ollama', [key('model')]: 'm' }),
    /embedder\.url is not said/,
  );
  assert.match(refusal({ [key('kind')]: 'openai', ...URL }), /embedder\.model is not said/);
  assert.match(refusal({ [key('kind')]: 'model2vec' }), /embedder\.model is not said/);
  assert.match(refusal({ ...COSINE }), /mode=cosine compares vectors/);
  assert.match(refusal({ [key('languages')]: 'zh,tlh' }), /some of zh, en.*is zh, tlh/);
  assert.match(refusal({ [key('languages')]: [] }), /is empty/);
  assert.match(refusal({ [key('url')]: 'ftp://a' }), /an http or https URL/);
  const secret = refusal({ [key('url')]: 'http://me:hunter2@a' });
  assert.ok(/an http or https URL/.test(secret) && !secret.includes('hunter2'), secret);
  assert.equal(refusal({ [key('kind')]: 'tei', ...URL }), 'taken');
});

test('the key of an embedder is never shown', () => {
  const flags = { 'routing.embedder.key': 'sk-secret-1' };
  const { shown } = loadConfig({ cwd: '/nonexistent', env: {}, flags });

  assert.ok(!JSON.stringify(shown).includes('sk-secret-1'));
  const bad = refusal({ 'routing.embedder.key': 'two words' });
  assert.ok(/visible ASCII/.test(bad) && !bad.includes('two words'), bad);
});
