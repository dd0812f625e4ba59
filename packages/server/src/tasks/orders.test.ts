import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, TaskTicket, TaskWhy } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import { failsWith, type TestHouse } from '../main/testing/house.ts';
import {
  claim,
  claimOne,
  openWithPuller,
  payload,
  query,
  rows,
  say,
  submit,
  task,
} from './testing/capabilities.ts';

type Order = Output<'orders.get'>;

/** Submits number `seq` of source `u`, named after it. */
const place = (house: TestHouse, seq: number, more: Record<string, unknown> = {}) =>
  submit(house, { task_id: `n${seq}`, source_id: 'u', ordered: true, order_seq: seq, ...more });

const order = (house: TestHouse) => house.ask<Order>('GET', '/v1/orders/u');
const why = async (house: TestHouse, id: string) =>
  (await house.ask<TaskWhy>('GET', `/v1/tasks/${id}/why`)).says.join(' ');
const warnings = async (house: TestHouse, id: string) =>
  (await house.ask<Output<'tasks.history'>>('GET', `/v1/tasks/${id}/history`)).warnings;

/** Runs whatever is to be had until nothing is, and tells in which order. */
async function runAll(house: TestHouse): Promise<string[]> {
  const ran: string[] = [];
  for (;;) {
    const [held] = await claim(house, 'sql');
    if (held === undefined) return ran;
    ran.push(held.task_id);
    await say(house, held, 'complete', { result: rows });
  }
}

test('one that comes before the one it follows waits for it, and goes on at once when it has come', async () => {
  await using house = await openWithPuller();
  await place(house, 1);
  const early = await place(house, 3);
  assert.match(early.warnings.join(), /order_seq 2 of source u has not come: .* up to 30000 ms/);
  assert.deepEqual(await runAll(house), ['n1']);
  assert.equal((await task(house, 'n3')).status, 'waiting');
  assert.match(
    await why(house, 'n3'),
    /order_seq 2 of source u has not come: it is waited for until/,
  );
  assert.match((await order(house)).says.join(' '), /n3 has the turn: it is waiting.*order_seq 2/);

  await house.clock.advance(5_000);
  assert.deepEqual((await place(house, 2)).warnings, []);

  assert.deepEqual(await runAll(house), ['n2', 'n3']);
  assert.deepEqual(await warnings(house, 'n3'), []);
  const { moves } = await house.ask<Output<'tasks.history'>>('GET', '/v1/tasks/n3/history');
  const hastened = moves.find(({ cause }) => cause === 'hastened');
  assert.equal(hastened?.reason, 'order_seq 2 has come');
});

test('one that never comes is waited for so long; then the order goes on, and says so', async () => {
  await using house = await openWithPuller({ 'order.gap.wait': '10s' });
  await place(house, 1);
  await place(house, 3);
  await place(house, 4);
  assert.deepEqual(await runAll(house), ['n1']);

  await house.clock.advance(9_700);
  assert.deepEqual(await runAll(house), []);
  await house.clock.advance(600);

  assert.deepEqual(await runAll(house), ['n3', 'n4']);
  assert.match((await warnings(house, 'n3')).join(), /ran without order_seq 2 .* within 10000 ms/);
  assert.match(await why(house, 'n3'), /It ran without order_seq 2 of source u/);
  assert.deepEqual(await warnings(house, 'n4'), []);
  await place(house, 2);
  assert.match((await warnings(house, 'n3')).join(), /ran without order_seq 2/, 'late is late');
});

test('a missing one that comes after the wait, but before anybody began, still goes first', async () => {
  await using house = await openWithPuller({ 'order.gap.wait': '1s' });
  await place(house, 1);
  await runAll(house);
  await place(house, 3);
  await house.clock.advance(1_500);
  assert.equal((await task(house, 'n3')).status, 'queued');

  await place(house, 2);

  assert.deepEqual(await runAll(house), ['n2', 'n3']);
  assert.deepEqual(await warnings(house, 'n3'), []);
});

test('an own delay stays when a gap is closed, and nobody waits for longer than half of its time', async () => {
  await using house = await openWithPuller();
  await place(house, 1);
  await place(house, 3, { delay: 20 });
  await place(house, 9, { source_id: 'v', timeout: 4 });
  await place(house, 2);
  assert.deepEqual(await runAll(house), ['n1', 'n2']);
  await house.clock.advance(2_300);
  assert.equal((await task(house, 'n9')).status, 'queued');
  assert.deepEqual(await runAll(house), ['n9']);
  await house.clock.advance(17_000);
  assert.deepEqual(await runAll(house), []);
  await house.clock.advance(1_000);
  assert.deepEqual(await runAll(house), ['n3']);
});

test('where gaps are not waited for, numbers only say what goes before what', async () => {
  await using house = await openWithPuller({ 'order.gap.wait': 0 });
  await place(house, 70);
  await place(house, 50);

  assert.deepEqual(await runAll(house), ['n50', 'n70']);
  assert.deepEqual(await warnings(house, 'n70'), []);
});

