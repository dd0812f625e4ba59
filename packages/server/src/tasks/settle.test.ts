import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '@agent-reach/core/testing';
import { failsWith, type TestHouse } from '../main/testing/house.ts';
import {
  claim,
  claimOne,
  openWithPuller,
  rows,
  say,
  submit,
  task,
  transfer,
} from './testing/capabilities.ts';

test('a lease without a receipt lapses: others have the task, and no attempt is burnt', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);
  const first = await claimOne(house, 'sql');

  await house.clock.advance(30_500);

  const second = await claimOne(house, 'sql');
  assert.equal(second.attempt, 1);
  await assert.rejects(
    say(house, first, 'complete', { result: { rows: ['late'] } }),
    failsWith('lease-lost', ({ facts }) => assert.equal(facts['task_status'], 'delivered')),
  );
  await say(house, second, 'complete', { result: rows });
  const ended = await task(house, id);
  assert.deepEqual(ended.result, rows);
  assert.equal(ended.attempts, 1);
  assert.equal(ended.deliveries, 2);
});

test('a late result that nobody contests is taken, and told to be late', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);
  const delivery = await claimOne(house, 'sql');
  await house.clock.advance(30_500);

  const answer = await say(house, delivery, 'complete', { result: rows });

  assert.equal(answer['outcome'], 'late_ok');
  assert.equal((await task(house, id)).status, 'succeeded');
  assert.deepEqual(await claim(house, 'sql'), []);
});

test('a started read whose lease lapses is run again; a started write waits for a decision', async () => {
  await using house = await openWithPuller();
  await house.puller('bank', transfer);
  const read = await submit(house);
  const write = await submit(house, { task_type: 'transfer', payload: {} });
  await say(house, await claimOne(house, 'sql'), 'ack');
  const held = await claimOne(house, 'bank');
  await say(house, held, 'ack');

  await house.clock.advance(30_500);

  const again = await task(house, read.task_id);
  assert.equal(again.status, 'waiting');
  assert.equal(again.cause, 'lease-lost');
  const parked = await task(house, write.task_id);
  assert.equal(parked.status, 'dead');
  assert.equal(parked.cause, 'needs-decision');
  await house.clock.advance(2_700);
  assert.equal((await claimOne(house, 'sql')).attempt, 2);
  assert.equal((await say(house, held, 'complete'))['outcome'], 'late_ok');
  assert.equal((await task(house, write.task_id)).status, 'succeeded');
});

test('a lease lives by extend, and not by the heartbeats of its agent', async () => {
  await using house = await openWithPuller();
  await submit(house);
  await submit(house);
  const [kept, lost] = await claim(house, 'sql', { credits: 2 });
  assert.ok(kept !== undefined && lost !== undefined);
  for (const one of [kept, lost]) await say(house, one, 'ack');

  for (let i = 0; i < 4; i++) {
    await house.clock.advance(10_000);
    await house.ask('POST', '/v1/agents/sql/heartbeat', {});
    const answer: Record<string, unknown> = await house.ask('POST', '/v1/tasks/extend', {
      leases: [kept.lease],
    });
    assert.deepEqual(answer['leases'], [
      { task_id: kept.task_id, outcome: 'kept', status: 'running' },
    ]);
  }

  const answer = await house.ask('POST', '/v1/tasks/extend', { leases: [kept.lease, lost.lease] });
  assert.deepEqual(answer, {
    lease_ms: 30_000,
    leases: [
      { task_id: kept.task_id, outcome: 'kept', status: 'running' },
      { task_id: lost.task_id, outcome: 'lost', status: 'queued' },
    ],
  });
});

test('a forged lease, one of another task, and no lease at all are told apart', async () => {
  await using house = await openWithPuller();
  await submit(house, { task_id: 'a' });
  await submit(house, { task_id: 'b' });
  const [a, b] = await claim(house, 'sql', { credits: 2 });
  assert.ok(a !== undefined && b !== undefined);
  const forged = a.lease.replace('~1~', '~2~');

  await assert.rejects(say(house, { ...a, lease: b.lease }, 'ack'), failsWith('lease-lost'));
  await assert.rejects(say(house, { ...a, lease: forged }, 'ack'), failsWith('lease-lost'));
  await assert.rejects(
    say(house, { ...a, lease: 'x' }, 'ack'),
    failsWith('validation-failed', ({ facts }) => {
      assert.equal(facts.errors?.[0]?.pointer, '#/lease');
    }),
  );
  const leases = [forged, b.lease, 'x', ''];
  const answer = await house.ask('POST', '/v1/tasks/extend', { leases });
  assert.deepEqual(answer['leases'], [
    { task_id: 'a', outcome: 'lost' },
    { task_id: 'b', outcome: 'kept', status: 'delivered' },
    { outcome: 'invalid' },
    { outcome: 'invalid' },
  ]);
});

test('extend tells a cancelled task, an ended one and a lost one apart', async () => {
  await using house = await openWithPuller();
  for (const task_id of ['a', 'b', 'c']) await submit(house, { task_id });
  const [a, b, c] = await claim(house, 'sql', { credits: 3 });
  assert.ok(a !== undefined && b !== undefined && c !== undefined);
  await house.ask('POST', '/v1/tasks/a/cancel', {});
  await say(house, b, 'complete', { result: rows });
  await house.clock.advance(31_000);

  const answer = await house.ask<{ leases: { outcome: string; status: string }[] }>(
    'POST',
    '/v1/tasks/extend',
    { leases: [a.lease, b.lease, c.lease] },
  );

  assert.deepEqual(
    answer.leases.map(({ outcome, status }) => [outcome, status]),
    [
      ['cancelled', 'cancelled'],
      ['ended', 'succeeded'],
      ['lost', 'queued'],
    ],
  );
});

