import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { silentLog, systemRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Agent } from './agent.ts';
import type { HandleOptions, TaskContext } from './task-handler.ts';
import { turnClock } from './testing/agent-house.ts';
import { FakeGateway, registered } from './testing/fake-gateway.ts';
import { FAKE_LEASE_MS, FakeQueue } from './testing/fake-queue.ts';
import { openTaskHouse } from './testing/task-house.ts';
import { until } from './testing/until.ts';

/** A handler that ends when the test says so. */
function held() {
  const contexts: TaskContext[] = [];
  const ends: PromiseWithResolvers<unknown>[] = [];
  return {
    contexts,
    ends,
    handler: (_: unknown, ctx: TaskContext) => {
      contexts.push(ctx);
      const end = Promise.withResolvers<unknown>();
      ends.push(end);
      return end.promise;
    },
  };
}

test('an idle agent that stops ends its question for work and leaves', async () => {
  await using house = await openTaskHouse(() => 'ok');
  await house.asking();

  await turnClock(house.clock, house.agent.stop());

  assert.equal(house.queue.waiting, 0);
  assert.equal(house.gateway.all('tasks.claim').length, 1);
  assert.equal(house.gateway.all('agents.remove').length, 1);
  assert.deepEqual(house.queue.words, []);
  assert.equal(house.clock.waiting, 0);
});

test('what has not begun goes back before anything is waited for; what runs may finish', async () => {
  const { handler, contexts, ends } = held();
  await using house = await openTaskHouse(handler, { maxConcurrency: 5, drainMs: 60_000 });
  for (let i = 1; i <= 6; i++) house.queue.put(`t-${i}`);
  await until(() => contexts.length === 5, 'five run');
  await until(() => house.queue.of('t-6').status === 'delivered', 'the sixth is held ready');

  const stopping = house.agent.stop();
  await house.told('release');
  house.queue.put('t-7');

  assert.equal(house.queue.of('t-6').status, 'queued');
  assert.ok(!house.queue.words.includes('ack t-6'));
  assert.equal(contexts[0]?.signal.aborted, false);
  for (const [i, end] of ends.entries()) end.resolve(i);
  await turnClock(house.clock, stopping);
  assert.deepEqual(house.queue.words.filter((word) => word.startsWith('complete')).length, 5);
  assert.equal(house.queue.of('t-7').status, 'queued');
  assert.equal(house.clock.waiting, 0);
});

test('leases are kept while a stopping agent waits for its handlers', async () => {
  const { handler, contexts, ends } = held();
  await using house = await openTaskHouse(handler, { drainMs: 60_000 });
  house.queue.put('t-1');
  await until(() => contexts.length === 1, 'it runs');

  const stopping = house.agent.stop();
  await house.gateway.nth('agents.drain', 1);
  await house.clock.advance(FAKE_LEASE_MS / 3);
  await house.told('extend');
  ends[0]?.resolve('done');
  await turnClock(house.clock, stopping);

  assert.equal(house.queue.of('t-1').result, 'done');
});

test('work that arrives in the answer to the last question goes back unbegun', async () => {
  let runs = 0;
  await using house = await openTaskHouse(() => ++runs);
  await house.asking();
  house.gateway.on('agents.drain', ({ agent_id }) => {
    house.queue.put('t-1');
    return { agent_id, instances: [] };
  });

  await turnClock(house.clock, house.agent.stop());

  assert.equal(runs, 0);
  assert.deepEqual(house.queue.words, ['release t-1']);
});

test('a gateway that holds the last question on is cut off after a moment', async () => {
  await using house = await openTaskHouse(() => 'ok');
  await house.asking();
  house.gateway.on('agents.drain', ({ agent_id }) => ({ agent_id, instances: [] }));

  const began = house.clock.monotonic();
  await turnClock(house.clock, house.agent.stop());

  const tookMs = house.clock.monotonic() - began;
  assert.ok(tookMs >= 300 && tookMs < 1_000, `it took ${tookMs} ms`);
});

const EFFECTS: [effect: HandleOptions['effect'], goesBack: boolean][] = [
  ['read', true],
  ['idempotent_write', true],
  ['write', false],
  [undefined, false],
];

for (const [effect, goesBack] of EFFECTS) {
  const end = goesBack ? 'goes back' : 'is left under its lease';
  test(`after the drain a task of effect ${effect ?? 'undeclared'} is aborted and ${end}`, async () => {
    const { handler, contexts } = held();
    const idempotency = effect === 'read' ? undefined : ('key' as const);
    await using house = await openTaskHouse(handler, {
      drainMs: 5_000,
      handle: { effect, idempotency },
    });
    house.queue.put('t-1');
    await until(() => contexts.length === 1, 'it runs');

    await turnClock(house.clock, house.agent.stop());

    assert.equal(ReachError.from(contexts[0]?.signal.reason).code, 'cancelled');
    assert.equal(house.queue.of('t-1').status, goesBack ? 'queued' : 'running');
    assert.equal(house.clock.waiting, 0);
  });
}

