import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '@agent-reach/core';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { json, reset } from '../main/testing/network.ts';
import { cached, callsTo, disable, remembered, toCached } from './testing/fallbacks.ts';
import { ask, lookup, params, shipped } from './testing/orders.ts';

test('the request’s fallback answers for whom nobody can reach, and says so everywhere', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  await house.agent('cache', cached, remembered);
  await disable(house, 'orders');

  const response = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(toCached),
  });

  assert.equal(response.statusCode, 200);
  assert.equal(response.headers['reach-degraded'], 'fallback');
  const answer = response.json().data;
  assert.equal(answer.status, 'degraded');
  assert.equal(answer.degraded_to, 'cached_order_status');
  assert.deepEqual(answer.result, { status: 'shipped yesterday' });
  assert.equal(answer.provider.agent, 'cache');
  assert.match(
    answer.warnings.join(),
    /query_order_status could not be reached \(no-reachable-agent: .*\)\. cached_order_status of cache answered instead, as the request says/,
  );
  const trace = await house.ask<Output<'traces.get'>>('GET', `/v1/traces/${answer.trace_id}`);
  const [hop] = trace.hops;
  assert.equal(hop?.capability, 'cached_order_status');
  assert.equal(hop?.fallback_of, 'query_order_status');
  assert.equal(hop?.fallback_code, 'no-reachable-agent');
  const audit = await house.ask<Output<'audit.search'>>(
    'GET',
    `/v1/audit?trace_id=${answer.trace_id}`,
  );
  assert.equal(audit.lines[0]?.fallback_of, 'query_order_status');
  assert.equal(audit.lines[0]?.target, 'cache');
});

test('whoever is reached answers himself, and nothing is degraded', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  await house.agent('cache', cached, remembered);

  const answer = await house.call(toCached);

  assert.deepEqual([answer.status, answer.degraded_to], ['ok', undefined]);
  assert.deepEqual(answer.warnings, []);
  assert.equal(callsTo(house, 'cached_order_status'), 0);
});

test('a manifest’s fallback is turned to without a word of the caller, his own before it', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, fallback: ['cached_order_status'] }, shipped);
  await house.agent('cache', cached, remembered);
  await house.agent('desk', { ...lookup, name: 'ask_the_desk' }, shipped);
  await disable(house, 'orders');

  const silent = await house.call(ask);
  const own = await house.call({ ...ask, context: { fallback: ['ask_the_desk'] } });

  assert.equal(silent.provider.agent, 'cache');
  assert.match(silent.warnings.join(), /as its manifest says/);
  assert.equal(own.provider.agent, 'desk');
});

test('the trace shows the attempts at both, and the failure of the first counts against it', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  await house.agent('cache', cached, remembered);
  house.network.at('http://orders', undefined);

  const answer = await house.during(house.call(toCached), 1_000);

  assert.equal(answer.status, 'degraded');
  const { hops } = await house.ask<Output<'traces.get'>>('GET', `/v1/traces/${answer.trace_id}`);
  assert.deepEqual(
    hops[0]?.attempts.map(({ agent, capability, code }) => [agent, capability, code]),
    [
      ['orders', 'query_order_status', 'connect-failed'],
      ['orders', 'query_order_status', 'connect-failed'],
      ['cache', 'cached_order_status', undefined],
    ],
  );
  const sent = house.network.calls.at(-1);
  assert.equal(sent?.headers['reach-attempt'], '1', 'it is the first one at the fallback');
  const orders = await house.ask<Output<'agents.get'>>('GET', '/v1/agents/orders');
  assert.notEqual(orders.status, 'up', 'the prober was told');
});

test('an agent that says it is full, and that nothing ran, is stood in for', async () => {
  await using house = await openHouse();
  await house.agent('cache', cached, remembered);
  for (const [status, body] of [
    [429, {}],
    [503, { code: 'agent-busy', executed: 'no' }],
    [503, { code: 'draining', executed: 'no' }],
    [421, {}],
  ] as const) {
    await house.agent('orders', lookup, () =>
      json(status, body, { 'content-type': 'application/problem+json' }),
    );
    const answer = await house.during(house.call(toCached), 5_000);
    assert.equal(answer.status, 'degraded', `${status} ${JSON.stringify(body)}`);
  }
});

