import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEADERS } from './headers.ts';

test('headers are lower-case tokens, each said once', () => {
  const names = Object.values(HEADERS);

  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z][a-z0-9-]*$/);
});
