import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { Rejection } from './rejection.ts';
import { openAgentHouse } from './testing/agent-house.ts';
import { answered } from './testing/fake-gateway.ts';
import { FAKE_LEASE_MS, FakeQueue } from './testing/fake-queue.ts';
import { openTaskHouse } from './testing/task-house.ts';
import { until } from './testing/until.ts';

test('an agent that only handles tasks opens no port, registers as one that pulls, and asks', async () => {
  await using house = await openTaskHouse(() => 'ok', {
    handle: { effect: 'read', timeoutMs: 5_000 },
  });
  await house.asking();

  const [{ input } = assert.fail()] = house.gateway.all('agents.register');
  const { instance, capabilities, dependencies } = input.manifest;
  const { instance_id: id, ...rest } = instance as { instance_id: string; boot_id: string };
  assert.equal(house.agent.baseUrl, '');
  assert.deepEqual(rest, { pull: true, boot_id: rest.boot_id });
  assert.match(id, new RegExp(`^[A-Za-z0-9._-]+-${rest.boot_id.slice(0, 8)}$`));
  assert.deepEqual(dependencies, { max_concurrency: 4 });
  assert.deepEqual(capabilities, [
    { name: 'query', description: 'Answers.', effect: 'read', sla: { timeout_ms: 5_000 } },
  ]);
  const [claim = assert.fail()] = house.gateway.all('tasks.claim');
  assert.deepEqual(claim.input, {
    agent_id: 'orders',
    instance_id: 'orders-1',
    task_types: ['query'],
    credits: 4,
    wait: 20,
  });
});

test('a task is acknowledged, done and completed, in this order', async () => {
  const seen: unknown[] = [];
  await using house = await openTaskHouse((task, ctx) => {
    const { taskId, attempt, traceId, caller, idempotencyKey, deadline, signal } = ctx;
    seen.push(task, { taskId, attempt, traceId, caller, idempotencyKey });
    seen.push(house.queue.words.join(), deadline.remainingMs(), signal.aborted);
    return { rows: [1] };
  });

  house.queue.put('t-1', { deadline_ms: 9_000 });
  await house.told('complete');

  assert.deepEqual(seen, [
    { id: 't-1', type: 'query', kind: 'task', payload: { n: 1 } },
    {
      taskId: 't-1',
      attempt: 1,
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      caller: 'customer-service',
      idempotencyKey: 'key-t-1',
    },
    'ack t-1',
    9_000,
    false,
  ]);
  assert.deepEqual(house.queue.words, ['ack t-1', 'complete t-1']);
  assert.deepEqual(house.queue.of('t-1').result, { rows: [1] });
});

test('with ack on completion a task costs one message, and nothing comes before its result', async () => {
  await using house = await openTaskHouse(() => undefined, { handle: { ack: 'on-complete' } });

  house.queue.put('t-1');
  await house.told('complete');

  assert.deepEqual(house.queue.words, ['complete t-1']);
  assert.equal(house.queue.of('t-1').result, null);
});

const ENDS: [what: string, thrown: unknown, retryable: boolean, reason: RegExp][] = [
  ['a rejection', new Rejection('no-order', 'There is no A-1.'), false, /^no-order: There is no A/],
  ['an error', new TypeError('secret'), true, /^query failed \(TypeError\); the agent’s log says/],
  [
    'an error with a code',
    Object.assign(new Error('secret'), { code: 'ECONNRESET' }),
    true,
    /\(Error ECONNRESET\)/,
  ],
  ['what is no error', 'secret', true, /\(not an error\)/],
  [
    'a nested call that failed',
    new ReachError('agent-busy', 'secret'),
    true,
    /^query failed: a call it made ended with agent-busy\.$/,
  ],
  ['a circle of calls', new ReachError('cycle-detected', 'secret'), false, /cycle-detected/],
];

for (const [what, thrown, retryable, reason] of ENDS) {
  const end = retryable ? 'may be tried again' : 'is final';
  test(`${what} fails the task, which ${end}, and its text stays here`, async () => {
    await using house = await openTaskHouse(() => {
      throw thrown;
    });

    house.queue.put('t-1');
    await house.told('fail');

    assert.equal(house.queue.of('t-1').status, retryable ? 'waiting' : 'failed');
    assert.match(house.queue.of('t-1').reason ?? '', reason);
    assert.doesNotMatch(house.queue.of('t-1').reason ?? '', /secret/);
  });
}

test('a result that is no JSON ends the task: another run would bring another', async () => {
  await using house = await openTaskHouse(() => 1n);

  house.queue.put('t-1');
  await house.told('fail');

  assert.equal(house.queue.of('t-1').status, 'failed');
  assert.match(house.queue.of('t-1').reason ?? '', /returned what is no JSON/);
});

