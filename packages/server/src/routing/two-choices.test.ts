import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { testRandom } from '@agent-reach/core/testing';
import { twoChoices } from './two-choices.ts';

function bearer(id: string, weight = 1, reliability = 1) {
  return { id, weight: weight * reliability, load: 0, reliability };
}

test('where nobody is busy weights are kept', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  const all = [bearer('a', 6), bearer('b', 3), bearer('c', 1)];
  const counts: Record<string, number> = {};
  for (let i = 0; i < 50_000; i++) {
    const { id } = twoChoices(all, random) ?? { id: '' };
    counts[id] = (counts[id] ?? 0) + 1;
  }
  for (const { id, weight } of all) {
    const share = (counts[id] ?? 0) / 50_000;
    t.diagnostic(`${id}: ${share}`);
    assert.ok(Math.abs(share - weight / 10) < 0.01, `${id} ${share}`);
  }
});

test('where work piles up, each holds in proportion to its weight', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  const all = [bearer('a', 4), bearer('b', 2), bearer('c', 1), bearer('d', 1)];
  for (let i = 0; i < 8_000; i++) {
    const one = twoChoices(all, random);
    if (one !== undefined) one.load += 1;
  }
  for (const { id, load, weight } of all) {
    assert.ok(Math.abs(load - weight * 1_000) < 30, `${id}: ${load}`);
  }
});

test('the less busy of two is taken, whoever was drawn first', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  const [busy, idle] = [{ ...bearer('busy'), load: 1 }, bearer('idle')];

  for (let i = 0; i < 50; i++) assert.equal(twoChoices([busy, idle], random), idle);
});

test('one that fails fast, and is always free, does not draw all the work', (t) => {
  const random = testRandom((line) => t.diagnostic(line));
  const [sound, broken] = [{ ...bearer('sound'), load: 5 }, bearer('broken', 1, 0.1)];
  let toBroken = 0;
  for (let i = 0; i < 10_000; i++) if (twoChoices([sound, broken], random) === broken) toBroken++;
  t.diagnostic(`${toBroken / 100} % to the broken one`);

  // A tenth of the draws are its own, and a tenth of the others come over to it.
  assert.ok(toBroken > 1_000 && toBroken < 2_500, `${toBroken}`);
});

test('one alone is taken, and of none nobody', () => {
  const random = seededRandom(1);
  const only = bearer('only');

  assert.equal(twoChoices([only], random), only);
  assert.equal(twoChoices([], random), undefined);
});
