import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability } from '@agent-reach/core';
import {
  addAgent,
  capability,
  definition,
  emptyDirectory,
  instanceRow,
} from '../registry/testing/builders.ts';
import { decide, decisionError, mightWrite } from './decide.ts';
import { SHOP } from './meaning/testing/shop.ts';
import type { RoutingPorts } from './ports.ts';
import { anybody, chosen, selector } from './testing/selector.ts';
import { ended, meant, shop } from './testing/shop.ts';

const WEATHER = 'weather forecast for Berlin';

test('an intent that is sure enough is routed, with the probability as its score', () => {
  const { ports } = shop();

  const decision = ended(
    decide(meant(WEATHER, { params: { city: 'Berlin' } }), anybody, ports),
    'route',
  );

  assert.equal(decision.provider.capability.name, 'weather.forecast');
  assert.equal(decision.strategy, 'semantic_match');
  assert.equal(decision.score, decision.reading?.right);
  assert.ok(decision.score > 0.9 && decision.score < 1);
});

test('an intent that is a name is as good as the name', () => {
  const { ports } = shop();
  const params = { city: 'Berlin' };

  for (const intent of ['天气预报', 'weather forecast']) {
    const decision = ended(decide(meant(intent, { params }), anybody, ports), 'route');
    assert.deepEqual([decision.strategy, decision.score], ['exact_match', 1], intent);
  }
});

test('a name that exists decides, whatever the intent says', () => {
  const { ports } = shop();
  const wanted = meant(WEATHER, { capability: 'parcel.track', params: { tracking_no: '1' } });

  const decision = ended(decide(wanted, anybody, ports), 'route');

  assert.equal(decision.provider.capability.name, 'parcel.track');
  assert.equal(decision.reading, undefined);
});

test('a name that exists and is not there for this caller is not read as something else', () => {
  const { ports } = shop();
  const wanted = meant(WEATHER, { capability: 'parcel.track' });
  const permits = (offer: { capability: string }) => offer.capability !== 'parcel.track';

  const decision = ended(decide(wanted, { ...anybody, permits }, ports), 'none');

  assert.equal(decision.code, 'permission-denied');
});

test('a name that does not exist gives way to the intent', () => {
  const { ports } = shop();
  const wanted = meant(WEATHER, { capability: 'get_weather', params: { city: 'Berlin' } });

  assert.equal(chosen(decide(wanted, anybody, ports)), 'weather.forecast');
});

test('a name alone is never taken for another, however alike', () => {
  const { ports } = shop();

  for (const name of ['weather.forecasts', 'Weather.Forecast', 'forecast', 'weather-forecast']) {
    const decision = ended(decide(selector({ capability: name }), anybody, ports), 'none');
    assert.equal(decision.code, 'capability-not-found', name);
    assert.deepEqual(decision.facts['did_you_mean'], ['weather.forecast'], name);
    assert.match(decision.detail, /Did you mean weather\.forecast\?/);
  }
});

test('names that are suggested are those that the asker may have, three at most, and no far ones', () => {
  const { ports, directory } = shop();
  const suggested = (name: string, over = {}) =>
    ended(decide(selector({ capability: name }), { ...anybody, ...over }, ports), 'none').facts[
      'did_you_mean'
    ];

  assert.equal(suggested('translate'), undefined);
  const permits = (offer: { capability: string }) => offer.capability !== 'weather.forecast';
  assert.equal(suggested('weather.forecasts', { permits }), undefined);
  for (const end of ['a', 'b', 'c', 'd']) {
    const near = capability({ name: `crm.contact.${end}`, effect: 'read' });
    addAgent(directory, definition(`crm-${end}`, [near]), [end]);
  }
  assert.deepEqual(suggested('crm.contact.x'), ['crm.contact.a', 'crm.contact.b', 'crm.contact.c']);
});

test('where an agent is named its own names alone are suggested', () => {
  const { ports } = shop();
  const misnamed = selector({ capability: 'weather.forecasts', agent: 'parcel.track' });
  assert.equal(ended(decide(misnamed, anybody, ports), 'none').facts['did_you_mean'], undefined);
  const named = selector({ capability: 'weather.forecasts', agent: 'weather.forecast' });
  assert.deepEqual(ended(decide(named, anybody, ports), 'none').facts['did_you_mean'], [
    'weather.forecast',
  ]);
});

test('an offer is weighed only where the agent that is named and the grants leave it', () => {
  const { ports } = shop();
  const weighed = new Set<string>();
  ports.pins.ofCapability = (_, name) => {
    weighed.add(name);
    return undefined;
  };
  const permits = (offer: { capability: string }) => offer.capability === 'order.status';

  decide(meant(WEATHER), { ...anybody, permits }, ports);
  assert.deepEqual(
    [...weighed].filter((name) => name !== 'order.status'),
    [],
  );
  weighed.clear();
  const params = { city: 'Berlin' };
  const own = meant(WEATHER, { agent: 'weather.forecast', params });
  assert.equal(chosen(decide(own, anybody, ports)), 'weather.forecast');
  assert.deepEqual([...weighed], ['weather.forecast']);
});

