import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteAnswer } from '@agent-reach/core';
import { claim, payload, query, say, submit, task } from '../tasks/testing/capabilities.ts';
import { failsWith, openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { answers, balance, counted, decide, put, type Written } from './testing/weights.ts';

test('a weight holds from the next decision on, and a rollback takes it back in one call', async () => {
  await using house = await openHouse();
  await house.agent('big', query, answers);
  await house.agent('small', query, answers);
  const agentOf = (answer: RouteAnswer) => answer.target_agent;

  await put(house, { agents: { big: { weight: 3 } } });
  const weighted = await counted(house, 2_000, agentOf);
  assert.ok(Math.abs((weighted['big'] ?? 0) - 1_500) < 120, JSON.stringify(weighted));

  await put(house, { capabilities: { query: { agents: { big: 0 } } } });
  assert.deepEqual(await counted(house, 50, agentOf), { small: 50 });

  const back = await house.ask<Written>('POST', '/v1/policies/weights/rollback');
  assert.deepEqual([back.version, back.doc], [3, { agents: { big: { weight: 3 } } }]);
  assert.ok(((await counted(house, 200, agentOf))['big'] ?? 0) > 100);
});

test('weight 0 is never used, not even when nobody else is left, and the answer says why', async () => {
  await using house = await openHouse();
  await house.agent('a', query, answers);
  await house.agent('b', query, answers);
  await put(house, { agents: { a: { weight: 0 } } });
  await house.ask('POST', '/v1/agents/b/disable');

  const call = house.call({ capability: 'query', params: payload });
  await assert.rejects(
    call,
    failsWith('no-reachable-agent', (error) => {
      assert.match(error.message, /a \(.*its weight is set to 0/);
    }),
  );
  const ticket = await submit(house);
  assert.equal(ticket.agent, undefined);
  assert.match(ticket.warnings.join(' '), /its weight is set to 0.*waits unbound/);
  const { candidates } = await balance(house);
  assert.deepEqual(
    candidates.map(({ agent, share, why }) => [agent, share, why?.slice(0, 12)]),
    [
      ['a', 0, 'its weight i'],
      ['b', 0, 'it is disabl'],
    ],
  );
});

test('a tag capacity weighs, and what an instance says of its load takes from it', async () => {
  await using house = await openHouse();
  await house.puller('plain', query);
  await house.ask('POST', '/v1/agents', {
    name: 'strong',
    tags: { capacity: '4' },
    capabilities: [query],
    instance: { instance_id: 'strong-1', pull: true },
  });
  const beat = { instance_id: 'strong-1', load: 0.5 };
  await house.ask('POST', '/v1/agents/strong/heartbeat', beat);

  const { candidates } = await balance(house);

  assert.deepEqual(
    candidates.map(({ agent, weight, share }) => [agent, weight, share]),
    [
      ['plain', 1, 0.333],
      ['strong', 2, 0.667],
    ],
  );
  assert.deepEqual(candidates[1]?.parts, {
    hand: 1,
    capacity: 4,
    reported: 0.5,
    reachability: 1,
    slow_start: 1,
  });
  const agents: Record<string, number> = {};
  for (let i = 0; i < 30; i++) {
    const { agent = '' } = await submit(house);
    agents[agent] = (agents[agent] ?? 0) + 1;
  }
  assert.deepEqual(agents, { plain: 10, strong: 20 });
});

test('one that pulls and has weight 0 gets nothing, and its tasks go to another', async () => {
  await using house = await openHouse();
  await house.puller('a', query);
  for (let i = 0; i < 5; i++) await submit(house, { task_id: `t${i}` });
  await house.puller('b', query);
  await put(house, { agents: { a: { weight: 0 } } });

  assert.deepEqual(await claim(house, 'a'), []);
  await house.clock.advance(12_000);
  assert.equal((await claim(house, 'b', { credits: 10 })).length, 5);
});

test('an agent that fails is left alone while another is well, until its failures are old', async () => {
  await using house = await openHouse({
    'breaker.failures': 1_000,
    'breaker.failure.percent': 100,
  });
  let isBroken = true;
  await house.agent('good', query, answers);
  await house.agent('bad', query, () => (isBroken ? json(500, {}) : json(200, { rows: [] })));
  const call = (agent?: string) =>
    house
      .call({ capability: 'query', params: payload, ...(agent === undefined ? {} : { agent }) })
      .catch(() => undefined);
  const factor = async () => {
    const row = (await balance(house)).candidates.find(({ agent }) => agent === 'bad');
    return row?.parts.reachability ?? 0;
  };
  const toBad = async () => {
    let count = 0;
    for (let i = 0; i < 200; i++) if ((await decide(house)).target_agent === 'bad') count += 1;
    return count;
  };
  assert.ok((await toBad()) > 50);

  for (let i = 0; i < 20; i++) await house.during(call('bad'), 5_000);
  await house.clock.advance(10_000);
  assert.equal(await factor(), 0.09, 'the cap of 0.3, squared');
  assert.equal(await toBad(), 0);
  await house.ask('POST', '/v1/agents/good/disable');
  assert.equal(await toBad(), 200, 'better than nobody');
  await house.ask('POST', '/v1/agents/good/enable');

  isBroken = false;
  for (let passed = 0; passed < 320_000; passed += 10_000) {
    await house.clock.advance(10_000);
    for (const name of ['good', 'bad']) await house.ask('POST', `/v1/agents/${name}/heartbeat`, {});
  }
  assert.equal(await factor(), 1);
  assert.ok((await toBad()) > 50);
});

test('an agent that pulls and fails its tasks loses weight as well', async () => {
  await using house = await openHouse();
  await house.puller('bad', query);
  for (let i = 0; i < 20; i++) {
    await submit(house, { max_retry: 0 });
    const [delivery] = await claim(house, 'bad');
    assert.ok(delivery !== undefined);
    await say(house, delivery, 'fail', { reason: 'it broke', retryable: true });
  }
  await house.clock.advance(250);

  const [row] = (await balance(house)).candidates;
  assert.equal(row?.parts.reachability, 0.09, JSON.stringify(row));
});

test('under consistent hash calls and tasks of a source meet at one instance', async () => {
  await using house = await openHouse({ 'router.strategy': 'consistent-hash' });
  await house.agent('a', query, answers);
  await house.agent('b', query, answers);
  await house.agent('c', query, answers);
  for (let i = 0; i < 30; i++) {
    const context = { source_id: `user-${i}` };
    const { target_agent: agent } = await decide(house, { context });
    const again = await decide(house, { context });
    const ticket = await submit(house, { source_id: `user-${i}` });
    assert.deepEqual([again.target_agent, ticket.agent], [agent, agent]);
  }
});

test('a place on the ring is kept for a while, and then given up', async () => {
  await using house = await openHouse({ 'router.strategy': 'consistent-hash' });
  await house.puller('a', query);
  await house.puller('b', query);
  let source = '';
  for (let i = 0; source === ''; i++) {
    if ((await submit(house, { source_id: `u${i}` })).agent === 'a') source = `u${i}`;
  }
  const wait = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      await house.clock.advance(5_000);
      await house.ask('POST', '/v1/agents/b/heartbeat', {});
    }
  };
  await wait(50_000); // The lease of a, which says nothing any more, is over.

  const late = await submit(house, { source_id: source, task_id: 'late', timeout: '1h' });
  assert.equal(late.agent, 'a', 'its place is kept');
  await wait(20_000);
  assert.equal((await task(house, 'late')).agent, 'a');
  await wait(20_000);
  assert.equal((await task(house, 'late')).agent, 'b');
  assert.equal((await submit(house, { source_id: source })).agent, 'b');
});

