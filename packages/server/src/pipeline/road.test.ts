import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { json, reset, silence } from '../main/testing/network.ts';
import { ask, lookup, params, refund, shipped } from './testing/orders.ts';

test('a call reaches the agent with the bare parameters and comes back with the answer', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);

  const answer = await house.call({ ...ask, request_id: 'req-1' });

  assert.deepEqual(answer.result, { status: 'shipped' });
  assert.equal(answer.request_id, 'req-1');
  assert.equal(answer.provider.agent, 'orders');
  assert.equal(answer.route.strategy, 'exact_match');
  assert.equal(answer.retry_count, 0);
  const sent = house.network.calls[0];
  assert.equal(sent?.url, 'http://orders/abilities/query_order_status');
  assert.equal(sent?.body, JSON.stringify(params));
  assert.equal(sent?.headers['reach-caller'], 'customer-service');
  assert.equal(sent?.headers['reach-request-id'], 'req-1');
  assert.match(sent?.headers['traceparent'] ?? '', new RegExp(`^00-${answer.trace_id}-`));
});

test('every call leaves a hop with the fields of the trace and a line of audit', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);

  const answer = await house.call(ask);
  const trace = await house.http.inject(`/v1/traces/${answer.trace_id}`);
  const audit = await house.http.inject(`/v1/audit?trace_id=${answer.trace_id}`);

  const hop = trace.json().data.hops[0];
  assert.equal(hop.agent_from, 'customer-service');
  assert.equal(hop.agent_to, 'orders');
  assert.equal(hop.capability, 'query_order_status');
  assert.equal(hop.route_strategy, 'exact_match');
  assert.equal(hop.status_code, 200);
  assert.equal(hop.hop, 1);
  assert.equal(hop.retry_count, 0);
  const line = audit.json().data.lines[0];
  assert.equal(line.principal, 'customer-service');
  assert.equal(line.target, 'orders');
  assert.equal(line.outcome, 'ok');
  assert.equal(line.params, JSON.stringify(params));
  assert.equal(line.result, JSON.stringify({ status: 'shipped' }));
});

test('parameters that break the schema are refused by pointer and nothing is sent', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);

  await assert.rejects(
    house.call({ ...ask, params: { order_no: 7 } }),
    failsWith('validation-failed', (error) => {
      assert.equal(error.facts.errors?.[0]?.pointer, '#/params/order_no');
    }),
  );
  assert.equal(house.network.calls.length, 0);
});

test('a result that breaks its declared schema is not handed on', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, () => json(200, { status: 7 }));

  await assert.rejects(
    house.during(house.call(ask), 1_000),
    failsWith('schema-drift', (error) => {
      assert.equal(error.facts.errors?.[0]?.pointer, '#/result/status');
    }),
  );
});

test('a read that broke after it was sent is tried once more, and no more', async () => {
  await using house = await openHouse();
  let runs = 0;
  await house.agent('orders', lookup, () => (++runs === 1 ? reset() : shipped()));

  const answer = await house.during(house.call(ask), 1_000);

  assert.equal(answer.retry_count, 1);
  assert.equal(runs, 2);
  runs = -10;
  await house.agent('orders', lookup, () => (runs++, reset()));
  await assert.rejects(house.during(house.call(ask), 1_000), failsWith('agent-error'));
  assert.equal(runs, -8);
});

test('a plain write whose execution is unknown is never sent twice', async () => {
  await using house = await openHouse();
  await house.agent('pay', refund, () => reset());

  await assert.rejects(
    house.during(house.call({ capability: 'refund_order', params, idempotency_key: 'k1' }), 1_000),
    failsWith('agent-error', (error) => assert.equal(error.executed, 'unknown')),
  );
  assert.equal(house.network.calls.length, 1);
  await assert.rejects(
    house.call({ capability: 'refund_order', params, idempotency_key: 'k1' }),
    failsWith('outcome-unknown'),
  );
  assert.equal(house.network.calls.length, 1);
});

test('a plain write that provably did not run is tried again', async () => {
  await using house = await openHouse();
  let runs = 0;
  await house.agent('pay', refund, () => {
    runs += 1;
    return runs === 1 ? json(503, { code: 'draining', executed: 'no' }) : json(200, { paid: true });
  });

  const work = house.call({ capability: 'refund_order', params, idempotency_key: 'k1' });
  const answer = await house.during(work, 1_000);

  assert.deepEqual(answer.result, { paid: true });
  assert.equal(runs, 2);
});

