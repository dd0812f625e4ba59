import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import { Agent } from './agent.ts';
import type { AgentOptions } from './agent-options.ts';
import { turnClock } from './testing/agent-house.ts';
import { FAKE_LEASE_MS, FakeQueue } from './testing/fake-queue.ts';
import { openTwoGateways } from './testing/two-gateways.ts';
import { until } from './testing/until.ts';

/** An agent of two gateways with one queue, which is at the first. It is started by the test. */
async function open(declare: (agent: Agent) => void, options: Partial<AgentOptions> = {}) {
  const two = await openTwoGateways();
  const queue = new FakeQueue(two.a);
  const agent = new Agent(
    {
      name: 'orders',
      endpoint: `${two.wireA.url},${two.wireB.url}`,
      handleSignals: false,
      lingerMs: 0,
      drainMs: 0,
      log: silentLog,
      ...options,
    },
    two.ports,
  );
  declare(agent);
  return {
    ...two,
    queue,
    agent,
    told: (word: string) => until(() => queue.words.includes(word), word),
    asking: () => until(() => queue.waiting > 0, 'the agent asks for work'),
    /** The first gateway dies with the questions it holds; the second has the queue. */
    async loseFirst() {
      queue.serve(two.b);
      await two.wireA.cut();
    },
    async [Symbol.asyncDispose]() {
      await turnClock(two.clock, agent.stop());
      await two[Symbol.asyncDispose]();
    },
  };
}

const READ = { description: 'Answers.', effect: 'read' } as const;

test('an agent registers with whichever gateway answers, and once', async () => {
  await using house = await open((agent) => agent.capability({ name: 'x', ...READ }, () => 1));
  await house.wireA.cut();

  await house.agent.start();

  assert.deepEqual(
    [house.a, house.b].map((one) => one.all('agents.register').length),
    [0, 1],
  );
});

test('its heartbeats go on at another, which registers it if it does not know it', async () => {
  await using house = await open((agent) => agent.capability({ name: 'x', ...READ }, () => 1));
  await house.agent.start();
  house.b.on('agents.heartbeat', () => {
    throw new ReachError('agent-not-found', 'Nobody is called orders.');
  });
  await house.wireA.cut();

  await house.clock.advance(15_000);
  await house.b.nth('agents.register', 1);

  const [beat] = house.b.all('agents.heartbeat');
  assert.equal(beat?.input.agent_id, 'orders');
});

test('its question for work moves to another as soon as the gateway that held it is gone', async () => {
  await using house = await open((agent) => agent.handle('query', () => 'done', READ));
  await house.agent.start();
  await house.asking();
  const drawn = house.draws(); // When it beats first.

  await house.loseFirst();
  house.queue.put('t-1');
  // One break is one failure of the loop, which rests for half a second at most.
  await until(() => house.draws() > drawn, 'it rests');
  await house.clock.advance(500);

  await house.told('complete t-1');
  assert.equal(house.queue.of('t-1').result, 'done');
});

test('a frozen gateway loses the question after 6 s, not after its 25', async () => {
  await using house = await open((agent) => agent.handle('query', () => 'done', READ));
  await house.agent.start();
  await house.asking();
  house.wireA.freeze();
  house.queue.serve(house.b);
  house.queue.put('t-1');

  const froze = house.clock.monotonic();
  await turnClock(house.clock, house.told('complete t-1'));

  const lostMs = house.clock.monotonic() - froze;
  assert.ok(lostMs >= 6_000 && lostMs < 9_000, `after ${lostMs} ms`);
});

test('what it says of its tasks goes to another: receipt, progress, lease and result', async () => {
  const result = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<(percent: number) => void>();
  await using house = await open((agent) =>
    agent.handle(
      'query',
      (_, ctx) => {
        begun.resolve((percent) => ctx.progress(percent));
        return result.promise;
      },
      READ,
    ),
  );
  await house.agent.start();
  house.queue.put('t-1');
  const progress = await begun.promise;
  await house.loseFirst();

  progress(40);
  await house.told('progress t-1');
  await house.clock.advance(FAKE_LEASE_MS / 3);
  await house.told('extend t-1');
  result.resolve('done');
  await house.told('complete t-1');

  assert.deepEqual(house.queue.words, ['ack t-1', 'progress t-1', 'extend t-1', 'complete t-1']);
});

test('a result whose answer was lost is said again at another, which takes it as the same', async () => {
  const result = Promise.withResolvers<string>();
  await using house = await open((agent) => agent.handle('query', () => result.promise, READ));
  await house.agent.start();
  house.queue.put('t-1');
  await house.told('ack t-1');
  await house.asking();
  house.a.on('tasks.complete', () => new Promise(() => {}));
  result.resolve('done');
  await house.a.nth('tasks.complete', 1);

  await house.loseFirst();
  await house.told('complete t-1');

  const [first, second] = [house.a, house.b].map((one) => one.all('tasks.complete')[0]?.input);
  assert.deepEqual(second, first);
});

test('it stops in order while one gateway is dead: nothing is left behind at the other', async () => {
  const begun = Promise.withResolvers<void>();
  const work = () => {
    begun.resolve();
    return new Promise(() => {});
  };
  await using house = await open((agent) => agent.handle('query', work, READ));
  await house.agent.start();
  house.queue.put('t-1');
  await begun.promise;
  await house.loseFirst();

  await turnClock(house.clock, house.agent.stop());

  assert.deepEqual(house.queue.words, ['ack t-1', 'release t-1']);
  assert.equal(house.b.all('agents.drain').length, 1);
  assert.equal(house.b.all('agents.remove').length, 1);
});

test('it stops although both are dead', async () => {
  await using house = await open((agent) => agent.handle('query', () => 'done', READ));
  await house.agent.start();
  await house.wireA.cut();
  await house.wireB.cut();

  await turnClock(house.clock, house.agent.stop());
});
