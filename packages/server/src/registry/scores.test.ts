import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentView, InstanceView, RouteAnswer } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';
import { boardOn } from '../resilience/testing/board.ts';
import type { Instance } from './directory.ts';
import { noteProbe, shift } from './observe.ts';
import { tierOf } from './routable.ts';
import { Scores } from './scores.ts';
import { addAgent, definition, emptyDirectory, instanceRow } from './testing/builders.ts';

const LOOK = { name: 'look_up', effect: 'read' };
const ASK = { capability: 'look_up' };

function watched(rows = [instanceRow('a', 'a-1')]) {
  const clock = new ManualClock();
  const board = boardOn(clock);
  const scores = new Scores(clock, board);
  const directory = emptyDirectory();
  const ports = { directory, clock, scores, log: silentLog, arrived: () => {} };
  const [instance] = addAgent(directory, definition('a'), rows);
  assert.ok(instance !== undefined);
  const probe = async (rttMs: number | undefined) => {
    await clock.advance(5_000);
    noteProbe(
      instance,
      rttMs === undefined ? { passed: false, detail: 'lost' } : { passed: true, rttMs },
      ports,
    );
  };
  return { clock, board, scores, ports, instance, probe };
}

async function shown(house: TestHouse, agent = 'a'): Promise<InstanceView> {
  const view = await house.ask<AgentView>('GET', `/v1/agents/${agent}`);
  const [first] = view.instances;
  assert.ok(first !== undefined);
  return first;
}

test('a score is used for a quarter of a second, and made anew when something was heard', async () => {
  const { clock, board, scores, instance, probe } = watched();
  const first = scores.of(instance);
  board.begin(instance.key);
  await clock.advance(249);
  assert.equal(scores.of(instance), first);
  await clock.advance(1);
  const second = scores.of(instance);
  assert.ok(second.score < first.score);

  instance.row = { ...instance.row, intent: 'disabled' };
  assert.equal(scores.of(instance).score, 0, 'at once');
  instance.row = { ...instance.row, intent: 'enabled' };
  await probe(undefined);
  assert.equal(scores.of(instance).gate, 2 / 3);
});

test('one that becomes ten times as slow is degraded, told why, and well again after two good looks', async () => {
  const { scores, instance, probe } = watched();
  for (let i = 0; i < 10; i++) await probe(20);
  assert.deepEqual([instance.observed, tierOf(instance, scores)], ['up', 0]);

  for (let i = 0; i < 3; i++) await probe(1_900);
  assert.deepEqual([instance.observed, instance.cause], ['degraded', 'score-low']);
  assert.equal(tierOf(instance, scores), 1);
  let looks = 0;
  while (instance.observed === 'degraded') {
    await probe(20);
    looks += 1;
    assert.ok(looks < 40);
  }
  assert.ok(looks > 2, `${looks}`);
  assert.deepEqual([instance.observed, instance.cause], ['up', 'score-recovered']);
});

test('one that is full is taken when nobody else is left, and is not called degraded', async () => {
  const { board, scores, instance, probe } = watched();
  await probe(20);
  const ends = Array.from({ length: 110 }, () => board.begin(instance.key));
  await probe(20);
  assert.deepEqual([instance.observed, tierOf(instance, scores)], ['up', 1]);

  for (const end of ends) end(true);
  await probe(20);

  assert.equal(tierOf(instance, scores), 0);
});

test('who is suspected, or fenced off by the gateway itself, comes last; taken out by a person never', () => {
  const { scores, instance } = watched();
  const tierAs = (over: Partial<Instance['row']>, observed: Instance['observed'] = 'up') => {
    return tierOf({ ...instance, observed, row: { ...instance.row, ...over } }, scores);
  };
  assert.equal(tierAs({}, 'suspect'), 2);
  assert.equal(tierAs({ intent: 'draining' }), undefined);
  assert.equal(tierAs({ intent: 'disabled' }), undefined);
  const who = { agent: 'a', instance: 'a-1', addr: 1, epoch: 1 };
  instance.fence = { ...who, from: 0, until: 30_000, reason: 'lost' };
  assert.equal(tierAs({}), 2);
  assert.equal(scores.of(instance).score, 0);
  assert.equal(tierAs({}, 'unreachable'), undefined);
  assert.equal(tierAs({ intent: 'draining' }), undefined, 'a fence gives nothing back');
  assert.equal(tierAs({ intent: 'disabled' }), undefined);
});

