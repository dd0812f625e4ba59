import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvariantError, invariant } from './assert.ts';

test('an invariant that holds says nothing, one that fails names what broke', () => {
  invariant(true, 'never said');
  invariant('text', 'never said');

  assert.throws(
    () => invariant(false, 'two readers disagree'),
    (error) => error instanceof InvariantError && /two readers disagree/.test(error.message),
  );
});
