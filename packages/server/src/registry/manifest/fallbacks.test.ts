import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability } from '@agent-reach/core';
import { openHouse } from '../../main/testing/house.ts';
import { checklist } from './checklist.ts';
import { compareManifests } from './compare.ts';
import { digestManifest } from './digest.ts';
import { fallbackWarnings } from './fallbacks.ts';
import { formA, read, refusalOf } from './testing/bodies.ts';

const fallbacks = (body: unknown) =>
  read(body).manifest.capabilities.map(({ fallback }) => fallback);

test('a fallback is read from every form, and who says none has none', () => {
  const fallback = ['other.one', 'another'];
  const formC = { agent_name: 'agent', capabilities: [{ id: 'query', fallback }] };
  const formD = {
    name: 'crm.customer.read',
    connector: 'crm',
    protocol: 'http',
    endpoint: 'http://crm/customers',
    fallback,
  };

  for (const body of [formA({ fallback }), formC, formD]) {
    assert.deepEqual(fallbacks(body), [fallback]);
  }
  assert.deepEqual(fallbacks(formA()), [undefined]);
  assert.equal('fallback' in (read(formA({ fallback: [] })).manifest.capabilities[0] ?? {}), false);
});

test('an agent’s fallback is that of its capabilities which say none, but not of itself', () => {
  const body = {
    name: 'agent',
    fallback: ['one'],
    capabilities: [
      { name: 'one' },
      { name: 'two' },
      { name: 'three', fallback: ['four'] },
      { name: 'five', fallback: [] },
    ],
  };

  assert.deepEqual(fallbacks(body), [undefined, ['one'], ['four'], undefined]);
});

test('a fallback changes the digest and breaks nobody; without one the digest is as it was', () => {
  const plain = read(formA()).manifest;
  const one = read(formA({ fallback: ['a'] })).manifest;
  const two = read(formA({ fallback: ['b', 'a'] })).manifest;

  assert.equal(digestManifest(plain), digestManifest(read(formA({ fallback: [] })).manifest));
  assert.equal(digestManifest(one), digestManifest(read(formA({}, { fallback: ['a'] })).manifest));
  assert.notEqual(digestManifest(one), digestManifest(two));
  for (const [before, after] of [
    [plain, one],
    [one, two],
    [two, plain],
  ] as const) {
    assert.deepEqual(compareManifests(before, after), []);
  }
});

test('a fallback that is no list of up to three different ASCII names is refused by its place', () => {
  for (const [fallback, says] of [
    ['a', '#/capabilities/0/fallback must be array, is "a"'],
    [
      ['a', 'b', 'c', 'd'],
      '#/capabilities/0/fallback must not have more than 3 items, is an array of 4',
    ],
    [['a', 'a'], '#/capabilities/0/fallback must not have duplicate items, is an array of 2'],
    [['查'], '#/capabilities/0/fallback/0 must match pattern'],
    [['two words'], '#/capabilities/0/fallback/0 must match pattern'],
  ] as const) {
    assert.ok(refusalOf(formA({ fallback })).startsWith(`validation-failed ${says}`), says);
  }
  assert.deepEqual(fallbacks(formA({ fallback: ['a', 'b', 'c'] })), [['a', 'b', 'c']]);
});

const strict = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

test('a declared fallback that could stand in for nobody is warned of, and why', () => {
  const asked = { effect: 'read', input: { type: 'object' }, fallback: ['other'] };
  const warnings = (other: object | undefined, of: object = asked) => {
    const { manifest } = read(formA(of));
    const offers: Capability[] =
      other === undefined
        ? []
        : read({ name: 'b', capabilities: [{ name: 'other', ...other }] }).manifest.capabilities;
    return fallbackWarnings(manifest, () => offers).join();
  };

  assert.equal(warnings({ effect: 'read', input: { type: 'object' } }), '');
  assert.match(warnings(undefined), /^query has the fallback other: nobody offers it yet\.$/);
  assert.match(warnings({ effect: 'read' }, { ...asked, fallback: ['query'] }), /is itself/);
  assert.match(warnings({ effect: 'write', idempotency: 'key' }), /it is write, .* is read/);
  assert.match(warnings({}), /declares no effect/);
  assert.match(warnings({ effect: 'read', sensitive: true }), /sensitive/);
  assert.match(warnings({ effect: 'read', input: strict }), /may refuse what callers send: input/);
});

test('one of several who can stand in is enough', () => {
  const { manifest } = read(formA({ effect: 'read', fallback: ['other'] }));
  const [bad, good] = read({
    name: 'b',
    capabilities: [
      { name: 'x', effect: 'write' },
      { name: 'y', effect: 'read' },
    ],
  }).manifest.capabilities;
  assert.ok(bad && good);

  assert.deepEqual(
    fallbackWarnings(manifest, () => [bad, good]),
    [],
  );
});

test('a registration warns of what nobody offers yet, and no more once somebody does', async () => {
  await using house = await openHouse();
  const body = {
    name: 'orders',
    capabilities: [
      { name: 'find', description: 'Finds an order.', effect: 'read', fallback: ['other'] },
    ],
    instance: { pull: true },
  };
  const register = async () =>
    (
      await house.ask<{ warnings: string[]; breaking: string[] }>('POST', '/v1/agents', body)
    ).warnings.join();

  assert.match(await register(), /find has the fallback other: nobody offers it yet/);
  await house.puller('b', { name: 'other', description: 'Finds an order.', effect: 'read' });
  assert.doesNotMatch(await register(), /fallback/);
});

test('the checklist warns of what the manifest alone shows', () => {
  const items = checklist(formA({ effect: 'read', fallback: ['query', 'elsewhere'] }));

  const found = items.filter(({ name }) => name === 'Fallbacks');
  assert.deepEqual(
    found.map(({ verdict, detail }) => [verdict, detail]),
    [['warning', 'query has the fallback query: that is itself, and stands in for nobody.']],
  );
});