test('a result that the gateway refuses ends the task with its reason', async () => {
  await using house = await openTaskHouse(() => 'x'.repeat(100));
  house.queue.meddle = (word) => {
    if (word !== 'complete') return undefined;
    throw new ReachError('payload-too-large', 'The body is over 10 bytes.', { limit: 10 });
  };

  house.queue.put('t-1');
  await house.told('fail');

  assert.equal(house.queue.of('t-1').status, 'failed');
  assert.match(house.queue.of('t-1').reason ?? '', /refused, payload-too-large: The body is over/);
});

test('a reason of any text is told as one clean line, and in general when it is refused', async () => {
  await using house = await openTaskHouse(() => {
    throw new Rejection('bad', `a\u0000b\ud800\n${'c'.repeat(3_000)}`);
  });
  let refused = 0;
  house.queue.meddle = (word) => {
    if (word !== 'fail' || refused++ > 0) return undefined;
    throw new ReachError('unsafe-json', 'It cannot be read.');
  };

  house.queue.put('t-1');
  await house.told('fail', 2);

  const reasons = house.gateway.all('tasks.fail').map(({ input }) => {
    return (input as unknown as { reason: string }).reason;
  });
  assert.equal(reasons[0]?.length, 2_048);
  assert.match(reasons[0] ?? '', /^bad: a b\ufffd c/);
  assert.match(reasons[1] ?? '', /refused to keep why/);
});

test('facts that are no JSON, or that the gateway refuses, do not keep a verdict from it', async () => {
  await using house = await openTaskHouse(({ id }) => {
    const facts = id === 't-1' ? { amount: 10n } : { text: 'half a pair \ud800' };
    throw new Rejection('account-closed', 'Account 7 is closed.', { facts });
  });
  house.queue.meddle = () => {
    const last = house.gateway.all('tasks.fail').at(-1)?.input;
    if (last?.details === undefined) return undefined;
    throw new ReachError('unsafe-json', 'It cannot be read.');
  };

  house.queue.put('t-1');
  await until(() => house.queue.of('t-1').status === 'failed', 'the first verdict is told');
  house.queue.put('t-2');
  await until(() => house.queue.of('t-2').status === 'failed', 'the second verdict is told');

  const said = house.gateway.all('tasks.fail').map(({ input }) => input.details);
  assert.deepEqual(said, [undefined, { text: 'half a pair \ud800' }, undefined]);
  assert.match(house.queue.of('t-1').reason ?? '', /^account-closed: Account 7 is closed\./);
});

test('no more tasks are asked for than there are places', async () => {
  const handlers: PromiseWithResolvers<unknown>[] = [];
  await using house = await openTaskHouse(
    () => {
      const handler = Promise.withResolvers<unknown>();
      handlers.push(handler);
      return handler.promise;
    },
    { maxConcurrency: 2 },
  );
  for (const id of ['t-1', 't-2', 't-3']) house.queue.put(id);
  await until(() => handlers.length === 2, 'two run');

  assert.deepEqual(
    house.gateway.all('tasks.claim').map(({ input }) => input.credits),
    [2].concat(house.gateway.all('tasks.claim').length === 2 ? [1] : []),
  );
  handlers[0]?.resolve('one');
  await until(() => handlers.length === 3, 'the third begins');
  assert.equal(house.queue.of('t-2').status, 'running');
  handlers[1]?.resolve('two');
  handlers[2]?.resolve('three');
  await house.told('complete', 3);
});

test('from five places on one task more is held ready, without a receipt, and kept alive', async () => {
  const release = Promise.withResolvers<unknown>();
  let runs = 0;
  await using house = await openTaskHouse(
    () => {
      runs++;
      return release.promise;
    },
    { maxConcurrency: 5 },
  );
  for (let i = 1; i <= 7; i++) house.queue.put(`t-${i}`);
  await until(() => runs === 5 && house.gateway.all('tasks.claim').length >= 1, 'five run');
  await until(() => house.queue.of('t-6').status === 'delivered', 'the sixth is held');

  assert.equal(house.queue.of('t-7').status, 'queued');
  assert.ok(!house.queue.words.includes('ack t-6'));
  await house.clock.advance(FAKE_LEASE_MS / 3);
  await house.told('extend');
  assert.equal(house.queue.words.at(-1), 'extend t-1 t-2 t-3 t-4 t-5 t-6');

  release.resolve('ok');
  await house.told('complete', 7);
});