test('what may have run is done by nobody else, and neither is what was refused', async () => {
  await using house = await openHouse();
  await house.agent('cache', cached, remembered);
  const problem = { 'content-type': 'application/problem+json' };
  for (const [machine, code] of [
    [() => reset(), 'agent-error'],
    [() => json(500, {}), 'agent-error'],
    [() => json(503, {}), 'agent-busy'],
    [() => json(200, { status: 7 }), 'schema-drift'],
    [() => json(404, { code: 'no-such-order' }, problem), 'agent-rejected'],
    [() => json(403, { code: 'no', executed: 'no' }, problem), 'agent-rejected'],
  ] as const) {
    await house.agent('orders', lookup, machine);
    await assert.rejects(house.during(house.call(toCached), 5_000), failsWith(code));
  }
  await house.agent('orders', lookup, shipped);
  await assert.rejects(
    house.call({ ...toCached, params: { order_no: 7 } }),
    failsWith('validation-failed'),
  );
  await assert.rejects(
    house.call({ ...toCached, agent: 'nobody-of-that-name' }),
    failsWith('agent-not-found'),
  );
  await house.agent('other', { ...cached, name: 'other' }, shipped);
  const byTags = { agent_id: 'x', params, context: toCached.context };
  await house.ask('POST', '/v1/agents', {
    name: 'tagged',
    capabilities: [
      { ...lookup, name: 'one', tags: ['t'] },
      { ...lookup, name: 'two', tags: ['t'] },
    ],
    network: { base_url: 'http://tagged' },
  });
  await assert.rejects(house.call({ ...byTags, tags: ['t'] }), failsWith('ambiguous-match'));
  assert.equal(callsTo(house, 'cached_order_status'), 0);
});

test('an attempt that may have run forbids it, though the one after it did not', async () => {
  await using house = await openHouse();
  let runs = 0;
  await house.agent('orders', lookup, () => {
    runs += 1;
    if (runs > 1) return json(429, {});
    return reset();
  });
  await house.agent('cache', cached, remembered);

  await assert.rejects(
    house.during(house.call(toCached), 5_000),
    failsWith('agent-busy', (error) => assert.equal(error.executed, 'unknown')),
  );
  assert.equal(runs, 2);
  assert.equal(callsTo(house, 'cached_order_status'), 0);
});

test('what does more to the world than what was asked for is passed over', async () => {
  const effects = ['read', 'idempotent_write', 'write', undefined] as const;
  const may: Record<string, readonly (typeof effects)[number][]> = {
    read: ['read'],
    idempotent_write: ['read', 'idempotent_write'],
    write: effects,
    undefined: ['read', undefined],
  };
  for (const asked of effects) {
    for (const effect of effects) {
      await using house = await openHouse();
      const of = (one: string | undefined) =>
        one === undefined ? {} : { effect: one, idempotency: 'gateway' };
      await house.agent('asked', { name: 'asked', ...of(asked) }, () => json(200, {}));
      await house.agent('other', { name: 'other', ...of(effect) }, () => json(200, {}));
      await disable(house, 'asked');
      const body = {
        capability: 'asked',
        idempotency_key: 'k1',
        context: { fallback: ['other'] },
      };

      if (may[String(asked)]?.includes(effect) === true) {
        assert.equal((await house.call(body)).status, 'degraded', `${asked} by ${effect}`);
        continue;
      }
      await assert.rejects(
        house.call(body),
        failsWith('no-reachable-agent', (error) =>
          assert.match(error.message, /nor could a fallback do it: other/),
        ),
        `${asked} by ${effect}`,
      );
      assert.equal(house.network.calls.length, 0);
    }
  }
});

test('what nobody offers is stood in for by a read, and by nothing that writes', async () => {
  await using house = await openHouse();
  await house.agent('cache', cached, remembered);
  await house.agent(
    'writer',
    { ...cached, name: 'note_order', effect: 'idempotent_write', idempotency: 'gateway' },
    remembered,
  );
  const body = { ...ask, capability: 'gone_away', idempotency_key: 'k1' };

  const read = await house.call({ ...body, context: { fallback: ['cached_order_status'] } });

  assert.equal(read.status, 'degraded');
  await assert.rejects(
    house.call({ ...body, idempotency_key: 'k2', context: { fallback: ['note_order'] } }),
    failsWith('capability-not-found'),
  );
  assert.equal(callsTo(house, 'note_order'), 0);
});

test('a sensitive capability is never reached as a fallback', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  await house.agent('cache', { ...cached, sensitive: true }, remembered);
  await disable(house, 'orders');

  await assert.rejects(
    house.call(toCached),
    failsWith('no-reachable-agent', (error) => {
      const [passedOver] = error.facts['fallbacks'] as { capability: string; detail: string }[];
      assert.equal(passedOver?.capability, 'cached_order_status');
      assert.match(passedOver?.detail ?? '', /sensitive/);
    }),
  );
});