test('a round robin is a round robin, for calls and for tasks', async () => {
  await using house = await openHouse();
  await house.agent('a', query, answers);
  await house.agent('b', query, answers);
  const row = { strategy: 'weighted-round-robin', agents: { a: 3, b: 1 } };
  await put(house, { capabilities: { query: row } });
  let turns = '';
  for (let i = 0; i < 8; i++) turns += (await decide(house)).target_agent ?? '';
  assert.equal(turns, 'aabaaaba');
});

test('when all who have the tags are past danger a task leaves its region, if that is allowed', async () => {
  const flags = { 'flowcontrol.max-pending': 10, 'routing.relax.past-danger': true };
  await using house = await openHouse(flags);
  for (const region of ['east', 'west']) {
    await house.ask('POST', '/v1/agents', {
      name: region,
      tags: { region },
      capabilities: [query],
      instance: { instance_id: `${region}-1`, pull: true },
    });
  }
  const tags = { region: 'east' };
  for (let i = 0; i < 8; i++) assert.equal((await submit(house, { tags })).agent, 'east');

  const relaxed = await submit(house, { tags });
  assert.equal(relaxed.agent, 'west');
  assert.match(relaxed.warnings.join(' '), /region=east has a queue past danger; given up/);
  const strict = await submit(house, { tags, strict_tags: true });
  assert.equal(strict.agent, 'east');
});

