import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability, FindStrategy, PinsPolicy } from '@agent-reach/core';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Scores } from '../registry/scores.ts';
import { addAgent, definition, emptyDirectory } from '../registry/testing/builders.ts';
import { boardOn } from '../resilience/testing/board.ts';
import { decide } from './decide.ts';
import type { Selector } from './decision.ts';
import { findable } from './findable.ts';
import { SHOP } from './meaning/testing/shop.ts';
import { meaningView } from './meant.ts';
import { ROUTING_OPTIONS } from './options.ts';
import { openRouting, type RoutingPorts } from './ports.ts';
import { anybody, chosen, selector } from './testing/selector.ts';

const NAME = 'weather.forecast';
const ZONE = { zone: 'eu' };

/** The shop; its forecast has tags, an alias, an example, and what a test says. */
function shop(said: Partial<Capability> = {}, pins: PinsPolicy = {}): RoutingPorts {
  const directory = emptyDirectory();
  const clock = new ManualClock();
  const board = boardOn(clock);
  const ports = openRouting({
    directory,
    board,
    scores: new Scores(clock, board),
    random: seededRandom(1),
    options: defaultsOf(ROUTING_OPTIONS),
  });
  const about = { tags: ZONE, aliases: ['get_weather'], examples: ['带伞吗'], ...said };
  for (const one of SHOP) {
    const offer = one.name === NAME ? { ...one, ...about } : one;
    addAgent(directory, definition(one.name, [offer]), [one.name]);
  }
  ports.pins.take('internal', 7, pins);
  return ports;
}

const asked = (ports: RoutingPorts, over: Partial<Selector>) => {
  const bare = { capability: undefined, params: { city: 'Berlin' } };
  return decide(selector({ ...bare, ...over }), anybody, ports);
};
const isFound = (ports: RoutingPorts, over: Partial<Selector>) => {
  const decision = asked(ports, over);
  return decision.outcome === 'route' && decision.instance.row.instanceId === NAME;
};
/** By its name, its titles, its meaning and example, and tags alone. */
const waysOf = (ports: RoutingPorts) => ({
  name: isFound(ports, { capability: NAME }),
  titles: [NAME, '天气预报', 'Get Weather'].map((intent) => isFound(ports, { intent })).join(),
  meaning: ['weather forecast for Berlin', '带伞吗']
    .map((i) => isFound(ports, { intent: i }))
    .join(),
  tags: isFound(ports, { tags: ZONE }),
});
const all = { name: true, titles: 'true,true,true', meaning: 'true,true', tags: true };
const never = { meaning: 'false,false' };

const WAYS: Record<FindStrategy, object> = {
  auto: all,
  exact: { ...all, ...never, tags: false },
  tags: { ...all, ...never },
  semantic: { ...all, tags: false },
};

for (const [strategy, ways] of Object.entries(WAYS) as [FindStrategy, object][]) {
  test(`${strategy} says by what it is found, in a manifest or an operator’s word`, () => {
    assert.deepEqual(waysOf(shop({ strategy })), ways);
    assert.deepEqual(waysOf(shop({}, { capabilities: { [NAME]: { strategy } } })), ways);
  });
}

test('an operator’s word comes before the manifest’s, and one without a strategy is as strict as ever', () => {
  const said = (pin: object) =>
    waysOf(shop({ strategy: 'exact' }, { capabilities: { [NAME]: pin } }));

  assert.deepEqual(said({ strategy: 'auto' }), all);
  assert.deepEqual(said({ strategy: 'tags' }), WAYS.tags);
  const pinned = { name: true, titles: 'false,false,false', meaning: 'false,false', tags: false };
  assert.deepEqual(said({}), pinned);
  assert.deepEqual(said({ agents: [NAME] }), pinned);
});

test('what is sensitive is reached by its name, whatever anybody says', () => {
  const strict = { name: true, titles: 'false,false,false', meaning: 'false,false', tags: false };

  for (const strategy of ['auto', 'semantic'] as const) {
    const loosened = { capabilities: { [NAME]: { strategy } } };
    assert.deepEqual(waysOf(shop({ sensitive: true, strategy }, loosened)), strict);
  }
});

