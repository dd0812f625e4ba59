import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { OPERATIONS } from '@agent-reach/core';
import { Reach } from '@agent-reach/sdk';
import type { StepAnswer } from './agents/chain.ts';
import { type AgentProgram, startAgent, startTogether } from './kit/agents.ts';
import { fileWide } from './kit/file-wide.ts';
import { Gateway, reach } from './kit/gateway.ts';
import { answerOf, dataOf, get, post, problemOf } from './kit/wire.ts';

const MANIFESTS = join(import.meta.dirname, '../packages/server/src/registry/manifest/fixtures');

// One gateway and its agents serve this file: no test changes what another one reads.
let gateway: Gateway;
let worker: AgentProgram;

before(async () => {
  gateway = fileWide.use(
    await Gateway.start({
      set: { 'call.depth.max': '6' },
      env: { REACH_CALL_TRACE_MAX: '70' },
      file: 'routing:\n  relax: [region]\nprobe.interval: 2s\n',
    }),
  );
  const file = join(gateway.folder.path, 'effects');
  [worker] = await startTogether(fileWide, [
    startAgent('worker', gateway, '--file', file),
    startAgent('chain', gateway, 'front:back', 'back:'),
  ]);
});

test('a call over plain HTTP is answered with result, provider, route and timing', async () => {
  const reply = await gateway.call({ request_id: 'plain-1', agent_id: 'me', capability: 'look' });

  const answer = answerOf(reply);
  assert.equal(reply.status, 200);
  assert.equal(answer.request_id, 'plain-1');
  assert.equal(answer.status, 'ok');
  assert.equal(typeof (answer.result as { count: unknown }).count, 'number');
  assert.equal(answer.provider.agent, 'worker');
  assert.equal(answer.provider.version, 1);
  assert.equal(answer.route.strategy, 'exact_match');
  assert.equal(answer.replayed, false);
  assert.equal(answer.retry_count, 0);
  assert.match(answer.trace_id, /^[0-9a-f]{32}$/);
  assert.equal(reply.headers.get('idempotency-replayed'), null);
});

test('the SDK reaches the same capability, and the command line does', async () => {
  await using client = new Reach({ endpoint: gateway.url, agentId: 'customer-service' });

  const answer = await client.call<{ count: number }>('look', {});
  const printed = await reach(['call', 'look', '{}', '--endpoint', gateway.url, '--json']);

  assert.equal(answer.provider.agent, 'worker');
  assert.equal(typeof answer.result.count, 'number');
  assert.equal(printed.code, 0, printed.err);
  assert.equal((JSON.parse(printed.out) as typeof answer).provider.agent, 'worker');
});

test('parameters that break the declared schema are refused by pointer, and nothing runs', async () => {
  const refused = problemOf(
    await gateway.call({ request_id: 'ill-1', capability: 'look', params: { hold: 'yes' } }),
    'validation-failed',
  );

  assert.equal(refused.errors?.[0]?.pointer, '#/params/hold');
  assert.equal(refused.executed, 'no');
  assert.deepEqual(
    worker.all('ran').filter(({ request }) => request === 'ill-1'),
    [],
  );
});

test('a route decision leads to the agent directly, and its call token carries the chain on', async () => {
  const route = await gateway.reach.route('step-front');
  assert.equal(route.outcome, 'route');
  assert.equal(route.target_agent, 'front');
  assert.equal(`http://${route.target_address}`, route.address);

  // No gateway in between: the body is the parameters alone, the answer the result alone.
  const direct = await post(
    `${route.address}${route.path}`,
    {},
    {
      headers: {
        'reach-call-token': route.call_token ?? '',
        'reach-addr-version': route.addr_version ?? '',
        traceparent: `00-${route.trace_id}-00f067aa0ba902b7-01`,
      },
    },
  );

  const { seen } = direct.body as StepAnswer;
  assert.equal(direct.status, 200);
  assert.deepEqual(
    seen.map(({ agent, caller }) => [agent, caller]),
    [
      ['front', 'anonymous'],
      ['back', 'front'],
    ],
  );
  const { hops } = await gateway.reach.traces.get(route.trace_id);
  assert.deepEqual(
    hops.map(({ hop, agent_from: from, agent_to: to }) => [hop, from, to]),
    [[2, 'front', 'back']],
  );
});

test('an agent refuses a direct call that was meant for who lived at its address before', async () => {
  const route = await gateway.reach.route('look');

  const stale = await post(
    `${route.address}${route.path}`,
    {},
    {
      headers: { 'reach-addr-version': 'other.1' },
    },
  );

  problemOf(stale, 'stale-address');
});

test('the trace shows where the time of a call went, and its parts add up', async () => {
  const answer = answerOf(await gateway.call({ request_id: 'traced-1', capability: 'step-front' }));

  const { hops } = await gateway.reach.traces.get(answer.trace_id);

  assert.deepEqual(
    hops.map(({ agent_from: from, agent_to: to, status_code: status }) => [from, to, status]),
    [
      ['anonymous', 'front', 200],
      ['front', 'back', 200],
    ],
  );
  const [outer, inner] = hops;
  assert.equal(inner?.parent_span_id, outer?.span_id);
  for (const hop of hops) {
    const parts = hop.match_ms + hop.queue_ms + hop.agent_ms + hop.return_ms;
    // Each part is rounded to a tenth.
    assert.ok(Math.abs(parts - hop.execute_ms) <= 0.5, JSON.stringify(hop));
    assert.ok(hop.agent_ms > 0, JSON.stringify(hop));
    assert.equal(hop.attempts.length, 1);
    assert.equal(hop.attempts[0]?.executed, 'yes');
  }
  assert.ok((inner?.execute_ms ?? 0) <= (outer?.agent_ms ?? 0), 'the nested call is a part');
  const found = await gateway.reach.calls.get('traced-1');
  assert.equal(found.hops[0]?.trace_id, answer.trace_id);
});

