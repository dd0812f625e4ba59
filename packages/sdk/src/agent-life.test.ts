import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { silentLog, systemRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Agent } from './agent.ts';
import type { AgentOptions } from './agent-options.ts';
import { openAgentHouse, turnClock } from './testing/agent-house.ts';
import { FakeGateway, registered } from './testing/fake-gateway.ts';
import { until } from './testing/until.ts';

const declare = (agent: Agent) =>
  agent.capability({ name: 'query', description: 'Answers.', effect: 'read' }, () => 'ok');

/** Every pause is as long as it may be, the one before the first beat as well. */
const LATE = { ...systemRandom(), next: () => 0.999 };

/** Log lines as they come, by level. */
function notes() {
  const lines: string[] = [];
  const note = (level: string) => (_: object, message: string) =>
    void lines.push(`${level} ${message}`);
  const log = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  return { lines, log };
}

/** An agent whose gateway is at `port`, present or not. */
function agentAt(port: number, options: Partial<AgentOptions> = {}, random = systemRandom()) {
  const clock = new ManualClock();
  const agent = new Agent(
    {
      name: 'orders',
      endpoint: `http://127.0.0.1:${port}`,
      handleSignals: false,
      lingerMs: 0,
      log: silentLog,
      ...options,
    },
    { clock, random },
  );
  return { clock, agent: declare(agent) };
}

/** A port on which a gateway was, and will be again. */
async function vacantPort(): Promise<number> {
  await using gateway = await FakeGateway.open();
  return gateway.port;
}

test('start registers what the agent is, what it offers and where it lives', async () => {
  const schema = { type: 'object', properties: { order_no: { type: 'string' } } };
  await using house = await openAgentHouse(
    (agent) =>
      agent.capability(
        {
          name: 'query_order_status',
          displayName: '查询订单',
          aliases: ['订单查询'],
          strategy: 'exact',
          description: '根据订单号查询订单实时状态',
          input: schema,
          effect: 'read',
          tags: ['order'],
          timeoutMs: 800,
          notFor: ['物流轨迹'],
          fallback: ['cached_order_status'],
        },
        () => 'ok',
      ),
    {
      displayName: '订单智能体',
      version: '1.2.0',
      fallback: ['ask_desk'],
      heartbeatMs: 15_000,
      maxConcurrency: 7,
    },
  );

  await house.agent.start();

  const { input } = await house.gateway.nth('agents.register', 1);
  const bootId = (input.manifest['instance'] as { boot_id: string }).boot_id;
  assert.deepEqual(input.manifest, {
    name: 'orders',
    display_name: '订单智能体',
    version: '1.2.0',
    fallback: ['ask_desk'],
    dependencies: { max_concurrency: 7 },
    capabilities: [
      {
        name: 'query_order_status',
        display_name: '查询订单',
        aliases: ['订单查询'],
        strategy: 'exact',
        description: '根据订单号查询订单实时状态',
        input_schema: schema,
        effect: 'read',
        tags: ['order'],
        sla: { timeout_ms: 800 },
        not_for: ['物流轨迹'],
        fallback: ['cached_order_status'],
      },
    ],
    network: { health_path: '/health', heartbeat_interval_sec: 15 },
    instance: { base_url: house.agent.baseUrl, boot_id: bootId },
  });
  assert.match(bootId, /^[0-9a-f]{16}$/);
});

test('health and probe say who lives here, as the gateway knows it', async () => {
  await using house = await openAgentHouse(declare);
  await house.agent.start();

  for (const path of ['/health', '/healthz', '/probe']) {
    const response = await fetch(house.agent.baseUrl + path);
    const { boot_id: _, ...rest } = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200);
    assert.deepEqual(rest, {
      status: 'ok',
      agent_id: 'orders',
      instance_id: 'orders-1',
      addr_version: 'e.1',
      inflight: 0,
      max_concurrency: 100,
    });
  }
});

test('the gateway’s probe during the registration meets nobody it could take for a stranger', async () => {
  await using house = await openAgentHouse(declare, { name: 'Order Agent' });
  let health: Record<string, unknown> = {};
  house.gateway.on('agents.register', async ({ manifest }) => {
    const { base_url: url } = manifest['instance'] as { base_url: string };
    health = (await (await fetch(`${url}/health`)).json()) as Record<string, unknown>;
    return registered('order-agent');
  });

  await house.agent.start();

  assert.equal(health['status'], 'ok');
  assert.equal(health['agent_id'], undefined);
  assert.equal(house.agent.id, 'order-agent');
});

