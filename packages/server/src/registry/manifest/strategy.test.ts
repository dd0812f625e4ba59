import assert from 'node:assert/strict';
import test from 'node:test';
import { digestManifest } from './digest.ts';
import { formA, read, refusalOf } from './testing/bodies.ts';

test('a strategy is read in every form, and `auto` says no more than nothing', () => {
  const connector = { connector: 'crm', protocol: 'http', endpoint: 'http://crm' };
  const of = (body: unknown) => read(body).manifest.capabilities[0]?.strategy;

  for (const strategy of ['exact', 'tags', 'semantic']) {
    assert.equal(of(formA({ strategy })), strategy);
    assert.equal(of({ agent_name: 'a', capabilities: [{ id: 'x', strategy }] }), strategy);
    assert.equal(of({ ...connector, name: 'crm.read', strategy }), strategy);
  }
  const [none, auto] = [read(formA()).manifest, read(formA({ strategy: 'auto' })).manifest];
  assert.equal(digestManifest(none), digestManifest(auto));
  assert.match(
    refusalOf(formA({ strategy: 'guess' })),
    /^validation-failed #\/capabilities\/0\/strategy must be one of .*semantic/,
  );
});

test('a strategy that loosens nothing is warned of', () => {
  const warnings = (over: object) => read(formA({ sensitive: true, ...over })).warnings;

  assert.match(
    warnings({ strategy: 'tags' }).join(),
    /strategy is tags, and .* is sensitive: only/,
  );
  assert.deepEqual(warnings({ strategy: 'exact' }), []);
});
