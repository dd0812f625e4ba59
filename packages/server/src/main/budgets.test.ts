import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { ask, lookup, shipped } from '../pipeline/testing/orders.ts';
import {
  EXHAUSTED,
  onWire,
  openCounted,
  pass,
  set,
  standing,
  three,
  used,
} from './testing/budgets.ts';
import { failsWith, openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';

test('calls are counted, and the one too many is told what is left and until when', async () => {
  await using house = await openCounted([{ ...three, period: 'minute', tz: 'Asia/Shanghai' }]);

  const first = await onWire(house);
  assert.deepEqual(
    [first.status, first.headers['ratelimit-policy']],
    [200, '"budget/three";q=3;w=60'],
  );
  assert.match(String(first.headers['ratelimit']), /^"budget\/three";r=2;t=\d+$/);
  await house.call(ask);
  await house.call(ask);
  const { status, headers, body } = await onWire(house);

  assert.equal(status, 429);
  const { code, executed, retryable, degrade, violated_policies: violated } = body;
  assert.deepEqual([code, executed, retryable], ['budget-exhausted', 'no', true]);
  assert.deepEqual(violated, ['budget/three']);
  const said = degrade as Record<string, unknown>;
  assert.deepEqual(
    [said['code'], said['budget'], said['affordable_now'], said['splittable'], said['text']],
    ['budget-exhausted', 'three', 0, false, '预算不足，请稍后再试'],
  );
  assert.match(String(said['reset_at']), /:00\+08:00$/);
  const waitS = (Date.parse(String(said['reset_at'])) - house.clock.now()) / 1_000;
  const retryAfter = Number(headers['retry-after']);
  assert.ok(retryAfter >= waitS && retryAfter <= waitS * 1.2 + 1, `${retryAfter} of ${waitS}`);
  assert.match(String(headers['ratelimit']), /^"budget\/three";r=0;t=\d+$/);
  assert.equal(house.network.calls.length, 3);
  const [row] = await standing(house);
  assert.deepEqual([row?.used, row?.reserved, row?.state], [3, 0, 'exhausted']);
  assert.ok(waitS <= 60);
  await pass(house, waitS * 1_000);
  assert.equal((await onWire(house)).status, 200);
});

test('what no budget counts asks the store nothing', async () => {
  await using house = await openCounted([{ ...three, scope: { capability: 'other.*' } }]);
  const { ledger } = house.storage;
  const asked: string[] = [];
  for (const name of ['reserve', 'charge', 'budgets'] as const) {
    const real = ledger[name] as (move: never) => Promise<unknown>;
    Object.assign(ledger, {
      [name]: (move: never) => {
        asked.push(name);
        return real(move);
      },
    });
  }

  const { headers } = await onWire(house);
  assert.deepEqual([asked, headers['ratelimit']], [[], undefined]);
  await set(house, [{ ...three, scope: { capability: 'query_*' } }]);
  await house.call(ask);
  assert.deepEqual(asked, ['reserve', 'charge']);
});

test('a budget counts those that it names, by their beginnings, all together', async () => {
  await using house = await openCounted([
    { ...three, scope: { agent: 'shop-*', capability: 'query_order_status', on_behalf_of: 'u1*' } },
  ]);
  const by = (agent: string, user?: string) =>
    house.call({ ...ask, agent_id: agent, context: { on_behalf_of: user } });

  await by('shop-1', 'u1');
  await by('shop-2', 'u12');
  await by('shop-3');
  await by('shop-3', 'u2');
  await by('other', 'u1');
  assert.deepEqual(await used(house), [2, 0]);
  await by('shop-2', 'u1');
  await assert.rejects(by('shop-1', 'u1'), EXHAUSTED);
  await by('shop-1', 'u3');
});

test('of several budgets all must have enough, and what one refuses costs the others nothing', async () => {
  await using house = await openCounted([
    { ...three, id: 'wide', limit: 9 },
    { ...three, id: 'tight', limit: 1, scope: { agent: 'customer-service' } },
  ]);
  await house.call(ask);

  await assert.rejects(
    house.call(ask),
    failsWith('budget-exhausted', ({ facts }) => {
      assert.equal((facts['degrade'] as { budget: string }).budget, 'tight');
      assert.deepEqual(facts['violated_policies'], ['budget/tight']);
    }),
  );
  assert.deepEqual(await used(house), [1, 0, 1, 0]);
});

test('too fast is told with when to come, which is then early enough', async () => {
  await using house = await openCounted([{ ...three, limit: 2_880, burst: '1m' }]);
  await house.call(ask);
  await house.call(ask);

  const { status, headers, body } = await onWire(house);
  assert.deepEqual([status, body['code']], [429, 'budget-paced']);
  assert.equal((await standing(house))[0]?.state, 'paced');
  const waitMs = Number(headers['retry-after']) * 1_000;
  assert.ok(waitMs > 0 && waitMs <= 73_000, `${waitMs}`);
  await pass(house, waitMs);
  await house.call(ask);
});

test('a repeat under its key is free, and the key of what was refused is free again', async () => {
  await using house = await openCounted([three]);
  const keyed = (key: string) => ({ ...ask, idempotency_key: key });
  await house.call(keyed('a'));
  assert.equal((await house.call(keyed('a'))).replayed, true);
  assert.deepEqual(await used(house), [1, 0]);
  await house.call(keyed('b'));
  await house.call(keyed('c'));

  await assert.rejects(house.call(keyed('d')), EXHAUSTED);
  await assert.rejects(house.call(keyed('d')), EXHAUSTED);
  assert.equal((await house.call(keyed('a'))).replayed, true);
  await set(house, [{ ...three, limit: 4 }]);
  assert.equal((await house.call(keyed('d'))).replayed, false);
});

test('what provably did not run costs nothing; what may have run, and what was refused there, does', async () => {
  await using house = await openHouse();
  let status = 503;
  await house.agent('orders', lookup, () =>
    json(status, { code: 'x', executed: status === 503 ? 'no' : undefined }),
  );
  await set(house, [three]);

  await assert.rejects(house.during(house.call(ask), 5_000));
  assert.deepEqual(await used(house), [0, 0]);
  status = 422;
  await assert.rejects(house.during(house.call(ask), 5_000), failsWith('agent-rejected'));
  assert.deepEqual(await used(house), [1, 0]);
  status = 500;
  await assert.rejects(house.during(house.call(ask), 5_000), failsWith('agent-error'));
  // Two attempts of one call are one call.
  assert.deepEqual(await used(house), [2, 0]);
});

test('while a call runs it is reserved; a gateway that died with it gives it back in time', async () => {
  await using house = await openCounted([three]);
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  house.network.at('http://orders', async (request) => {
    if (request.method === 'GET') return json(200, { agent_id: 'orders' });
    await isOver;
    return shipped();
  });
  const running = house.call(ask);
  while ((await used(house))[1] === 0) await house.clock.advance(1);
  assert.deepEqual(await used(house), [0, 1]);
  end();
  await house.during(running, 100);
  assert.deepEqual(await used(house), [1, 0]);

  // What is left behind by one that never came back.
  const { ledger } = house.storage;
  const bounds = [0, 9e15];
  const terms = {
    name: 'internal/three/day',
    limit: 3e6,
    cap: 3e6,
    soft: 3e6,
    carryMax: 0,
    bounds,
  };
  const now = house.clock.now();
  await ledger.reserve({ id: 'lost', budgets: [{ ...terms, amount: 2e6 }], ttlMs: 32_000, now });
  await assert.rejects(house.call(ask), EXHAUSTED);
  await house.clock.advance(32_000);
  await house.call(ask);
  assert.deepEqual(await used(house), [2, 0]);
});

test('near its end a budget warns in answers, and once in the log', async () => {
  const said: unknown[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => said.push(line) };
  await using house = await openHouse({}, log);
  await house.agent('orders', lookup, shipped);
  await set(house, [{ ...three, limit: 5, soft: 0.6 }]);

  const warnings = [];
  for (let n = 0; n < 5; n++) warnings.push((await house.call(ask)).warnings);

  assert.deepEqual(
    warnings.map((all) => all.length),
    [0, 0, 1, 1, 1],
  );
  assert.match(
    warnings[2]?.[0] ?? '',
    /^Budget three has used 3 of 5 calls; the next day begins at /,
  );
  assert.equal(said.filter((line) => JSON.stringify(line).includes('soft limit')).length, 1);
});

test('a spent budget may be answered with 200 and a degraded answer', async () => {
  await using house = await openCounted([{ ...three, limit: 1 }], { 'budget.over_status': '200' });
  await house.call(ask);

  const { status, headers, body } = await onWire(house);

  assert.deepEqual([status, headers['reach-degraded']], [200, 'budget']);
  assert.ok(Number(headers['retry-after']) > 0);
  assert.match(String(headers['ratelimit']), /r=0/);
  const data = body['data'] as Record<string, unknown>;
  assert.deepEqual([data['status'], data['result']], ['degraded', null]);
  assert.equal((data['degrade'] as { code: string }).code, 'budget-exhausted');
  assert.equal((data['provider'] as { agent: string }).agent, 'orders');
  assert.equal(house.network.calls.length, 1);
});

test('a budget is kept through a restart, and a changed limit keeps what was used', async () => {
  const house = await openCounted([three]);
  await house.call(ask);
  await house.call(ask);
  const again = await house.again();
  await again.agent('orders', lookup, shipped);

  assert.deepEqual(await used(again), [2, 0]);
  await set(again, [{ ...three, limit: 2 }]);
  await assert.rejects(again.call(ask), EXHAUSTED);
  await set(again, []);
  await again.call(ask);
  await again[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

test('while the store cannot count, calls go or do not, as the budget says', async () => {
  await using house = await openCounted([{ ...three, on_store_failure: 'deny' }]);
  const { ledger } = house.storage;
  const real = ledger.reserve.bind(ledger);
  const away = () => Promise.reject(new ReachError('store-unavailable', 'It is away.'));
  Object.assign(ledger, { reserve: away });

  await assert.rejects(
    house.call({ ...ask, idempotency_key: 'k' }),
    failsWith('store-unavailable'),
  );
  await set(house, [{ ...three, on_store_failure: 'allow' }]);
  const { warnings } = await house.call({ ...ask, idempotency_key: 'k' });
  assert.deepEqual(warnings, ['Not counted in three: the store does not answer.']);

  await set(house, [three]);
  Object.assign(ledger, { reserve: real });
  await house.call(ask);
  Object.assign(ledger, { reserve: away });
  await house.call(ask);
  await house.call(ask);
  await assert.rejects(house.call(ask), EXHAUSTED);
});
