import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchRequest } from '@agent-reach/core/kernel';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { ask, lookup, shipped } from './testing/orders.ts';

test('a chain of five calls is let through and a sixth is refused with its path', async () => {
  await using house = await openHouse();
  const depths: number[] = [];
  for (let i = 1; i <= 6; i++) {
    const next = `step_${i + 1}`;
    await house.agent(
      `agent-${i}`,
      { name: `step_${i}`, description: 'A step.', effect: 'read' },
      async (request) => {
        depths.push(i);
        return relay(house, next, request);
      },
    );
  }

  const error = await house.call({ capability: 'step_1' }).catch((e: unknown) => e);

  assert.deepEqual(depths, [1, 2, 3, 4, 5]);
  assert.match(String(error), /agent-1/);
});

test('a chain that comes back to where it was is cut off at once', async () => {
  await using house = await openHouse();
  let runs = 0;
  await house.agent('a', { name: 'ping', description: 'Calls pong.', effect: 'read' }, (r) => {
    runs += 1;
    return relay(house, 'pong', r);
  });
  await house.agent('b', { name: 'pong', description: 'Calls ping.', effect: 'read' }, (r) => {
    runs += 1;
    return relay(house, 'ping', r);
  });

  const error = await house.call({ capability: 'ping' }).catch((e: unknown) => e);

  assert.equal(runs, 2);
  assert.match(String(error), /508/);
});

test('a trace may make 64 calls, and the next is refused', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  const context = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' };

  for (let i = 0; i < 64; i++) await house.call({ ...ask, context });

  await assert.rejects(house.call({ ...ask, context }), failsWith('call-budget-exceeded'));
  await house.clock.advance(31_000);
  await house.call({ ...ask, context });
});

test('a call token that was tampered with is refused', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  await house.call(ask);
  const token = house.network.calls[0]?.headers['reach-call-token'] ?? '';

  await assert.rejects(
    house.call(ask, { 'reach-call-token': `x${token}` }),
    failsWith('signature-invalid'),
  );
});

test('a caller’s own trace id is kept as it is searched for', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  const legacy = 'tr-20250118103000-abc123';

  const answer = await house.call({ ...ask, context: { trace_id: legacy } });

  assert.match(answer.trace_id, /^[0-9a-f]{32}$/);
  const found = await house.http.inject(`/v1/traces/${legacy}`);
  assert.equal(found.json().data.trace_id, answer.trace_id);
});

test('another tenant is refused in open mode', async () => {
  await using house = await openHouse();

  await assert.rejects(house.call({ ...ask, tenant: 'other' }), failsWith('tenant-mismatch'));
});

/** An agent that calls on: presents the token it was given, and fails as its callee does. */
async function relay(
  house: Awaited<ReturnType<typeof openHouse>>,
  capability: string,
  request: FetchRequest,
) {
  const response = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    headers: {
      'content-type': 'application/json',
      'reach-call-token': request.headers['reach-call-token'] ?? '',
      traceparent: request.headers['traceparent'] ?? '',
    },
    payload: JSON.stringify({ capability }),
  });
  const body = response.json();
  return response.statusCode === 200
    ? json(200, body.data.result)
    : json(422, { code: body.code, detail: `${response.statusCode} ${body.detail}` });
}
