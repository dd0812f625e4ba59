import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import type { FetchResponse } from '@agent-reach/core/kernel';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { ask, lookup, shipped } from './testing/orders.ts';

/** An agent that answers when the test says so. */
async function holding(house: TestHouse, name = 'orders', more: Record<string, unknown> = {}) {
  const held: ((response: FetchResponse) => void)[] = [];
  await house.agent(name, lookup, () => new Promise((resolve) => held.push(resolve)));
  if (Object.keys(more).length > 0) {
    await house.ask('POST', '/v1/agents', {
      name,
      capabilities: [lookup],
      network: { base_url: `http://${name}` },
      ...more,
    });
  }
  return {
    held,
    answerAll: () => {
      for (const answer of held.splice(0)) answer(shipped());
    },
  };
}

async function lull(): Promise<void> {
  for (let i = 0; i < 40; i++) await settled();
}

function endsOf(calls: Promise<unknown>[]): Promise<string[]> {
  return Promise.all(
    calls.map((call) => call.then(() => 'ok').catch((thrown) => ReachError.from(thrown).code)),
  );
}

test('ten calls are at an instance at once, a hundred wait, and the next is told to come again', async () => {
  await using house = await openHouse();
  const { held, answerAll } = await holding(house);
  const calls = Array.from({ length: 110 }, () => house.call(ask));
  await lull();
  assert.equal(held.length, 10);

  await assert.rejects(
    house.call(ask),
    failsWith('agent-busy', ({ executed, retryable, facts }) => {
      assert.deepEqual([executed, retryable], ['no', true]);
      assert.ok((facts.retry_after_ms ?? 0) >= 1_000);
    }),
  );

  const ends = endsOf(calls);
  for (let round = 0; round < 11; round++) {
    assert.equal(held.length, 10, `round ${round}`);
    answerAll();
    await lull();
  }
  assert.deepEqual(new Set(await ends), new Set(['ok']));
});

test('where a manifest says how many it takes, that is the bound', async () => {
  await using house = await openHouse();
  const dependencies = { max_concurrency: 2 };
  const { held, answerAll } = await holding(house, 'orders', { dependencies });
  const calls = Array.from({ length: 3 }, () => house.call(ask));
  await lull();
  assert.equal(held.length, 2);

  answerAll();
  await lull();
  assert.equal(held.length, 1);
  answerAll();
  assert.deepEqual(await endsOf(calls), ['ok', 'ok', 'ok']);
});

test('what a call waits counts against its deadline, and is told as waiting', async () => {
  await using house = await openHouse({ 'bulkhead.running': 1 });
  const { held, answerAll } = await holding(house);
  const first = house.call(ask);
  const second = house.call(ask);
  const third = assert.rejects(
    house.call({ ...ask, context: { deadline_ms: 300 } }),
    failsWith('deadline-exceeded', ({ executed, message }) => {
      assert.equal(executed, 'no');
      assert.match(message, /No place at orders .* Nothing was sent/);
    }),
  );
  await lull();

  await house.clock.advance(290);
  await third;
  answerAll();
  await lull();
  assert.ok(Number(house.network.calls[1]?.headers['reach-deadline-ms']) <= 2_000);
  answerAll();
  const [, waited] = await Promise.all([first, second]);
  assert.deepEqual([waited.timing.queue_ms, waited.timing.match_ms], [290, 0]);
  assert.equal(held.length, 0);
});

test('a full instance costs no call where another one has room', async () => {
  await using house = await openHouse({ 'bulkhead.running': 1, 'bulkhead.waiting': 0 });
  const busy = await holding(house, 'a');
  const other = await holding(house, 'b');
  const calls = [house.call(ask), house.call(ask)];
  await lull();

  assert.deepEqual([busy.held.length, other.held.length], [1, 1]);
  busy.answerAll();
  other.answerAll();
  assert.deepEqual(await endsOf(calls), ['ok', 'ok']);
});

test('who waits while the agent begins to fail is not sent after the others', async () => {
  await using house = await openHouse({ 'bulkhead.running': 1, 'breaker.failures': 1 });
  const { held } = await holding(house);
  const calls = Array.from({ length: 20 }, () => house.call(ask));
  await lull();
  const ends = house.during(endsOf(calls), 1_000);

  held[0]?.({ status: 500, headers: {}, body: new Uint8Array() });

  const codes = await ends;
  assert.equal(house.network.calls.length, 1);
  assert.equal(codes.filter((code) => code === 'circuit-open').length, 19);
});

test('the parts of a call’s time add up, whatever the gateway waited for before it sent', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, sla: { max_qps: 50 } }, shipped);
  const { ledger } = house.storage;
  const pace = ledger.pace.bind(ledger);
  Object.assign(ledger, {
    pace: async (move: Parameters<typeof pace>[0]) => {
      await house.clock.sleep(7);
      return pace(move);
    },
  });

  const { timing } = await house.during(house.call(ask), 1_000);

  const { match_ms: match, queue_ms: queue, agent_ms: agent, return_ms: back } = timing;
  assert.ok(match >= 7, JSON.stringify(timing));
  assert.equal(match + queue + agent + back, timing.total_ms);
});
