import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError, toProblem } from '@agent-reach/core';
import { fromReply, toRequest } from './wire.ts';

const json = (status: number, body: unknown) => ({ status, text: JSON.stringify(body) });

test('a field of the path goes into the path, escaped, and nowhere else', () => {
  const request = toRequest('agents.drain', { agent_id: 'a/b ?', reason: 'restart' });

  assert.equal(request.path, '/v1/agents/a%2Fb%20%3F/drain');
  assert.deepEqual(JSON.parse(request.body ?? ''), { reason: 'restart' });
});

test('without a body the rest goes into the query, and what is undefined stays at home', () => {
  const request = toRequest('traces.search', { agent: 'a&b', limit: 5, trace_id: undefined } as {
    agent: string;
    limit: number;
  });

  assert.deepEqual(request, { method: 'GET', path: '/v1/traces?agent=a%26b&limit=5' });
});

test('a document is the whole body', () => {
  const { body } = toRequest('agents.register', { manifest: { name: '订单' } });

  assert.equal(body, '{"name":"订单"}');
});

test('a field of the path that is missing is refused before anything is sent', () => {
  for (const id of ['', undefined]) {
    const send = () => toRequest('agents.get', { agent_id: id as string });
    assert.throws(send, { name: 'ReachError', code: 'validation-failed' });
  }
});

test('the envelope is taken off, and a bare answer has none', () => {
  assert.deepEqual(fromReply('agents.list', json(200, { code: 0, data: { agents: [] } })), {
    agents: [],
  });
  assert.deepEqual(fromReply('system.livez', json(200, { status: 'ok' })), { status: 'ok' });
});

test('a problem document comes back as the error it was, with every fact', () => {
  const sent = new ReachError('no-reachable-agent', 'Nobody.', { agent: 'x', last_seen: 't' });

  assert.throws(
    () => fromReply('calls.invoke', json(503, toProblem(sent, { trace_id: 'f' }))),
    (error) => {
      assert.ok(ReachError.is(error));
      assert.equal(error.code, 'no-reachable-agent');
      assert.equal(error.message, 'Nobody.');
      assert.equal(error.executed, 'no');
      assert.equal(error.facts.agent, 'x');
      assert.equal(error.facts['trace_id'], 'f');
      return true;
    },
  );
});

test('a code from a newer gateway keeps its sentence and its word on execution', () => {
  const problem = { code: 'moon-phase', detail: 'Not tonight.', executed: 'no', retryable: true };

  assert.throws(() => fromReply('calls.invoke', json(503, problem)), {
    code: 'bad-response',
    message: 'moon-phase: Not tonight.',
    executed: 'no',
    retryable: true,
  });
});

test('an answer that is not the gateway’s is shown, briefly, with its status', () => {
  for (const [status, text] of [
    [200, '<html>Please log in</html>'],
    [200, '{"agents":[]}'],
    [200, ''],
    [502, 'null'],
    [503, `<html>${'x'.repeat(10_000)}`],
  ] as const) {
    assert.throws(
      () => fromReply('agents.list', { status, text, retryAfter: '2' }),
      (error) => {
        assert.ok(ReachError.is(error));
        assert.equal(error.code, 'bad-response');
        assert.equal(error.facts.downstream?.status, status);
        assert.equal(error.facts.retry_after_ms, 2_000);
        assert.ok(error.message.length < 250);
        return true;
      },
    );
  }
});