test('what comes together has no gaps: a bulk is in the order of its numbers, else of its rows', async () => {
  await using house = await openWithPuller();
  const numbered = [3, 1, 2].map((seq) => ({
    task_id: `n${seq}`,
    task_type: 'query',
    payload,
    source_id: 'u',
    ordered: true,
    order_seq: seq,
  }));
  const plain = ['c', 'a', 'b'].map((id) => ({
    task_id: id,
    task_type: 'query',
    payload,
    source_id: 'v',
    ordered: true,
  }));

  const { tasks } = await house.ask<{ tasks: { ticket: TaskTicket }[] }>('POST', '/v1/tasks/bulk', {
    tasks: [...numbered, ...plain],
  });

  assert.deepEqual(
    tasks.flatMap(({ ticket }) => ticket.warnings),
    [],
  );
  const ran = await runAll(house);
  assert.deepEqual(
    ran.filter((id) => id.startsWith('n')),
    ['n1', 'n2', 'n3'],
  );
  assert.deepEqual(
    ran.filter((id) => !id.startsWith('n')),
    ['c', 'a', 'b'],
  );
});

test('a bulk keeps its order although the first of it finds its queue full', async () => {
  await using house = await openWithPuller({ 'flowcontrol.max-pending': 1 });
  await house.puller('sql-2', query);
  await house.puller('writer', { ...query, name: 'write' });
  const one = (id: string, type = 'query') => ({
    task_id: id,
    task_type: type,
    payload,
    source_id: 'u',
    ordered: true,
  });
  const { agent = '' } = await submit(house, one('probe'));
  await say(house, await claimOne(house, agent), 'complete', { result: rows });
  // By another gateway, so to speak: this one does not know yet that the queue is full.
  const other = { tenant: 'internal', taskId: 'other', taskType: 'query', agentId: agent };
  const facts = { kind: 'task', fingerprint: 'f', principal: 'p', traceId: 't' } as const;
  await house.storage.tasks.submit({
    tasks: [{ ...other, ...facts, priority: 5, attemptsMax: 1, selector: '{}', payload: '{}' }],
    pendingMax: 1,
    reserve: 0,
    now: house.clock.now(),
  });

  await house.ask('POST', '/v1/tasks/bulk', { tasks: [one('first'), one('second', 'write')] });

  const { turn, blocked } = await order(house);
  assert.equal(turn?.task_id, 'first');
  assert.notEqual(turn.agent, agent);
  assert.deepEqual(
    blocked.map(({ task_id: id }) => id),
    ['second'],
  );
});

test('a parked head blocks its source, once said and shown, until it is redriven, cancelled or skipped', async () => {
  const said: string[] = [];
  const hear = (fields: object, message: string) => {
    if (!message.includes('ordered tasks')) return;
    const { task: id, by } = fields as { task: string; by?: string };
    said.push(by === undefined ? `${id} blocks` : `${id} ${by}`);
  };
  const log = { ...silentLog, warn: hear, info: hear };
  await using house = await openWithPuller({ 'task.max.retry': 0 }, log);
  for (const seq of [0, 1, 2, 3]) await place(house, seq);
  const die = async () => {
    await say(house, await claimOne(house, 'sql'), 'fail', { reason: 'boom', retryable: true });
  };
  await die();

  const blocked = await order(house);
  assert.equal(blocked.is_blocked, true);
  assert.deepEqual([blocked.turn?.task_id, blocked.turn?.cause], ['n0', 'attempts-spent']);
  assert.match(blocked.says[0] ?? '', /n0 has the turn and is parked .*stands still. 3 tasks wait/);
  assert.deepEqual(
    blocked.blocked.map(({ order_seq: seq }) => seq),
    [1, 2, 3],
  );
  assert.match(await why(house, 'n2'), /Blocked by task n0 .*redriven, cancelled or skipped/);
  assert.match(await why(house, 'n0'), /stand still behind it/);
  assert.deepEqual(await claim(house, 'sql'), []);

  await house.ask('POST', '/v1/dead-letters/n0/skip', { reason: 'go on' });
  assert.deepEqual(
    (await order(house)).skipped.map(({ task_id: id }) => id),
    ['n0'],
  );
  await assert.rejects(
    house.ask('POST', '/v1/dead-letters/n0/skip', {}),
    failsWith('task-conflict', ({ message }) => assert.match(message, /skipped already/)),
  );
  await die();
  assert.equal((await order(house)).turn?.task_id, 'n1');
  await house.ask('POST', '/v1/tasks/n1/cancel', {});
  await die();
  await house.ask('POST', '/v1/dead-letters/n2/redrive', {});
  assert.deepEqual(await runAll(house), ['n2', 'n3']);
  assert.deepEqual(said, [
    'n0 blocks',
    'n0 skipped',
    'n1 blocks',
    'n1 cancelled',
    'n2 blocks',
    'n2 redriven',
  ]);
  const over = await order(house);
  assert.deepEqual([over.turn, over.is_blocked, over.blocked], [undefined, false, []]);
});

test('with on_dead skip the source goes on by itself', async () => {
  await using house = await openWithPuller({ 'task.max.retry': 0 });
  await place(house, 0, { on_dead: 'skip' });
  await place(house, 1);

  await say(house, await claimOne(house, 'sql'), 'fail', { reason: 'boom', retryable: true });

  assert.deepEqual(await runAll(house), ['n1']);
  assert.equal((await order(house)).is_blocked, false);
});

test('an order nobody knows is not found, and one without a source or an order says nothing', async () => {
  await using house = await openWithPuller();
  await assert.rejects(order(house), failsWith('not-found'));
  for (const more of [{ order_seq: 1 }, { on_dead: 'skip' }]) {
    await assert.rejects(
      submit(house, { source_id: 'u', ...more }),
      failsWith('validation-failed', ({ facts }) => {
        assert.match(facts.errors?.[0]?.detail ?? '', /not `ordered`/);
      }),
    );
  }
});
