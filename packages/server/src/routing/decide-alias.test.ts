import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAgent, capability, definition } from '../registry/testing/builders.ts';
import { decide } from './decide.ts';
import { SHOP } from './meaning/testing/shop.ts';
import { anybody, chosen, selector } from './testing/selector.ts';
import { ended, meant, shop } from './testing/shop.ts';

test('an alias alone is never taken for the name: whose it is, is told to those who may have it', () => {
  const aliases = ['get_weather', '天气'];
  const { ports, directory } = shop(
    SHOP.map((one) => (one.name === 'weather.forecast' ? { ...one, aliases } : one)),
  );
  const told = (name: string, over = {}) => {
    const limits = { ...anybody, ...over };
    return ended(decide(selector({ capability: name }), limits, ports), 'none');
  };

  const { code, detail, facts } = told('Get-Weather');
  assert.equal(code, 'capability-not-found');
  assert.deepEqual(facts['did_you_mean'], ['weather.forecast']);
  assert.match(detail, /an alias of weather\.forecast\. Did you mean weather\.forecast\?/);
  const permits = (offer: { capability: string }) => offer.capability !== 'weather.forecast';
  assert.equal(told('get_weather', { permits }).facts['did_you_mean'], undefined);
  // Whatever is written beside it decides, as with any name that nobody offers.
  const beside = meant('天气', { capability: 'get_weather', params: { city: 'Berlin' } });
  assert.equal(chosen(decide(beside, anybody, ports)), 'weather.forecast');

  const other = capability({ name: 'tides', aliases: ['get_weather'], effect: 'read' });
  addAgent(directory, definition('tides', [other]), ['t1']);
  assert.deepEqual(told('get_weather').facts['did_you_mean'], ['tides', 'weather.forecast']);
  assert.match(told('get_weather').detail, /an alias of tides and of weather\.forecast/);
  const named = capability({ name: 'get_weather', effect: 'read' });
  addAgent(directory, definition('named', [named]), ['n1']);
  const decision = decide(selector({ capability: 'get_weather' }), anybody, ports);
  assert.equal(chosen(decision), 'n1');
});
