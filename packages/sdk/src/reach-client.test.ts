import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import { ReachClient, type ReachClientOptions } from './reach-client.ts';
import { FakeGateway, registered } from './testing/fake-gateway.ts';

const MANIFEST = {
  agent_name: 'weekly-report-agent',
  capabilities: [{ id: 'generate-weekly-summary', name: '生成周报摘要', tags: ['report'] }],
  health_endpoint: '/healthz',
};
const LOCAL = { host: '127.0.0.1', port: 0 } as const;

function open(gateway: FakeGateway, more: Partial<ReachClientOptions> = {}): ReachClient {
  // The fake one reads no manifest of this form.
  gateway.on('agents.register', () => registered('weekly-report-agent'));
  return new ReachClient({
    endpoint: gateway.url,
    agentName: 'weekly-report-agent',
    log: silentLog,
    ...LOCAL,
    ...more,
  });
}

test('start answers probes, before anything is registered and after', async () => {
  await using gateway = await FakeGateway.open();
  await using client = open(gateway);
  await client.start();
  const look = async (path: string) => {
    const response = await fetch(`http://${client.address}${path}`);
    return [response.status, ((await response.json()) as { agent_id?: string }).agent_id];
  };

  assert.deepEqual(await look('/healthz'), [200, undefined]);
  assert.deepEqual(await look('/probe'), [200, undefined]);
  await client.registerManifest(MANIFEST);
  assert.deepEqual(await look('/healthz'), [200, 'weekly-report-agent']);
});

test('a manifest goes as it is, with where this process lives', async () => {
  await using gateway = await FakeGateway.open();
  await using client = open(gateway, { heartbeatMs: 10_000, advertiseAddress: '10.20.1.5:9595' });

  await client.registerManifest(MANIFEST);

  const { input } = await gateway.nth('agents.register', 1);
  const { instance, ...rest } = input.manifest;
  assert.deepEqual(rest, { ...MANIFEST, network: { heartbeat_interval_sec: 10 } });
  const { base_url: url, boot_id: bootId } = instance as Record<string, string>;
  assert.equal(url, 'http://10.20.1.5:9595');
  assert.match(bootId ?? '', /^[0-9a-f]{16}$/);
});

test('a manifest without a name is the agent’s, and another one is a new version', async () => {
  await using gateway = await FakeGateway.open();
  await using client = open(gateway);
  const { agent_name: _, ...nameless } = MANIFEST;

  await client.registerManifest(nameless);
  await client.registerManifest({ ...nameless, description: 'Writes reports.' });

  const first = await gateway.nth('agents.register', 1);
  const second = await gateway.nth('agents.register', 2);
  assert.equal(first.input.manifest['name'], 'weekly-report-agent');
  assert.equal(second.input.manifest['description'], 'Writes reports.');
});

test('what the gateway holds against a manifest is thrown', async () => {
  await using gateway = await FakeGateway.open();
  await using client = open(gateway);
  gateway.on('agents.register', () => {
    throw new ReachError('validation-failed', 'It offers nothing.');
  });

  await assert.rejects(client.registerManifest({}), { code: 'validation-failed' });
});

test('a route without a target is null', async () => {
  await using gateway = await FakeGateway.open();
  await using client = open(gateway);
  const answer = { route_id: 'rte_1', trace_id: 't', warnings: [] };
  gateway.on('routes.decide', ({ intent }) =>
    intent === 'Write the report'
      ? { ...answer, outcome: 'route', target_address: '10.20.1.5:9595' }
      : { ...answer, outcome: 'ask', reason: 'It may mean two things.' },
  );

  assert.equal((await client.route({ intent: 'Write the report' }))?.route_id, 'rte_1');
  assert.equal(await client.route({ intent: 'Do it' }), null);
});

test('a drained client says so once, to the gateway and to those who look', async () => {
  await using gateway = await FakeGateway.open();
  await using client = open(gateway);
  await client.registerManifest(MANIFEST);

  await client.drain();
  await client.drain();

  assert.equal(gateway.seen.filter(({ name }) => name === 'agents.drain').length, 1);
  assert.equal((await fetch(`http://${client.address}/healthz`)).status, 503);
});

test('an address that nobody could call is refused at once', () => {
  const make = (more: Partial<ReachClientOptions>) => () =>
    new ReachClient({ agentName: 'a', log: silentLog, ...more });

  assert.throws(make({ port: 9_600 }), TypeError);
  assert.throws(make({ host: '::', port: 0 }), TypeError);
  make({})();
  make({ port: 9_600, advertiseAddress: 'http://a:9600' })();
});
