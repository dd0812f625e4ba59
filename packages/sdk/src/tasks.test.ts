import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { ReachError, type TaskTicket, type TaskView, toProblem } from '@agent-reach/core';
import { Deadline, systemRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Reach, type ReachOptions } from './reach.ts';
import { runInScope } from './scope.ts';
import { turnClock } from './testing/agent-house.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { until } from './testing/until.ts';

const TYPE = { task_type: 'query', payload: { n: 1 } };

function ticket(taskId = 'none', changes: Partial<TaskTicket> = {}): TaskTicket {
  return {
    task_id: taskId,
    status: 'queued',
    position: 0,
    eta_ms: 0,
    eta_p90_ms: 0,
    durability: 'durable',
    trace_id: 't',
    replayed: false,
    warnings: [],
    ...changes,
  };
}

function view(taskId: string, changes: Partial<TaskView> = {}): TaskView {
  return {
    task_id: taskId,
    task_type: 'query',
    status: 'queued',
    priority: 5,
    deliveries: 0,
    attempts: 0,
    attempts_max: 4,
    durability: 'durable',
    trace_id: 't',
    principal: 'anonymous',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...changes,
  };
}

async function open(options: ReachOptions = {}) {
  const gateway = await FakeGateway.open();
  gateway.on('tasks.submit', ({ task_id: id }) => ticket(id));
  const clock = new ManualClock();
  const ports = { clock, random: systemRandom() };
  const reach = new Reach({ endpoint: gateway.url, ...options }, ports);
  return {
    gateway,
    clock,
    reach,
    async [Symbol.asyncDispose]() {
      await reach.close();
      await gateway.close();
    },
  };
}

async function failure(work: Promise<unknown>): Promise<ReachError> {
  return work.then(
    () => assert.fail('it should fail'),
    (error: unknown) => error as ReachError,
  );
}

test('a submission says who submits and carries an id of its own making', async () => {
  await using house = await open({ agentId: 'cs', tenant: 'acme' });

  const first = await house.reach.tasks.submit(TYPE);
  const second = await house.reach.tasks.submit({ ...TYPE, agent_id: 'me', priority: 7 });

  const [one, two] = house.gateway.all('tasks.submit').map(({ input }) => input);
  assert.match(first.task_id, /^tsk_/);
  assert.deepEqual(one, { agent_id: 'cs', tenant: 'acme', ...TYPE, task_id: first.task_id });
  assert.deepEqual([two?.agent_id, two?.priority], ['me', 7]);
  assert.notEqual(first.task_id, second.task_id);
});

test('one that has an id or a key already is left as it is', async () => {
  await using house = await open();

  await house.reach.tasks.submit({ ...TYPE, task_id: 'mine' });
  await house.reach.tasks.submit({ ...TYPE, idempotency_key: 'k' });
  await house.reach.tasks.submit({ ...TYPE, request_id: 'r' });

  const ids = house.gateway.all('tasks.submit').map(({ input }) => input.task_id);
  assert.deepEqual(ids, ['mine', undefined, undefined]);
});

/** A gateway that takes the first `broken` submissions, and hangs up instead of answering. */
async function openBreaking(broken: number) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const body = chunks.join('');
      bodies.push(body);
      if (bodies.length <= broken) request.socket.destroy();
      else {
        const { task_id: id } = JSON.parse(body) as { task_id: string };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ code: 0, data: ticket(id) }));
      }
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const reach = new Reach(
    { endpoint: `http://127.0.0.1:${port}` },
    { clock: new ManualClock(), random: systemRandom() },
  );
  return {
    bodies,
    reach,
    async [Symbol.asyncDispose]() {
      await reach.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a submission whose answer was lost is sent once more, and is the same task', async () => {
  await using house = await openBreaking(1);

  const { task_id: id } = await house.reach.tasks.submit(TYPE);

  assert.equal(house.bodies.length, 2);
  assert.equal(house.bodies[0], house.bodies[1]);
  assert.match(house.bodies[0] ?? '', new RegExp(id));
});

test('it is sent no more than twice, and an answer is never asked for again', async () => {
  await using house = await openBreaking(5);
  const broken = await failure(house.reach.tasks.submit(TYPE));
  assert.deepEqual([broken.code, house.bodies.length], ['connect-failed', 2]);

  await using other = await open();
  other.gateway.on('tasks.submit', () => {
    throw new ReachError('agent-busy', 'Full.', { retry_after_ms: 1_000 });
  });
  const refused = await failure(other.reach.tasks.submit(TYPE));
  assert.deepEqual([refused.code, refused.facts.retry_after_ms], ['agent-busy', 1_000]);
  assert.equal(other.gateway.seen.length, 1);
});