test('a type with places of its own is asked for by itself', async () => {
  await using house = await openAgentHouse((agent) =>
    agent
      .handle('query', () => 1)
      .handle('count', () => 2)
      .handle('render', () => 3, { concurrency: 1, prefetch: 2 }),
  );
  const queue = new FakeQueue(house.gateway);
  await house.agent.start();
  await until(() => queue.waiting === 2, 'both ask');

  const asked = house.gateway.all('tasks.claim').map(({ input }) => input);
  assert.deepEqual(
    asked.map(({ task_types: types, credits }) => ({ types, credits })),
    [
      { types: ['query', 'count'], credits: 4 },
      { types: ['render'], credits: 3 },
    ],
  );
});

test('nested calls carry the task’s trace, token and a key that follows from its own', async () => {
  await using house = await openTaskHouse(async (_, ctx) => {
    await ctx.reach.call('check_stock', { sku: 1 });
    const child = await ctx.reach.tasks.submit({ task_type: 'render' });
    const alone = await ctx.reach.tasks.submit({ task_type: 'render' }, { standalone: true });
    return [child.task_id, alone.task_id];
  });
  house.gateway.on('calls.invoke', (request) => answered(request, 1));
  house.gateway.on('tasks.submit', (request) => ({
    task_id: request.task_id ?? 'none',
    status: 'queued',
    position: 0,
    eta_ms: 0,
    eta_p90_ms: 0,
    durability: 'durable',
    trace_id: 't',
    replayed: false,
    warnings: [],
  }));

  house.queue.put('t-1');
  await house.told('complete', 1);
  house.queue.put('t-1');
  await house.told('complete', 2);

  const [call = assert.fail(), callAgain = assert.fail()] = house.gateway.all('calls.invoke');
  assert.equal(call.headers['reach-call-token'], 'a.b');
  assert.match(String(call.headers['traceparent']), /^00-4bf92f3577b34da6a3ce929d0e0e4736-00f067/);
  assert.equal(call.input.request_id, callAgain.input.request_id);
  const [child, alone, childAgain] = house.gateway.all('tasks.submit').map(({ input }) => input);
  assert.deepEqual([child?.parent_id, alone?.parent_id], ['t-1', undefined]);
  assert.equal(child?.agent_id, 'orders');
  assert.match(child?.task_id ?? '', /^nest_/);
  assert.equal(child?.task_id, childAgain?.task_id);
  assert.notEqual(child?.task_id, alone?.task_id);
  const [ack = assert.fail()] = house.gateway.all('tasks.ack');
  assert.equal(ack.headers['reach-call-token'], undefined, 'our own words are nobody’s calls');
});

test('an agent that is called as well registers its address, answers calls and asks for tasks', async () => {
  await using house = await openAgentHouse((agent) =>
    agent
      .capability({ name: 'ping', description: 'Answers.' }, () => 'pong')
      .handle('query', (task, ctx) => {
        ctx.progress(50);
        return { id: task.id, kind: task.kind, n: (task.payload as { n: number }).n };
      }),
  );
  const queue = new FakeQueue(house.gateway);
  await house.agent.start();
  queue.put('t-1');

  const called = await house.post('/abilities/query', { n: 7 }, { 'idempotency-key': 'k-1' });
  await until(() => queue.of('t-1').status === 'succeeded', 'the task is done');

  const [{ input } = assert.fail()] = house.gateway.all('agents.register');
  const { pull, base_url: url } = input.manifest['instance'] as Record<string, unknown>;
  assert.deepEqual([pull, url], [undefined, house.agent.baseUrl]);
  assert.deepEqual(await called.json(), { id: 'k-1', kind: 'call', n: 7 });
  assert.deepEqual(queue.of('t-1').result, { id: 't-1', kind: 'task', n: 1 });
  assert.deepEqual(house.gateway.all('tasks.claim')[0]?.input.task_types, ['query']);
});

test('a declaration that cannot be is refused where it is made', async () => {
  await using house = await openAgentHouse((agent) => agent.handle('query', () => 1));
  const { agent } = house;

  assert.throws(() => agent.handle('query', () => 1), /query is declared twice/);
  assert.throws(() => agent.handle('查询', () => 1), /is no ASCII name/);
  assert.throws(() => agent.handle('b', () => 1, { concurrency: 0 }), /concurrency is a whole/);
  assert.throws(() => agent.handle('b', () => 1, { prefetch: 1.5 }), /prefetch is a whole/);
  for (const effect of [undefined, 'write'] as const) {
    const once = { effect, ack: 'on-complete' } as const;
    assert.throws(() => agent.handle('b', () => 1, once), /on-complete needs effect read or/);
  }
  await house.agent.start();
  assert.throws(() => agent.handle('b', () => 1), /before the agent starts/);
});
