import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { silence } from '../main/testing/network.ts';
import { ask, lookup, shipped } from './testing/orders.ts';

const context = { user_stamp: 'u-7', on_behalf_of: 'wang', source_id: 'chat-1' };

test('a request may ask for more time than a capability takes, up to what its agent allows', async () => {
  await using house = await openHouse();
  const patient = { ...lookup, sla: { timeout_ms: 1_000, max_timeout_ms: 5_000 } };
  await house.agent('orders', patient, shipped);

  for (const [timeout, given] of [
    [undefined, 1_000],
    ['300ms', 300],
    ['4s', 4_000],
    ['5s', 5_000],
    ['30s', 5_000],
  ] as const) {
    await house.call({ ...ask, timeout });
    const sent = Number(house.network.calls.at(-1)?.headers['reach-deadline-ms']);
    assert.ok(sent > given - 50 && sent <= given, `${timeout}: ${sent} ms`);
  }
});

test('what was asked for is waited for, and then cut off', async () => {
  await using house = await openHouse();
  const patient = { ...lookup, sla: { timeout_ms: 1_000, max_timeout_ms: 5_000 } };
  await house.agent('orders', patient, silence);
  const calling = house.call({ ...ask, timeout: '8s' });
  let ended = false;
  void calling.catch(() => {}).finally(() => (ended = true));

  await house.clock.advance(5_000);
  assert.equal(ended, false);

  await assert.rejects(house.during(calling, 5_000), failsWith('deadline-exceeded'));
});

test('without a word of its agent a request gets the declared time and no more', async () => {
  await using house = await openHouse();
  await house.agent('orders', { ...lookup, sla: { timeout_ms: 1_000 } }, shipped);

  await house.call({ ...ask, timeout: '30s' });

  assert.equal(house.network.calls.at(-1)?.headers['reach-deadline-ms'], '1000');
});

test('an agent is told what its manifest names of the context, and nothing else', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);
  const heard = async () => {
    await house.call({ ...ask, context });
    const headers = house.network.calls.at(-1)?.headers ?? {};
    const names = ['reach-user-stamp', 'reach-on-behalf-of', 'reach-source-id'] as const;
    return names.map((name) => headers[name]);
  };

  assert.deepEqual(await heard(), ['u-7', 'wang', 'chat-1']);
  await declare(house, { context: ['user_stamp'] });
  assert.deepEqual(await heard(), ['u-7', undefined, undefined]);
  await declare(house, { context: [] });
  assert.deepEqual(await heard(), [undefined, undefined, undefined]);
});

test('an agent is called in the way that it is willing to be, and in no other', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);

  await assert.rejects(
    declare(house, { network: { base_url: 'http://orders', protocols: ['pull'] } }),
    failsWith('manifest-refused', (error) => {
      const detail = 'says pull, and this instance is called by http';
      assert.deepEqual(error.facts.errors, [{ pointer: '#/network/protocols', detail }]);
    }),
  );

  await declare(house, { network: { base_url: 'http://orders', protocols: ['pull', 'http'] } });
  assert.equal((await house.call(ask)).status, 'ok');
});

test('an agent that is no longer willing is not called, and the reason is told', async () => {
  await using house = await openHouse();
  await house.agent('orders', lookup, shipped);

  await declare(house, { network: { protocols: ['pull'] } });

  await assert.rejects(
    house.call(ask),
    failsWith('no-reachable-agent', ({ message }) => {
      assert.match(message, /is not willing to be called by http/);
    }),
  );
  assert.equal(house.network.calls.length, 0);
  await declare(house, {});
  assert.equal((await house.call(ask)).status, 'ok');
});

/** Another manifest of the agent, which lives where it lived. */
async function declare(house: TestHouse, manifest: object): Promise<void> {
  await house.ask('POST', '/v1/agents', { name: 'orders', capabilities: [lookup], ...manifest });
}