test('work that piles up at one of several is told once it lasts', async () => {
  await using house = await openHouse();
  for (const region of ['east', 'west']) {
    await house.ask('POST', '/v1/agents', {
      name: region,
      tags: { region },
      capabilities: [query],
      instance: { instance_id: `${region}-1`, pull: true },
    });
  }
  for (let i = 0; i < 40; i++) await submit(house, { task_id: `t${i}`, tags: { region: 'east' } });
  const waitBeating = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 10_000) {
      await house.clock.advance(10_000);
      for (const name of ['east', 'west']) {
        await house.ask('POST', `/v1/agents/${name}/heartbeat`, {});
      }
    }
  };

  await waitBeating(30_000);
  assert.equal((await balance(house)).imbalance, undefined);
  await waitBeating(60_000);
  assert.equal((await balance(house)).imbalance?.agent, 'east');
  for (let i = 0; i < 40; i++) await house.ask('POST', `/v1/tasks/t${i}/cancel`);
  await waitBeating(80_000);
  assert.equal((await balance(house)).imbalance, undefined);
});

test('a summary is an intent: kept with the task, and refused where the two differ', async () => {
  await using house = await openHouse();
  await house.puller('a', query);
  const ticket = await submit(house, { summary: '查一下华东区昨天的销售额' });
  const stored = await house.storage.tasks.get({ tenant: 'internal', taskId: ticket.task_id });
  assert.equal(JSON.parse(stored?.selector ?? '{}').intent, '查一下华东区昨天的销售额');
  assert.equal((await task(house, ticket.task_id)).status, 'queued');

  await assert.rejects(
    submit(house, { summary: 'one', intent: 'another' }),
    failsWith('validation-failed'),
  );
  const alone = { task_type: undefined, summary: 'how are sales', payload };
  // Without a name it is read, and its parameters alone are no reason to go anywhere.
  await assert.rejects(house.ask('POST', '/v1/tasks', alone), failsWith('ambiguous-match'));
});

test('a version that would not be taken any more is not put back either', async () => {
  await using house = await openHouse();
  const row = { id: 'b', period: 'day', limit: 1 };
  const older: [doc: unknown, code: 'rule-refused' | 'validation-failed'][] = [
    [{ budgets: [row, row] }, 'rule-refused'],
    [{ budgets: [{ ...row, period: 'eon' }] }, 'validation-failed'],
  ];
  // As a version of this program may have taken them that asked for less.
  for (const [n, [doc]] of older.entries()) {
    await house.storage.rules.put({
      tenant: 'internal',
      name: 'budgets',
      doc: JSON.stringify(doc),
      by: 'someone',
      expectVersion: n,
      now: house.clock.now(),
    });
  }
  await house.ask('PUT', '/v1/policies/budgets', { doc: { budgets: [row] } });

  for (const [n, [, code]] of older.entries()) {
    const back = house.ask('POST', '/v1/policies/budgets/rollback', { to: n + 1 });
    await assert.rejects(back, failsWith(code));
  }
  const now = await house.ask<Written>('GET', '/v1/policies/budgets');
  assert.deepEqual([now.version, now.doc], [3, { budgets: [row] }]);
});
