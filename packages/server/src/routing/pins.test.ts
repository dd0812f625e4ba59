import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PinsPolicy } from '@agent-reach/core';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Scores } from '../registry/scores.ts';
import {
  addAgent,
  capability,
  definition,
  emptyDirectory,
  instanceRow,
} from '../registry/testing/builders.ts';
import { boardOn } from '../resilience/testing/board.ts';
import { checkPins } from './check-pins.ts';
import { decide } from './decide.ts';
import type { Selector } from './decision.ts';
import { SHOP } from './meaning/testing/shop.ts';
import { ROUTING_OPTIONS } from './options.ts';
import { phraseKey, PinBook } from './pin-book.ts';
import { openRouting } from './ports.ts';
import { anybody, chosen, selector } from './testing/selector.ts';

/** The shop, each capability at an agent called like it, with pins. */
function shop(doc: PinsPolicy, options = {}) {
  const directory = emptyDirectory();
  const clock = new ManualClock();
  const board = boardOn(clock);
  const ports = openRouting({
    directory,
    board,
    scores: new Scores(clock, board),
    random: seededRandom(1),
    options: { ...defaultsOf(ROUTING_OPTIONS), ...options },
  });
  for (const one of SHOP) addAgent(directory, definition(one.name, [one]), [one.name]);
  ports.pins.take('internal', 3, doc);
  return { ports, directory };
}

const meant = (intent: string, over: Partial<Selector> = {}) =>
  selector({ capability: undefined, intent, ...over });
const CITY = { params: { city: 'Berlin' } };

test('a pinned capability is reached by its name, and by no meaning, example or display name', () => {
  const { ports } = shop({ capabilities: { 'weather.forecast': {} } });

  for (const intent of ['weather forecast for Berlin', '天气预报', 'weather.forecast']) {
    assert.notEqual(decide(meant(intent, CITY), anybody, ports).outcome, 'route', intent);
  }
  const named = decide(selector({ capability: 'weather.forecast', ...CITY }), anybody, ports);
  assert.equal(chosen(named), 'weather.forecast');
  assert.equal(named.outcome === 'route' && named.strategy, 'pinned');
});

test('only the agents that are named may serve what is pinned, whoever is there', () => {
  const { ports, directory } = shop({ capabilities: { 'weather.forecast': { agents: ['own'] } } });
  const wanted = selector({ capability: 'weather.forecast', ...CITY });

  const nobody = decide(wanted, anybody, ports);
  assert.equal(nobody.outcome === 'none' && nobody.code, 'capability-not-found');
  assert.match(nobody.weighed[0]?.out ?? '', /pinned to own/);

  addAgent(directory, definition('own', [capability(SHOP[3])]), ['o1']);
  assert.equal(chosen(decide(wanted, anybody, ports)), 'o1');
});

test('a tag is never given up for what is pinned', () => {
  const { ports, directory } = shop({ capabilities: { 'weather.forecast': {} } });
  addAgent(directory, definition('eu', [capability(SHOP[3])]), [
    instanceRow('eu', 'west', { tags: { region: 'west' } }),
  ]);
  const wanted = selector({ capability: 'weather.forecast', tags: { region: 'east' }, ...CITY });

  assert.equal(decide(wanted, anybody, ports).outcome, 'none');
  ports.pins.take('internal', 4, {});
  assert.equal(decide(wanted, anybody, ports).outcome, 'route');
});

test('what is pinned or sensitive is not reached by tags alone', () => {
  const { ports, directory } = shop({ capabilities: { 'stock.move': {} } });
  const tags = { money: '' };
  const move = capability({ name: 'stock.move', tags, effect: 'read' });
  addAgent(directory, definition('stock', [move]), ['s1']);
  const byTags = selector({ capability: undefined, tags });

  assert.equal(decide(byTags, anybody, ports).outcome, 'none');
  ports.pins.take('internal', 4, {});
  assert.equal(chosen(decide(byTags, anybody, ports)), 's1');

  addAgent(directory, definition('stock', [{ ...move, sensitive: true }]), ['s1']);
  assert.equal(decide(byTags, anybody, ports).outcome, 'none');
});

test('a pinned phrase goes where it says, in any case, width and punctuation, and no other does', () => {
  const phrases = { '注销，我的账户！': { capability: 'account.delete' } };
  const { ports } = shop({ phrases });

  for (const intent of ['注销，我的账户！', '注销我的账户', ' 注销 我的账户。']) {
    const decision = decide(meant(intent), anybody, ports);
    assert.equal(chosen(decision), 'account.delete', intent);
    assert.equal(decision.outcome === 'route' && decision.strategy, 'pinned');
    assert.deepEqual([decision.pin?.phrase, decision.pin?.version], ['注销，我的账户！', 3]);
  }
  for (const intent of ['注销账户', '注销我的账户吧', `注销我的账户${'。'.repeat(300)}x`, '']) {
    assert.notEqual(decide(meant(intent), anybody, ports).outcome, 'route', intent);
  }
});

