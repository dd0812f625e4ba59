import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { json, reset } from '../main/testing/network.ts';
import { lookup, params, refund, shipped } from './testing/orders.ts';

test('the agent’s own refusal is final, is told as such, and is kept under the key', async () => {
  await using house = await openHouse();
  await house.agent('pay', refund, () =>
    json(409, { code: 'already-refunded', detail: 'Paid back on Monday.' }),
  );
  const body = { capability: 'refund_order', params, idempotency_key: 'k1' };

  for (const round of [1, 2]) {
    await assert.rejects(
      house.call(body),
      failsWith('agent-rejected', (error) => {
        assert.equal(error.executed, 'yes');
        assert.equal(error.facts.downstream?.status, 409);
        assert.equal(error.facts.downstream?.code, 'already-refunded');
        assert.equal(error.facts['replayed'], round === 2 ? true : undefined);
      }),
    );
  }
  assert.equal(house.network.calls.length, 1);
});

test('a repeated key gives the first answer again without running anything', async () => {
  await using house = await openHouse();
  let runs = 0;
  await house.agent('pay', refund, () => json(200, { run: ++runs }));
  const body = { capability: 'refund_order', params, idempotency_key: 'k1' };

  const first = await house.call(body);
  const second = await house.call({ ...body, request_id: 'other' });

  assert.deepEqual(second.result, { run: 1 });
  assert.equal(second.replayed, true);
  assert.equal(second.request_id, first.request_id);
  assert.equal(runs, 1);
});

test('a repeated key is answered even when nobody can be reached any more', async () => {
  await using house = await openHouse();
  await house.agent('pay', refund, () => json(200, { ok: true }));
  const body = { capability: 'refund_order', params, idempotency_key: 'k1' };
  await house.call(body);
  await house.http.inject({ method: 'DELETE', url: '/v1/agents/pay' });

  assert.equal((await house.call(body)).replayed, true);
});

test('a key that is used with another request is refused, whatever became of the first', async () => {
  await using house = await openHouse();
  await house.agent('pay', refund, () => json(200, {}));
  await house.call({ capability: 'refund_order', params, idempotency_key: 'k1' });

  await assert.rejects(
    house.call({ capability: 'refund_order', params: { order_no: 'ORD2' }, idempotency_key: 'k1' }),
    failsWith('idempotency-key-reused'),
  );
});

test('a key in progress answers 409 and says when to come again', async () => {
  await using house = await openHouse();
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  await house.agent('pay', refund, async () => {
    started.resolve();
    await finished.promise;
    return json(200, { ok: true });
  });
  const body = { capability: 'refund_order', params, idempotency_key: 'k1' };
  const first = house.call(body);
  await started.promise;

  await assert.rejects(
    house.call(body),
    failsWith('idempotency-in-progress', (error) => {
      assert.equal(error.facts.retry_after_ms, 1_000);
    }),
  );
  finished.resolve();
  assert.deepEqual((await first).result, { ok: true });
});

test('fifty sends of one key at once run once', async () => {
  await using house = await openHouse();
  let runs = 0;
  await house.agent('pay', refund, () => json(200, { run: ++runs }));
  const body = { capability: 'refund_order', params, idempotency_key: 'k1' };

  const ends = await Promise.allSettled(Array.from({ length: 50 }, () => house.call(body)));

  assert.equal(runs, 1);
  assert.ok(ends.some((end) => end.status === 'fulfilled'));
  for (const end of ends) {
    if (end.status === 'fulfilled') assert.deepEqual(end.value.result, { run: 1 });
    else assert.ok(failsWith('idempotency-in-progress')(end.reason));
  }
});

test('a declared write without a key is refused before anything is sent', async () => {
  await using house = await openHouse();
  await house.agent('pay', refund, () => json(200, {}));

  await assert.rejects(
    house.call({ capability: 'refund_order', params }),
    failsWith('idempotency-key-missing'),
  );
  assert.equal(house.network.calls.length, 0);
});

test('a request id that the caller sends serves as the key of a write', async () => {
  await using house = await openHouse();
  let runs = 0;
  await house.agent('pay', refund, () => json(200, { run: ++runs }));
  const body = { capability: 'refund_order', params, request_id: 'req-7' };

  await house.call(body);

  assert.equal((await house.call(body)).replayed, true);
  assert.equal(runs, 1);
});

test('a key whose first run left no verdict goes back to the capability it was bound to', async () => {
  await using house = await openHouse();
  let runs = 0;
  const tagged = { ...lookup, tags: { kind: 'orders' } };
  await house.agent('orders', tagged, () => (++runs <= 2 ? reset() : shipped()));
  const body = { tags: { kind: 'orders' }, params, idempotency_key: 'k1' };
  await assert.rejects(house.during(house.call(body), 1_000), failsWith('agent-error'));
  // By tags alone this would be a question now.
  await house.agent('other', { ...lookup, name: 'other', tags: { kind: 'orders' } }, shipped);

  const answer = await house.call(body);

  assert.equal(answer.provider.agent, 'orders');
});

test('whether a failure may be repeated follows from the effect', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, () => reset());
  await house.agent('pay', refund, () => reset());

  await assert.rejects(
    house.during(house.call({ capability: 'query_order_status', params }), 1_000),
    failsWith('agent-error', (error) => assert.equal(error.retryable, true)),
  );
  await assert.rejects(
    house.call({ capability: 'refund_order', params, idempotency_key: 'k' }),
    failsWith('agent-error', (error) => assert.equal(error.retryable, false)),
  );
});
