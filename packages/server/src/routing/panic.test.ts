import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, RouteAnswer } from '@agent-reach/core';
import type { Instance } from '../registry/directory.ts';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { put } from '../main/testing/weights.ts';
import {
  addAgent,
  capability,
  definition,
  emptyDirectory,
  instanceRow,
} from '../registry/testing/builders.ts';
import { panicOf } from './panic.ts';
import { WeightBook } from './weight-book.ts';

/** How many of instances in these states can be reached, where that is an emergency. */
function muster(states: readonly Partial<Instance>[], panic: number | 'off' = 0.3) {
  const directory = emptyDirectory();
  const rows = states.map((state, i) => instanceRow('a', `i-${i}`, state.row));
  const instances = addAgent(directory, definition('a', [capability()]), rows);
  for (const [i, instance] of instances.entries()) {
    const { observed } = states[i] ?? {};
    if (observed !== undefined) instance.observed = observed;
  }
  const fitting = directory
    .offers('internal', 'look_up')
    .map((provider) => ({ provider, out: undefined, members: instances, instances: [] }));
  return panicOf(fitting, { options: { panic } as never, weights: new WeightBook() });
}

const up = { observed: 'up' } as const;
const down = { observed: 'unreachable' } as const;

test('fewer than three tenths of at least three are an emergency', () => {
  assert.deepEqual(muster([up, down, down, down]), { there: 1, all: 4 });
  assert.equal(muster([up, down, down]), undefined, 'a third is enough');
  assert.deepEqual(muster([down, down, down]), { there: 0, all: 3 });
  assert.equal(muster([down, down]), undefined, 'two are no fleet');
  assert.equal(muster([up, down, down, down], 'off'), undefined);
  assert.equal(muster([up, down, down, down], 0.25), undefined, 'not below it');
});

test('who is degraded is there, who is suspected is not', () => {
  assert.equal(muster([{ observed: 'degraded' }, down, down]), undefined);
  assert.deepEqual(muster([{ observed: 'suspect' }, down, down]), { there: 0, all: 3 });
});

test('who was taken out, was never reached or has gone is not missed', () => {
  const out = (intent: 'draining' | 'disabled') =>
    ({ observed: 'unreachable', row: { intent } }) as Partial<Instance>;
  const rest = [
    out('draining'),
    out('disabled'),
    { observed: 'new' },
    { observed: 'gone' },
  ] as const;
  assert.equal(muster([up, ...rest]), undefined);
  assert.deepEqual(muster([down, down, down, ...rest]), { there: 0, all: 3 });
});

test('who does not match what is asked for is neither missed nor counted', async () => {
  await using house = await fleet('read', ['b', 'c', 'd', 'e']);
  const answer = await house.call({ capability: 'look_up', agent: 'a' });
  assert.equal(answer.panic, undefined);
});

/** Five agents that offer a capability; those of these names lose their probes from now on. */
async function fleet(effect: string | undefined, lost: readonly string[], flags = {}) {
  const house = await openHouse({ 'probe.interval': '5s', 'probe.edge': '30s', ...flags });
  const offer = {
    name: 'look_up',
    ...(effect === undefined ? {} : { effect }),
    ...(effect === 'write' ? { idempotency: 'gateway', sensitive: false } : {}),
  };
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names) await house.agent(name, offer, () => json(200, {}));
  await house.clock.advance(31_000);
  for (const name of lost) {
    house.network.at(`http://${name}`, (request) =>
      request.method === 'GET' ? json(500, {}) : json(200, {}),
    );
  }
  // One lost probe each: the next comes after `probe.edge`.
  await house.clock.advance(6_000);
  return house;
}

async function targets(house: TestHouse, times: number): Promise<string[]> {
  const seen = new Set<string>();
  for (let i = 0; i < times; i++) {
    const body = { capability: 'look_up', request_id: `r-${i}` };
    seen.add((await house.call(body)).provider.agent);
  }
  return [...seen].sort();
}

