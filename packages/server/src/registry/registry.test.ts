import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentView, InstanceView } from '@agent-reach/core';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, silence } from '../main/testing/network.ts';

const capabilities = [{ name: 'look_up', description: 'Looks something up.', effect: 'read' }];
const healthy = () => json(200, { status: 'ok' });

async function post(house: TestHouse, url: string, body: unknown, remoteAddress = '127.0.0.1') {
  const response = await house.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
    remoteAddress,
  });
  return { status: response.statusCode, ...response.json() };
}

function register(house: TestHouse, over: Record<string, unknown> = {}, from?: string) {
  const network = { base_url: 'http://a1' };
  return post(house, '/v1/agents', { name: 'a', capabilities, network, ...over }, from);
}

async function show(house: TestHouse): Promise<AgentView> {
  return (await house.http.inject('/v1/agents/a')).json().data;
}

async function instance(house: TestHouse): Promise<InstanceView> {
  const [first] = (await show(house)).instances;
  assert.ok(first, 'no instance');
  return first;
}

test('a reachable agent is up as soon as it is registered', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);

  const { data } = await register(house);

  assert.equal(data.outcome, 'created');
  assert.equal(data.manifest_version, 1);
  assert.equal(data.diagnosis.reachable, true);
  assert.deepEqual(
    data.diagnosis.steps.map((s: { step: string; verdict: string }) => `${s.step} ${s.verdict}`),
    ['resolve', 'connect', 'health', 'heartbeat', 'snapshot', 'circuit'].map((s) => `${s} passed`),
  );
  assert.equal((await instance(house)).routable, true);
});

test('an unreachable agent is registered, not routed to, and told which step fails', async () => {
  await using house = await openHouse();
  const cases = {
    resolve: { base_url: 'http://gone.invalid' },
    connect: { base_url: 'http://nobody' },
    health: { base_url: 'http://sick' },
  };
  house.network.at('http://sick', () => json(500, {}));
  for (const [step, network] of Object.entries(cases)) {
    const { status, data } = await register(house, { name: `a-${step}`, network });
    assert.equal(status, 200);
    assert.equal(data.diagnosis.reachable, false);
    assert.equal(data.diagnosis.failing_step, step);
    const failed = data.diagnosis.steps.find((s: { verdict: string }) => s.verdict === 'failed');
    assert.ok(failed.advice.length > 20);
    const shown = (await house.http.inject(`/v1/agents/a-${step}`)).json().data;
    assert.equal(shown.instances[0].routable, false);
  }
});

test('an agent that comes up later is found by the prober', async () => {
  await using house = await openHouse();
  await register(house);
  assert.equal((await instance(house)).routable, false);
  house.network.at('http://a1', healthy);

  await house.clock.advance(6_000);

  assert.equal((await instance(house)).observed, 'up');
});

test('one lost probe makes a suspect, three make it unreachable, one passed brings it back', async () => {
  await using house = await openHouse({ 'probe.edge': '500ms' });
  house.network.at('http://a1', healthy);
  await register(house);
  house.network.at('http://a1', undefined);

  const seen: string[] = [(await instance(house)).observed];
  for (let i = 0; i < 80; i++) {
    await house.clock.advance(100);
    const { observed } = await instance(house);
    if (seen.at(-1) !== observed) seen.push(observed);
  }
  house.network.at('http://a1', healthy);
  await house.clock.advance(6_000);

  assert.deepEqual(seen, ['up', 'suspect', 'unreachable']);
  assert.equal((await instance(house)).observed, 'up');
});

test('a hung agent is found by the probe’s own timeout', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house);
  house.network.at('http://a1', silence);

  await house.clock.advance(8_000);

  assert.notEqual((await instance(house)).observed, 'up');
  await house.during(house.house.stop(), 3_000); // A probe may be under way.
});

test('an address that somebody else answers is not taken for the agent', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', () => json(200, { agent_id: 'b' }));

  const { data } = await register(house);

  assert.equal(data.diagnosis.failing_step, 'health');
  assert.match(data.diagnosis.steps[2].detail, /answered by b, not by a/);
});

