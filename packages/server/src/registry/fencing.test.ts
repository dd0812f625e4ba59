import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentView, Answer, InstanceView, Output, RouteAnswer } from '@agent-reach/core';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, silence } from '../main/testing/network.ts';

const LOOK = { name: 'look_up', description: 'Looks.', effect: 'read' };
const ASK = { capability: 'look_up' };

/** One agent with so many instances, each at a host of its own. */
async function fleet(
  house: TestHouse,
  count: number,
  capability: object = LOOK,
): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `a-${n}`);
  for (const name of names) {
    well(house, name);
    const instance = { instance_id: name, base_url: `http://${name}` };
    await house.ask('POST', '/v1/agents', { name: 'a', capabilities: [capability], instance });
  }
  return names;
}

/** Answers probes and calls. */
function well(house: TestHouse, name: string): void {
  house.network.at(`http://${name}`, ({ method }) =>
    json(200, method === 'GET' ? { agent_id: 'a', instance_id: name } : { by: name }),
  );
}

/** Answers nothing any more. */
function hang(house: TestHouse, name: string): void {
  house.network.at(`http://${name}`, silence);
}

/** Time goes on, and every instance goes on beating. */
async function beating(house: TestHouse, names: readonly string[], ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 2_500) {
    for (const instance_id of names) {
      await house.ask('POST', '/v1/agents/a/heartbeat', { instance_id });
    }
    await house.clock.advance(Math.min(2_500, ms - passed));
  }
}

async function shown(house: TestHouse): Promise<InstanceView[]> {
  return (await house.ask<AgentView>('GET', '/v1/agents/a')).instances;
}

async function one(house: TestHouse, name = 'a-0'): Promise<InstanceView> {
  return (await shown(house)).find((i) => i.instance_id === name) ?? assert.fail(name);
}

/** Until an instance is intended so. */
async function untilIntent(house: TestHouse, intent: InstanceView['intent'], name = 'a-0') {
  const names = (await shown(house)).map((i) => i.instance_id);
  for (let passed = 0; passed < 120_000; passed += 500) {
    const found = await one(house, name);
    if (found.intent === intent) return found;
    await beating(house, names, 500);
  }
  assert.fail(`${name} is never ${intent}`);
}

/** Stops it while time goes on: looks that are under way may end. */
function stop(house: TestHouse): Promise<void> {
  return house.during(house.house.stop(), 3_000);
}

test('one that beats and hangs is fenced, told why, and left for the others', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 4);
  await beating(house, names, 10_000);
  hang(house, 'a-0');

  const fenced = await untilIntent(house, 'fenced');

  assert.equal(fenced.intent_by, 'system');
  assert.match(fenced.intent_reason ?? '', /it beats, but 2 probes in a row were lost/);
  assert.deepEqual(
    [fenced.routable, fenced.observed, fenced.reachability.score],
    [false, 'suspect', 0],
  );
  assert.equal(fenced.fence?.times, 1);
  for (let n = 0; n < 20; n++) {
    const { result } = await house.during(house.call(ASK), 3_000);
    assert.notEqual((result as { by: string }).by, 'a-0');
  }
  const { candidates } = await house.ask<RouteAnswer>('POST', '/v1/routes', {
    ...ASK,
    explain: true,
  });
  const why = candidates?.find(({ instance }) => instance === 'a-0');
  assert.deepEqual([why?.verdict, why?.intent], ['excluded', 'fenced']);
  assert.match(why?.reason ?? '', /it is fenced \(it beats, but 2 probes/);
  await stop(house);
});

test('as long as it beats it is fenced and not unreachable; when its beats stop it is', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 4);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  await untilIntent(house, 'fenced');

  await beating(house, names, 20_000);
  assert.deepEqual([(await one(house)).observed, (await one(house)).intent], ['suspect', 'fenced']);
  await beating(house, names.slice(1), 20_000);

  assert.equal((await one(house)).observed, 'unreachable');
  await stop(house);
});

test('one whose port is closed is unreachable within a second, and no fence keeps it', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 4);
  await beating(house, names, 10_000);
  house.network.at('http://a-0', undefined);
  while ((await one(house)).observed === 'up') await beating(house, names, 100);
  const since = house.clock.monotonic();

  while ((await one(house)).observed !== 'unreachable') await house.clock.advance(50);

  assert.ok(house.clock.monotonic() - since <= 1_150, `${house.clock.monotonic() - since} ms`);
});