test('a gateway that has forgotten the agent is told again at once', async () => {
  await using house = await openAgentHouse(declare, {}, LATE);
  await house.agent.start();
  house.gateway.on('agents.heartbeat', () => {
    throw new ReachError('agent-not-found', 'Register again.');
  });
  house.gateway.on('agents.register', () => registered('orders', 'e.2'));

  await house.clock.advance(15_000);
  await house.gateway.nth('agents.register', 2);
  await until(() => house.clock.waiting === 1, 'the next pause begins');
  const probe = await fetch(`${house.agent.baseUrl}/probe`);

  assert.equal(((await probe.json()) as { addr_version: string }).addr_version, 'e.2');
});

test('while it registers again an agent refuses no address: the next one may be in use', async () => {
  await using house = await openAgentHouse(declare, {}, LATE);
  await house.agent.start();
  house.gateway.on('agents.heartbeat', () => {
    throw new ReachError('agent-not-found', 'Register again.');
  });
  const early = Promise.withResolvers<Response>();
  house.gateway.on('agents.register', async () => {
    early.resolve(await house.post('/abilities/query', {}, { 'reach-addr-version': 'e.2' }));
    return registered('orders', 'e.2');
  });

  await house.clock.advance(15_000);

  assert.equal((await early.promise).status, 200);
});

test('an agent starts while the gateway is away, serves, and registers when it comes', async () => {
  const port = await vacantPort();
  const { lines, log } = notes();
  let pauses = 0;
  // Full jitter with a fair coin: pauses of 250, 500, 1 000 ms and so on, each drawn once.
  const next = () => (pauses++, 0.5);
  const { agent, clock } = agentAt(port, { log }, { ...systemRandom(), next });
  const attempt = async (afterMs: number, count: number) => {
    await clock.advance(afterMs);
    await until(() => pauses === count, `pause ${count} begins`);
  };

  await agent.start();
  const response = await fetch(`${agent.baseUrl}/abilities/query`, { method: 'POST' });
  await attempt(250, 2);
  await attempt(500, 3);
  const before = [...lines];
  await using gateway = await FakeGateway.open(port);
  await clock.advance(1_000);
  await until(() => lines.some((line) => line.includes('registered again')), 'it recovers');

  assert.equal(response.status, 200);
  assert.equal(before.length, 1, before.join('\n'));
  assert.match(before[0] ?? '', /warn no gateway answers; trying on/);
  assert.equal(gateway.all('agents.register').length, 1);
  await turnClock(clock, agent.stop());
});

test('a manifest that the gateway refuses fails the start, and nothing stays open', async () => {
  await using house = await openAgentHouse(declare);
  house.gateway.on('agents.register', () => {
    throw new ReachError('manifest-refused', 'orders is not admitted.');
  });

  await assert.rejects(house.agent.start(), { code: 'manifest-refused' });

  await assert.rejects(fetch(`${house.agent.baseUrl}/health`));
  await house.agent.stop();
  assert.equal(house.clock.waiting, 0);
});

test('a port that is taken fails the start', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => blocker.once('listening', resolve));
  const { port } = blocker.address() as { port: number };
  const { agent } = agentAt(1, { port });

  await assert.rejects(agent.start(), { code: 'EADDRINUSE' });

  await agent.stop();
  blocker.close();
});

test('warnings and a failed diagnosis of the registration are logged with what to do', async () => {
  const { lines, log } = notes();
  await using house = await openAgentHouse(declare, { log });
  house.gateway.on('agents.register', () => ({
    ...registered('orders'),
    warnings: ['Version 1 stays as it was.'],
    diagnosis: {
      reachable: false,
      failing_step: 'connect',
      steps: [{ step: 'connect', verdict: 'failed', detail: 'refused', advice: 'Listen there.' }],
    },
  }));

  await house.agent.start();

  assert.ok(lines.includes('warn Version 1 stays as it was.'));
  assert.ok(lines.includes('warn the gateway cannot reach this agent yet'));
});

