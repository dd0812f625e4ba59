import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparkline } from './sparkline.ts';

const wide = { width: 80, isPlain: false };

test('values are bars from lowest to highest, and a gap where there is none', () => {
  assert.equal(sparkline([0, 0.25, 0.5, null, 0.875, 1], wide), '▁▃▅ ██');
  assert.equal(sparkline([0, 0.25, 0.5, null, 0.875, 1], { ...wide, isPlain: true }), '_-= ##');
  assert.equal(sparkline([], wide), '');
  assert.equal(sparkline([-1, 2], wide), '▁█');
});

test('more values than columns are the lowest of each column, so that no dip is lost', () => {
  const values = [1, 1, 0, 1, 1, 1, null, null, null];
  assert.equal(sparkline(values, { width: 3, isPlain: false }), '▁█ ');
  assert.equal(sparkline(values, { width: 8, isPlain: false }).length, 5);
});