test('a pin with a strategy holds to its agents all the same', () => {
  const pins: PinsPolicy = { capabilities: { [NAME]: { agents: ['own'], strategy: 'auto' } } };

  assert.notEqual(asked(shop({}, pins), { intent: '天气预报' }).outcome, 'route');
  assert.equal(asked(shop({}, pins), { capability: NAME }).outcome, 'none');
});

for (const [by, said, pins, words] of [
  ['sensitive', { sensitive: true }, {}, 'is sensitive'],
  ['pin', {}, { capabilities: { [NAME]: {} } }, 'is pinned (the policy pins, version 7)'],
  [
    'operator',
    { strategy: 'tags' },
    { capabilities: { [NAME]: { strategy: 'exact' } } },
    'has strategy: exact in the policy pins, version 7',
  ],
  [
    'manifest',
    { strategy: 'exact' },
    {},
    'has strategy: exact in the manifest of weather.forecast',
  ],
] as const) {
  test(`what keeps it from being found is told: ${by}`, () => {
    const ports = shop(said, pins);

    const meant = asked(ports, { intent: 'weather forecast for Berlin' });
    assert.ok(meant.outcome === 'none' && meant.reading !== undefined);
    assert.equal(meant.facts['reason'], 'NAMED_ONLY');
    assert.ok(meant.detail.endsWith(` It is ${NAME}, which ${words}.`), meant.detail);
    const view = meaningView(meant.reading, false);
    assert.deepEqual([view.named_only, view.named_only_by], [NAME, by]);

    const tagged = asked(ports, { tags: ZONE });
    assert.ok(tagged.outcome === 'none');
    assert.equal(tagged.detail, `No capability is found by these tags alone: ${NAME} ${words}.`);
    const own = tagged.weighed.find(({ provider }) => provider.capability.name === NAME);
    assert.equal(own?.out, `it ${words}: tags alone do not find it`);
    const other = tagged.weighed.find(({ provider }) => provider.capability.name !== NAME);
    assert.match(other?.out ?? '', /^lacks tag/);
  });
}

test('tags leave to the intent what is found by meaning and not by them', () => {
  const ports = shop({ strategy: 'semantic' });
  const other = { ...SHOP[1], name: 'parcel.eu', display_name: '欧洲包裹', tags: ZONE };
  const intent = 'weather forecast for Berlin';

  assert.equal(chosen(asked(ports, { intent, tags: ZONE })), NAME);
  addAgent(ports.directory, definition('eu', [other as Capability]), ['eu-1']);
  assert.equal(chosen(asked(ports, { tags: ZONE, params: { tracking_no: '1' } })), 'eu-1');
  assert.equal(chosen(asked(ports, { intent, tags: ZONE })), NAME);
  // Tags alone were asked for, and so they decide.
  assert.equal(asked(ports, { intent, tags: ZONE, strategy: 'tags' }).outcome, 'none');
});

test('where agents differ it is found by what all of them allow, and each word is told', () => {
  const ports = shop({ strategy: 'semantic' });
  const offer = (strategy: FindStrategy) => ({ ...(SHOP[3] as Capability), strategy });
  const found = () => findable('internal', NAME, ports);

  addAgent(ports.directory, definition('b', [offer('auto')]), ['b1']);
  assert.deepEqual([found().byMeaning, found().byTags], [true, false]);
  addAgent(ports.directory, definition('c', [offer('tags')]), ['c1']);
  addAgent(ports.directory, definition('d', [offer('exact')]), ['d1']);
  const { byMeaning, byTags, byTitle, restraint } = found();
  assert.deepEqual([byMeaning, byTags, byTitle], [false, false, true]);
  assert.equal(
    restraint?.said,
    'has strategy: semantic in the manifest of weather.forecast and has strategy: tags in the manifest of c',
  );
});

test('an agent whom nobody let offer the name hides it from nobody', () => {
  const ports = shop();
  addAgent(
    ports.directory,
    definition('thief', [{ ...(SHOP[3] as Capability), strategy: 'exact' }]),
    ['t1'],
  );

  assert.equal(findable('internal', NAME, ports).byMeaning, false);
  ports.mayOffer = ({ agentId }) => agentId !== 'thief';
  assert.equal(findable('internal', NAME, ports).byMeaning, true);
});

test('a name that nobody offers is found by nothing that restrains it', () => {
  assert.equal(findable('internal', 'nobody.has', shop()).restraint, undefined);
});
