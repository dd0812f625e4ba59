import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import type { TaskContext } from './task-handler.ts';
import { openAgentHouse, turnClock } from './testing/agent-house.ts';
import { registered } from './testing/fake-gateway.ts';
import { FAKE_LEASE_MS, FakeQueue } from './testing/fake-queue.ts';
import { openTaskHouse } from './testing/task-house.ts';
import { until } from './testing/until.ts';

/** With which error a signal was aborted. */
function codeOf(signal: AbortSignal | undefined): string | undefined {
  return ReachError.from(signal?.reason).code;
}

test('leases are extended by one message every third of their length, until the gateway says no', async () => {
  const contexts: TaskContext[] = [];
  await using house = await openTaskHouse((_, ctx) => {
    contexts.push(ctx);
    return new Promise((resolve) => {
      ctx.signal.addEventListener('abort', () => resolve('late'));
    });
  });
  house.queue.put('t-1');
  house.queue.put('t-2');
  await until(() => contexts.length === 2, 'both run');

  await house.clock.advance(FAKE_LEASE_MS / 3);
  await house.told('extend', 1);
  await until(() => house.clock.waiting > 0, 'the next is due');
  house.queue.take('t-1');
  await house.clock.advance(FAKE_LEASE_MS / 3);
  await house.told('extend', 2);
  await until(() => contexts[0]?.signal.aborted === true, 'the handler is told');

  assert.equal(codeOf(contexts[0]?.signal), 'lease-lost');
  assert.equal(contexts[1]?.signal.aborted, false);
  await house.told('complete');
  assert.deepEqual(
    house.queue.words.filter((word) => !word.startsWith('ack')),
    ['extend t-1 t-2', 'extend t-1 t-2', 'complete t-1'],
    'a result is offered once',
  );
});

test('a failure after the lease was lost is nobody’s business any more', async () => {
  let signal: AbortSignal | undefined;
  await using house = await openTaskHouse((_, ctx) => {
    signal = ctx.signal;
    return new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  });
  house.queue.put('t-1');
  await until(() => signal !== undefined, 'it runs');
  house.queue.take('t-1');

  await house.clock.advance(FAKE_LEASE_MS / 3);
  await until(() => signal?.aborted === true, 'the handler is told');
  house.queue.put('t-2');
  await house.told('ack', 2);

  assert.ok(!house.queue.words.some((word) => word.startsWith('fail')));
});

test('a task that is lost before it begins is not begun', async () => {
  let runs = 0;
  await using house = await openTaskHouse(() => ++runs);
  house.queue.meddle = (word, id) => {
    if (word === 'ack' && id === 't-1') house.queue.take('t-1');
    if (word === 'ack' && id === 't-2') house.queue.take('t-2', 'cancelled');
    return undefined;
  };

  for (const id of ['t-1', 't-2', 't-3']) house.queue.put(id);
  await house.told('complete');

  assert.equal(runs, 1);
  assert.deepEqual(house.queue.words.toSorted(), ['ack t-1', 'ack t-2', 'ack t-3', 'complete t-3']);
});

test('a task that comes again while it runs here takes the place of the first', async () => {
  const contexts: TaskContext[] = [];
  const handlers: PromiseWithResolvers<unknown>[] = [];
  await using house = await openTaskHouse((_, ctx) => {
    contexts.push(ctx);
    const handler = Promise.withResolvers<unknown>();
    handlers.push(handler);
    return handler.promise;
  });
  house.queue.put('t-1');
  await until(() => contexts.length === 1, 'it runs');
  house.queue.put('t-1');
  await until(() => contexts.length === 2, 'it runs again');

  assert.equal(contexts[0]?.signal.aborted, true);
  assert.equal(contexts[1]?.signal.aborted, false);
  handlers[0]?.resolve('old');
  handlers[1]?.resolve('new');
  await house.told('complete', 2);
  assert.equal(house.queue.of('t-1').result, 'new');
});

