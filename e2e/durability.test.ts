import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StepAnswer } from './agents/chain.ts';
import { effects } from './agents/effects.ts';
import { startAgent } from './kit/agents.ts';
import { Gateway } from './kit/gateway.ts';
import { answerOf, problemOf } from './kit/wire.ts';

const V1 = {
  name: 'catalogue',
  display_name: '商品目录',
  capabilities: [{ name: 'find-product', description: 'Finds a product.', effect: 'read' }],
};
const V2 = {
  ...V1,
  capabilities: [...V1.capabilities, { name: 'list-products', description: 'Lists them.' }],
};

test('what was answered before a kill -9 is there after it: agents, versions, intents, keys, audit', async () => {
  await using gateway = await Gateway.start();
  const file = join(gateway.folder.path, 'effects');
  await using worker = await startAgent('worker', gateway, '--file', file, '--name', 'worker');
  const { reach } = gateway;
  await reach.agents.register({ manifest: V1 });
  await reach.agents.register({ manifest: V2 });
  const written = answerOf(
    await gateway.call({ agent_id: 'me', capability: 'add', idempotency_key: 'durable' }),
  );
  await reach.agents.disable('worker', { reason: 'answers nonsense' });
  const before = await stateOf(gateway);

  await gateway.kill();
  await gateway.restart();
  const after = await stateOf(gateway);

  assert.deepEqual(after, before);
  assert.deepEqual(
    after.versions.map(({ manifest_version: version }) => version),
    [2, 1],
  );
  const [instance] = after.worker;
  assert.equal(instance?.intent, 'disabled');
  // The operator's word outlives the agent's own: it beats again, and is still not asked.
  const refused = problemOf(await gateway.call({ capability: 'look' }), 'no-reachable-agent');
  assert.match(refused.detail, /disabled/);
  await gateway.reach.agents.enable('worker');
  await gateway.routable('worker');
  const replayed = answerOf(
    await gateway.call({ agent_id: 'me', capability: 'add', idempotency_key: 'durable' }),
  );
  assert.equal(replayed.replayed, true);
  assert.equal(replayed.trace_id, written.trace_id);
  assert.equal(effects(file).length, 1);
  assert.equal(worker.program.hasEnded, false);
});

async function stateOf({ reach }: Gateway) {
  const { agents } = await reach.agents.list({});
  const { versions } = await reach.agents.versions('catalogue');
  const { lines } = await reach.audit.search({ limit: 1_000 });
  return {
    agents: agents.map((agent) => [agent.agent_id, agent.display_name, agent.manifest_version]),
    versions,
    worker: agents
      .filter(({ agent_id: id }) => id === 'worker')
      .flatMap(({ instances }) => instances)
      .map(({ instance_id, base_url, intent, intent_reason }) => ({
        instance_id,
        base_url,
        intent,
        intent_reason,
      })),
    audit: lines,
  };
}

test('an agent that was removed stays removed, and a call token of before is still believed', async () => {
  await using gateway = await Gateway.start();
  await using _ = await startAgent('chain', gateway, 'one:two', 'two:');
  await gateway.reach.agents.register({ manifest: V1 });
  await gateway.reach.agents.remove('catalogue');
  const route = await gateway.reach.route('step-one');

  await gateway.kill();
  await gateway.restart();
  await gateway.routable('two');

  problemOf(await gateway.get('/v1/agents/catalogue'), 'agent-not-found');
  const token = { headers: { 'reach-call-token': route.call_token ?? '' } };
  const nested = answerOf(await gateway.call({ capability: 'step-two' }, token));
  const { hops } = await gateway.reach.traces.get(nested.trace_id);
  assert.equal(nested.trace_id, route.trace_id);
  assert.equal(hops[0]?.hop, 2);
});

test('a gateway that was stopped and started again knows its agents, and they need do nothing', async () => {
  await using gateway = await Gateway.start();
  await using worker = await startAgent(
    'worker',
    gateway,
    '--file',
    join(gateway.folder.path, 'e'),
  );

  const exit = await gateway.stop();
  await gateway.restart();
  await gateway.routable('worker');

  assert.deepEqual(exit, { code: 0, signal: null });
  answerOf(await gateway.call({ capability: 'look' }));
  assert.equal(worker.all('ready').length, 1);
});

test('an agent that starts before its gateway joins when that is there', async () => {
  await using gateway = await Gateway.start();
  await gateway.kill();

  await using early = await startAgent('chain', gateway, 'one:two', 'two:');
  await gateway.restart();
  await gateway.routable('two');

  answerOf(await gateway.call({ capability: 'step-two' }));
  assert.equal(early.program.hasEnded, false);
});

test('agents find their way back to a gateway that has lost everything', async () => {
  await using gateway = await Gateway.start({ set: { 'agent.heartbeat.interval': '1s' } });
  await using _ = await startAgent('chain', gateway, 'one:two', 'two:');

  await gateway.kill();
  await rm(gateway.told.data[0] ?? '', { recursive: true });
  await gateway.restart();
  await gateway.routable('one');
  await gateway.routable('two');

  const { result } = answerOf(await gateway.call({ capability: 'step-one' }));
  assert.equal((result as StepAnswer).seen.length, 2);
});

test('a gateway that has just started again reaches at once who was there before', async () => {
  await using gateway = await Gateway.start();
  await using _ = await startAgent('worker', gateway, '--name', 'worker');

  await gateway.kill();
  await gateway.restart();
  const answer = answerOf(await gateway.call({ capability: 'look' }));

  assert.equal(answer.provider.agent, 'worker');
});

const PARCELS = {
  name: 'parcels',
  capabilities: [
    {
      name: 'track_parcel',
      description: '查询快递到哪了，哪天能到。Where a parcel is, and when it arrives.',
      effect: 'read',
    },
  ],
};
const ORDERS = {
  name: 'orders',
  capabilities: [
    {
      name: 'order_status',
      description: '查询订单状态，什么时候发货。Where an order stands, and when it ships.',
      effect: 'read',
    },
  ],
};

test('what two chose when they were asked back is still meant after a kill -9', async () => {
  await using gateway = await Gateway.start();
  for (const manifest of [PARCELS, ORDERS]) await gateway.reach.agents.register({ manifest });
  const questions = ['什么时候能到', 'When and where is it?'];

  for (const intent of questions) {
    for (const desk of ['desk-a', 'desk-b']) {
      const { outcome, route_id: id, options = [] } = await gateway.reach.route({ intent });
      const offered = options.map(({ capability }) => capability);
      assert.deepEqual([outcome, offered.toSorted()], ['ask', ['order_status', 'track_parcel']]);
      const choice = { agent_id: desk, route_id: id, capability: 'track_parcel' };
      await gateway.reach.invoke('routes.choose', choice);
    }
  }
  await gateway.kill();
  await gateway.restart();

  for (const intent of questions) {
    const { capability } = await gateway.reach.route({ intent });
    assert.equal(capability, 'track_parcel', intent);
  }
});