test('a short break of one that beats costs it nothing: it is back with the next probe', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 1);
  await beating(house, names, 10_000);
  house.network.at('http://a-0', undefined);
  while ((await one(house)).observed === 'up') await house.clock.advance(100);
  await house.clock.advance(600);
  well(house, 'a-0');

  await house.clock.advance(1_000);

  assert.deepEqual([(await one(house)).observed, (await one(house)).intent], ['up', 'enabled']);
});

test('of ten that hang at once three are fenced, the fourth is degraded, and it is told', async () => {
  const warned: string[] = [];
  const quiet = { debug: () => {}, info: () => {}, error: () => {} };
  const warn = (about: object, message: string) => {
    if (message === 'no more can be fenced') warned.push((about as { why: string }).why);
  };
  await using house = await openHouse({}, { ...quiet, warn });
  const names = await fleet(house, 10);
  await beating(house, names, 10_000);
  for (const name of names.slice(0, 4)) hang(house, name);

  await beating(house, names, 15_000);

  const states = (await shown(house)).slice(0, 4);
  assert.equal(states.filter(({ intent }) => intent === 'fenced').length, 3);
  const fourth = states.find(({ intent }) => intent === 'enabled');
  assert.deepEqual([fourth?.observed, fourth?.routable], ['degraded', true]);
  assert.ok((fourth?.reachability.score ?? 1) <= 0.49);
  assert.match(fourth?.observed_cause ?? '', /3 of 10 that offer look_up are fenced, the most/);
  assert.equal(warned.length, 1);
  // All the others are as they were.
  assert.ok((await shown(house)).slice(4).every(({ observed }) => observed === 'up'));
  await stop(house);
});

test('one whose calls get through is degraded and not fenced, until they do not', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 1);
  await beating(house, names, 10_000);
  // Its health hangs, and its work does not.
  house.network.at('http://a-0', ({ method }) =>
    method === 'GET' ? silence() : json(200, { by: 'a-0' }),
  );
  for (let n = 0; n < 10; n++) {
    await house.during(house.call(ASK), 1_000);
    await beating(house, names, 2_500);
  }
  const spared = await one(house);
  assert.deepEqual([spared.observed, spared.intent], ['degraded', 'enabled']);
  assert.match(spared.observed_cause, /probes are lost, but a call got through/);

  const fenced = await untilIntent(house, 'fenced');

  assert.equal(fenced.routable, false);
  await stop(house);
});

test('it comes back at the end of its time, after two probes, and little by little', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 4);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  const { fence } = await untilIntent(house, 'fenced');
  well(house, 'a-0');

  await beating(house, names, 20_000);
  const early = await one(house);
  assert.deepEqual([early.observed, early.intent], ['up', 'fenced'], 'it is not lifted early');
  const back = await untilIntent(house, 'enabled');

  assert.ok(house.clock.now() >= new Date(fence?.until ?? '').getTime());
  assert.deepEqual([back.observed, back.routable, back.fence], ['up', true, undefined]);
  const { candidates } = await house.ask<RouteAnswer>('POST', '/v1/routes', {
    ...ASK,
    explain: true,
  });
  const part = candidates?.find(({ instance }) => instance === 'a-0')?.parts?.slow_start;
  assert.ok(part !== undefined && part < 0.2, `${part}`);
});

test('one that goes on hanging is fenced anew, for twice as long', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 4);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  const first = await untilIntent(house, 'fenced');

  await beating(house, names, 50_000);
  const second = await one(house);

  const lengthOf = ({ fence }: InstanceView) =>
    new Date(fence?.until ?? '').getTime() - new Date(fence?.since ?? '').getTime();
  assert.equal(second.fence?.times, 2);
  assert.ok((second.fence?.epoch ?? 0) > (first.fence?.epoch ?? 0));
  assert.ok(lengthOf(second) >= 54_000 && lengthOf(second) <= 66_000, `${lengthOf(second)}`);
  await stop(house);
});

test('where it is the only one it is asked all the same, by its epoch', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 1);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  const { fence } = await untilIntent(house, 'fenced');
  well(house, 'a-0');

  const answer: Answer = await house.during(house.call(ASK), 3_000);

  assert.deepEqual(answer.result, { by: 'a-0' });
  assert.equal(house.network.calls.at(-1)?.headers['reach-fence-epoch'], String(fence?.epoch));
  await stop(house);
});

test('a fenced agent says so, did not run, and the call is done by another', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 2, { ...LOOK, effect: 'write', idempotency: 'gateway' });
  await beating(house, names, 10_000);
  let refused = 0;
  house.network.at('http://a-0', ({ method }) =>
    method === 'GET'
      ? json(200, {})
      : (refused++, json(503, { code: 'fenced', executed: 'no' }, { 'retry-after': '20' })),
  );

  for (let n = 0; n < 10; n++) {
    const { result } = await house.during(house.call({ ...ASK, idempotency_key: `k${n}` }), 3_000);
    assert.deepEqual(result, { by: 'a-1' });
  }

  assert.ok(refused > 0);
  house.network.at('http://a-1', undefined);
  await assert.rejects(
    house.during(house.call({ ...ASK, idempotency_key: 'last', agent: 'a' }), 5_000),
    (error: { executed: string }) => error.executed === 'no',
  );
});