test('who comes back starts with a tenth and has it all after half a minute; one lost probe is no return', async () => {
  const { clock, scores, ports, instance, probe } = watched();
  await probe(20);
  await probe(undefined);
  await probe(20);
  assert.equal(scores.slowStart(instance), 1);

  shift(instance, 'probe-failed-thrice', ports);
  assert.equal(instance.observed, 'unreachable');
  await probe(20);
  assert.equal(scores.slowStart(instance), 0.1);
  await clock.advance(15_000);
  assert.equal(scores.slowStart(instance), 0.5);
  await clock.advance(15_000);
  assert.equal(scores.slowStart(instance), 1);
});

test('an agent shows the score of each instance with the formula that it comes from', async () => {
  await using house = await openHouse();
  await house.agent('a', LOOK, () => json(200, {}));

  const { reachability } = await shown(house);

  assert.deepEqual(reachability, {
    score: 1,
    base: 1,
    weights: { health: 0.4, saturation: 0.3, rtt: 0.2, errors: 0.1 },
    parts: { health: 1, saturation: 0, rtt: 0, errors: 0 },
    gate: 1,
    caps: [],
    stale: false,
  });
});

test('probes, calls under way, failed calls and what it says of its queue all come into the score', async () => {
  await using house = await openHouse({ 'breaker.failures': 1_000, 'breaker.samples': 1_000 });
  let answer: () => ReturnType<typeof json> = () => json(500, {});
  await house.agent('a', LOOK, () => answer());
  for (let i = 0; i < 5; i++) await house.during(house.call(ASK), 5_000).catch(() => undefined);
  await house.clock.advance(300);
  const failed = (await shown(house)).reachability.parts.errors;
  assert.ok(failed >= 0.25 && failed <= 0.5, `${failed}`);

  await house.ask('POST', '/v1/agents/a/heartbeat', { pending: 55 });
  assert.equal((await shown(house)).reachability.parts.saturation, 0.5);
  await house.ask('POST', '/v1/agents/a/heartbeat', { pending: 0 });
  answer = () => json(503, {}, { 'retry-after': '20' });
  await house.during(house.call(ASK), 5_000).catch(() => undefined);
  await house.clock.advance(300);
  const full = (await shown(house)).reachability;
  assert.deepEqual([full.parts.saturation, full.score], [1, 0.49]);
  assert.match(full.caps.map(({ reason }) => reason).join(), /it is full/);
  await house.clock.advance(20_000);
  assert.equal((await shown(house)).reachability.parts.saturation, 0);

  house.network.at('http://a', undefined);
  await house.clock.advance(20_000);
  const { score, gate } = (await shown(house)).reachability;
  assert.deepEqual([score, gate], [0, 0]);
});

test('a decision explains the score and the weight of each candidate, when it is asked to', async () => {
  await using house = await openHouse();
  await house.agent('a', LOOK, () => json(200, {}));
  await house.agent('b', LOOK, () => json(200, {}));
  await house.ask('POST', '/v1/agents/b/heartbeat', { pending: 110 });

  const bare = await house.ask<RouteAnswer>('POST', '/v1/routes', ASK);
  const told = await house.ask<RouteAnswer>('POST', '/v1/routes', { ...ASK, explain: true });

  assert.equal(bare.candidates, undefined);
  assert.deepEqual(
    told.candidates?.map(({ agent, reachability, parts }) => [
      agent,
      reachability?.score,
      reachability?.parts.saturation,
      parts?.reachability,
    ]),
    [
      ['a', 1, 0, 1],
      ['b', 0.49, 1, 0.24],
    ],
  );
  assert.equal(told.target_agent, 'a');
  assert.equal(told.candidates?.[1]?.reason, 'others are better: score 0.49: it is full');
});

test('what an operator wants of an instance is no illness of it: it is measured as before', async () => {
  const { scores, instance, probe } = watched();
  await probe(20);
  instance.row = { ...instance.row, intent: 'disabled' };

  for (let n = 0; n < 5; n++) await probe(20);

  assert.equal(scores.of(instance).score, 0);
  assert.equal(instance.observed, 'up');
});