test('fallbacks are tried in their order: one that is away, circles or refuses the schema is passed over', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  await house.agent('away', { ...lookup, name: 'away' }, shipped);
  const strict = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  await house.agent('strict', { ...lookup, name: 'strict', input_schema: strict }, shipped);
  await house.agent('cache', cached, remembered);
  await disable(house, 'orders');
  await disable(house, 'away');

  const fallback = ['away', 'strict', 'cached_order_status'];
  const answer = await house.call({ ...ask, context: { fallback } });

  assert.equal(answer.degraded_to, 'cached_order_status');
  assert.equal(callsTo(house, 'strict'), 0);
  await disable(house, 'cache');
  await assert.rejects(
    house.call({ ...ask, context: { fallback } }),
    failsWith('no-reachable-agent', (error) => {
      assert.match(error.message, /query_order_status can be reached now/);
      assert.deepEqual(
        (error.facts['fallbacks'] as { capability: string; code: string }[]).map(
          ({ capability, code }) => [capability, code],
        ),
        [
          ['away', 'no-reachable-agent'],
          ['strict', 'validation-failed'],
          ['cached_order_status', 'no-reachable-agent'],
        ],
      );
    }),
  );
});

test('a fallback that the chain has been through already is passed over', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  await disable(house, 'orders');
  const inner: unknown[] = [];
  await house.agent('cache', cached, async (request) => {
    const token = request.headers['reach-call-token'] ?? '';
    inner.push(await house.call(toCached, { 'reach-call-token': token }).catch((e: unknown) => e));
    return remembered();
  });

  await house.call({ ...ask, capability: 'cached_order_status' });

  assert.match(
    String(inner[0]),
    /nor could a fallback do it: cached_order_status \(cycle-detected\)/,
  );
});

test('a fallback has no fallback', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, fallback: ['second'] }, shipped);
  await house.agent('second', { ...lookup, name: 'second', fallback: ['third'] }, shipped);
  await house.agent('third', { ...lookup, name: 'third' }, shipped);
  await disable(house, 'orders');
  await disable(house, 'second');

  await assert.rejects(house.call(ask), failsWith('no-reachable-agent'));
  assert.equal(house.network.calls.length, 0);
});

test('the tags asked for hold for a fallback, and who names an agent gets his own list alone', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, tags: { zone: 'a' }, fallback: ['second'] }, shipped);
  await house.agent('second', { ...lookup, name: 'second', tags: { zone: 'b' } }, shipped);
  await house.agent('cache', { ...cached, tags: { zone: 'a' } }, remembered);
  await disable(house, 'orders');

  await assert.rejects(
    house.call({ ...ask, tags: { zone: 'a' } }),
    failsWith('no-reachable-agent', (error) => assert.match(error.message, /second/)),
  );
  const listed = await house.call({ ...toCached, tags: { zone: 'a' }, agent: 'orders' });
  assert.equal(listed.provider.agent, 'cache');
  await assert.rejects(
    house.call({ ...ask, agent: 'orders' }),
    failsWith('no-reachable-agent', (error) => {
      assert.equal(error.facts['fallbacks'], undefined);
    }),
  );
});

test('without a deadline of the caller all share that of what was asked for', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, sla: { timeout_ms: 2_000 } }, async () => {
    await house.clock.sleep(700);
    return json(429, {});
  });
  await house.agent('cache', { ...cached, sla: { timeout_ms: 10_000 } }, remembered);

  await house.during(house.call(toCached), 5_000);

  const left = Number(house.network.calls.at(-1)?.headers['reach-deadline-ms']);
  assert.ok(left > 0 && left <= 2_500 - 2 * 700, `${left} ms were left`);
});

test('all of it shares the one deadline', async () => {
  await using house = await openHouse();
  const slow = { ...lookup, sla: { timeout_ms: 10_000 } };
  await house.agent('orders', slow, async () => {
    await house.clock.sleep(700);
    return json(429, {});
  });
  await house.agent('cache', { ...cached, sla: { timeout_ms: 10_000 } }, remembered);

  const work = house.call({ ...toCached, timeout_ms: 2_000 });
  const answer = await house.during(work, 5_000);

  assert.equal(answer.status, 'degraded');
  const left = Number(house.network.calls.at(-1)?.headers['reach-deadline-ms']);
  assert.ok(left > 0 && left <= 1_300, `${left} ms were left`);
});
