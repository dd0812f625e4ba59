import assert from 'node:assert/strict';
import test from 'node:test';
import { compareManifests } from './compare.ts';
import { withKnownActions } from './connector.ts';
import { normaliseManifest } from './normalise.ts';

function manifest(...capabilities: object[]) {
  return normaliseManifest({ name: 'a', capabilities }, { callTimeoutMaxMs: 60_000 }).manifest;
}

function action(name: string, more: object = {}) {
  const body = {
    connector: 'crm',
    name,
    protocol: 'http',
    endpoint: `internal://crm/${name}`,
    method: 'GET',
    ...more,
  };
  return normaliseManifest(body, { callTimeoutMaxMs: 60_000 }).manifest;
}

test('what is added or said better is compatible', () => {
  const before = manifest({ name: 'q' });
  const after = manifest(
    { name: 'q', description: 'Now described.', effect: 'read', priority: 9 },
    { name: 'r' },
  );

  assert.deepEqual(compareManifests(before, after), []);
});

test('a capability that is gone, changed in effect or newly sensitive breaks', () => {
  const before = manifest({ name: 'q' }, { name: 'w', effect: 'read' }, { name: 's' });
  const after = manifest({ name: 'w', effect: 'write' }, { name: 's', sensitive: true });

  assert.deepEqual(compareManifests(before, after), [
    'q is no longer offered',
    'w was read and is write',
    's now asks for a confirmation',
  ]);
});

test('a schema that breaks callers is named by capability and pointer', () => {
  const before = manifest({ name: 'q', input: { order_no: { type: 'string' } } });
  const after = manifest({ name: 'q', input: { order_no: { type: 'string', required: true } } });

  assert.deepEqual(compareManifests(before, after), [
    'q: input #/properties/order_no is now required',
  ]);
});

test('a connector keeps its other actions when one registers', () => {
  const [read, list] = [action('crm.read'), action('crm.list')];
  const both = withKnownActions(read, list);
  const renewed = withKnownActions(both, action('crm.read', { timeout_ms: 9 }));

  assert.deepEqual(
    both.capabilities.map(({ name }) => name),
    ['crm.list', 'crm.read'],
  );
  assert.deepEqual(
    renewed.capabilities.map(({ name, sla }) => [name, sla.timeout_ms]),
    [
      ['crm.list', 2000],
      ['crm.read', 9],
    ],
  );
  assert.deepEqual(compareManifests(both, renewed), []);
  assert.equal(withKnownActions(undefined, list), list);
  assert.equal(withKnownActions(manifest({ name: 'q' }), list), list);
});