test('the deadline of a task aborts its handler', async () => {
  let signal: AbortSignal | undefined;
  await using house = await openTaskHouse((_, ctx) => {
    signal = ctx.signal;
    return new Promise((_resolve, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error));
    });
  });
  house.queue.put('t-1', { deadline_ms: 5_000 });
  await until(() => signal !== undefined, 'it runs');

  await house.clock.advance(4_999);
  assert.equal(signal?.aborted, false);
  await house.clock.advance(1);
  assert.equal(codeOf(signal), 'deadline-exceeded');
  await house.told('fail');
});

test('progress tells the newest mark, one message at a time, and learns of a cancellation', async () => {
  let ctx: TaskContext | undefined;
  await using house = await openTaskHouse((_, given) => {
    ctx = given;
    for (let i = 0; i <= 40; i++) given.progress(i, `page ${i}`);
    given.progress(Number.NaN);
    return new Promise((resolve) => {
      given.signal.addEventListener('abort', () => resolve('late'));
    });
  });
  house.queue.put('t-1');
  await turnClock(house.clock, house.told('progress', 2));
  const marks = house.gateway.all('tasks.progress').map(({ input }) => {
    const { percent, note } = input as unknown as { percent: number; note: string };
    return [percent, note];
  });
  assert.deepEqual(marks, [
    [0, 'page 0'],
    [40, 'page 40'],
  ]);

  house.queue.take('t-1', 'cancelled');
  ctx?.progress(150);
  await turnClock(house.clock, house.told('complete'));
  assert.equal(codeOf(ctx?.signal), 'cancelled');
  const last = house.gateway.all('tasks.progress').at(-1)?.input as unknown as { percent: number };
  assert.equal(last.percent, 100);
});

test('a task that is sent to the agent is taken with a receipt, and told of under its lease', async () => {
  const handler = Promise.withResolvers<unknown>();
  let ctx: TaskContext | undefined;
  await using house = await openAgentHouse(
    (agent) =>
      agent.handle('query', (_, given) => {
        ctx = given;
        return handler.promise;
      }),
    { port: 0, maxConcurrency: 1 },
  );
  const queue = new FakeQueue(house.gateway);
  await house.agent.start();
  queue.put('t-1', { task_type: 'other' });
  const headers = {
    'reach-task-id': 't-1',
    'reach-lease': 't-1~1~orders-1~seal',
    'reach-deadline-ms': '2000',
    'reach-attempt': '2',
    'idempotency-key': 'k-1',
  };

  const receipt = await house.post('/abilities/query', { n: 1 }, headers);
  await until(() => ctx !== undefined, 'it runs');
  const busy = await house.post('/abilities/query', {}, { ...headers, 'reach-task-id': 't-2' });
  await house.clock.advance(1_000);
  await until(() => queue.words.includes('extend t-1'), 'its lease is kept');

  assert.equal(receipt.status, 202);
  assert.deepEqual([ctx?.taskId, ctx?.attempt, ctx?.idempotencyKey], ['t-1', 2, 'k-1']);
  assert.equal(ctx?.deadline.remainingMs(), Number.POSITIVE_INFINITY);
  const problem = (await busy.json()) as { code: string; executed: string };
  assert.deepEqual([busy.status, problem.code, problem.executed], [503, 'agent-busy', 'no']);
  handler.resolve('done');
  await until(() => queue.of('t-1').status === 'succeeded', 'the result is told');
  assert.ok(!queue.words.includes('ack t-1'));
});

test('a gateway that has forgotten the agent is told again before more work is asked for', async () => {
  await using house = await openTaskHouse(() => 'ok');
  await house.asking();
  let refused = 0;
  const { queue } = house;
  house.gateway.on('tasks.claim', () => {
    refused++;
    throw new ReachError('agent-not-found', 'Register again.');
  });
  house.gateway.on('agents.register', () => {
    const again = new FakeQueue(house.gateway);
    again.put('t-9');
    return registered('orders', 'e.2');
  });

  queue.put('t-1');
  await house.told('complete');
  await until(() => house.gateway.all('agents.register').length === 2, 'it registers');
  await until(
    () => house.gateway.all('tasks.complete').some(({ input }) => input.task_id === 't-9'),
    'work goes on',
  );

  assert.equal(refused, 1);
});

