import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import type { FetchResponse } from '@agent-reach/core/kernel';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, reset } from '../main/testing/network.ts';
import { cached, remembered, toCached } from './testing/fallbacks.ts';
import { ask, lookup, refund, shipped } from './testing/orders.ts';

/** The end of each call: `ok`, or its code. */
async function ends(calls: Promise<unknown>[]): Promise<string[]> {
  const all = await Promise.allSettled(calls);
  return all.map((end) => (end.status === 'fulfilled' ? 'ok' : ReachError.from(end.reason).code));
}

function count(words: string[], word: string): number {
  return words.filter((one) => one === word).length;
}

/** Calls a plain write, which is never repeated, until its breaker has tripped. */
async function trip(house: TestHouse, times = 20): Promise<void> {
  const codes = await ends(Array.from({ length: times }, () => pay(house)));
  assert.equal(count(codes, 'agent-error'), times);
}

let keys = 0;

function pay(house: TestHouse) {
  const key = `k${keys++}`;
  return house.call({ capability: 'refund_order', params: {}, idempotency_key: key });
}

/** An agent that fails until it is told to be well. */
async function failing(house: TestHouse) {
  const agent = { isWell: false, calls: 0 };
  await house.agent('pay', refund, () => {
    agent.calls += 1;
    return agent.isWell ? json(200, {}) : json(500, {});
  });
  return agent;
}

test('twenty failures in a row shut an agent off: the next call is told so at once, and when to come', async () => {
  await using house = await openHouse();
  const agent = await failing(house);
  await trip(house);

  const refused = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    headers: { 'idempotency-key': 'late' },
    payload: { capability: 'refund_order', params: {} },
  });

  const problem = refused.json();
  assert.deepEqual(
    [refused.statusCode, problem.code, problem.executed, problem.retryable],
    [503, 'circuit-open', 'no', true],
  );
  assert.match(problem.detail, /circuit open for \d+ s more: 20 failures in a row/);
  const waitS = Number(refused.headers['retry-after']);
  assert.ok(waitS >= 9 && waitS <= 11, `${waitS} s`);
  assert.equal(agent.calls, 20);
});

test('of fifty calls at once to a half-open breaker three are let through and 47 refused', async () => {
  await using house = await openHouse();
  const agent = await failing(house);
  await trip(house);
  await house.clock.advance(11_000);
  const answers: ((response: FetchResponse) => void)[] = [];
  await house.agent('pay', refund, () => new Promise((resolve) => answers.push(resolve)));
  const calls = ends(Array.from({ length: 50 }, () => pay(house)));
  for (let i = 0; i < 100 && answers.length < 3; i++) await settled();

  for (const answer of answers) answer(json(200, {}));
  const codes = await calls;

  assert.equal(answers.length, 3);
  assert.deepEqual([count(codes, 'ok'), count(codes, 'circuit-open')], [3, 47]);
  agent.isWell = true;
  const after = ends(Array.from({ length: 9 }, () => pay(house)));
  for (let i = 0; i < 100 && answers.length < 12; i++) await settled();
  for (const answer of answers) answer(json(200, {}));
  assert.deepEqual(await after, Array(9).fill('ok'), 'three successes have closed it');
});

test('a trial that fails opens it again, for twice as long', async () => {
  await using house = await openHouse();
  const agent = await failing(house);
  await trip(house);
  await house.clock.advance(11_000);
  await trip(house, 1);
  await house.clock.advance(11_000);

  await assert.rejects(
    pay(house),
    failsWith('circuit-open', ({ facts }) => {
      assert.ok((facts.retry_after_ms ?? 0) > 6_000, `${facts.retry_after_ms}`);
    }),
  );
  assert.equal(agent.calls, 21);
});

test('where another instance is well the calls go there, and none fails', async () => {
  await using house = await openHouse();
  let broken = 0;
  await house.agent('a', lookup, () => {
    broken += 1;
    return reset();
  });
  await house.agent('b', lookup, shipped);
  for (let i = 0; i < 400; i++) await house.during(house.call(ask), 1_000);
  const before = broken;
  assert.ok(before >= 20, `${before} calls met the broken one`);

  const answers = await Promise.all(Array.from({ length: 50 }, () => house.call(ask)));

  assert.equal(broken, before);
  assert.ok(
    answers.every(({ provider, retry_count }) => provider.agent === 'b' && retry_count === 0),
  );
});

