import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskTicket } from '@agent-reach/core';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { claim, payload, query, submit, task } from './testing/capabilities.ts';

/** The body of seed B's curl, as printed. */
const SEED_B = {
  task_id: 't-20250611-0001',
  task_type: 'query',
  tags: { region: 'cn-east', capability: 'sql_query' },
  payload: { sql: 'SELECT * FROM sales WHERE date = today' },
  priority: 5,
  timeout: 60,
};

test('the curl of seed B is accepted as printed, and waits unbound while nobody offers it', async () => {
  await using house = await openHouse();

  const response = await house.http.inject({
    method: 'POST',
    url: '/api/v1/tasks',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(SEED_B),
  });

  assert.equal(response.statusCode, 200);
  const { code, data } = response.json<{ code: number; data: TaskTicket }>();
  assert.equal(code, 0);
  assert.equal(data.task_id, 't-20250611-0001');
  assert.equal(data.status, 'queued');
  assert.equal(data.position, 0);
  assert.equal(data.eta_ms, -1);
  assert.match(data.warnings.join(), /unbound/);
});

test('an unbound task goes to the agent that registers for it', async () => {
  await using house = await openHouse();
  await house.ask('POST', '/v1/tasks', SEED_B);
  const why = await house.ask<{ says: string[] }>('GET', `/v1/tasks/${SEED_B.task_id}/why`);
  assert.match(why.says.join(' '), /Nobody offers query.*unbound/);

  await house.ask('POST', '/v1/agents', {
    name: 'sql-agent',
    tags: { region: 'cn-east', capability: 'sql_query' },
    capabilities: [query],
    instance: { pull: true, instance_id: 'sql-1' },
  });
  await house.clock.advance(0);

  const [delivery] = await claim(house, 'sql-agent');
  assert.equal(delivery?.task_id, SEED_B.task_id);
  assert.deepEqual(delivery?.payload, SEED_B.payload);
  const history = await house.ask<{ moves: { cause: string }[] }>(
    'GET',
    `/v1/tasks/${SEED_B.task_id}/history`,
  );
  assert.deepEqual(
    history.moves.map(({ cause }) => cause),
    ['submitted', 'bound', 'claimed'],
  );
});

test('an unbound task whose payload the newcomer refuses is parked for a person to mend', async () => {
  await using house = await openHouse();
  const { task_id: id } = await submit(house, { payload: { sql: 7 } });

  await house.puller('sql', query);
  await house.clock.advance(1_500);

  const parked = await task(house, id);
  assert.equal(parked.status, 'dead');
  assert.match(parked.reason ?? '', /sql/);
  const letter = await house.ask<{ faults: { pointer: string }[] }>(
    'GET',
    `/v1/dead-letters/${id}`,
  );
  assert.equal(letter.faults[0]?.pointer, '#/payload/sql');
  await assert.rejects(
    house.ask('POST', `/v1/dead-letters/${id}/redrive`, {}),
    failsWith('validation-failed'),
  );
  const again = await house.ask('POST', `/v1/dead-letters/${id}/redrive`, { payload });
  assert.equal(again['status'], 'queued');
  await house.clock.advance(1_500);
  assert.equal((await claim(house, 'sql')).length, 1);
});

test('parameters that the only provider refuses are refused at submit, and nothing is stored', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);

  await assert.rejects(
    submit(house, { task_id: 't1', payload: { sql: 7 } }),
    failsWith('validation-failed', ({ facts }) => {
      assert.equal(facts.errors?.[0]?.pointer, '#/payload/sql');
    }),
  );

  await assert.rejects(task(house, 't1'), failsWith('task-not-found'));
});

test('a task id submitted again is the same task; with other content it is a conflict', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const first = await submit(house, { task_id: 't1' });

  const again = await submit(house, { task_id: 't1' });

  assert.equal(first.replayed, false);
  assert.equal(again.replayed, true);
  assert.equal(again.trace_id, first.trace_id);
  for (const other of [{ priority: 9 }, { payload: { sql: 'x' } }, { agent_id: 'somebody' }]) {
    await assert.rejects(submit(house, { task_id: 't1', ...other }), failsWith('task-conflict'));
  }
});

test('a key without a task id names one task; other content under it is refused', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  for (const key of [{ idempotency_key: 'k1' }, { request_id: 'r1' }]) {
    const first = await submit(house, key);

    const again = await submit(house, key);

    assert.equal(again.task_id, first.task_id);
    assert.equal(again.replayed, true);
    await assert.rejects(
      submit(house, { ...key, payload: { sql: 'x' } }),
      failsWith('idempotency-key-reused'),
    );
  }
  assert.equal((await claim(house, 'sql', { credits: 10 })).length, 2);
});

