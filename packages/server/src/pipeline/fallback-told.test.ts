import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { cached, disable, remembered, toCached } from './testing/fallbacks.ts';
import { ask, lookup, shipped } from './testing/orders.ts';

test('the log tells once that fallbacks are turned to, and once that they are not any more', async () => {
  const told: [string, object][] = [];
  const hear = (fields: object, message: string) => {
    if (message.startsWith('a capability')) told.push([message, fields]);
  };
  await using house = await openHouse({}, { ...silentLog, warn: hear, info: hear });
  await house.agent('orders', lookup, shipped);
  await house.agent('cache', cached, remembered);
  await disable(house, 'orders');

  for (let i = 0; i < 3; i++) await house.call(toCached);
  await house.ask('POST', '/v1/agents/orders/enable', {});
  for (let i = 0; i < 2; i++) await house.call(toCached);

  assert.equal(told.length, 2);
  assert.match(told[0]?.[0] ?? '', /fallbacks are turned to/);
  const [began, ended] = told.map(([, fields]) => fields as Record<string, unknown>);
  assert.equal(began?.['capability'], 'query_order_status');
  assert.equal(began?.['code'], 'no-reachable-agent');
  assert.equal(ended?.['requests'], 3);
});

test('a list of fallbacks that is empty, too long, repeats itself or is no name is refused', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  for (const [fallback, pointer, says] of [
    [[], '#/context/fallback', /fewer than 1 items, is an array of 0/],
    [['a', 'b', 'c', 'd'], '#/context/fallback', /more than 3 items, is an array of 4/],
    [['a', 'a'], '#/context/fallback', /duplicate/],
    [['查询'], '#/context/fallback/0', /pattern.*is "查询"/],
    [['x'.repeat(129)], '#/context/fallback/0', /pattern/],
    ['a', '#/context/fallback', /array, is "a"/],
  ] as const) {
    await assert.rejects(
      house.call({ ...ask, context: { fallback } }),
      failsWith('validation-failed', (error) => {
        const [issue] = error.facts.errors ?? [];
        assert.equal(issue?.pointer, pointer);
        assert.match(issue?.detail ?? '', says);
      }),
    );
  }
  assert.equal((await house.call({ ...ask, context: { fallback: ['a', 'b', 'c'] } })).status, 'ok');
});

test('a route decision that is explained shows the declared fallbacks, and sends nothing', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, fallback: ['second', 'query_order_status'] }, shipped);
  await house.agent('second', { ...lookup, name: 'second', sensitive: true }, shipped);
  await house.agent('cache', cached, remembered);

  const told = await house.ask<Output<'routes.decide'>>('POST', '/v1/routes', {
    ...toCached,
    explain: true,
  });

  assert.equal(told.outcome, 'route');
  assert.deepEqual(
    told.fallbacks?.map(({ capability, from, verdict }) => [capability, from, verdict]),
    [
      ['cached_order_status', 'request', 'ready'],
      ['second', 'manifest', 'excluded'],
    ],
  );
  assert.match(told.fallbacks?.[0]?.reason ?? '', /offered by cache/);
  assert.match(told.fallbacks?.[1]?.reason ?? '', /sensitive/);
  await house.puller('fetcher', { ...lookup, name: 'third' });
  const pulled = await house.ask<Output<'routes.decide'>>('POST', '/v1/routes', {
    ...ask,
    context: { fallback: ['third'] },
    explain: true,
  });
  assert.equal(pulled.fallbacks?.[0]?.verdict, 'ready', 'a call is left for it to fetch');
  await disable(house, 'orders');
  await disable(house, 'cache');
  const none = await house.ask<Output<'routes.decide'>>('POST', '/v1/routes', toCached);
  assert.equal(none.outcome, 'none');
  assert.match(none.fallbacks?.[0]?.reason ?? '', /reached now/);
  assert.equal(house.network.calls.length, 0);
});
