import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import fc from 'fast-check';
import { OutcomeWindow, speaksFor } from './outcomes.ts';

const good = { isGood: true, isSlow: false };
const bad = { isGood: false, isSlow: true };

test('runs are counted for five minutes, and fall out ten seconds at a time', () => {
  const window = new OutcomeWindow();
  window.note(5_000, bad);
  window.note(9_999, good);
  window.note(10_000, good);

  assert.deepEqual({ ...window.tally(10_000) }, { runs: 3, failures: 1, slow: 1 });
  assert.equal(window.tally(299_999).runs, 3);
  assert.deepEqual({ ...window.tally(300_000) }, { runs: 1, failures: 0, slow: 0 });
  assert.equal(window.tally(310_000).runs, 0);
});

test('after any silence the window is empty and counts anew', () => {
  const window = new OutcomeWindow();
  for (let i = 0; i < 100; i++) window.note(i * 3_000, bad);
  assert.equal(window.tally(86_400_000).runs, 0);

  window.note(86_400_001, good);

  assert.deepEqual({ ...window.tally(86_400_002) }, { runs: 1, failures: 0, slow: 0 });
});

test('it is the same as counting what happened since its oldest bucket', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const runs = fc.array(
    fc.record({ after: fc.nat(40_000), isGood: fc.boolean(), isSlow: fc.boolean() }),
    { maxLength: 120 },
  );
  fc.assert(
    fc.property(runs, (story) => {
      const window = new OutcomeWindow();
      const seen: { at: number; isGood: boolean }[] = [];
      let at = 0;
      for (const { after, ...end } of story) {
        at += after;
        window.note(at, end);
        seen.push({ at, isGood: end.isGood });
        const since = (Math.floor(at / 10_000) - 29) * 10_000;
        const left = seen.filter((one) => one.at >= since);
        const { runs: count, failures } = window.tally(at);
        assert.equal(count, left.length);
        assert.equal(failures, left.filter((one) => !one.isGood).length);
      }
    }),
    { seed },
  );
});

test('what an endpoint did speaks for it or against it, what others did does not', () => {
  assert.equal(speaksFor(undefined), true);
  assert.equal(speaksFor('agent-rejected'), true);
  assert.equal(speaksFor('agent-error'), false);
  assert.equal(speaksFor('schema-drift'), false);
  for (const code of ['cancelled', 'agent-busy', 'draining', 'stale-address'] as const) {
    assert.equal(speaksFor(code), undefined);
  }
});