test('a slow agent is cut off by the gateway’s own limit, not the caller’s patience', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, effect: 'write', idempotency: 'gateway' }, silence);

  await assert.rejects(
    house.during(house.call({ ...ask, idempotency_key: 'k' }), 10_000),
    failsWith('deadline-exceeded', (error) => assert.equal(error.executed, 'unknown')),
  );

  // The agent is told of its 2 s; the gateway waits a tenth longer.
  assert.equal(house.network.calls[0]?.headers['reach-deadline-ms'], '2000');
  assert.equal(house.network.calls[0]?.timeoutMs, 2_200);
});

test('a caller in a hurry shortens every limit below it', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, silence);

  await assert.rejects(
    house.during(house.call({ ...ask, timeout: '300ms' }), 5_000),
    failsWith('deadline-exceeded'),
  );
  assert.equal(house.network.calls[0]?.headers['reach-deadline-ms'], '300');
});

test('a deadline too short to answer in fails before sending', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);

  await assert.rejects(
    house.call({ ...ask, timeout_ms: 5 }),
    failsWith('deadline-exceeded', (error) => assert.equal(error.executed, 'no')),
  );
  assert.equal(house.network.calls.length, 0);
});

test('an agent that died is named, with the time it was last seen', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  house.network.at('http://orders', undefined);

  await assert.rejects(
    house.during(house.call(ask), 1_000),
    failsWith('no-reachable-agent', (error) => {
      assert.equal(error.facts.agent, 'orders');
      assert.match(error.facts.last_seen ?? '', /^2026-01-01T00:00:0/);
      assert.equal(error.executed, 'no');
    }),
  );
});

test('when one of two agents is dead the other one answers in the same call', async () => {
  await using house = await openHouse();
  await house.agent('orders-a', lookup, shipped);
  await house.agent('orders-b', lookup, shipped);
  house.network.at('http://orders-a', undefined);

  for (let i = 0; i < 10; i++) {
    const answer = await house.call(ask);
    assert.equal(answer.provider.agent, 'orders-b');
  }
});

test('an address that another agent took over is routed around, even for a write', async () => {
  await using house = await openHouse();
  let wrong = 0;
  await house.agent('pay-a', refund, () => (wrong++, json(421, {})));
  await house.agent('pay-b', refund, () => json(200, { by: 'b' }));

  for (let i = 0; i < 6; i++) {
    const body = { capability: 'refund_order', params, idempotency_key: `k${i}` };
    const answer = await house.during(house.call(body), 1_000);
    assert.deepEqual(answer.result, { by: 'b' });
  }
  assert.ok(wrong > 0, 'the stale one was never tried');
});

test('unreadable answers are told as such: 202, redirect, HTML, deep JSON', async () => {
  await using house = await openHouse();
  const answers = [
    json(202, {}),
    json(302, {}, { location: 'http://elsewhere' }),
    { ...json(200, {}), headers: { 'content-type': 'text/html' } },
    { ...json(200, {}), body: Buffer.from(`${'['.repeat(70)}${']'.repeat(70)}`) },
  ];
  for (const [i, answer] of answers.entries()) {
    const name = `odd_${i}`;
    await house.agent(`odd-${i}`, { ...refund, name }, () => answer);
    await assert.rejects(
      house.call({ capability: name, idempotency_key: `k${i}` }),
      failsWith('bad-response'),
    );
  }
});

test('tags choose among capabilities, and several fits are a question, not a guess', async () => {
  await using house = await openHouse();
  await house.agent('east', { ...lookup, name: 'a', tags: { region: 'east', kind: 'x' } }, shipped);
  await house.agent('west', { ...lookup, name: 'b', tags: { region: 'west', kind: 'x' } }, shipped);

  const answer = await house.call({ tags: { region: 'east' }, strict_tags: true, params });

  assert.equal(answer.provider.agent, 'east');
  assert.equal(answer.route.strategy, 'tag_match');
  await assert.rejects(
    house.call({ tags: ['kind'], params }),
    failsWith('ambiguous-match', (error) => {
      assert.deepEqual(error.facts.candidates, ['a', 'b']);
    }),
  );
});

test('a region that nobody has is given up with a warning, unless tags are strict', async () => {
  await using house = await openHouse();
  await house.agent('east', { ...lookup, tags: { region: 'east' } }, shipped);

  const answer = await house.call({ ...ask, tags: { region: 'north' } });

  assert.match(answer.warnings[0] ?? '', /region=north/);
  await assert.rejects(
    house.call({ ...ask, tags: { region: 'north' }, strict_tags: true }),
    failsWith('capability-not-found'),
  );
});
