import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capability } from '@agent-reach/core';
import { addAgent, capability, definition, emptyDirectory } from '../registry/testing/builders.ts';
import { secretsIn } from './secrets.ts';

const secret = (field: string) =>
  capability({
    input: {
      type: 'object',
      properties: { [field]: { type: 'string', 'x-reach-sensitive': true } },
    },
  });

test('where secrets are is known anew when somebody offers, changes or withdraws a capability', () => {
  const directory = emptyDirectory();
  const ports = { routing: { directory } } as Parameters<typeof secretsIn>[2];
  const names = ['look_up', undefined, 'nothing'];
  const found = (seen: readonly Capability[] = []) => {
    const places = secretsIn({ tenant: 'internal', names, seen }, 'input', ports);
    return ['a', 'b', 'c'].filter((field) => places?.field(field)?.isSecret === true);
  };
  addAgent(directory, definition('one', [capability()]), []);
  assert.deepEqual(found(), []);
  assert.deepEqual(found(), []);

  addAgent(directory, definition('two', [secret('a')]), []);
  assert.deepEqual(found(), ['a']);
  addAgent(directory, definition('three', [secret('b')]), []);
  assert.deepEqual(found(), ['a', 'b']);
  const before = directory.offers('internal', 'look_up').map((offer) => offer.capability);
  addAgent(directory, definition('two', [secret('c')]), []);
  assert.deepEqual(found(), ['b', 'c']);
  assert.deepEqual(found(before), ['a', 'b', 'c'], 'who was looked at then counts as well');
  directory.remove('internal', 'three');
  assert.deepEqual(found(), ['c']);
  directory.remove('internal', 'two');
  assert.deepEqual(found(), []);
});