test('with most of them in doubt reads are spread over all, and the answer says so', async () => {
  await using house = await fleet('read', ['b', 'c', 'd', 'e']);

  const response = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    payload: { capability: 'look_up' },
  });

  assert.equal(response.headers['reach-degraded'], 'panic');
  const answer = response.json().data as Answer;
  assert.deepEqual([answer.status, answer.panic], ['ok', true]);
  assert.match(answer.warnings.join(), /Only 1 of 5 instances can be reached for sure/);
  assert.deepEqual(await targets(house, 200), ['a', 'b', 'c', 'd', 'e']);
  const route = await house.ask<RouteAnswer>('POST', '/v1/routes', { capability: 'look_up' });
  assert.equal(route.panic, true);
});

test('two of five are enough: those in doubt get nothing, and nothing is said', async () => {
  await using house = await fleet('read', ['c', 'd', 'e']);

  const answer = await house.call({ capability: 'look_up' });

  assert.deepEqual([answer.panic, answer.warnings], [undefined, []]);
  assert.deepEqual(await targets(house, 100), ['a', 'b']);
});

for (const effect of ['write', undefined]) {
  test(`with most of them in doubt what is ${effect ?? 'undeclared'} is refused, and is not without the rule`, async () => {
    await using house = await fleet(effect, ['b', 'c', 'd', 'e']);
    await assert.rejects(
      house.call({ capability: 'look_up', request_id: 'r' }),
      failsWith('no-reachable-agent', (error) => {
        assert.match(error.message, /Only 1 of 5 instances/);
        assert.equal(error.executed, 'no');
      }),
    );
    assert.equal(house.network.calls.length, 0);

    await using calm = await fleet(effect, ['b', 'c', 'd', 'e'], { 'routing.panic': 'off' });
    const answer = await calm.call({ capability: 'look_up', request_id: 'r' });
    assert.deepEqual([answer.provider.agent, answer.panic], ['a', undefined]);
  });
}

test('who is weighted to 0, draining or disabled is not used in an emergency either', async () => {
  await using house = await fleet('read', ['a', 'b', 'c', 'd', 'e']);
  await put(house, { agents: { a: { weight: 0 } } });
  await house.ask('POST', '/v1/agents/b/drain');
  assert.deepEqual(await targets(house, 100), ['c', 'd', 'e']);
});

test('one that has just come back gets a tenth of its share, unless all have', async () => {
  await using house = await openHouse();
  await house.agent('old', { name: 'look_up', effect: 'read' }, () => json(200, {}));
  await house.clock.advance(40_000);
  await house.ask('POST', '/v1/agents/old/heartbeat', {});
  await house.agent('young', { name: 'look_up', effect: 'read' }, () => json(200, {}));
  const share = async () => {
    let young = 0;
    for (let i = 0; i < 600; i++) {
      const { target_agent: agent } = await house.ask<RouteAnswer>('POST', '/v1/routes', {
        capability: 'look_up',
      });
      if (agent === 'young') young += 1;
    }
    return young / 600;
  };

  const first = await share();
  assert.ok(first > 0.04 && first < 0.15, `${first}: a tenth over one and a tenth`);
  await house.clock.advance(30_000);
  const later = await share();
  assert.ok(later > 0.4 && later < 0.6, `${later}`);

  await using fresh = await fleetOfTwo();
  const told = await fresh.ask<RouteAnswer>('POST', '/v1/routes', {
    capability: 'look_up',
    explain: true,
  });
  assert.deepEqual(
    told.candidates?.map(({ parts }) => parts?.slow_start),
    [1, 1],
  );
});

async function fleetOfTwo(): Promise<TestHouse> {
  const house = await openHouse();
  for (const name of ['a', 'b']) {
    await house.agent(name, { name: 'look_up', effect: 'read' }, () => json(200, {}));
  }
  return house;
}
