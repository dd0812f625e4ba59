import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailurePace } from './failure-pace.ts';

const T = 1_000_000;

test('as many as a minute has may come at once, and one more as soon as its share of it is over', () => {
  const pace = new FailurePace({ perMinute: 6, namesMax: 10 });
  for (let i = 0; i < 6; i++) assert.equal(pace.failed('a', T), undefined);

  assert.equal(pace.failed('a', T), 10_000);
  assert.equal(pace.failed('a', T + 4_000), 6_000, 'what was too much is not added');
  assert.equal(pace.failed('a', T + 9_999), 1);
  assert.equal(pace.failed('a', T + 10_000), undefined);
  assert.equal(pace.failed('a', T + 10_000), 10_000);
  assert.equal(pace.failed('b', T), undefined);
});

test('who failed longest ago is forgotten where there are too many', () => {
  const pace = new FailurePace({ perMinute: 1, namesMax: 2 });
  pace.failed('a', T);
  pace.failed('b', T);
  assert.notEqual(pace.failed('a', T), undefined);
  pace.failed('c', T);

  assert.equal(pace.failed('a', T), undefined, 'forgotten');
  assert.notEqual(pace.failed('c', T), undefined);
});