test('loopback said from afar and a forbidden address are refused and not stored', async () => {
  await using house = await openHouse();

  const afar = await register(house, { network: { base_url: 'http://127.0.0.1:9' } }, '10.0.0.7');
  const metadata = await register(house, { network: { base_url: 'http://169.254.169.254' } });

  for (const refused of [afar, metadata]) {
    assert.equal(refused.code, 'egress-blocked');
    assert.equal(refused.errors[0].pointer, '#/network/base_url');
    assert.ok(refused.advice);
  }
  assert.equal((await house.http.inject('/v1/agents/a')).statusCode, 404);
});

test('the same content is unchanged, other content is the next version', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house);

  const same = await register(house);
  const more = [
    ...capabilities,
    { name: 'more', description: 'Does something more.', effect: 'read' },
  ];
  const other = await register(house, { capabilities: more });
  const less = await register(house);

  assert.deepEqual([same.data.outcome, same.data.manifest_version], ['unchanged', 1]);
  assert.deepEqual([other.data.outcome, other.data.manifest_version], ['updated', 2]);
  assert.deepEqual(other.data.breaking, []);
  assert.equal(less.data.manifest_version, 3);
  assert.match(less.data.breaking[0], /more/);
  const versions = (await house.http.inject('/v1/agents/a/versions')).json().data.versions;
  assert.deepEqual(
    versions.map((v: { manifest_version: number }) => v.manifest_version),
    [3, 2, 1],
  );
});

test('a declared version that comes again with other content keeps the old one and warns', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house, { version: '1.0.0' });

  const again = await register(house, { version: '1.0.0', owner: 'somebody else' });

  assert.equal(again.data.outcome, 'kept');
  assert.match(again.data.warnings.join(), /already registered/);
  assert.equal((await show(house)).owner, undefined);
});

test('a lease lasts three beats and a bit, and an agent that stops beating is gone', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  const { data } = await register(house);
  assert.equal(data.instance.lease_ms, 45_000);

  await house.clock.advance(44_000);
  assert.equal((await instance(house)).observed, 'up');
  await house.clock.advance(3_000);

  assert.equal((await instance(house)).observed, 'gone');
  assert.equal((await instance(house)).routable, false);
});

test('a heartbeat renews, revives the gone, and tells the unknown to register again', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house);
  await house.clock.advance(30_000);
  const beat = await post(house, '/v1/agents/a/heartbeat', { seq: 1 });
  assert.equal(beat.data.next_heartbeat_ms, 10_000);
  await house.clock.advance(30_000);
  assert.equal((await instance(house)).observed, 'up');
  await house.clock.advance(30_000);
  assert.equal((await instance(house)).observed, 'gone');

  await post(house, '/v1/agents/a/heartbeat', { seq: 2 });
  await house.clock.advance(1_000);

  assert.equal((await instance(house)).observed, 'up');
  const stranger = await post(house, '/v1/agents/nobody/heartbeat', {});
  assert.equal(stranger.status, 404);
  assert.equal(stranger.register_again, true);
});

test('an agent that does not beat lives as long as it can be reached', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house, { network: { base_url: 'http://a1', heartbeat_interval_sec: 0 } });

  await house.clock.advance(300_000);
  assert.equal((await instance(house)).observed, 'up');
  house.network.at('http://a1', undefined);
  await house.clock.advance(60_000);

  assert.equal((await instance(house)).observed, 'gone');
});

test('a second process under a live instance id at another address is refused', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  house.network.at('http://a2', healthy);
  const at = (base_url: string) => ({ instance: { instance_id: 'pod-1', base_url } });
  await register(house, at('http://a1'));

  const second = await register(house, at('http://a2'));

  assert.equal(second.code, 'instance-conflict');
  await house.clock.advance(60_000);
  assert.equal((await register(house, at('http://a2'))).status, 200);
});