test('stop drains, answers late calls, refuses, lets handlers end, then leaves', async () => {
  const handler = Promise.withResolvers<string>();
  let runs = 0;
  await using house = await openAgentHouse(
    (agent) =>
      agent.capability({ name: 'query', description: 'Answers.' }, () => {
        runs++;
        return runs === 1 ? handler.promise : 'late';
      }),
    { lingerMs: 1_000, drainMs: 30_000 },
  );
  await house.agent.start();
  const running = house.post('/abilities/query', {}, { 'reach-deadline-ms': '2000' });
  await until(() => runs === 1, 'the handler runs');

  const stopping = house.agent.stop();
  const { input } = await house.gateway.nth('agents.drain', 1);
  const health = await fetch(`${house.agent.baseUrl}/health`);
  const late = await house.post('/abilities/query', {});
  let refused = late;
  let lingeredMs = 0;
  while (refused.status === 200) {
    await house.clock.advance(100);
    lingeredMs += 100;
    refused = await house.post('/abilities/query', {});
  }
  assert.equal(house.gateway.all('agents.remove').length, 0, 'a handler still runs');
  handler.resolve('done');
  const done = await running;
  await turnClock(house.clock, stopping);

  assert.equal(input.instance_id, 'orders-1');
  assert.equal(health.status, 503);
  assert.equal(((await health.json()) as { status: string }).status, 'draining');
  assert.equal(await late.json(), 'late');
  assert.ok(lingeredMs >= 1_000, `it lingered for ${lingeredMs} ms`);
  const problem = (await refused.json()) as { code: string; executed: string };
  assert.deepEqual([refused.status, problem.code, problem.executed], [503, 'draining', 'no']);
  assert.equal(refused.headers.get('retry-after'), '1');
  assert.equal(await done.json(), 'done');
  const removal = house.gateway.all('agents.remove')[0];
  assert.deepEqual(removal?.input, { agent_id: 'orders', instance_id: 'orders-1' });
  await assert.rejects(fetch(`${house.agent.baseUrl}/health`));
  assert.equal(house.clock.waiting, 0, 'nothing runs any more');
});

test('a handler that does not end is aborted when the drain is over', async () => {
  let signal: AbortSignal | undefined;
  await using house = await openAgentHouse(
    (agent) =>
      agent.capability({ name: 'query', description: 'Hangs.', timeoutMs: 60_000 }, (_, ctx) => {
        signal = ctx.signal;
        return new Promise(() => {});
      }),
    { drainMs: 5_000 },
  );
  await house.agent.start();
  const call = house.post('/abilities/query', {}).catch(() => 'cut off');
  await until(() => signal !== undefined, 'the handler runs');

  await turnClock(house.clock, house.agent.stop());

  assert.equal(signal?.aborted, true);
  assert.equal(await call, 'cut off');
});

test('a gateway that forgot a leaving agent is not reminded', async () => {
  await using house = await openAgentHouse(declare, { lingerMs: 20_000 });
  await house.agent.start();
  house.gateway.on('agents.heartbeat', () => {
    throw new ReachError('agent-not-found', 'Register again.');
  });

  const stopping = house.agent.stop();
  await house.gateway.nth('agents.drain', 1);
  await turnClock(house.clock, stopping);

  assert.equal(house.gateway.all('agents.register').length, 1);
});

test('stop works while the gateway is away, twice, and before start', async () => {
  const { agent, clock } = agentAt(await vacantPort());
  await agent.start();
  await turnClock(clock, Promise.all([agent.stop(), agent.stop()]));
  await agent.stop();
  assert.equal(clock.waiting, 0);

  const never = agentAt(1);
  await never.agent.stop();
  await assert.rejects(never.agent.start(), /lives once/);
});

test('mistakes of the declaration are said where they are made', async () => {
  assert.throws(() => agentAt(1, { host: '0.0.0.0' }), /say baseUrl/);
  const { agent } = agentAt(1);
  assert.throws(() => declare(agent), /query is declared twice/);
  const chinese = { name: '查询订单', description: 'Its path would be another one.' };
  assert.throws(() => agent.capability(chinese, () => 1), /is no ASCII name/);

  await using house = await openAgentHouse(declare);
  await house.agent.start();
  const late = () => house.agent.capability({ name: 'b', description: 'B.' }, () => 1);
  assert.throws(late, /before the agent starts/);
});
