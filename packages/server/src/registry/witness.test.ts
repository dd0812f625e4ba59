import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentView, InstanceView } from '@agent-reach/core';
import { openShared, type TestHouse } from '../main/testing/house.ts';
import { json, silence } from '../main/testing/network.ts';
import { Bus } from '../peers/testing/bus.ts';

const LOOK = { name: 'look_up', description: 'Looks.', effect: 'read' };
const ASK = { capability: 'look_up' };
const URL_OF_A = 'http://a';

/** Three gateways on one store, and an agent that beats at the first. */
async function threeGateways(flags: Record<string, unknown> = {}) {
  const bus = new Bus();
  const one = await openShared(bus, flags);
  const houses = [one, await one.beside(), await one.beside()];
  await register(one, 'a');
  await one.clock.advance(20_000);
  return {
    bus,
    clock: one.clock,
    network: one.network,
    houses,
    /** Time goes on, and the agent goes on beating. */
    async beating(ms: number) {
      for (let passed = 0; passed < ms; passed += 2_500) {
        await one.ask('POST', '/v1/agents/a/heartbeat', {});
        await one.clock.advance(Math.min(2_500, ms - passed));
      }
    },
    async [Symbol.asyncDispose]() {
      for (const house of houses.toReversed()) await house.during(house.house.stop(), 3_000);
      for (const house of houses.toReversed()) await house[Symbol.asyncDispose]();
    },
  };
}

async function register(house: TestHouse, name: string): Promise<void> {
  house.network.at(`http://${name}`, ({ method }) =>
    json(200, method === 'GET' ? { agent_id: name } : { by: name }),
  );
  const network = { base_url: `http://${name}` };
  await house.ask('POST', '/v1/agents', { name, capabilities: [LOOK], network });
}

async function shown(house: TestHouse): Promise<InstanceView> {
  const { instances } = await house.ask<AgentView>('GET', '/v1/agents/a');
  return instances[0] ?? assert.fail('no instance');
}

async function states(houses: readonly TestHouse[]): Promise<string[]> {
  return Promise.all(houses.map(async (house) => (await shown(house)).observed));
}

/** The gateway that probes the agent, and the others. */
async function ownerOf({ houses, clock, network }: Awaited<ReturnType<typeof threeGateways>>) {
  const probers = new Set<number>();
  for (const [n, house] of houses.entries()) {
    house.way.set(URL_OF_A, () => {
      probers.add(n);
      return json(200, { agent_id: 'a' });
    });
  }
  await clock.advance(7_000);
  for (const house of houses) house.way.clear();
  assert.equal(probers.size, 1, 'one of them probes it');
  assert.ok(network.sent.length > 0);
  const [n = 0] = probers;
  const owner = houses[n] ?? assert.fail();
  return { owner, others: houses.filter((house) => house !== owner) };
}

test('what one gateway alone cannot reach is in doubt there, and nowhere else', async () => {
  for (const broken of [undefined, silence]) {
    await using at = await threeGateways();
    const { owner, others } = await ownerOf(at);
    owner.way.set(URL_OF_A, broken);

    const seen = new Set<string>();
    const fenced: string[] = [];
    await at.beating(5_000);
    for (let n = 0; n < 60; n++) {
      await at.beating(1_000);
      seen.add((await shown(owner)).observed);
      for (const house of at.houses) fenced.push((await shown(house)).intent);
      for (const state of await states(others)) assert.notEqual(state, 'unreachable');
    }

    assert.deepEqual([...seen], ['suspect']);
    assert.deepEqual(new Set(fenced), new Set(['enabled']), 'it is fenced by nobody');
    assert.deepEqual(await states(others), ['up', 'up']);
    for (const house of others) {
      const { result } = await house.during(house.call(ASK), 3_000);
      assert.deepEqual(result, { by: 'a' });
    }
    owner.way.clear();
    await at.beating(90_000);
    assert.equal((await shown(owner)).observed, 'up');
  }
});