test('a near tie is asked about: no call guesses', () => {
  const { ports } = shop();

  const decision = ended(decide(meant('订单'), anybody, ports), 'ask');
  const error = decisionError(decision, 'rte_1');

  assert.equal(error.code, 'ambiguous-match');
  assert.equal(error.facts['route_id'], 'rte_1');
  const names = (error.facts.candidates ?? []).map(
    (one) => (one as { capability: string }).capability,
  );
  assert.deepEqual(names.sort(), ['invoice.issue', 'order.status']);
});

test('what means nothing here is told why', () => {
  const { ports } = shop();
  const told = (intent: string) => {
    const { code, detail, facts } = ended(decide(meant(intent), anybody, ports), 'none');
    return { code, detail, reason: facts['reason'] };
  };

  assert.equal(told('写一首诗').reason, 'NO_CANDIDATE');
  assert.equal(told('😀').reason, 'NO_WORDS');
  assert.equal(told('写一首诗').code, 'capability-not-found');
  assert.match(told('注销账户').detail, /called by its name/);
  assert.equal(told('注销账户').reason, 'NAMED_ONLY');
});

test('what nobody may have is not found by its meaning, and takes nobody’s place', () => {
  const { ports } = shop();
  const permits = (offer: { capability: string }) => offer.capability !== 'weather.forecast';

  const decision = decide(meant(WEATHER), { ...anybody, permits }, ports);

  assert.notEqual(decision.outcome, 'route');
  const offered = decision.outcome === 'ask' ? decision.capabilities : [];
  assert.ok(!offered.includes('weather.forecast'));
});

test('tags that are asked for hold for what is meant', () => {
  const { ports, directory } = shop();
  const params = { city: 'Berlin' };
  const eu = { ...capability(SHOP[3]), tags: { zone: 'eu' } };
  const other = { ...capability(SHOP[0]), tags: { zone: 'eu' } };
  addAgent(directory, definition('eu-weather', [eu, other]), ['eu-1']);

  const wanted = meant(WEATHER, { params, tags: { zone: 'eu' } });

  assert.equal(chosen(decide(wanted, anybody, ports)), 'eu-1');
  const nowhere = meant(WEATHER, { params, tags: { zone: 'mars' } });
  assert.equal(decide(nowhere, anybody, ports).outcome, 'none');
});

test('a tag may be given up for an intent as for a name, and is told', () => {
  const { ports, directory } = shop([]);
  const row = definition('weather', [capability(SHOP[3])]);
  addAgent(directory, row, [instanceRow('weather', 'west', { tags: { region: 'west' } })]);
  const over = { capability: 'nothing', params: { city: 'x' }, tags: { region: 'east' } };

  const decision = ended(decide(meant('天气预报', over), anybody, ports), 'route');
  assert.match(decision.warnings.join(), /region/);

  const strict = decide(meant('天气预报', { ...over, strictTags: true }), anybody, ports);
  assert.equal(strict.outcome, 'none');
});

test('a clear winner that is away is not given up for one that is there', () => {
  const { ports, directory } = shop(SHOP.filter(({ name }) => name !== 'weather.forecast'));
  addAgent(directory, definition('weather', [capability(SHOP[3])]), [
    instanceRow('weather', 'w1', { intent: 'disabled' }),
  ]);

  const decision = decide(meant(WEATHER, { params: { city: 'x' } }), anybody, ports);

  assert.equal(ended(decision, 'none').code, 'no-reachable-agent');
});

test('of two that say the same the one that can be reached is taken, then by priority, then by load', () => {
  const weather = capability(SHOP[3]);
  const twin = { ...weather, name: 'meteo.forecast' };
  const params = { city: 'x' };
  const wanted = meant('the weather forecast of a city', { params });
  const with2 = (over: Partial<Capability>, intent: 'enabled' | 'disabled' = 'enabled') => {
    const made = shop(SHOP.slice(0, 3));
    addAgent(made.directory, definition('first', [weather]), [
      instanceRow('first', 'w1', { intent }),
    ]);
    const [second] = addAgent(made.directory, definition('second', [{ ...twin, ...over }]), ['m1']);
    return { ...made, second };
  };

  assert.equal(chosen(decide(wanted, anybody, with2({}).ports)), 'w1');
  assert.equal(chosen(decide(wanted, anybody, with2({}, 'disabled').ports)), 'm1');
  assert.equal(chosen(decide(wanted, anybody, with2({ priority: 60 }).ports)), 'm1');
});

test('parameters that do not fit are refused by name of what was meant; who only asks is told what is missing', () => {
  const { ports } = shop();

  const call = ended(decide(meant(WEATHER), anybody, ports), 'none');
  assert.equal(call.code, 'validation-failed');
  assert.equal(call.facts.errors?.[0]?.pointer, '#/params/city');

  const asked = ended(decide(meant(WEATHER), { ...anybody, paramsLater: true }, ports), 'route');
  assert.deepEqual(asked.reading?.ranking.candidates[0]?.missing, ['city']);
});