test('a key that submitted a task is not one for a call', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const { task_id: id } = await submit(house, { idempotency_key: 'k1' });

  await assert.rejects(
    house.call({ capability: 'query', params: payload, idempotency_key: 'k1' }),
    failsWith('idempotency-key-reused', ({ facts }) => assert.equal(facts['task_id'], id)),
  );
});

test('what cannot be a task is refused by its field, and nothing is stored', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const bad: [string, unknown][] = [
    ['priority', 1.5],
    ['priority', 'high'],
    ['priority', -1],
    ['priority', 11],
    ['priority', null],
    ['timeout', 0],
    ['timeout', -1],
    ['timeout', 'soon'],
    ['timeout', 2_592_001],
    ['delay', 'later'],
    ['max_retry', 21],
    ['task_id', 'no blanks'],
    ['source_id', ''],
  ];
  for (const [field, value] of bad) {
    await assert.rejects(
      submit(house, { [field]: value }),
      failsWith('validation-failed', ({ facts }) => {
        assert.equal(facts.errors?.[0]?.pointer, `#/${field}`);
      }),
      `${field} ${String(value)}`,
    );
  }
  await assert.rejects(submit(house, { ordered: true }), failsWith('validation-failed'));
  await assert.rejects(submit(house, { capability: 'other' }), failsWith('validation-failed'));

  const { tasks } = await house.ask<{ tasks: unknown[] }>('GET', '/v1/tasks');
  assert.deepEqual(tasks, []);
});

test('a number that is no double is unsafe JSON', async () => {
  await using house = await openHouse();

  const response = await house.http.inject({
    method: 'POST',
    url: '/v1/tasks',
    headers: { 'content-type': 'application/json' },
    payload: '{"task_type":"query","payload":{},"timeout":1e309}',
  });

  assert.equal(response.statusCode, 400);
  assert.equal(response.json<{ code: string }>().code, 'unsafe-json');
});

test('a payload over the limit is refused with limit and size', async () => {
  await using house = await openHouse({ 'task.payload.max': 1_024 });
  const fits = { sql: 'x'.repeat(1_024 - '{"sql":""}'.length) };

  await submit(house, { payload: fits });

  await assert.rejects(
    submit(house, { payload: { sql: `${fits.sql}x` } }),
    failsWith('payload-too-large', ({ facts }) => {
      assert.equal(facts.limit, 1_024);
      assert.equal(facts.size, 1_025);
    }),
  );
});

test('an agent that does not exist is no place to wait, and tags that fit nothing name no queue', async () => {
  await using house = await openHouse();

  await assert.rejects(submit(house, { agent: 'nobody' }), failsWith('agent-not-found'));
  await assert.rejects(
    submit(house, { task_type: undefined, tags: { a: 'b' } }),
    failsWith('capability-not-found'),
  );
});

test('a bulk is accepted and refused row by row, in its order', async () => {
  await using house = await openHouse({ 'flowcontrol.max-pending': 2 });
  await house.puller('sql', query);
  const row = { task_type: 'query', payload };

  const { tasks } = await house.ask<{
    tasks: { ticket?: TaskTicket; problem?: { code: string } }[];
  }>('POST', '/v1/tasks/bulk', {
    tasks: [
      { ...row, task_id: 'a' },
      { ...row, payload: {} },
      { ...row, task_id: 'b' },
      { ...row, task_id: 'a' },
      { ...row, task_id: 'c' },
      { ...row, tenant: 'other' },
    ],
  });

  assert.deepEqual(
    tasks.map(({ ticket, problem }) => ticket?.task_id ?? problem?.code),
    ['a', 'validation-failed', 'b', 'a', 'agent-busy', 'tenant-mismatch'],
  );
  assert.equal(tasks[3]?.ticket?.replayed, true);
});

test('a full agent is passed over while another has room; then 503 with the time to come again', async () => {
  await using house = await openHouse({ 'flowcontrol.max-pending': 2, 'flowcontrol.reserve': 50 });
  await house.puller('sql-a', query);
  await house.puller('sql-b', query);

  const tickets = [];
  for (let i = 0; i < 4; i++) tickets.push(await submit(house));

  assert.equal(tickets.filter(({ agent }) => agent === 'sql-a').length, 2);
  assert.equal(tickets.filter(({ agent }) => agent === 'sql-b').length, 2);
  await assert.rejects(
    submit(house, { task_id: 'fifth' }),
    failsWith('agent-busy', ({ facts }) => {
      assert.ok((facts.retry_after_ms ?? 0) >= 800 && (facts.retry_after_ms ?? 0) <= 72_000);
      assert.equal(facts.limit, 2);
    }),
  );
  await assert.rejects(task(house, 'fifth'), failsWith('task-not-found'));
  assert.equal((await submit(house, { priority: 10 })).status, 'queued');
});

