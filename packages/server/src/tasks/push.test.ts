import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEADERS, type Output } from '@agent-reach/core';
import type { FetchRequest } from '@agent-reach/core/kernel';
import { settled } from '@agent-reach/core/testing';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, reset, silence } from '../main/testing/network.ts';
import {
  claim,
  payload,
  query,
  rows,
  say,
  submit,
  task,
  transfer,
} from './testing/capabilities.ts';

const answer = () => json(200, rows);

/** A problem document of an agent. */
function problem(status: number, more: Record<string, unknown> = {}, headers = {}) {
  return json(
    status,
    { title: 'no', ...more },
    { 'content-type': 'application/problem+json', ...headers },
  );
}

async function until(house: TestHouse, id: string, status: string, forMs = 60_000) {
  for (let passed = 0; passed < forMs; passed += 50) {
    const now = await task(house, id);
    if (now.status === status) return now;
    await house.clock.advance(50);
  }
  assert.fail(`${id} did not become ${status}, it is ${(await task(house, id)).status}`);
}

test('an agent with an address is sent its tasks: 200 is receipt and result', async () => {
  await using house = await openHouse();
  await house.agent('sql', query, answer);
  const { task_id: id, trace_id: trace } = await submit(house, {
    agent_id: 'boss',
    source_id: 'u1',
  });

  const done = await until(house, id, 'succeeded');

  assert.deepEqual(done.result, rows);
  assert.equal(done.attempts, 1);
  const [sent, ...others] = house.network.calls;
  assert.equal(others.length, 0);
  assert.equal(sent?.url, 'http://sql/abilities/query');
  assert.equal(sent?.body, JSON.stringify(payload));
  assert.equal(sent?.headers[HEADERS.idempotencyKey], `"${id}"`);
  assert.equal(sent?.headers[HEADERS.taskId], id);
  assert.equal(sent?.headers[HEADERS.caller], 'boss');
  assert.equal(sent?.headers[HEADERS.sourceId], 'u1');
  assert.equal(sent?.headers[HEADERS.attempt], '1');
  assert.match(sent?.headers[HEADERS.lease] ?? '', new RegExp(`^${id}~1~`));
  assert.match(sent?.headers[HEADERS.traceparent] ?? '', new RegExp(trace));
});

test('202 is the receipt: the result comes by the lease', async () => {
  await using house = await openHouse();
  let lease = '';
  await house.agent('sql', query, (request) => {
    lease = request.headers[HEADERS.lease] ?? '';
    return { status: 202, headers: {}, body: new Uint8Array() };
  });
  const { task_id: id, trace_id: trace } = await submit(house);
  await until(house, id, 'running');

  await house.clock.advance(5_000);
  const done = await say(house, { task_id: id, lease }, 'complete', { result: rows });

  assert.equal(done['status'], 'succeeded');
  const { hops } = await house.ask<{ hops: Record<string, unknown>[] }>(
    'GET',
    `/v1/traces/${trace}`,
  );
  assert.equal(hops.length, 2);
  const attempts = hops[1]?.['attempts'] as unknown[] | undefined;
  assert.equal(attempts?.length, 1);
});

test('no more is sent to an instance than it takes at once', async () => {
  await using house = await openHouse({ 'task.push.concurrency': 2 });
  const inside: FetchRequest[] = [];
  const answers: (() => void)[] = [];
  await house.agent('sql', { ...query, sla: { timeout_ms: 20_000 } }, (request) => {
    inside.push(request);
    return new Promise((resolve) => answers.push(() => resolve(answer())));
  });
  for (let i = 0; i < 5; i++) await submit(house);
  await house.clock.advance(0);

  assert.equal(inside.length, 2);
  answers.shift()?.();
  await house.clock.advance(10);
  assert.equal(inside.length, 3);
  while (inside.length < 5 || answers.length > 0) {
    answers.shift()?.();
    await house.clock.advance(10);
  }
});

test('what could not be delivered comes back unburnt, and another agent has it', async () => {
  await using house = await openHouse();
  await house.agent('sql-a', query, answer);
  const { task_id: id } = await submit(house, { delay: 1 });
  await house.agent('sql-b', query, answer);
  house.network.at('http://sql-a', undefined);

  const done = await until(house, id, 'succeeded', 10_000);

  assert.equal(done.agent, 'sql-b');
  assert.equal(done.attempts, 1);
  assert.equal(done.deliveries, 1);
});

