import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '@agent-reach/core/kernel';
import type { Storage } from '../storage/spi/storage.ts';
import { failsWith, openHouse } from './testing/house.ts';
import { twoGateways } from './testing/two-gateways.ts';
import { StoreWatch } from './store-watch.ts';

/** A watch over a store that the test takes away. */
async function watched(sharedByProcesses: boolean) {
  const house = await openHouse();
  const { storage, clock } = house;
  const state = { isAway: false };
  const asked = async <T>(answer: Promise<T>) => {
    if (state.isAway) throw new Error('away');
    return answer;
  };
  const away: Storage = {
    ...storage,
    capabilities: { ...storage.capabilities, sharedByProcesses },
    rules: { ...storage.rules, get: (query) => asked(storage.rules.get(query)) },
  };
  const watch = new StoreWatch({ storage: away, clock, log: silentLog });
  await watch.start();
  return {
    watch,
    state,
    clock,
    async [Symbol.asyncDispose]() {
      await watch.stop();
      await house[Symbol.asyncDispose]();
    },
  };
}

test('two looks in a row without an answer are a store that is away; one answer brings it back', async () => {
  await using at = await watched(true);
  at.state.isAway = true;

  await at.clock.advance(1_500);
  assert.equal(at.watch.isFailing, false);
  await at.clock.advance(1_000);
  assert.equal(at.watch.isFailing, true);

  at.state.isAway = false;
  await at.clock.advance(1_000);
  assert.equal(at.watch.isFailing, false);
});

test('the store of one process is not looked after: it is in it', async () => {
  await using at = await watched(false);
  at.state.isAway = true;

  await at.clock.advance(10_000);

  assert.equal(at.watch.isFailing, false);
});

test('a gateway whose shared store is gone is not ready, and says why', async () => {
  await using at = await twoGateways();
  await at.one.ask('GET', '/v1/config');
  assert.deepEqual((await at.one.http.inject('/readyz')).json(), { status: 'ok' });

  await at.one.storage.close();
  await at.clock.advance(2_500);

  const { code } = (await at.one.http.inject('/readyz')).json();
  assert.equal(code, 'store-unavailable');
  assert.equal((await at.two.http.inject('/health')).json().status, 'failing');
  assert.equal((await at.two.http.inject('/v1/tasks')).headers['retry-after'], '1');
  await assert.rejects(
    at.two.ask('POST', '/v1/tasks', { task_type: 'x' }),
    failsWith('store-unavailable'),
  );
});