test('what is registered is meant at once, and what has left is meant no more', () => {
  const { ports, directory } = shop([]);
  const wanted = meant('天气预报', { params: { city: 'x' } });
  assert.equal(decide(wanted, anybody, ports).outcome, 'none');

  addAgent(directory, definition('weather', [capability(SHOP[3])]), ['w1']);
  assert.equal(chosen(decide(wanted, anybody, ports)), 'w1');

  const tides = { name: 'tides', display_name: '潮汐', description: '查询潮汐' };
  const changed = { ...capability(SHOP[3]), ...tides };
  addAgent(directory, definition('weather', [changed]), ['w1']);
  assert.notEqual(decide(wanted, anybody, ports).outcome, 'route');
  assert.equal(chosen(decide(meant('潮汐', { params: { city: 'x' } }), anybody, ports)), 'w1');

  directory.remove('internal', 'weather');
  assert.equal(decide(meant('潮汐'), anybody, ports).outcome, 'none');
});

test('whoever registers anew with other tags is found by those, and by the old ones no more', () => {
  const { ports, directory } = shop([]);
  const tagged = (zone: string) => ({ ...capability(SHOP[3]), tags: { zone } });
  const wanted = (zone: string) => meant('天气预报', { params: { city: 'x' }, tags: { zone } });
  addAgent(directory, definition('weather', [tagged('eu')]), ['w1']);
  assert.equal(chosen(decide(wanted('eu'), anybody, ports)), 'w1');

  addAgent(directory, definition('weather', [tagged('us')]), ['w1']);

  assert.notEqual(decide(wanted('eu'), anybody, ports).outcome, 'route');
  assert.equal(chosen(decide(wanted('us'), anybody, ports)), 'w1');
});

test('a tenant’s intents mean nothing of another one', () => {
  const { ports } = shop();

  const decision = ended(decide(meant(WEATHER, { tenant: 'other' }), anybody, ports), 'none');

  assert.equal(decision.facts['reason'], 'NO_CANDIDATE');
  assert.equal(decision.reading?.ranking.size, 0);
});

test('of many whom nobody may have, the one that is left is found', () => {
  const { ports, directory } = shop(SHOP.slice(0, 1));
  const city = (i: number) => ({
    name: `weather.${i}`,
    display_name: `Weather ${i}`,
    description: `Gives the weather forecast of the city ${i}.`,
  });
  for (let i = 0; i < 400; i++) {
    addAgent(directory, definition(`a${i}`, [capability({ ...city(i), effect: 'read' })]), [
      `i${i}`,
    ]);
  }
  const permits = (offer: { capability: string }) => offer.capability === 'weather.399';

  const { reading } = decide(meant('weather forecast city 7'), { ...anybody, permits }, ports);

  assert.deepEqual(
    reading?.ranking.candidates.map(({ name }) => name),
    ['weather.399'],
  );
});

test('names are routed without a look at any index', () => {
  const { ports } = shop();
  const meanings = { of: () => assert.fail('looked') } as unknown as RoutingPorts['meanings'];
  const params = { city: 'x' };

  const wanted = selector({ capability: 'weather.forecast', params });
  assert.equal(chosen(decide(wanted, anybody, { ...ports, meanings })), 'weather.forecast');
});

test('where no intent is read, what is registered is not even noted for its meaning', () => {
  const { ports, directory } = shop();
  const { offersChanged } = directory;
  let listeners = 0;
  const on: typeof offersChanged.on = (listener) => {
    listeners += 1;
    return offersChanged.on(listener);
  };
  Object.defineProperty(directory, 'offersChanged', { value: { on } });
  const off = { ...ports, options: { ...ports.options, semanticMode: 'off' as const } };

  decide(meant(WEATHER), anybody, off);
  assert.equal(listeners, 0);

  decide(meant(WEATHER), anybody, ports);
  decide(meant(WEATHER), anybody, ports);
  assert.equal(listeners, 1, 'from the first question on, once');
});

test('an intent may mean a write, so that a request id serves as its key', () => {
  const { directory } = shop();
  const ask = (capability: string | undefined, intent: string | undefined) =>
    mightWrite({ tenant: 'internal', capability, intent, tags: {} }, directory);

  assert.equal(ask(undefined, 'x'), true);
  assert.equal(ask('nothing', 'x'), true);
  assert.equal(ask('weather.forecast', 'x'), false);
  assert.equal(ask('nothing', undefined), false);
});

test('where nobody offers a write an intent means none', () => {
  const directory = emptyDirectory();
  const ask = () =>
    mightWrite({ tenant: 'internal', capability: undefined, intent: 'x', tags: {} }, directory);
  const offer = (agent: string, effect: 'read' | 'idempotent_write' | 'write') =>
    addAgent(directory, definition(agent, [capability({ effect })]), []);

  offer('a', 'read');
  assert.equal(ask(), false);
  offer('b', 'write');
  offer('c', 'idempotent_write');
  assert.equal(ask(), true);
  directory.remove('internal', 'b');
  assert.equal(ask(), true);
  offer('c', 'read');
  assert.equal(ask(), false);
});