test('a busy agent is left alone for as long as it asks, and burns nothing', async () => {
  await using house = await openHouse();
  let free = false;
  await house.agent('sql', query, () =>
    free ? answer() : problem(503, { code: 'agent-busy', executed: 'no' }, { 'retry-after': '4' }),
  );
  const { task_id: id } = await submit(house);
  await house.clock.advance(3_900);
  assert.equal(house.network.calls.length, 1);

  free = true;
  const done = await until(house, id, 'succeeded', 2_000);

  assert.equal(done.attempts, 1);
});

test('a read that may have run is run again after a wait', async () => {
  await using house = await openHouse();
  let times = 0;
  await house.agent('sql', query, () => (++times === 1 ? reset() : answer()));
  const { task_id: id } = await submit(house);

  const waiting = await until(house, id, 'waiting', 1_000);
  assert.match(waiting.reason ?? '', /^agent-error/);
  const done = await until(house, id, 'succeeded', 3_000);

  assert.equal(done.attempts, 2);
});

test('a write that may have run is never sent again: it waits for a decision', async () => {
  for (const effect of ['write', undefined]) {
    await using house = await openHouse();
    await house.agent('bank', { ...transfer, effect }, reset);
    const { task_id: id } = await submit(house, { task_type: 'transfer', payload: {} });

    const parked = await until(house, id, 'dead', 40_000);

    assert.equal(parked.cause, 'needs-decision');
    await house.clock.advance(60_000);
    assert.equal(house.network.calls.length, 1);
  }
});

test('a write whose answer was lost may still bring its result by the lease', async () => {
  await using house = await openHouse();
  let lease = '';
  await house.agent('bank', transfer, (request) => {
    lease = request.headers[HEADERS.lease] ?? '';
    return silence();
  });
  const { task_id: id } = await submit(house, { task_type: 'transfer', payload: {} });
  await house.clock.advance(5_000);

  const done = await say(house, { task_id: id, lease }, 'complete', { result: {} });

  assert.equal(done['outcome'], 'ok');
  assert.equal((await task(house, id)).status, 'succeeded');
});

test('a write that provably did not run is sent again', async () => {
  await using house = await openHouse();
  await house.agent('bank', transfer, () => json(200, {}));
  house.network.at('http://bank', undefined);
  const { task_id: id } = await submit(house, { task_type: 'transfer', payload: {} });
  await house.clock.advance(600);
  house.network.at('http://bank', (request) =>
    request.method === 'GET' ? json(200, {}) : json(200, {}),
  );

  const done = await until(house, id, 'succeeded', 30_000);

  assert.equal(done.attempts, 1);
});

test('an agent’s own refusal ends the task', async () => {
  await using house = await openHouse();
  await house.agent('sql', query, () => problem(422, { code: 'bad-sql', detail: 'no such table' }));
  const { task_id: id } = await submit(house);

  const failed = await until(house, id, 'failed', 1_000);

  assert.equal(failed.cause, 'refused');
  assert.match(failed.reason ?? '', /agent-rejected: .*no such table/);
  assert.equal(house.network.calls.length, 1);
});

test('a failing agent’s task is a dead letter after all its runs', async () => {
  await using house = await openHouse();
  await house.agent('sql', query, () => problem(500));
  const { task_id: id } = await submit(house);

  const parked = await until(house, id, 'dead', 30_000);

  assert.equal(parked.cause, 'attempts-spent');
  assert.equal(house.network.calls.length, 4);
});

test('an answer that breaks the schema fails the task and is not repeated', async () => {
  await using house = await openHouse();
  await house.agent('sql', query, () => json(200, { wrong: true }));
  const { task_id: id } = await submit(house);

  const failed = await until(house, id, 'failed', 1_000);

  assert.match(failed.reason ?? '', /^schema-drift/);
  assert.equal(house.network.calls.length, 1);
});

test('a cancelled task’s request is broken off, and its answer is not taken', async () => {
  await using house = await openHouse();
  let signal: AbortSignal | undefined;
  await house.agent('sql', query, (request) => {
    signal = request.signal;
    return silence();
  });
  const { task_id: id } = await submit(house);
  await until(house, id, 'delivered', 1_000);

  await house.ask('POST', `/v1/tasks/${id}/cancel`, { reason: 'changed my mind' });
  await house.clock.advance(10_000);

  assert.equal(signal?.aborted, true);
  const ended = await task(house, id);
  assert.equal(ended.status, 'cancelled');
  assert.equal(ended.reason, 'changed my mind');
});

