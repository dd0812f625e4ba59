import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTurnedAway } from './load.ts';

test('the least important goes first, the most important at twice the delay', () => {
  for (const [priority, limit] of [
    [0, 200],
    [5, 300],
    [10, 400],
    [-3, 200],
    [99, 400],
  ] as const) {
    assert.equal(isTurnedAway(limit, priority, 200), false, `priority ${priority} at ${limit}`);
    assert.equal(isTurnedAway(limit + 1, priority, 200), true, `priority ${priority} beyond`);
  }
});

test('without a limit nothing is turned away', () => {
  assert.equal(isTurnedAway(1e9, 0, 0), false);
});