test('while another gateway reaches it, the one that does not looks at its usual pace', async () => {
  await using at = await threeGateways();
  const { owner } = await ownerOf(at);
  let looks = 0;
  owner.way.set(URL_OF_A, () => {
    looks += 1;
    return silence();
  });
  await at.beating(20_000);
  looks = 0;

  await at.beating(60_000);

  assert.ok(looks >= 6 && looks <= 10, `${looks}`);
});

test('what nobody reaches is unreachable at all of them, about a second after the first loss', async () => {
  await using at = await threeGateways();
  const { owner } = await ownerOf(at);
  at.network.at(URL_OF_A, undefined);
  while ((await shown(owner)).observed === 'up') await at.clock.advance(50);
  const since = at.clock.monotonic();

  while ((await states(at.houses)).some((state) => state !== 'unreachable')) {
    await at.clock.advance(50);
    assert.ok(at.clock.monotonic() - since < 1_300, (await states(at.houses)).join());
  }
});

test('before others have looked nothing is concluded; if they say nothing, in time all the same', async () => {
  await using at = await threeGateways();
  const { owner, others } = await ownerOf(at);
  at.network.at(URL_OF_A, undefined);
  for (const house of others) house.way.set(URL_OF_A, silence);
  while ((await shown(owner)).observed === 'up') await at.clock.advance(50);
  const since = at.clock.monotonic();

  while ((await shown(owner)).observed !== 'unreachable') await at.clock.advance(50);

  const ms = at.clock.monotonic() - since;
  assert.ok(ms >= 2_000 && ms <= 3_500, `${ms} ms`);
});

test('what hangs for all of them is fenced once, for all of them', async () => {
  await using at = await threeGateways();
  await register(at.houses[0] ?? assert.fail(), 'b');
  await at.beating(5_000);
  at.network.at(URL_OF_A, silence);

  for (
    let n = 0;
    n < 30 && (await shown(at.houses[0] ?? assert.fail())).intent === 'enabled';
    n++
  ) {
    await at.beating(1_000);
  }
  await at.beating(1_000);

  const views = await Promise.all(at.houses.map(shown));
  assert.deepEqual(
    views.map(({ intent }) => intent),
    ['fenced', 'fenced', 'fenced'],
  );
  assert.equal(new Set(views.map(({ fence }) => fence?.epoch)).size, 1);
  at.network.at(URL_OF_A, () => json(200, { agent_id: 'a' }));
  for (let n = 0; n < 60 && (await shown(at.houses[2] ?? assert.fail())).intent === 'fenced'; n++) {
    await at.beating(1_000);
  }
  await at.beating(1_000);
  assert.deepEqual(
    (await Promise.all(at.houses.map(shown))).map(({ intent }) => intent),
    ['enabled', 'enabled', 'enabled'],
  );
});

test('a call that got through another gateway speaks against a fence here', async () => {
  await using at = await threeGateways();
  const { owner, others } = await ownerOf(at);
  // Its health hangs, and its work does not.
  at.network.at(URL_OF_A, ({ method }) => (method === 'GET' ? silence() : json(200, {})));

  for (let n = 0; n < 12; n++) {
    const [other = assert.fail()] = others;
    await other.during(other.call(ASK), 1_000);
    await at.beating(2_500);
    assert.equal((await shown(owner)).intent, 'enabled');
  }

  assert.equal((await shown(owner)).observed, 'degraded');
  assert.match((await shown(owner)).observed_cause, /a call got through/);
});

test('a fence that was not heard of is found by reading', async () => {
  await using at = await threeGateways();
  await at.beating(5_000);
  const [, , deaf = assert.fail()] = at.houses;
  at.bus.cut(deaf.line);
  await at.beating(5_000);
  at.network.at(URL_OF_A, silence);

  // The deaf one may be the first to see it: then the others read of it.
  const look = () => Promise.all(at.houses.map(shown));
  let views = await look();
  for (let n = 0; n < 40 && views.some(({ intent }) => intent === 'enabled'); n++) {
    await at.beating(1_000);
    views = await look();
  }

  assert.ok(views.every(({ intent }) => intent === 'fenced'));
  assert.equal(new Set(views.map(({ fence }) => fence?.epoch)).size, 1, 'one fence for all');
});