test('the audit has a line for a call, for a refused one and for a registration', async () => {
  const context = { on_behalf_of: 'user-7' };
  await gateway.call({ request_id: 'aud-1', agent_id: 'me', capability: 'look', context });
  await gateway.call({ request_id: 'aud-2', agent_id: 'me', capability: 'nobody-offers-this' });

  const linesOf = async (input: Record<string, string>) =>
    (await gateway.reach.audit.search(input)).lines;
  const [called] = await linesOf({ request_id: 'aud-1' });
  const [refused] = await linesOf({ request_id: 'aud-2' });
  const ofWorker = await linesOf({ target: 'worker' });

  assert.equal(called?.principal, 'me');
  assert.equal(called?.on_behalf_of, 'user-7');
  assert.equal(called?.operation, 'calls.invoke');
  assert.equal(called?.target, 'worker');
  assert.equal(called?.capability, 'look');
  assert.equal(called?.outcome, 'ok');
  assert.equal(called?.executed, 'yes');
  assert.equal(called?.params, '{}');
  assert.match(called?.result ?? '', /^\{"count":\d+\}$/);
  assert.equal(refused?.outcome, 'capability-not-found');
  assert.equal(refused?.executed, 'no');
  const joined = ofWorker.filter(({ operation }) => operation === 'agents.register');
  assert.deepEqual(
    joined.map(({ outcome }) => outcome),
    ['ok'],
  );
});

test('the configuration shows each value with where it comes from', async () => {
  const { options } = dataOf('system.config', await gateway.get('/v1/config'));

  const shown = (wanted: string) => options.find(({ key }) => key === wanted);
  assert.deepEqual(shown('call.depth.max'), { key: 'call.depth.max', value: 6, origin: 'flag' });
  assert.deepEqual(shown('call.trace.max'), {
    key: 'call.trace.max',
    value: 70,
    origin: 'environment',
  });
  assert.deepEqual(shown('routing.relax'), {
    key: 'routing.relax',
    value: ['region'],
    origin: 'file',
  });
  assert.deepEqual(shown('probe.interval'), {
    key: 'probe.interval',
    value: 2_000,
    origin: 'file',
  });
  assert.equal(shown('probe.timeout')?.origin, 'default');
});

test('/api/v1 is another name of /v1', async () => {
  const called = await post(`${gateway.url}/api/v1/calls`, { capability: 'look' });
  const shown = await get(`${gateway.url}/api/v1/agents/worker`);

  assert.equal(answerOf(called).provider.agent, 'worker');
  assert.equal(dataOf('agents.get', shown).agent_id, 'worker');
});

test('both listeners serve everything', async () => {
  assert.notEqual(gateway.url, gateway.agentUrl);
  for (const url of [gateway.url, gateway.agentUrl]) {
    answerOf(await post(`${url}/v1/calls`, { capability: 'look' }));
    dataOf('routes.decide', await post(`${url}/v1/routes`, { capability: 'look' }));
    for (const name of ['agents.list', 'audit.search', 'traces.search', 'system.config'] as const) {
      dataOf(name, await get(url + OPERATIONS[name].path));
    }
    for (const path of ['/health', '/livez', '/readyz', '/openapi.json']) {
      assert.equal((await get(url + path)).status, 200, path);
    }
  }
});

test('the API describes itself: a path for every operation', async () => {
  const { body, status } = await gateway.get('/openapi.json');

  const { openapi, paths } = body as {
    openapi: string;
    paths: Record<string, Record<string, unknown>>;
  };
  assert.equal(status, 200);
  assert.match(openapi, /^3\.1\./);
  for (const { method, path } of Object.values(OPERATIONS)) {
    assert.ok(paths[path]?.[method.toLowerCase()] !== undefined, `${method} ${path}`);
  }
});

test('the manifests of the seeds register as they are, in YAML and in JSON', async () => {
  const send = (path: string, file: string) => {
    const type = file.endsWith('.yaml') ? 'application/yaml' : 'application/json';
    const text = readFileSync(join(MANIFESTS, file), 'utf8');
    return gateway.post(path, text, { headers: { 'content-type': type } });
  };

  const a = dataOf('agents.register', await send('/v1/agents', 'seed-a.yaml'));
  const c = dataOf('agents.register', await send('/v1/agents', 'seed-c.json'));
  const d = dataOf('connectors.register', await send('/v1/connectors', 'seed-d.json'));
  const again = dataOf('agents.register', await send('/v1/agents', 'seed-d.json'));

  assert.equal(a.agent_id, 'order-query-agent');
  assert.equal(a.diagnosis?.reachable, false);
  assert.equal(a.diagnosis?.failing_step, 'resolve');
  assert.equal(c.agent_id, 'weekly-report-agent');
  assert.equal(d.agent_id, 'crm-connector');
  assert.equal(again.outcome, 'unchanged');
  const report = await gateway.reach.agents.get('weekly-report-agent');
  assert.equal(report.capabilities[0]?.name, 'generate-weekly-summary');
  assert.equal(report.capabilities[0]?.display_name, '生成周报摘要');
  const { connectors } = await gateway.reach.connectors.list({});
  assert.deepEqual(
    connectors.map(({ agent_id: id }) => id),
    ['crm-connector'],
  );
  // Registered, and not routed to while it cannot be reached.
  const call = { capability: 'query_order_status', params: { order_no: 'A', customer_id: 'B' } };
  const nobody = problemOf(await gateway.call(call), 'no-reachable-agent');
  assert.equal(nobody.agent, 'order-query-agent');
});