test('inside a task handler a submission is a child, and the same one when it runs again', async () => {
  await using house = await open();
  const submit = () => {
    const clock = house.clock;
    const scope = {
      agentId: 'orders',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      traceFlags: 1,
      deadline: Deadline.in(clock, Number.POSITIVE_INFINITY),
      signal: new AbortController().signal,
      idempotencyKey: 'key-1',
      taskId: 'parent',
      onBehalfOf: 'li',
      nestedCalls: new Map<string, number>(),
    };
    return runInScope(scope, () =>
      house.reach.tasks.submit({ ...TYPE, context: { source_id: 's' } }),
    );
  };

  const [first, again] = [await submit(), await submit()];

  const [{ input, headers } = assert.fail()] = house.gateway.all('tasks.submit');
  assert.equal(first.task_id, again.task_id);
  assert.deepEqual([input.parent_id, input.agent_id], ['parent', 'orders']);
  assert.deepEqual(input.context, { on_behalf_of: 'li', source_id: 's' });
  assert.match(String(headers['traceparent']), /^00-4bf92f3577b34da6a3ce929d0e0e4736-/);
});

test('many tasks go in few messages, and each has its own outcome in the order asked', async () => {
  await using house = await open();
  house.gateway.on('tasks.submit-many', ({ tasks }) => ({
    tasks: tasks.map(({ task_id: id, priority }) =>
      priority === 0
        ? { problem: toProblem(new ReachError('agent-busy', 'Full.')) }
        : { ticket: ticket(id) },
    ),
  }));
  const requests = Array.from({ length: 2_500 }, (_, i) => ({ ...TYPE, priority: i % 5 }));

  const outcomes = await house.reach.tasks.submitMany(requests);

  const sizes = house.gateway.all('tasks.submit-many').map(({ input }) => input.tasks.length);
  assert.deepEqual(sizes, [1_000, 1_000, 500]);
  assert.equal(outcomes.length, 2_500);
  assert.equal(new Set(outcomes.map(({ task_id: id }) => id)).size, 2_500);
  for (const [i, { ticket: given, error }] of outcomes.entries()) {
    assert.equal(error?.code, i % 5 === 0 ? 'agent-busy' : undefined);
    assert.equal(given === undefined, i % 5 === 0);
  }
});

test('long tasks go in more messages; those of one that fails get its error', async () => {
  await using house = await open();
  let count = 0;
  house.gateway.on('tasks.submit-many', ({ tasks }) => {
    if (count++ === 1) throw new ReachError('storage-full', 'The disk is full.');
    return { tasks: tasks.map(({ task_id: id }) => ({ ticket: ticket(id) })) };
  });
  const payload = 'x'.repeat(200_000);

  const outcomes = await house.reach.tasks.submitMany(
    Array.from({ length: 5 }, () => ({ task_type: 'query', payload })),
  );

  const codes = outcomes.map(({ error }) => error?.code ?? 'ok');
  assert.deepEqual(codes, ['ok', 'ok', 'storage-full', 'storage-full', 'ok']);
});

test('get holds the question as long as it is told, in whole seconds', async () => {
  await using house = await open();
  house.gateway.on('tasks.get', ({ task_id: id }) => view(id));

  await house.reach.tasks.get('t-1');
  await house.reach.tasks.get('t-1', { waitMs: 1_200 });
  await house.reach.tasks.get('t-1', { waitMs: 600_000 });

  const waits = house.gateway.all('tasks.get').map(({ input }) => {
    return (input as { wait?: number }).wait;
  });
  assert.deepEqual(waits, [undefined, 2, 60]);
});

test('wait asks on until the task has ended, in whichever way', async () => {
  await using house = await open();
  for (const status of ['succeeded', 'failed', 'cancelled', 'dead'] as const) {
    let asked = 0;
    house.gateway.on('tasks.get', ({ task_id: id }) => {
      return view(id, { status: ++asked < 3 ? 'running' : status });
    });
    const waiting = house.reach.tasks.wait('t-1');
    await turnClock(house.clock, waiting);
    assert.deepEqual([(await waiting).status, asked], [status, 3]);
  }
});

