import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse } from '../main/testing/house.ts';
import {
  claim,
  claimOne,
  payload,
  query,
  rows,
  say,
  submit,
  transfer,
} from './testing/capabilities.ts';

const call = { capability: 'query', params: payload, agent_id: 'boss' };

test('a call to an agent that pulls rides the same claim, and its caller gets the result', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);

  const calling = house.call(call);
  await settled();
  await house.clock.advance(10);
  const held = await claimOne(house, 'sql');
  assert.equal(held.kind, 'call');
  assert.equal(held.caller, 'boss');
  assert.deepEqual(held.payload, payload);
  await say(house, held, 'ack');
  await house.clock.advance(200);
  await say(house, held, 'complete', { result: rows });

  const answer = await calling;
  assert.deepEqual(answer.result, rows);
  assert.equal(answer.provider.agent, 'sql');
  assert.equal(answer.trace_id, held.trace_id);
  const { hops } = await house.ask<{ hops: unknown[] }>('GET', `/v1/traces/${answer.trace_id}`);
  assert.equal(hops.length, 1);
});

test('calls go before tasks, and wake whoever waits for work', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  await submit(house, { priority: 8 });
  const calling = house.call(call);
  await settled();
  await house.clock.advance(10);

  const [first, second] = await claim(house, 'sql', { credits: 2 });
  assert.deepEqual([first?.kind, second?.kind], ['call', 'task']);
  const waiting = claim(house, 'sql', { wait: 60 });
  await settled();
  const other = house.call(call);
  await settled();
  await house.clock.advance(10);
  const [woken] = await waiting;
  assert.equal(woken?.kind, 'call');

  for (const held of [first, woken]) {
    assert.ok(held !== undefined);
    await say(house, held, 'complete', { result: rows });
  }
  await Promise.all([calling, other]);
});

test('a call that nobody fetches did not run; one that was fetched may have', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);

  await assert.rejects(
    house.during(house.call(call), 10_000),
    failsWith('deadline-exceeded', ({ executed }) => assert.equal(executed, 'no')),
  );
  assert.deepEqual(await claim(house, 'sql'), []);

  const calling = house.call({ ...call, timeout_ms: 1_000 });
  await settled();
  await house.clock.advance(10);
  const held = await claimOne(house, 'sql');
  await assert.rejects(
    house.during(calling, 10_000),
    failsWith('deadline-exceeded', ({ executed }) => assert.equal(executed, 'unknown')),
  );
  const late = say(house, held, 'complete', { result: rows });
  await assert.rejects(late, failsWith('lease-lost'));
});

test('a pulled call’s refusal and failure are those of any call', async () => {
  await using house = await openHouse();
  await house.puller('bank', transfer);
  const cases = [
    { retryable: false, code: 'agent-rejected', executed: 'yes' },
    { retryable: true, code: 'agent-error', executed: 'unknown' },
  ] as const;
  for (const { retryable, code, executed } of cases) {
    const calling = house.call({ capability: 'transfer', request_id: `r-${code}`, params: {} });
    await settled();
    await house.clock.advance(10);
    const held = await claimOne(house, 'bank');
    assert.equal(held.idempotency_key, `r-${code}`);
    await say(house, held, 'fail', { reason: 'no funds', retryable });

    await assert.rejects(
      calling,
      failsWith(code, (error) => {
        assert.equal(error.executed, executed);
        assert.match(error.message, /no funds/);
      }),
    );
  }
});

test('a route decision, whose traffic goes direct, never names an agent that pulls', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);

  const answer = await house.ask('POST', '/v1/routes', { capability: 'query', params: payload });

  assert.equal(answer['outcome'], 'none');
  assert.match(String(answer['reason']), /pulls its work/);
});

test('a gateway that stops lets a call end that was fetched, and tells one that was not', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const running = house.call(call);
  await settled();
  await house.clock.advance(10);
  const held = await claimOne(house, 'sql');
  await say(house, held, 'ack');
  const waiting = house.call(call);
  waiting.catch(() => {});
  await settled();

  const stopped = house.house.stop();
  const told = assert.rejects(
    waiting,
    failsWith('overloaded', ({ executed }) => assert.equal(executed, 'no')),
  );
  await house.during(told, 1_000);
  await say(house, held, 'complete', { result: rows });

  assert.deepEqual((await running).result, rows);
  await stopped;
});
