import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsFrom, seededRandom, systemClock } from '@agent-reach/core/kernel';
import { readCall } from './inbound.ts';

const ids = idsFrom(systemClock, seededRandom(1));
const read = (headers: Record<string, string>) => readCall(headers, 'query', ids);

test('everything the gateway says of a call is read', () => {
  const call = read({
    'reach-request-id': 'r-1',
    'reach-caller': 'customer-service',
    'reach-tenant': 'acme',
    'reach-deadline-ms': '1500',
    'reach-attempt': '2',
    'reach-call-token': 'a.b',
    'reach-on-behalf-of': '%E6%9D%8E%E9%9B%B7',
    'reach-user-stamp': '100% sure',
    'reach-source-id': 's',
    'reach-confirmation': 'cfm_1',
    'reach-task-id': 'tsk_1',
    'reach-lease': 'tsk_1~3~orders-1~seal',
    'reach-lease-ms': '30000',
    'reach-task-deadline-ms': '2592000000',
    'idempotency-key': '"k-1"',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  });

  assert.deepEqual(call, {
    capability: 'query',
    requestId: 'r-1',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    traceFlags: 1,
    caller: 'customer-service',
    tenant: 'acme',
    attempt: 2,
    deadlineMs: 1_500,
    idempotencyKey: 'k-1',
    callToken: 'a.b',
    onBehalfOf: '李雷',
    userStamp: '100% sure',
    sourceId: 's',
    confirmation: 'cfm_1',
    taskId: 'tsk_1',
    lease: 'tsk_1~3~orders-1~seal',
    leaseMs: 30_000,
    taskDeadlineMs: 2_592_000_000,
  });
});

test('a call without any header of ours is a call of nobody, in a trace of its own', () => {
  const call = read({});

  assert.match(call.requestId, /^call_/);
  assert.match(call.traceId, /^[0-9a-f]{32}$/);
  assert.deepEqual(
    [call.caller, call.tenant, call.attempt, call.deadlineMs, call.idempotencyKey],
    ['anonymous', 'internal', 1, undefined, undefined],
  );
});

test('a key is read quoted or bare, and never silently dropped', () => {
  assert.equal(read({ 'idempotency-key': 'bare-1' }).idempotencyKey, 'bare-1');

  // Two keys arrive joined by a comma; a quote inside, an empty one and a long one are no keys.
  for (const key of ['k1, k2', '"k"1"', '""', 'ключ', `"${'k'.repeat(256)}"`]) {
    assert.throws(() => read({ 'idempotency-key': key }), {
      code: 'validation-failed',
      message: /header idempotency-key must be one key/,
    });
  }
});

test('a deadline that is no number in its range is refused, not guessed', () => {
  assert.equal(read({ 'reach-deadline-ms': '3600000' }).deadlineMs, 3_600_000);

  for (const deadline of ['0', '-1', '1.5', '3600001', 'soon', '1, 2']) {
    assert.throws(() => read({ 'reach-deadline-ms': deadline }), { code: 'validation-failed' });
  }
});

test('a malformed traceparent begins a new trace', () => {
  const call = read({ traceparent: '00-xyz' });

  assert.match(call.traceId, /^[0-9a-f]{32}$/);
});