test('waiting tasks of an agent that is gone go to another who offers the same', async () => {
  await using house = await openHouse();
  await house.puller('sql-a', query);
  const ids = [];
  for (let i = 0; i < 3; i++) ids.push((await submit(house)).task_id);
  await house.ask('POST', '/v1/agents/sql-a/disable', { reason: 'answers nonsense' });
  await house.agent('sql-b', query, answer);

  for (const id of ids) assert.equal((await until(house, id, 'succeeded', 10_000)).agent, 'sql-b');
});

test('waiting tasks of an agent nobody replaces stay, and are delivered when it is back', async () => {
  await using house = await openHouse();
  await house.agent('sql', query, answer);
  await house.ask('POST', '/v1/agents/sql/disable', {});
  const { task_id: id, status, agent } = await submit(house);
  assert.equal(status, 'queued');
  assert.equal(agent, undefined);
  await house.clock.advance(20_000);
  assert.equal(house.network.calls.length, 0);

  await house.ask('POST', '/v1/agents/sql/enable', {});

  assert.equal((await until(house, id, 'succeeded', 3_000)).agent, 'sql');
});

test('tasks of an agent that was removed wait unbound', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const { task_id: id } = await submit(house);

  await house.ask('DELETE', '/v1/agents/sql');
  await house.clock.advance(2_000);

  assert.equal((await task(house, id)).agent, undefined);
});

test('a stop lets what is under way end, and sends nothing more', async () => {
  const house = await openHouse();
  let finish = () => {};
  await house.agent(
    'sql',
    query,
    () => new Promise((resolve) => (finish = () => resolve(answer()))),
  );
  const { task_id: id } = await submit(house);
  await until(house, id, 'delivered', 1_000);

  const stopping = house.house.stop();
  await settled();
  finish();
  await stopping;

  const row = await house.storage.tasks.get({ tenant: 'internal', taskId: id });
  assert.equal(row?.state, 'succeeded');
  await house[Symbol.asyncDispose]();
});

test('where only one instance has the tags asked for, the task is its own; others get it when it leaves', async () => {
  await using house = await openHouse();
  for (const [id, region] of [
    ['sql-1', 'north'],
    ['sql-2', 'south'],
  ]) {
    await house.ask('POST', '/v1/agents', {
      name: 'sql',
      capabilities: [query],
      instance: { pull: true, instance_id: id, tags: { region } },
    });
  }
  const { task_id: id } = await submit(house, { tags: { region: 'south' } });

  assert.deepEqual(await claim(house, 'sql', { instance_id: 'sql-1' }), []);
  await house.ask('DELETE', '/v1/agents/sql?instance_id=sql-2');
  await house.clock.advance(7_000);

  // Nobody has the tag now; region may be given up.
  const [delivery] = await claim(house, 'sql', { instance_id: 'sql-1' });
  assert.equal(delivery?.task_id, id);
});

test('tasks that nobody can send end parked after their deliveries, and hold up no others', async () => {
  await using house = await openHouse({ 'task.ack.timeout': '1s', 'task.deliveries.max': 3 });
  await house.agent('sql', { ...query, sla: { timeout_ms: 100 } }, answer);
  await house.clock.advance(1_000);
  const poison = Array.from({ length: 20 }, (_, n) => ({
    tenant: 'internal',
    taskId: `poison-${n}`,
    taskType: 'query',
    kind: 'task' as const,
    fingerprint: 'f',
    principal: 'p',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    agentId: 'sql',
    priority: 9,
    attemptsMax: 4,
    selector: 'no JSON',
    payload: '{}',
  }));
  const bounds = { pendingMax: 100, reserve: 0, now: house.clock.now() };
  await house.storage.tasks.submit({ tasks: poison, ...bounds });

  for (let n = 0; n < 30; n++) await submit(house, { task_id: `good-${n}` });
  await house.clock.advance(1_000);

  for (let n = 0; n < 30; n++) assert.equal((await task(house, `good-${n}`)).status, 'succeeded');
  for (let n = 0; n < 20; n++) await until(house, `poison-${n}`, 'dead');
  const { groups } = await house.ask<Output<'dead-letters.list'>>('GET', '/v1/dead-letters');
  assert.deepEqual(
    groups?.map(({ cause, count }) => [cause, count]),
    [['deliveries-spent', 20]],
  );
  assert.equal((await task(house, 'poison-0')).deliveries, 3);
});