test('wait outlives a gateway that restarts', async () => {
  await using house = await open();
  let asked = 0;
  house.gateway.on('tasks.get', ({ task_id: id }) => {
    if (++asked < 4) throw new ReachError('overloaded', 'The gateway is stopping.');
    return view(id, { status: 'succeeded', result: 7 });
  });

  const waiting = house.reach.tasks.wait('t-1');
  await turnClock(house.clock, waiting);

  assert.equal((await waiting).result, 7);
});

test('a wait that is over says that the task goes on; nothing is asked longer than that', async () => {
  await using house = await open();
  let asked = 0;
  house.gateway.on('tasks.get', async ({ task_id: id }) => {
    if (++asked > 1) await new Promise(() => {});
    await house.clock.advance(20_000);
    return view(id, { status: 'running' });
  });
  const waiting = failure(house.reach.tasks.wait('t-1', { timeoutMs: 30_500 }));
  await until(() => asked === 2, 'it asks again');
  await house.clock.advance(10_500);
  const error = await waiting;

  const waits = house.gateway
    .all('tasks.get')
    .map(({ input }) => (input as { wait?: number }).wait);
  assert.deepEqual(waits, [20, 11]);
  assert.deepEqual([error.code, error.executed], ['deadline-exceeded', 'unknown']);
  assert.match(error.message, /Task t-1 is still running after 30500 ms; it goes on/);
});

test('a wait ends by its signal, and by what the gateway has against it', async () => {
  await using house = await open();
  house.gateway.on('tasks.get', () => new Promise(() => {}));
  const abort = new AbortController();
  const waiting = failure(house.reach.tasks.wait('t-1', { signal: abort.signal }));
  await house.gateway.nth('tasks.get', 1);
  abort.abort();
  assert.equal((await waiting).code, 'cancelled');

  house.gateway.on('tasks.get', () => {
    throw new ReachError('task-not-found', 'No task is called t-1.');
  });
  assert.equal((await failure(house.reach.tasks.wait('t-1'))).code, 'task-not-found');
});

test('a list is read page by page, as far as it is read', async () => {
  await using house = await open();
  house.gateway.on('tasks.list', ({ cursor = 100 }) => ({
    tasks: [view(`t-${cursor}`), view(`t-${cursor - 1}`)],
    ...(cursor <= 96 ? {} : { cursor: cursor - 2 }),
  }));

  const ids = (await Array.fromAsync(house.reach.tasks.list({ status: 'queued', limit: 2 }))).map(
    ({ task_id: id }) => id,
  );
  for await (const { task_id: id } of house.reach.tasks.list()) if (id === 't-99') break;

  assert.deepEqual(ids, ['t-100', 't-99', 't-98', 't-97', 't-96', 't-95']);
  const asked = house.gateway.all('tasks.list').map(({ input }) => input);
  assert.deepEqual(asked, [
    { status: 'queued', limit: 2 },
    { status: 'queued', limit: 2, cursor: 98 },
    { status: 'queued', limit: 2, cursor: 96 },
    {},
  ]);
});

test('cancel, why and history are one question each', async () => {
  await using house = await open();
  house.gateway
    .on('tasks.cancel', ({ task_id: id }) => ({ cancelled: [id, 't-2'] }))
    .on('tasks.why', ({ task_id: id }) => ({
      task_id: id,
      status: 'queued',
      says: ['It is next.'],
    }))
    .on('tasks.history', ({ task_id: id }) => ({
      task_id: id,
      moves: [{ at: '2026-01-01T00:00:00.000Z', to: 'queued', cause: 'submitted' }],
      warnings: [],
    }));

  house.gateway.on('tasks.park', ({ task_id: id, reason }) => {
    return view(id, { status: 'dead', cause: 'killed', reason });
  });

  assert.deepEqual(await house.reach.tasks.cancel('t-1', { reason: 'no' }), ['t-1', 't-2']);
  assert.equal((await house.reach.tasks.park('t-1', 'poison')).reason, 'poison');
  assert.deepEqual((await house.reach.tasks.why('t-1')).says, ['It is next.']);
  assert.equal((await house.reach.tasks.history('t-1'))[0]?.cause, 'submitted');
  assert.deepEqual(house.gateway.all('tasks.cancel')[0]?.input, { task_id: 't-1', reason: 'no' });
});