test('a result that breaks its schema fails the task for good, and its agent is told', async () => {
  await using house = await openWithPuller();
  const { task_id: id } = await submit(house);
  const delivery = await claimOne(house, 'sql');

  await assert.rejects(
    say(house, delivery, 'complete', { result: { wrong: 1 } }),
    failsWith('schema-drift', ({ executed }) => assert.equal(executed, 'yes')),
  );

  const failed = await task(house, id);
  assert.equal(failed.status, 'failed');
  assert.match(failed.reason ?? '', /^schema-drift: .*rows/);
  assert.deepEqual(failed.result, { wrong: 1 });
});

test('a result over the limit fails the task with its head kept; who waits is answered at once', async () => {
  await using house = await openWithPuller({ 'task.result.max': 1_024 });
  const { task_id: id } = await submit(house);
  const delivery = await claimOne(house, 'sql');
  const waiting = house.ask('GET', `/v1/tasks/${id}?wait=60`);
  await settled();

  await assert.rejects(
    say(house, delivery, 'complete', { result: { rows: ['x'.repeat(2_000)] } }),
    failsWith('payload-too-large', ({ facts }) => assert.equal(facts.limit, 1_024)),
  );

  const failed = await waiting;
  assert.equal(failed['status'], 'failed');
  assert.match(String(failed['reason']), /^result-too-large: 2013 bytes, limit 1024/);
  assert.match(JSON.stringify(failed['result']), /truncated.*xxx/);
});

test('released work keeps its place, and burns neither delivery nor attempt', async () => {
  await using house = await openWithPuller();
  await submit(house, { task_id: 'a' });
  await submit(house, { task_id: 'b' });
  const delivery = await claimOne(house, 'sql');
  await say(house, delivery, 'ack');

  await say(house, delivery, 'release', { reason: 'shutting down' });

  const back = await task(house, 'a');
  assert.equal(back.status, 'queued');
  assert.equal(back.deliveries, 0);
  assert.equal(back.attempts, 0);
  assert.equal((await claimOne(house, 'sql')).task_id, 'a');
});

test('a task whose order cannot be read ends as a dead letter, and others are delivered', async () => {
  await using house = await openWithPuller();
  await submitUnreadable(house);
  await submit(house, { task_id: 'good' });

  const deliveries = await claim(house, 'sql', { credits: 2 });
  assert.deepEqual(
    deliveries.map(({ task_id: id }) => id),
    ['good'],
  );
  for (let i = 0; i < 12; i++) {
    await house.clock.advance(30_500);
    await claim(house, 'sql', { credits: 2 });
  }

  const parked = await task(house, 'poison');
  assert.equal(parked.status, 'dead');
  assert.equal(parked.cause, 'deliveries-spent');
});

test('a claim that took only what cannot be delivered goes on to what can', async () => {
  await using house = await openWithPuller();
  await submitUnreadable(house);
  await submit(house, { task_id: 'good' });

  const { task_id: id } = await claimOne(house, 'sql');

  assert.equal(id, 'good');
});

/** Stores a task whose order nobody can read. */
async function submitUnreadable(house: TestHouse): Promise<void> {
  await house.storage.tasks.submit({
    tasks: [
      {
        tenant: 'internal',
        taskId: 'poison',
        taskType: 'query',
        kind: 'task',
        fingerprint: 'f',
        principal: 'p',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        agentId: 'sql',
        priority: 9,
        attemptsMax: 4,
        selector: 'no JSON',
        payload: '{}',
      },
    ],
    pendingMax: 10,
    reserve: 0,
    now: house.clock.now(),
  });
}

test('every delivery leaves a hop below the submission’s, and the end its line', async () => {
  await using house = await openWithPuller();
  const { task_id: id, trace_id: trace } = await submit(house);
  const first = await claimOne(house, 'sql');
  await say(house, first, 'ack');
  await house.clock.advance(100);
  await say(house, first, 'fail', { reason: 'no connection', retryable: true });
  await house.clock.advance(3_000);
  await say(house, await claimOne(house, 'sql'), 'complete', { result: rows });

  const { hops } = await house.ask<{ hops: Record<string, unknown>[] }>(
    'GET',
    `/v1/traces/${trace}`,
  );
  const [root, ...deliveries] = hops;
  assert.deepEqual(
    deliveries.map(({ agent_to, instance, code, executed, retry_count }) => ({
      agent_to,
      instance,
      code,
      executed,
      retry_count,
    })),
    [
      {
        agent_to: 'sql',
        instance: 'sql-1',
        code: 'agent-error',
        executed: 'unknown',
        retry_count: 0,
      },
      { agent_to: 'sql', instance: 'sql-1', code: undefined, executed: 'yes', retry_count: 1 },
    ],
  );
  assert.ok(deliveries.every((hop) => hop['parent_span_id'] === root?.['span_id']));
  assert.equal(deliveries[0]?.['execute_ms'], 100);
  const { lines } = await house.ask<{ lines: Record<string, unknown>[] }>(
    'GET',
    `/v1/audit?trace_id=${trace}`,
  );
  const end = lines.find(({ operation }) => operation === 'tasks.end');
  assert.equal(end?.['outcome'], 'ok');
  assert.equal(end?.['request_id'], id);
  assert.equal(end?.['result'], JSON.stringify(rows));
});