test('a task whose receipt was not answered when the agent stops goes back', async () => {
  let runs = 0;
  await using house = await openTaskHouse(() => ++runs);
  house.queue.meddle = (word) => (word === 'ack' ? new Promise(() => {}) : undefined);
  house.queue.put('t-1');
  await house.told('ack');

  await turnClock(house.clock, house.agent.stop());

  assert.equal(runs, 0);
  assert.equal(house.queue.words.at(-1), 'release t-1');
});

/** An agent whose gateway goes away and comes back at the same address, tasks and all. */
async function openAbsence(handler: (task: unknown, ctx: TaskContext) => unknown, drainMs = 0) {
  const first = await FakeGateway.open();
  const { port } = first;
  const queue = new FakeQueue(first);
  const clock = new ManualClock();
  const agent = new Agent(
    {
      name: 'orders',
      endpoint: first.url,
      handleSignals: false,
      drainMs,
      log: silentLog,
    },
    { clock, random: { ...systemRandom(), next: () => 0.5 } },
  ).handle('query', handler, { description: 'Answers.', effect: 'read' });
  await agent.start();
  let gateway = first;
  return {
    agent,
    clock,
    queue,
    goAway: () => gateway.close(),
    async comeBack() {
      gateway = await FakeGateway.open(port);
      queue.serve(gateway);
    },
    [Symbol.asyncDispose]: async () => {
      await turnClock(clock, agent.stop());
      await gateway.close();
    },
  };
}

test('handlers run on while the gateway is away, and their results wait for it', async () => {
  const { handler, contexts, ends } = held();
  await using house = await openAbsence(handler);
  house.queue.put('t-1');
  house.queue.put('t-2');
  await until(() => contexts.length === 2, 'both run');

  await house.goAway();
  ends[0]?.resolve('early');
  await house.clock.advance(120_000);
  assert.equal(contexts[1]?.signal.aborted, false, 'nobody said that the lease is lost');
  await house.comeBack();
  const isDone = (id: string) => house.queue.of(id).status === 'succeeded';
  await turnClock(
    house.clock,
    until(() => isDone('t-1'), 'the result is told'),
  );
  ends[1]?.resolve('later');
  await turnClock(
    house.clock,
    until(() => isDone('t-2'), 'the other, too'),
  );

  assert.deepEqual(
    [house.queue.of('t-1').result, house.queue.of('t-2').result],
    ['early', 'later'],
  );
  house.queue.put('t-3');
  await turnClock(
    house.clock,
    until(() => contexts.length === 3, 'work goes on'),
  );
  ends[2]?.resolve('new');
  await turnClock(
    house.clock,
    until(() => isDone('t-3'), 'and ends'),
  );
});

test('a result that no gateway hears is given up when the drain is over, and not before', async () => {
  const { handler, contexts, ends } = held();
  const house = await openAbsence(handler, 60_000);
  house.queue.put('t-1');
  await until(() => contexts.length === 1, 'it runs');
  await house.goAway();
  ends[0]?.resolve('paid for');

  const began = house.clock.monotonic();
  await turnClock(house.clock, house.agent.stop());

  assert.ok(house.clock.monotonic() - began >= 60_000);
  assert.equal(house.clock.waiting, 0);
});

test('an agent starts while the gateway is away and works when it comes', async () => {
  const gone = await FakeGateway.open();
  const { port, url: endpoint } = gone;
  await gone.close();
  const clock = new ManualClock();
  const agent = new Agent(
    { name: '订单', endpoint, handleSignals: false, drainMs: 0, log: silentLog },
    { clock, random: systemRandom() },
  ).handle('query', () => 'ok', { description: 'Answers.', effect: 'read' });

  await agent.start();
  await using gateway = await FakeGateway.open(port);
  gateway.on('agents.register', () => registered('orders'));
  const queue = new FakeQueue(gateway);
  queue.put('t-1');
  await turnClock(
    clock,
    until(() => queue.of('t-1').status === 'succeeded', 'it works'),
  );

  assert.equal(gateway.all('tasks.claim')[0]?.input.agent_id, 'orders');
  await turnClock(clock, agent.stop());
});

test('words that the gateway is too busy to hear are said again', async () => {
  await using house = await openTaskHouse(() => 'ok');
  let refused = 0;
  house.queue.meddle = () => {
    if (refused++ % 2 === 0) throw new ReachError('store-unavailable', 'In a moment.');
    return undefined;
  };

  house.queue.put('t-1');
  await turnClock(house.clock, house.told('complete', 2));

  assert.deepEqual(house.queue.words, ['ack t-1', 'ack t-1', 'complete t-1', 'complete t-1']);
});
