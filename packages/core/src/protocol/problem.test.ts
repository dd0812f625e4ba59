import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '../testing/seed.ts';
import { ERRORS, type ErrorCode, ReachError } from './errors.ts';
import { fromProblem, toProblem } from './problem.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

test('a problem document has the members of RFC 9457 and ours', () => {
  const error = new ReachError('agent-busy', 'shop takes no more work.', {
    agent: 'shop',
    retry_after_ms: 500,
  });

  assert.deepEqual(toProblem(error, { request_id: 'req-1', trace_id: 'abc' }), {
    type: '/problems/agent-busy',
    title: 'The agent takes no more work now.',
    status: 503,
    detail: 'shop takes no more work.',
    instance: '/v1/calls/req-1',
    code: 'agent-busy',
    retryable: true,
    executed: 'no',
    agent: 'shop',
    retry_after_ms: 500,
    request_id: 'req-1',
    trace_id: 'abc',
  });
});

test('an instance is a URI, whatever the request calls itself', () => {
  const problem = toProblem(new ReachError('internal', 'x'), { request_id: 'a|b:c' });

  assert.equal(problem.instance, '/v1/calls/a%7Cb:c');
});

test('no fact can pass for a standard member', () => {
  const facts = { type: 'x', title: 'x', status: 200, detail: 'x', instance: 'x', code: 'x' };
  const problem = toProblem(new ReachError('agent-not-found', 'No agent.', facts));

  assert.equal(problem.type, '/problems/agent-not-found');
  assert.equal(problem.title, ERRORS['agent-not-found'].title);
  assert.equal(problem.status, 404);
  assert.equal(problem.detail, 'No agent.');
  assert.equal(problem.code, 'agent-not-found');
  assert.equal('instance' in problem, false);
});

test('an error survives the way through JSON', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const facts = fc.record(
    {
      executed: fc.constantFrom('no', 'yes', 'unknown'),
      retryable: fc.boolean(),
      retry_after_ms: fc.nat(),
      errors: fc.array(fc.record({ pointer: fc.string(), detail: fc.string() })),
      agent: fc.string(),
      path: fc.array(fc.string()),
      downstream: fc.record({ status: fc.nat(), code: fc.string() }),
      extra: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.constantFrom(...CODES), fc.string(), facts, (code, detail, given) => {
      const error = new ReachError(code, detail, given);
      const wire = JSON.stringify(toProblem(error));
      const read = fromProblem(JSON.parse(wire));

      assert.ok(read !== undefined);
      assert.equal(read.code, code);
      assert.equal(read.message, detail);
      assert.equal(read.executed, error.executed);
      assert.equal(read.retryable, error.retryable);
      assert.equal(JSON.stringify(toProblem(read)), wire);
    }),
    { seed, numRuns: 300 },
  );
});

test('what is no problem of ours is not read as one', () => {
  const others = [null, undefined, 5, 'internal', [], {}, { code: 7 }, { code: 'moon-phase' }];

  for (const other of [...others, { code: 'toString' }, { code: '__proto__' }]) {
    assert.equal(fromProblem(other), undefined, JSON.stringify(other));
  }
});

test('a problem without a sentence gets the title of its code', () => {
  assert.equal(fromProblem({ code: 'draining' })?.message, ERRORS.draining.title);
  assert.equal(fromProblem({ code: 'draining', detail: 5 })?.message, ERRORS.draining.title);
});

test('facts of the wrong form are not believed', () => {
  const read = fromProblem({
    code: 'agent-error',
    executed: 'maybe',
    retryable: 'yes',
    retry_after_ms: '5',
    errors: [{ pointer: 1 }],
  });

  assert.deepEqual(read?.facts, {});
  assert.equal(read?.executed, 'unknown');
  assert.equal(read?.retryable, false);
});

test('a member called __proto__ gives an error no facts', () => {
  const read = fromProblem(
    JSON.parse('{"code":"internal","__proto__":{"executed":"no","retryable":true}}'),
  );

  assert.equal(read?.executed, 'unknown');
  assert.equal(read?.retryable, false);
});
