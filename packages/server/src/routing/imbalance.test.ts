import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVEN, type Evenness, skewOf, watchRatio } from './imbalance.ts';

const marks = { ratio: 3, afterMs: 60_000 };

function watch(ratios: readonly [at: number, ratio: number][]): string {
  let state: Evenness = EVEN;
  return ratios
    .map(([at, ratio]) => {
      state = watchRatio(state, ratio, at, marks);
      return state.is;
    })
    .join(' ');
}

test('an imbalance counts once it has lasted', () => {
  assert.equal(
    watch([
      [0, 5],
      [30_000, 5],
      [59_999, 5],
      [60_000, 5],
    ]),
    'even even even skewed',
  );
});

test('one that comes and goes does not count', () => {
  assert.equal(
    watch([
      [0, 5],
      [50_000, 1],
      [60_000, 5],
      [110_000, 5],
    ]),
    'even even even even',
  );
});

test('it ends only well below, and only when that has lasted', () => {
  assert.equal(
    watch([
      [0, 5],
      [60_000, 5],
      [70_000, 2.5],
      [200_000, 2.5],
      [210_000, 1],
      [260_000, 3],
      [270_000, 1],
      [329_999, 1],
      [330_000, 1],
    ]),
    'even skewed skewed skewed skewed skewed skewed skewed even',
  );
});

test('what waits is measured by weight, against the others together', () => {
  const portions = [
    { agentId: 'a', waiting: 60, weight: 1 },
    { agentId: 'b', waiting: 9, weight: 1 },
    { agentId: 'c', waiting: 20, weight: 2 },
  ];

  assert.deepEqual(skewOf(portions, 20), { agentId: 'a', ratio: 6 });
});

test('few tasks, one candidate, and those without a weight are no imbalance', () => {
  const heavy = { agentId: 'a', waiting: 100, weight: 1 };

  assert.equal(skewOf([heavy], 20), undefined);
  assert.equal(skewOf([heavy, { agentId: 'b', waiting: 0, weight: 0 }], 20), undefined);
  const few = { agentId: 'a', waiting: 19, weight: 1 };
  assert.equal(skewOf([few, { agentId: 'b', waiting: 0, weight: 1 }], 20), undefined);
});