test('whoever beats is told of its fence, for how long, and of its end', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 2);
  const beat = (name: string) =>
    house.ask<Output<'agents.heartbeat'>>('POST', '/v1/agents/a/heartbeat', { instance_id: name });
  assert.equal((await beat('a-0')).fence, undefined, 'nobody was ever fenced');
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  const { fence } = await untilIntent(house, 'fenced');

  const told = await beat('a-0');
  assert.equal(told.intent, 'fenced');
  assert.equal(told.fence?.epoch, fence?.epoch);
  assert.ok((told.fence?.for_ms ?? 0) > 26_000 && (told.fence?.for_ms ?? 0) <= 33_000);
  assert.deepEqual((await beat('a-1')).fence, { epoch: fence?.epoch, for_ms: 0 });
  well(house, 'a-0');
  await untilIntent(house, 'enabled');

  const after = await beat('a-0');
  assert.equal(after.intent, 'enabled');
  assert.ok((after.fence?.epoch ?? 0) > (fence?.epoch ?? 0) && after.fence?.for_ms === 0);
});

test('a fence outlives its gateway, and ends by itself if nobody is there', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 2);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  await untilIntent(house, 'fenced');
  await stop(house);
  well(house, 'a-0');

  await using soon = await house.again();
  assert.equal((await one(soon)).intent, 'fenced');
  await stop(soon);
  await house.clock.advance(60_000);
  await using late = await house.again();

  assert.equal((await one(late)).intent, 'enabled');
  await stop(late);
});

test('a new process at the address is not fenced for the old one', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 2);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  await untilIntent(house, 'fenced');
  well(house, 'a-0');

  const instance = { instance_id: 'a-0', base_url: 'http://a-0', boot_id: 'anew' };
  await house.ask('POST', '/v1/agents', { name: 'a', capabilities: [LOOK], instance });

  const { intent, observed } = await one(house);
  assert.deepEqual([intent, observed], ['enabled', 'up']);
});

test('a fence takes no one’s word away: drained stays drained, and an operator lifts it', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 4);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  await untilIntent(house, 'fenced');

  await house.ask('POST', '/v1/agents/a/drain', { instance_id: 'a-0' });
  assert.equal((await one(house)).intent, 'draining');
  well(house, 'a-0');
  await house.ask('POST', '/v1/agents/a/enable', { instance_id: 'a-0' });
  const lifted = await one(house);
  await beating(house, names, 10_000);

  assert.deepEqual([lifted.intent, lifted.fence], ['enabled', undefined]);
  assert.deepEqual([(await one(house)).observed, (await one(house)).intent], ['up', 'enabled']);
});

test('switched off, nobody is fenced: what hangs is in doubt as long as it beats', async () => {
  await using house = await openHouse({ 'fence.part': 'off' });
  const names = await fleet(house, 4);
  await beating(house, names, 10_000);
  hang(house, 'a-0');

  await beating(house, names, 30_000);

  assert.deepEqual(
    [(await one(house)).observed, (await one(house)).intent],
    ['suspect', 'enabled'],
  );
  await stop(house);
});

test('tasks of a fenced instance are done by another, and none is lost', async () => {
  await using house = await openHouse();
  const names = await fleet(house, 2);
  await beating(house, names, 10_000);
  hang(house, 'a-0');
  await untilIntent(house, 'fenced');

  const ids: string[] = [];
  for (let n = 0; n < 10; n++) {
    const { task_id } = await house.ask<{ task_id: string }>('POST', '/v1/tasks', {
      task_type: 'look_up',
      source_id: `s${n}`,
      payload: {},
    });
    ids.push(task_id);
  }
  await beating(house, names, 5_000);

  for (const id of ids) {
    const task = await house.ask<{ status: string; result: unknown }>('GET', `/v1/tasks/${id}`);
    assert.deepEqual([task.status, task.result], ['succeeded', { by: 'a-1' }]);
  }
  await stop(house);
});

test('one that cannot be asked at all is refused, and nothing was sent', async () => {
  await using house = await openHouse();
  await fleet(house, 1);
  await house.ask('POST', '/v1/agents/a/disable', {});

  await assert.rejects(house.call(ASK), failsWith('no-reachable-agent'));
});
