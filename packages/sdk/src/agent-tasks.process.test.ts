import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect } from '@agent-reach/core';
import { ProcessHouse } from './testing/processes.ts';

/** Processes that never end must not hold up everything else. */
const LIMIT = { timeout: 60_000 };
/** Leases short enough that a test can wait for one. */
const SHORT = { 'task.run.lease': '1s', 'task.ack.timeout': '1s', 'task.retry.base': '100ms' };
/** Longer than any wait of these tests. */
const WAIT = { timeoutMs: 30_000 };

const submit = (house: ProcessHouse, id: string, ms: number) =>
  house.reach.tasks.submit({ task_id: id, task_type: 'work', payload: { ms } });

test('a task is submitted, pulled, done and waited for', LIMIT, async () => {
  await using house = await ProcessHouse.open();
  await house.agent();

  const ticket = await submit(house, 't-1', 50);
  const task = await house.reach.tasks.wait(ticket.task_id, WAIT);

  assert.equal(task.status, 'succeeded', task.reason ?? '');
  assert.deepEqual([task.attempts, task.deliveries], [1, 1]);
  assert.equal((task.result as { done: string }).done, 't-1');
  const causes = (await house.reach.tasks.history('t-1')).map(({ cause }) => cause);
  assert.deepEqual(causes.slice(-2), ['acked', 'completed']);
});

test('work that waits for its first agent is done when it comes', LIMIT, async () => {
  await using house = await ProcessHouse.open();
  const outcomes = await house.reach.tasks.submitMany(
    Array.from({ length: 50 }, (_, i) => ({
      task_id: `t-${i}`,
      task_type: 'work',
      payload: { ms: 0 },
    })),
  );
  assert.ok(outcomes.every(({ error }) => error === undefined));

  await house.agent();
  const tasks = await Promise.all(outcomes.map((_, i) => house.reach.tasks.wait(`t-${i}`, WAIT)));

  assert.ok(tasks.every(({ status }) => status === 'succeeded'));
  const starts = (await house.notes()).filter(({ word }) => word === 'start');
  assert.equal(starts.length, 50);
});

for (const [effect, end] of [
  ['read', 'runs again elsewhere'],
  ['write', 'waits for a decision'],
] as const satisfies [Effect, string][]) {
  test(`a ${effect} whose agent is killed in the middle ${end}`, LIMIT, async () => {
    await using house = await ProcessHouse.open(SHORT);
    const first = await house.agent({
      AGENT_EFFECT: effect,
      AGENT_PLACES: '1',
      AGENT_PREFETCH: '1',
    });
    await submit(house, 'begun', 60_000);
    await house.noted('start', 1);
    await submit(house, 'unbegun', 0);
    await delivered(house, 'unbegun');

    first.child.kill('SIGKILL');
    await first.ended;
    await house.agent({ AGENT_EFFECT: effect });

    const unbegun = await house.reach.tasks.wait('unbegun', WAIT);
    assert.deepEqual([unbegun.status, unbegun.attempts], ['succeeded', 1], unbegun.reason ?? '');
    if (effect === 'read') {
      const starts = async () => (await house.notes()).filter(({ taskId }) => taskId === 'begun');
      await house.noted('start', 3);
      assert.deepEqual(
        (await starts()).map(({ attempt }) => attempt),
        [1, 2],
      );
    } else {
      const begun = await house.reach.tasks.wait('begun', WAIT);
      assert.deepEqual([begun.status, begun.cause], ['dead', 'needs-decision']);
    }
  });
}