test('a restart at the same address takes its place and raises the address version', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  const boot = (boot_id: string) => ({ instance: { base_url: 'http://a1', boot_id } });
  const first = await register(house, boot('one'));
  const again = await register(house, boot('one'));
  const restarted = await register(house, boot('two'));

  assert.equal(again.data.instance.addr_version, first.data.instance.addr_version);
  assert.notEqual(restarted.data.instance.addr_version, first.data.instance.addr_version);
  assert.equal((await show(house)).instances.length, 1);
  const late = await post(house, '/v1/agents/a/heartbeat', { boot_id: 'one', seq: 9 });
  assert.equal(late.code, 'instance-conflict');
});

test('what an operator disabled stays so through heartbeats and registrations', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house);
  await post(house, '/v1/agents/a/disable', { reason: 'answers nonsense' });

  await post(house, '/v1/agents/a/heartbeat', { seq: 1 });
  await register(house);
  await post(house, '/v1/agents/a/drain', {});

  assert.equal((await instance(house)).intent, 'disabled');
  assert.equal((await instance(house)).intent_reason, 'answers nonsense');
  await post(house, '/v1/agents/a/enable', {});
  assert.equal((await instance(house)).routable, true);
});

test('a manifest without an address is a definition, and the answer says what is missing', async () => {
  await using house = await openHouse();

  const { data } = await register(house, { network: undefined });

  assert.equal(data.instance, undefined);
  assert.match(data.warnings.join(), /no address/);
  assert.equal((await show(house)).status, 'absent');
});

test('an instance that does not say where it lives is at the other end of its connection', async () => {
  await using house = await openHouse();
  await register(house, { network: undefined, instance: {} }, '::ffff:10.1.2.3');

  assert.equal((await instance(house)).base_url, 'http://10.1.2.3:9595');
});

test('an agent that pulls has no address and is not probed', async () => {
  await using house = await openHouse();

  const { data } = await register(house, { network: undefined, instance: { pull: true } });

  assert.equal(data.diagnosis, undefined);
  assert.equal((await instance(house)).mode, 'pull');
  await house.clock.advance(20_000);
  assert.equal(house.network.sent.length, 0);
});

test('removing twice is fine, and a removed agent is not routed to', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house);
  const remove = () => house.http.inject({ method: 'DELETE', url: '/v1/agents/a' });

  assert.equal((await remove()).json().data.removed, true);
  assert.equal((await remove()).json().data.removed, false);
  assert.equal((await house.http.inject('/v1/agents/a')).statusCode, 404);
});

test('agents are listed and searched by words, capability, tag, status and availability', async () => {
  await using house = await openHouse();
  house.network.at('http://a1', healthy);
  await register(house, { display_name: '订单查询智能体', tags: { team: 'shop' } });
  await register(house, { name: 'b', network: { base_url: 'http://nobody' } });
  const ids = async (query: string) => {
    const response = await house.http.inject(`/v1/agents?${query}`);
    return response.json().data.agents.map((agent: AgentView) => agent.agent_id);
  };

  assert.deepEqual(await ids(''), ['a', 'b']);
  assert.deepEqual(await ids(`q=${encodeURIComponent('订单')}`), ['a']);
  assert.deepEqual(await ids('capability=look_up'), ['a', 'b']);
  assert.deepEqual(await ids('tag=team=shop'), ['a']);
  assert.deepEqual(await ids('tag=team=other'), []);
  assert.deepEqual(await ids('available=true'), ['a']);
  assert.deepEqual(await ids('status=up'), ['a']);
});

test('a connector registers action by action, and an action again changes nothing', async () => {
  await using house = await openHouse();
  const action = (name: string) => ({
    name,
    connector: 'crm',
    protocol: 'http',
    endpoint: 'internal://crm/contacts/{id}',
    method: 'GET',
  });
  await post(house, '/v1/connectors', action('crm.contact.read'));
  const second = await post(house, '/v1/connectors', action('crm.contact.list'));
  const again = await post(house, '/v1/connectors', action('crm.contact.read'));

  assert.deepEqual(second.data.breaking, []);
  assert.equal(again.data.outcome, 'unchanged');
  const { connectors } = (await house.http.inject('/v1/connectors')).json().data;
  assert.deepEqual(
    connectors[0].capabilities.map((c: { name: string }) => c.name),
    ['crm.contact.list', 'crm.contact.read'],
  );
});
