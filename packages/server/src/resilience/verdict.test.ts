import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, type ErrorFacts, ReachError } from '@agent-reach/core';
import type { Verdict } from './breaker-machine.ts';
import { verdictOn } from './verdict.ts';

const TABLE: [what: string, code: ErrorCode, facts: ErrorFacts, verdict: Verdict][] = [
  ['a 404', 'agent-rejected', { downstream: { status: 404 } }, 'success'],
  ['a 403, which did not run', 'agent-rejected', { executed: 'no' }, 'success'],
  ['a 500 that is its final word', 'agent-error', { executed: 'yes' }, 'success'],
  ['a 429', 'agent-busy', { downstream: { status: 429 } }, 'success'],
  ['a 503 marked as not run', 'agent-busy', { downstream: { status: 503 } }, 'neutral'],
  ['a bare 503', 'agent-busy', { executed: 'unknown', downstream: { status: 503 } }, 'failure'],
  ['a 500', 'agent-error', {}, 'failure'],
  ['a refused connection', 'connect-failed', {}, 'failure'],
  ['an answer that cannot be read', 'bad-response', {}, 'failure'],
  ['a result that breaks its schema', 'schema-drift', {}, 'failure'],
  ['a caller who left', 'cancelled', {}, 'neutral'],
  ['an address that is not allowed', 'egress-blocked', {}, 'neutral'],
  ['another agent at the address', 'stale-address', {}, 'neutral'],
  ['a gateway that closes', 'overloaded', {}, 'neutral'],
];

for (const [what, code, facts, verdict] of TABLE) {
  test(`${what}: ${verdict}`, () => {
    assert.equal(verdictOn(new ReachError(code, 'It ended.', facts), true), verdict);
  });
}

test('silence is a failure, unless the caller gave less than the agent may take', () => {
  const silence = new ReachError('deadline-exceeded', 'No answer.');

  assert.equal(verdictOn(silence, true), 'failure');
  assert.equal(verdictOn(silence, false), 'neutral');
  assert.equal(verdictOn(undefined, false), 'success');
});
