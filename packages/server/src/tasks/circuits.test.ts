import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { payload, query, rows, submit, task } from './testing/capabilities.ts';

test('a task of an agent that is shut off is not sent: it waits, burns nothing, and runs when all is well', async () => {
  await using house = await openHouse();
  let isWell = false;
  await house.agent('sql', query, () => (isWell ? json(200, rows) : json(500, {})));
  for (let i = 0; i < 20; i++) {
    const call = house.call({ capability: 'query', params: payload });
    await house.during(call, 1_000).catch(() => {});
  }
  const before = house.network.calls.length;

  const { task_id: id } = await submit(house);
  await house.clock.advance(1_000);

  const waiting = await task(house, id);
  assert.equal(house.network.calls.length, before);
  assert.deepEqual([waiting.status, waiting.attempts], ['waiting', 0]);
  assert.match(waiting.reason ?? '', /circuit open for \d+ s more/);
  isWell = true;
  await house.clock.advance(12_000);
  const done = await task(house, id);
  assert.deepEqual([done.status, done.attempts], ['succeeded', 1]);
  assert.equal(house.network.calls.length, before + 1);
});

test('other tasks of the same instance are sent meanwhile', async () => {
  await using house = await openHouse();
  const machine = ({ url }: { url: string }) => json(url.endsWith('/query') ? 500 : 200, rows);
  await house.agent('sql', query, machine);
  await house.ask('POST', '/v1/agents', {
    name: 'sql',
    capabilities: [query, { ...query, name: 'other' }],
    network: { base_url: 'http://sql' },
  });
  for (let i = 0; i < 20; i++) {
    const call = house.call({ capability: 'query', params: payload });
    await house.during(call, 1_000).catch(() => {});
  }

  const { task_id: shut } = await submit(house);
  const { task_id: open } = await submit(house, { task_type: 'other' });
  await house.clock.advance(1_000);

  assert.equal((await task(house, shut)).status, 'waiting');
  assert.equal((await task(house, open)).status, 'succeeded');
});

test('failed pushes open the breaker as failed calls do', async () => {
  await using house = await openHouse({ 'breaker.failures': 3, 'breaker.open': '60s' });
  let runs = 0;
  await house.agent('sql', query, () => {
    runs += 1;
    return json(500, {});
  });
  await Promise.all([submit(house), submit(house), submit(house), submit(house)]);

  await house.clock.advance(40_000);

  assert.ok(runs >= 3 && runs <= 4, `${runs} runs`);
});
