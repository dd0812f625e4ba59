import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@agent-reach/core/testing';
import { Fence } from './fence.ts';
import { openAgentHouse, problemOf } from './testing/agent-house.ts';

test('a fence holds for its time and no longer, whether or not anybody speaks again', async () => {
  const clock = new ManualClock();
  const fence = new Fence(clock);
  assert.ok(fence.lets(undefined));

  fence.hear({ epoch: 3, for_ms: 30_000 });
  await clock.advance(29_999);
  assert.ok(!fence.lets(undefined));
  assert.equal(fence.leftMs, 1);
  await clock.advance(1);

  assert.ok(fence.lets(undefined));
});

test('each word of the same epoch gives it its time anew, and 0 ends it', async () => {
  const clock = new ManualClock();
  const fence = new Fence(clock);
  fence.hear({ epoch: 3, for_ms: 10_000 });
  await clock.advance(8_000);
  fence.hear({ epoch: 3, for_ms: 10_000 });
  await clock.advance(8_000);
  assert.ok(!fence.lets(undefined));

  fence.hear({ epoch: 4, for_ms: 0 });

  assert.ok(fence.lets(undefined));
});

test('a gateway that is behind neither lifts a fence nor puts an old one up', () => {
  const fence = new Fence(new ManualClock());
  fence.hear({ epoch: 5, for_ms: 30_000 });
  fence.hear({ epoch: 4, for_ms: 0 });
  fence.hear(undefined);
  assert.ok(!fence.lets(undefined), 'not lifted');

  fence.hear({ epoch: 6, for_ms: 0 });
  fence.hear({ epoch: 5, for_ms: 30_000 });
  assert.ok(fence.lets(undefined), 'not put up again');
});

test('who names the epoch knows of the fence, and who names an older one does not', () => {
  const fence = new Fence(new ManualClock());
  fence.hear({ epoch: 5, for_ms: 30_000 });

  assert.deepEqual(
    [4, 5, 6].map((epoch) => fence.lets(epoch)),
    [false, true, true],
  );
});

test('an agent that is told of its fence refuses, provably not run, until it is over', async () => {
  let runs = 0;
  await using house = await openAgentHouse((agent) =>
    agent.capability({ name: 'query', description: 'Answers.', effect: 'write' }, () => ++runs),
  );
  const beaten = {
    agent_id: 'orders',
    instance_id: 'orders-1',
    lease_ms: 45_000,
    next_heartbeat_ms: 60_000,
    observed: 'suspect',
    addr_version: 'e.1',
    manifest_version: 1,
  } as const;
  house.gateway.on('agents.heartbeat', () => ({
    ...beaten,
    intent: 'fenced',
    fence: { epoch: 7, for_ms: 30_000 },
  }));
  await house.agent.start();
  const before = await house.post('/abilities/query', {});
  while (house.gateway.all('agents.heartbeat').length === 0) await house.clock.advance(1_000);
  let refused = before;
  while (refused.status === 200) refused = await house.post('/abilities/query', {});
  const ran = runs;

  const problem = await problemOf(refused);
  assert.deepEqual([refused.status, problem['code'], problem['executed']], [503, 'fenced', 'no']);
  assert.ok(Number(refused.headers.get('retry-after')) >= 25);
  assert.equal((await house.post('/execute', { payload: {} })).status, 503);
  for (const epoch of ['6', 'x', '']) {
    const response = await house.post('/abilities/query', {}, { 'reach-fence-epoch': epoch });
    assert.equal(response.status, 503, epoch);
  }
  assert.equal((await fetch(`${house.agent.baseUrl}/health`)).status, 200, 'probes go on');
  assert.equal(runs, ran, 'nothing ran');

  const known = await house.post('/abilities/query', {}, { 'reach-fence-epoch': '7' });
  assert.equal(known.status, 200, 'a gateway that has nobody else is let in');
  await house.clock.advance(31_000);
  assert.equal((await house.post('/abilities/query', {})).status, 200);
});