async function delivered(house: ProcessHouse, id: string): Promise<void> {
  while ((await house.reach.tasks.get(id)).status !== 'delivered') {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test(
  'SIGTERM gives unbegun work back at once, lets the rest end, and exits with 0',
  LIMIT,
  async () => {
    await using house = await ProcessHouse.open();
    const leaving = await house.agent({ AGENT_PLACES: '2', AGENT_PREFETCH: '1' });
    await submit(house, 'a', 2_000);
    await submit(house, 'b', 2_000);
    await house.noted('start', 2);
    await submit(house, 'c', 0);
    await delivered(house, 'c');

    leaving.child.kill('SIGTERM');
    await house.agent();
    const c = await house.reach.tasks.wait('c', WAIT);
    const a = await house.reach.tasks.wait('a', WAIT);
    const b = await house.reach.tasks.wait('b', WAIT);

    assert.deepEqual([c.status, c.attempts], ['succeeded', 1]);
    const { pid } = leaving.child;
    assert.notEqual((c.result as { by: number }).by, pid, 'the one that leaves had not begun it');
    for (const task of [a, b]) {
      assert.deepEqual([task.status, task.attempts], ['succeeded', 1]);
      assert.equal((task.result as { by: number }).by, pid, 'what ran has ended where it ran');
    }
    assert.deepEqual(await leaving.ended, { code: 0, signal: null });
    const { agents } = await house.reach.agents.list();
    assert.equal(agents[0]?.instances.length, 1, 'it has left');
  },
);

test(
  'SIGTERM after the drain gives back what may run again, with no attempt burnt',
  LIMIT,
  async () => {
    await using house = await ProcessHouse.open();
    const leaving = await house.agent({ AGENT_DRAIN_MS: '200' });
    await submit(house, 'long', 60_000);
    await house.noted('start', 1);

    leaving.child.kill('SIGTERM');
    assert.deepEqual(await leaving.ended, { code: 0, signal: null });

    const task = await house.reach.tasks.get('long');
    assert.deepEqual([task.status, task.attempts], ['queued', 0]);
  },
);

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`handlers run through a gateway that ends by ${signal} and comes back`, LIMIT, async () => {
    await using house = await ProcessHouse.open();
    await house.agent();
    const ids = Array.from({ length: 8 }, (_, i) => `t-${i}`);
    for (const [i, id] of ids.entries()) await submit(house, id, i < 4 ? 700 : 100);
    await house.noted('start', 4);
    const waiting = Promise.all(ids.map((id) => house.reach.tasks.wait(id, WAIT)));

    await house.endGateway(signal);
    await house.noted('finish', 4);
    await house.startGateway();
    const tasks = await waiting;

    for (const task of tasks) assert.equal(task.status, 'succeeded', task.reason ?? '');
    const starts = (await house.notes()).filter(({ word }) => word === 'start');
    assert.deepEqual(starts.map(({ taskId }) => taskId).toSorted(), ids, 'each began once');
    assert.ok(tasks.every(({ attempts }) => attempts === 1));
  });
}

test('a task that is cancelled aborts its handler', LIMIT, async () => {
  await using house = await ProcessHouse.open(SHORT);
  await house.agent();
  await submit(house, 't-1', 60_000);
  await house.noted('start', 1);

  assert.deepEqual(await house.reach.tasks.cancel('t-1'), ['t-1']);

  await house.noted('abort', 1);
  assert.equal((await house.reach.tasks.get('t-1')).status, 'cancelled');
});

test('a call to an agent that pulls is answered, too', LIMIT, async () => {
  await using house = await ProcessHouse.open();
  await house.agent();

  const { result } = await house.reach.call<{ by: number }>('work', { ms: 10 }, WAIT);

  assert.equal(typeof result.by, 'number');
});

test(
  'an agent with an address is sent tasks that run longer than any call, each once',
  LIMIT,
  async () => {
    await using house = await ProcessHouse.open();
    await house.agent({ AGENT_PORT: '0', AGENT_PLACES: '2' });
    const ids = ['t-1', 't-2', 't-3', 't-4', 't-5'];

    for (const id of ids) await submit(house, id, id === 't-1' ? 3_500 : 50);
    const tasks = await Promise.all(ids.map((id) => house.reach.tasks.wait(id, WAIT)));

    for (const task of tasks) assert.equal(task.status, 'succeeded', task.reason ?? '');
    const starts = (await house.notes()).filter(({ word }) => word === 'start');
    assert.deepEqual(starts.map(({ taskId }) => taskId).toSorted(), ids);
  },
);
