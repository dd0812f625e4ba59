import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskTicket, TaskView } from '@agent-reach/core';
import { failsWith, openHouse } from '../main/testing/house.ts';
import {
  claim,
  claimOne,
  query,
  rows,
  say,
  submit,
  task,
  transfer,
} from './testing/capabilities.ts';

const short = { durability: 'memory' };

test('a task in memory is one like any other, and says where it is kept', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);

  const ticket = await submit(house, short);
  assert.match(ticket.task_id, /^tsm_/);
  assert.equal(ticket.durability, 'memory');
  const delivery = await claimOne(house, 'sql');
  assert.equal(delivery.task_id, ticket.task_id);
  await say(house, delivery, 'ack');
  await say(house, delivery, 'progress', { percent: 10 });
  const kept = await house.ask<{ leases: { outcome: string }[] }>('POST', '/v1/tasks/extend', {
    leases: [delivery.lease],
  });
  assert.equal(kept.leases[0]?.outcome, 'kept');
  await say(house, delivery, 'complete', { result: rows });

  const ended = await task(house, ticket.task_id);
  assert.deepEqual([ended.status, ended.durability, ended.result], ['succeeded', 'memory', rows]);
  assert.equal(
    await house.storage.tasks.get({ tenant: 'internal', taskId: ended.task_id }),
    undefined,
  );
});

test('a task in memory is lost with its gateway, and a durable one is not', async () => {
  await using first = await openHouse();
  await first.puller('sql', query);
  const lost = await submit(first, short);
  const kept = await submit(first);
  await first.house.stop();

  await using second = await first.again();

  await assert.rejects(task(second, lost.task_id), failsWith('task-not-found'));
  assert.equal((await task(second, kept.task_id)).status, 'queued');
});

test('nothing but a read may be lost', async () => {
  await using house = await openHouse();
  await house.puller('bank', transfer);
  await house.puller('silent', { name: 'silent', description: 'Says nothing of its effect.' });

  for (const task_type of ['transfer', 'silent']) {
    await assert.rejects(
      submit(house, { task_type, ...short }),
      failsWith('validation-failed', ({ facts }) => {
        assert.equal(facts.errors?.[0]?.pointer, '#/durability');
      }),
    );
  }
  const unbound = await submit(house, short);
  assert.equal(unbound.durability, 'durable');
  assert.match(unbound.warnings.join(), /kept durably: nobody is there/);
});

test('what memory cannot give is refused by its field', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const { task_id: parent } = await submit(house);
  const fields = {
    task_id: 'mine',
    idempotency_key: 'k',
    parent_id: parent,
    ordered: true,
  };
  for (const [name, value] of Object.entries(fields)) {
    await assert.rejects(
      submit(house, { ...short, source_id: 'u', [name]: value }),
      failsWith('validation-failed', ({ facts }) => {
        assert.equal(facts.errors?.[0]?.pointer, `#/${name}`);
      }),
    );
  }
  await assert.rejects(submit(house, { task_id: 'tsm_1' }), failsWith('validation-failed'));
});

test('when memory has no place left a task is kept durably, until ended ones are forgotten', async () => {
  await using house = await openHouse({
    'task.memory.max': 1,
    'task.memory.retention': '1s',
  });
  await house.puller('sql', query);
  await submit(house, short);
  const second = await submit(house, short);
  assert.equal(second.durability, 'durable');
  assert.match(second.warnings.join(), /no place left in memory/);

  for (const one of await claim(house, 'sql', { credits: 2 })) {
    await say(house, one, 'complete', { result: rows });
  }
  await house.clock.advance(120_000);
  assert.equal((await submit(house, short)).durability, 'memory');
});

test('a list goes through the tasks in memory, then the durable ones, by one cursor', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const all: TaskTicket[] = [];
  for (let i = 0; i < 7; i++) all.push(await submit(house, i % 2 === 0 ? short : {}));

  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await house.ask<{ tasks: TaskView[]; cursor?: number }>(
      'GET',
      `/v1/tasks?limit=2${cursor}`,
    );
    seen.push(...page.tasks.map(({ task_id: id }) => id));
    if (page.cursor === undefined) break;
    cursor = `&cursor=${page.cursor}`;
  }

  const newestFirst = all.toReversed();
  const inMemory = newestFirst.filter(({ durability }) => durability === 'memory');
  const durable = newestFirst.filter(({ durability }) => durability === 'durable');
  assert.deepEqual(
    seen,
    [...inMemory, ...durable].map(({ task_id: id }) => id),
  );
});

test('a full queue refuses short tasks like others, and a lapsed lease gives them back', async () => {
  await using house = await openHouse({ 'flowcontrol.max-pending': 2 });
  await house.puller('sql', query);
  const first = await submit(house, short);
  await submit(house, short);
  await assert.rejects(submit(house, short), failsWith('agent-busy'));

  await claimOne(house, 'sql');
  await house.clock.advance(31_000);
  const back = await task(house, first.task_id);
  assert.deepEqual([back.status, back.cause], ['queued', 'lease-lost']);
});