test('tasks of one source go to one agent, whatever stands before them', async () => {
  await using house = await openHouse();
  for (const name of ['sql-a', 'sql-b', 'sql-c']) await house.puller(name, query);

  for (const source of ['u1', 'u2', 'u3', 'u4']) {
    const agents = new Set<string | undefined>();
    for (let i = 0; i < 5; i++) agents.add((await submit(house, { source_id: source })).agent);
    assert.equal(agents.size, 1);
  }
});

test('without a source the agent with the least before it is chosen', async () => {
  await using house = await openHouse();
  await house.puller('sql-a', query);
  await house.puller('sql-b', query);

  const agents = [];
  for (let i = 0; i < 6; i++) agents.push((await submit(house)).agent);

  assert.equal(agents.filter((agent) => agent === 'sql-a').length, 3);
});

test('in a queue near its end low priority is delayed, and its submitter told', async () => {
  await using house = await openHouse({ 'flowcontrol.max-pending': 10 });
  await house.puller('sql', query);
  for (let i = 0; i < 8; i++) await submit(house);

  const low = await submit(house, { priority: 2 });
  const high = await submit(house, { priority: 3 });

  assert.equal(low.status, 'waiting');
  assert.match(low.warnings.join(), /80 % full/);
  assert.equal(high.status, 'queued');
});

test('a child is of its parent’s trace, and needs one', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const parent = await submit(house);

  const child = await submit(house, { parent_id: parent.task_id });

  assert.equal(child.trace_id, parent.trace_id);
  await assert.rejects(submit(house, { parent_id: 'none' }), failsWith('task-not-found'));
  await house.ask('POST', `/v1/tasks/${parent.task_id}/cancel`, {});
  await assert.rejects(submit(house, { parent_id: parent.task_id }), failsWith('task-conflict'));
});

test('a submission leaves its line in the audit and its hop in the trace', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);

  const ticket = await submit(house, { agent_id: 'boss' });

  const { lines } = await house.ask<{ lines: Record<string, unknown>[] }>(
    'GET',
    `/v1/audit?trace_id=${ticket.trace_id}`,
  );
  assert.deepEqual(
    lines.map(({ operation, principal, target, outcome, executed }) => ({
      operation,
      principal,
      target,
      outcome,
      executed,
    })),
    [
      {
        operation: 'tasks.submit',
        principal: 'boss',
        target: 'sql',
        outcome: 'ok',
        executed: 'no',
      },
    ],
  );
  const { hops } = await house.ask<{ hops: Record<string, unknown>[] }>(
    'GET',
    `/v1/traces/${ticket.trace_id}`,
  );
  assert.equal(hops.length, 1);
  assert.equal(hops[0]?.['status_code'], 202);
  assert.equal(hops[0]?.['request_id'], ticket.task_id);
});

test('made-up names do not make queues without end', async () => {
  await using house = await openHouse({ 'flowcontrol.max-unbound': 2 });
  for (const name of ['a', 'b', 'b']) await submit(house, { task_type: name });

  await assert.rejects(
    submit(house, { task_type: 'c' }),
    failsWith('agent-busy', ({ facts }) => assert.equal(facts.limit, 2)),
  );
  await house.puller('sql', query);
  await submit(house);
});

test('a row that is no task at all costs the others of its bulk nothing', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const good = { task_type: 'query', payload };
  const rows = [good, { ...good, priority: 11 }, 7, null, { ...good, colour: 'red' }, good];

  const { tasks } = await house.ask<{
    tasks: { ticket?: TaskTicket; problem?: { code: string; errors: { pointer: string }[] } }[];
  }>('POST', '/v1/tasks/bulk', { tasks: [...rows, { ...good, wait: 1 }] });

  assert.deepEqual(
    tasks.map(({ ticket, problem }) => ticket?.status ?? problem?.errors[0]?.pointer),
    ['queued', '#/priority', '#', '#', '#/colour', 'queued', '#/wait'],
  );
});

test('an id and a key stand for their task as long as it waits, however old they are', async () => {
  await using house = await openHouse({ 'idempotency.retention': '1m', 'task.tick': '10s' });
  const first = await submit(house, { task_id: 'a' });
  const keyed = await submit(house, { idempotency_key: 'k-1' });

  await house.clock.advance(900_000);

  for (const [ticket, more] of [
    [first, { task_id: 'a' }],
    [keyed, { idempotency_key: 'k-1' }],
  ] as const) {
    const again = await submit(house, more);
    assert.deepEqual([again.task_id, again.replayed], [ticket.task_id, true]);
  }
  const { tasks } = await house.ask<{ tasks: unknown[] }>('GET', '/v1/tasks');
  assert.equal(tasks.length, 2);
});