test('a pinned phrase outweighs what it would mean, and holds where no intent is read', () => {
  const phrases = { 天气预报: { capability: 'parcel.track' } };
  const params = { tracking_no: '1' };

  for (const semanticMode of ['calibrated', 'off'] as const) {
    const { ports } = shop({ phrases }, { semanticMode });
    assert.equal(chosen(decide(meant('天气预报', { params }), anybody, ports)), 'parcel.track');
  }
});

test('a phrase that is pinned to an agent goes to him alone', () => {
  const phrases = { 天气: { capability: 'weather.forecast', agent: 'second' } };
  const { ports, directory } = shop({ phrases });
  const wanted = meant('天气', CITY);
  assert.equal(decide(wanted, anybody, ports).outcome, 'none');

  addAgent(directory, definition('second', [capability(SHOP[3])]), ['w2']);
  assert.equal(chosen(decide(wanted, anybody, ports)), 'w2');
  const other = { ...wanted, agent: 'weather.forecast' };
  assert.equal(decide(other, anybody, ports).outcome, 'none');
});

test('a pin gives nobody what no grant gives him', () => {
  const { ports } = shop({ phrases: { 天气: { capability: 'weather.forecast' } } });

  const refused = decide(meant('天气', CITY), { ...anybody, permits: () => false }, ports);

  assert.equal(refused.outcome === 'none' && refused.code, 'permission-denied');
});

test('pins are of their tenant, and an older document changes nothing', () => {
  const book = new PinBook();
  book.take('a', 2, { phrases: { x1: { capability: 'look' } }, capabilities: { constructor: {} } });
  book.take('a', 1, {});

  assert.equal(book.ofPhrase('a', 'X1')?.capability, 'look');
  assert.equal(book.ofPhrase('b', 'x1'), undefined);
  assert.equal(book.ofCapability('a', 'constructor')?.version, 2);
  assert.equal(book.ofCapability('a', 'toString'), undefined);
});

test('a document of pins is held to phrases that differ, and warned of names that nobody has', () => {
  const { directory } = shop({});
  const check = (doc: PinsPolicy) => checkPins(doc, 'internal', directory);
  const weather = { capability: 'weather.forecast' };

  assert.deepEqual(
    check({ phrases: { '退/款': weather, '退 款': weather, '😀': weather } }).faults.map(
      ({ pointer }) => pointer,
    ),
    ['#/doc/phrases/退 款', '#/doc/phrases/😀'],
  );
  const elsewhere = {
    capabilities: { 'weather.forecast': { agents: ['weather.forecast'] } },
    phrases: { 天气: { ...weather, agent: 'parcel.track' } },
  };
  assert.match(check(elsewhere).faults[0]?.detail ?? '', /is pinned to weather\.forecast/);
  const { faults, warnings } = check({
    capabilities: { 'weather.forecasts': {}, 'parcel.track': { agents: ['nobody'] } },
  });
  assert.deepEqual(faults, []);
  assert.match(warnings.join('\n'), /Did you mean weather\.forecast\?/);
  assert.match(warnings.join('\n'), /nobody does not offer parcel\.track/);
  assert.match(warnings.join('\n'), /Nobody is left who may serve parcel\.track/);
  const loosened = { 'account.delete': { strategy: 'auto' }, 'parcel.track': { strategy: 'auto' } };
  assert.deepEqual(check({ capabilities: loosened } as PinsPolicy).warnings, [
    'account.delete is sensitive: only its name or a pinned phrase reaches it, whatever strategy says.',
  ]);
});

test('a text that goes on after a phrase is another one', () => {
  assert.equal(phraseKey('a'.repeat(256)), 'a'.repeat(256));
  assert.equal(phraseKey('a'.repeat(257)), '');
  assert.equal(phraseKey('😀'), '');
});

test('a strategy that is asked for decides alone', () => {
  const { ports, directory } = shop({});
  const tags = { zone: 'eu' };
  const forecast = { ...capability(SHOP[3]), name: 'eu.weather', tags };
  addAgent(directory, definition('eu', [forecast]), ['e1']);
  const intent = '查物流轨迹';
  const asked = (over: Partial<Selector>) =>
    decide(meant(intent, { params: { tracking_no: '1', city: 'x' }, ...over }), anybody, ports);

  const exact = asked({ strategy: 'exact', capability: 'parcel.tracks' });
  assert.equal(exact.outcome === 'none' && exact.code, 'capability-not-found');
  assert.equal(exact.reading, undefined);
  assert.equal(chosen(asked({ strategy: 'tags', tags })), 'e1');
  assert.equal(chosen(asked({ strategy: 'semantic' })), 'parcel.track');
  assert.equal(chosen(asked({ capability: 'parcel.tracks' })), 'parcel.track');
  // Only what has the tags can be meant.
  assert.notEqual(asked({ strategy: 'semantic', tags }).outcome, 'route');
});
