import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_OUTCOMES, type Outcomes, reliability, speaksFor, withOutcome } from './outcomes.ts';

/** One outcome each second: `+` went well, `-` did not. */
function after(story: string, from: Outcomes = NO_OUTCOMES): Outcomes {
  let outcomes = from;
  for (const [i, sign] of story.split('').entries()) {
    outcomes = withOutcome(outcomes, sign === '+', from.at + (i + 1) * 1_000);
  }
  return outcomes;
}

function trust(story: string, laterMs = 0): number {
  const outcomes = after(story);
  return reliability(outcomes, outcomes.at + laterMs);
}

test('nothing known, and a single failure, take nothing away', () => {
  assert.equal(reliability(NO_OUTCOMES, 5_000), 1);
  assert.equal(trust('-'), 1);
  assert.equal(trust('++++++++-'), 1);
});

test('each further failure takes some, down to a tenth', () => {
  let before = 1;
  for (let failures = 2; failures <= 10; failures++) {
    const now = trust('-'.repeat(failures));
    assert.ok(now < before, `${failures} failures: ${now}`);
    before = now;
  }
  assert.equal(trust('-'.repeat(60)), 0.1);
});

test('it is about the share of runs that went well', () => {
  assert.ok(Math.abs(trust('+-'.repeat(60)) - 0.5) < 0.05);
  assert.ok(Math.abs(trust('+++-'.repeat(40)) - 0.77) < 0.05);
});

test('successes bring it back, and so does time', () => {
  const bad = after('-'.repeat(10));
  const low = reliability(bad, bad.at);
  const well = after('+'.repeat(30), bad);

  assert.ok(low < 0.25, `${low}`);
  assert.ok(reliability(well, well.at) > 0.8);
  assert.ok(reliability(bad, bad.at + 30_000) > low);
  assert.equal(reliability(bad, bad.at + 120_000), 1);
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
