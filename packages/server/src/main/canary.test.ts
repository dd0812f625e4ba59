import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claim, say, submit } from '../tasks/testing/capabilities.ts';
import { openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { counted, decide, instance, pulling, put } from './testing/weights.ts';

test('of ten thousand sources a canary has its tenth, and each source its version', async () => {
  await using house = await openHouse();
  await instance(house, '1.4');
  await instance(house, '2.0');
  await put(house, { capabilities: { query: { versions: { '1.4': 90, '2.0': 10 } } } });
  const seen = new Map<string, string | undefined>();
  let canary = 0;
  for (let i = 0; i < 10_000; i++) {
    const source = `user-${i}`;
    const { instance_id: id } = await decide(house, { context: { source_id: source } });
    if (id === 'i-2.0') canary += 1;
    if (i % 10 === 0) seen.set(source, id);
  }

  assert.ok(Math.abs(canary - 1_000) < 100, `${canary} of 10000`);
  for (const [source, id] of seen) {
    const again = await decide(house, { context: { source_id: source } });
    assert.equal(again.instance_id, id, source);
  }
  await house.ask('POST', '/v1/policies/weights/rollback', { to: 0 });
  await put(house, { capabilities: { query: { versions: { '1.4': 100, '2.0': 0 } } } });
  assert.deepEqual(await counted(house, 200, (answer) => answer.instance_id), { 'i-1.4': 200 });
});

test('stateful work stays on the version that is named for it while shares are set', async () => {
  await using house = await openHouse();
  await instance(house, '1.4');
  await instance(house, '2.0');
  const row = { versions: { '1.4': 50, '2.0': 50 }, stateful: '1.4' };
  await put(house, { capabilities: { query: row } });

  assert.deepEqual(await counted(house, 100, (answer) => answer.instance_id), { 'i-1.4': 100 });
  const free = new Set<string | undefined>();
  for (let i = 0; i < 40; i++) free.add((await decide(house)).instance_id);
  assert.deepEqual(free, new Set(['i-1.4', 'i-2.0']));
  const byName = await decide(house, { version: '2.0', context: { source_id: 'user-1' } });
  assert.equal(byName.instance_id, 'i-2.0');
});

test('a version that is not there is replaced by another, and that is told', async () => {
  await using house = await openHouse();
  await instance(house, '1.4');
  await instance(house, '2.0');
  await put(house, { agents: { sql: { versions: { '1.4': 1, '2.0': 99 } } } });
  await house.ask('POST', '/v1/agents/sql/drain', { instance_id: 'i-2.0' });

  const answer = await decide(house, { explain: true });

  assert.equal(answer.instance_id, 'i-1.4');
  assert.ok(answer.warnings.every((warning) => /version 2\.0 is there; 1\.4/.test(warning)));
  await house.ask('POST', '/v1/agents/sql/disable', { instance_id: 'i-1.4' });
  await house.ask('POST', '/v1/agents/sql/enable', { instance_id: 'i-2.0' });
  await put(house, { agents: { sql: { versions: { '1.4': 100, '2.0': 0 } } } });
  assert.equal((await decide(house)).outcome, 'none');
});

test('tasks wait for their version, and move when its share is taken away', async () => {
  await using house = await openHouse();
  await pulling(house, '1.4');
  await pulling(house, '2.0');
  await put(house, { capabilities: { query: { versions: { '1.4': 60, '2.0': 40 } } } });
  for (let i = 0; i < 60; i++) await submit(house, { task_id: `t${i}`, source_id: `user-${i}` });

  const all = { credits: 100 };
  const [one, ...others] = await claim(house, 'sql', { instance_id: 'i-2.0', ...all });
  assert.ok(one !== undefined && others.length > 10 && others.length < 40, `${others.length}`);
  for (const delivery of [one, ...others]) await say(house, delivery, 'release');
  await put(house, { capabilities: { query: { versions: { '1.4': 100, '2.0': 0 } } } });
  await house.clock.advance(6_000);
  assert.deepEqual(await claim(house, 'sql', { instance_id: 'i-2.0', ...all }), []);
  const moved = await claim(house, 'sql', { instance_id: 'i-1.4', ...all });
  assert.equal(moved.length, 60);
});

test('tasks that are sent reach the version they are for, whichever instance has more room', async () => {
  await using house = await openHouse();
  const ran: string[] = [];
  for (const version of ['1.4', '2.0']) {
    await instance(house, version, () => {
      ran.push(version);
      return json(200, { rows: [] });
    });
  }
  await put(house, { capabilities: { query: { versions: { '1.4': 50, '2.0': 50 } } } });
  for (let i = 0; i < 20; i++) await submit(house, { task_id: `t${i}`, source_id: `user-${i}` });
  await house.clock.advance(2_000);

  assert.equal(ran.length, 20);
  const drawn = await counted(house, 20, ({ instance_id: id }) => id);
  for (const version of ['1.4', '2.0']) {
    assert.equal(ran.filter((one) => one === version).length, drawn[`i-${version}`], version);
  }
});

test('a task for one version wakes its taker at once, whoever of the other has waited longer', async () => {
  await using house = await openHouse();
  await pulling(house, '1.4');
  await pulling(house, '2.0');
  await put(house, { capabilities: { query: { versions: { '1.4': 0, '2.0': 100 } } } });
  const other = claim(house, 'sql', { instance_id: 'i-1.4', wait: 1 });
  const right = claim(house, 'sql', { instance_id: 'i-2.0', wait: 1 });
  await house.clock.advance(1);

  await submit(house, { task_id: 't' });

  assert.deepEqual(
    (await right).map((delivery) => delivery.task_id),
    ['t'],
  );
  assert.deepEqual(await house.during(other, 3_000), []);
});