test('a gateway that does not hold a question is asked once a second', async () => {
  await using house = await openAgentHouse((agent) => agent.handle('query', () => 1));
  house.gateway.on('tasks.claim', () => ({ tasks: [] }));
  await house.agent.start();
  const asked = () => house.gateway.all('tasks.claim').length;

  await until(() => asked() === 1, 'it asks');
  await until(() => house.clock.waiting === 2, 'it rests');
  await house.clock.advance(999);
  assert.equal(asked(), 1);
  await house.clock.advance(1);
  await until(() => asked() === 2, 'it asks again');
});

test('a question that is never answered is given up and asked anew', async () => {
  await using house = await openTaskHouse(() => 'ok');
  await house.asking();
  house.gateway.on('tasks.claim', () => new Promise(() => {}));

  await house.clock.advance(25_000);
  await until(() => house.clock.waiting >= 2, 'it rests');
  await house.clock.advance(500);
  await house.gateway.nth('tasks.claim', 2);
});

test('places that are all taken for a minute are said once, by the tasks that hold them', async () => {
  const warnings: [object, string][] = [];
  const note = () => {};
  const log = {
    debug: note,
    info: note,
    error: note,
    warn: (fields: object, text: string) => void warnings.push([fields, text]),
  };
  const handler = ({ id }: { id: string }) => (id === 't-1' ? new Promise(() => {}) : 'ok');
  await using house = await openTaskHouse(handler, { maxConcurrency: 2, log });
  house.queue.put('t-1');
  house.queue.put('t-2');
  house.queue.put('t-3');
  await house.told('complete', 2);
  assert.equal(warnings.length, 0, 'places that are taken anew are no news');
  house.queue.put('t-1');
  await house.told('ack', 4);

  for (let i = 1; i <= 15; i++) {
    await house.clock.advance(FAKE_LEASE_MS / 3);
    await house.told('extend', i);
  }

  const full = warnings.filter(([, text]) => text.startsWith('every place has been taken'));
  assert.deepEqual(
    full.map(([fields]) => fields),
    [{ tasks: ['t-1', 't-1'] }],
  );
});

test('one lease that is none costs no other task its own', async () => {
  const contexts: TaskContext[] = [];
  await using house = await openTaskHouse((_, ctx) => {
    contexts.push(ctx);
    return new Promise(() => {});
  });
  for (const id of ['t-1', 't-2', 't-3']) house.queue.put(id);
  await until(() => contexts.length === 3, 'all run');
  house.queue.forget('t-2');

  await house.clock.advance(FAKE_LEASE_MS / 3);
  await until(() => contexts.some(({ signal }) => signal.aborted), 'its handler is told');

  const aborted = contexts.filter(({ signal }) => signal.aborted).map(({ taskId }) => taskId);
  assert.deepEqual(aborted, ['t-2']);
});

test('a handler is told a cancelled task from a lost one', async () => {
  const contexts: TaskContext[] = [];
  await using house = await openTaskHouse((_, ctx) => {
    contexts.push(ctx);
    return new Promise(() => {});
  });
  for (const id of ['t-1', 't-2']) house.queue.put(id);
  await until(() => contexts.length === 2, 'both run');
  house.queue.take('t-1', 'cancelled');
  house.queue.take('t-2');

  await house.clock.advance(FAKE_LEASE_MS / 3);
  await until(() => contexts.every(({ signal }) => signal.aborted), 'both are told');

  const codes = contexts.map(({ taskId, signal }) => `${taskId} ${codeOf(signal)}`);
  assert.deepEqual(codes.sort(), ['t-1 cancelled', 't-2 lease-lost']);
});

test('fewer tasks are asked for when an answer was too long to be read', async () => {
  await using house = await openAgentHouse((agent) => agent.handle('query', () => 1), {
    maxConcurrency: 40,
  });
  house.gateway.on('tasks.claim', ({ credits = 1 }) => {
    if (credits > 10)
      throw new ReachError('bad-response', 'The answer is longer than 33554432 bytes.');
    return { tasks: [] };
  });
  await house.agent.start();
  const asked = () => house.gateway.all('tasks.claim').map(({ input }) => input.credits);

  await turnClock(
    house.clock,
    until(() => asked().length >= 5, 'it asks on'),
  );

  assert.deepEqual(asked().slice(0, 5), [41, 20, 10, 20, 10]);
});