test('refusals of the caller’s request never open a breaker', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, () => json(404, {}));

  const codes = await ends(Array.from({ length: 60 }, () => house.call(ask)));

  assert.equal(count(codes, 'agent-rejected'), 60);
});

test('callers who leave too little time cannot shut an agent off', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, () => new Promise<never>(() => {}));
  const hasty = { ...ask, context: { deadline_ms: 100 } };

  const codes = await house.during(
    ends(Array.from({ length: 60 }, () => house.call(hasty))),
    1_000,
  );

  assert.equal(count(codes, 'deadline-exceeded'), 60);
});

test('what is shut off has a fallback like what is gone', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, () => reset());
  await house.agent('cache', cached, remembered);
  for (let i = 0; i < 20; i++) await ends([house.during(house.call(ask), 1_000)]);

  const answer = await house.during(house.call(toCached), 1_000);

  assert.equal(answer.status, 'degraded');
  assert.match(answer.warnings.join(), /circuit-open/);
});

test('an open breaker is shown where somebody would look: agent, diagnosis and explanation', async () => {
  await using house = await openHouse();
  await failing(house);
  await trip(house);
  const told = /^circuit open for \d+ s more: 20 failures in a row$/;

  const agent = await house.ask<{ instances: { circuits: Record<string, string>[] }[] }>(
    'GET',
    '/v1/agents/pay',
  );
  const { diagnoses } = await house.ask<{
    diagnoses: { reachable: boolean; failing_step: string; steps: { detail: string }[] }[];
  }>('POST', '/v1/agents/pay/diagnose');
  const route = await house.ask<{ candidates: { verdict: string; reason: string }[] }>(
    'POST',
    '/v1/routes',
    { capability: 'refund_order', params: {}, explain: true },
  );

  const [circuit] = agent.instances[0]?.circuits ?? [];
  assert.deepEqual([circuit?.['capability'], circuit?.['state']], ['refund_order', 'open']);
  assert.match(circuit?.['detail'] ?? '', told);
  assert.deepEqual([diagnoses[0]?.reachable, diagnoses[0]?.failing_step], [false, 'circuit']);
  assert.match(diagnoses[0]?.steps.at(-1)?.detail ?? '', /refund_order: circuit open for/);
  assert.match(route.candidates[0]?.reason ?? '', /circuit open for|circuit half open/);
});

test('the settings of breakers are those of the house', async () => {
  await using house = await openHouse({ 'breaker.failures': 3, 'breaker.open': '1s' });
  await failing(house);
  await trip(house, 3);
  await assert.rejects(pay(house), failsWith('circuit-open'));

  await house.clock.advance(1_100);

  await assert.rejects(pay(house), failsWith('agent-error'));
});

test('when everything fails repeats stop after ten failures, and come back with successes', async () => {
  await using house = await openHouse({
    'breaker.failures': 1_000,
    'breaker.failure.percent': 100,
  });
  let isWell = false;
  let runs = 0;
  await house.agent('orders', lookup, () => {
    runs += 1;
    return isWell ? shipped() : reset();
  });
  const call = () => house.during(house.call(ask), 1_000);
  for (let i = 0; i < 5; i++) await assert.rejects(call(), failsWith('agent-error'));
  assert.equal(runs, 10, 'each of five was tried twice');

  await assert.rejects(
    call(),
    failsWith('agent-error', ({ facts }) => assert.equal(facts['retry_budget_spent'], true)),
  );
  assert.equal(runs, 11);
  isWell = true;
  for (let i = 0; i < 11; i++) await call();
  isWell = false;
  runs = 0;
  await assert.rejects(call(), failsWith('agent-error'));
  assert.equal(runs, 1, 'the failure took the token that eleven successes gave back');
});

test('where an agent fails its calls are repeated at another one, whatever is left of its own budget', async () => {
  await using house = await openHouse({
    'breaker.failures': 1_000,
    'breaker.failure.percent': 100,
  });
  let broken = 0;
  await house.agent('a', lookup, () => {
    broken += 1;
    return reset();
  });
  await house.agent('b', lookup, shipped);

  for (let i = 0; i < 300; i++) await house.during(house.call(ask), 1_000);

  // Twice what its budget bears. After that its score keeps it for when nobody else is left.
  assert.equal(broken, 20);
});
