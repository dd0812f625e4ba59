import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { StepAnswer } from './agents/chain.ts';
import { startAgent, startTogether } from './kit/agents.ts';
import { fileWide } from './kit/file-wide.ts';
import { Gateway } from './kit/gateway.ts';
import { answerOf, post, problemOf } from './kit/wire.ts';

let gateway: Gateway;

before(async () => {
  gateway = fileWide.use(await Gateway.start());
  // The chain goes to and fro between two processes; the circle is closed over two as well.
  await startTogether(fileWide, [
    startAgent('chain', gateway, 'a:b', 'c:d', 'e:f', 'ping:pong', 'narcissus:narcissus'),
    startAgent('chain', gateway, 'b:c', 'd:e', 'f:', 'pong:ping', 'fan:'),
  ]);
});

/** Starts the chain at `agent`. */
async function walk(agent: string, more: Record<string, unknown> = {}) {
  const answer = answerOf(
    await gateway.call({ agent_id: 'user', capability: `step-${agent}`, ...more }),
  );
  return { ...answer, ...(answer.result as StepAnswer) };
}

test('a chain of five calls passes', async () => {
  const { seen, refused, trace_id: traceId } = await walk('b');

  assert.equal(refused, undefined);
  assert.deepEqual(
    seen.map(({ agent, caller }) => `${caller}→${agent}`),
    ['user→b', 'b→c', 'c→d', 'd→e', 'e→f'],
  );
  const { hops } = await gateway.reach.traces.get(traceId);
  assert.deepEqual(
    hops.map(({ hop }) => hop),
    [1, 2, 3, 4, 5],
  );
});

test('a sixth call is refused with 508 and the path that led there', async () => {
  const { seen, refused, trace_id: traceId } = await walk('a');

  assert.equal(seen.length, 5, 'the sixth agent was not asked');
  assert.equal(refused?.code, 'call-too-deep');
  assert.equal(refused?.status, 508);
  assert.equal(refused?.facts.limit, 5);
  assert.equal(refused?.facts.executed, 'no');
  assert.deepEqual(refused?.facts.path, [
    'a/step-a',
    'b/step-b',
    'c/step-c',
    'd/step-d',
    'e/step-e',
  ]);
  const { hops } = await gateway.reach.traces.get(traceId);
  assert.deepEqual(
    hops.filter(({ status_code: status }) => status === 200).length,
    5,
    'the five that ran are in the trace',
  );
});

test('a circle is refused with 508 at once, and the path shows it', async () => {
  const { seen, refused } = await walk('ping');

  assert.deepEqual(
    seen.map(({ agent }) => agent),
    ['ping', 'pong'],
    'nobody is asked twice',
  );
  assert.equal(refused?.code, 'cycle-detected');
  assert.equal(refused?.status, 508);
  assert.deepEqual(refused?.facts.path, ['ping/step-ping', 'pong/step-pong', 'ping/step-ping']);
});

test('an agent that calls itself is a circle as well', async () => {
  const { seen, refused } = await walk('narcissus');

  assert.equal(seen.length, 1);
  assert.equal(refused?.code, 'cycle-detected');
  assert.deepEqual(refused?.facts.path, ['narcissus/step-narcissus', 'narcissus/step-narcissus']);
});

test('a trace may make 64 calls, all branches together', async () => {
  const { result, trace_id: traceId } = await gateway.reach.call<{ codes: string[] }>(
    'fan-out',
    { times: 70 },
    { timeoutMs: 12_000 },
  );

  const { codes } = result;
  assert.equal(codes.filter((code) => code === 'ok').length, 63, 'the first call counts as well');
  assert.deepEqual(new Set(codes.slice(63)), new Set(['call-budget-exceeded']));
  const { hops } = await gateway.reach.traces.get(traceId);
  assert.equal(hops.filter(({ status_code: status }) => status === 200).length, 64);
});

test('another trace is not concerned by one that has spent its calls', async () => {
  const traceId = 'ab'.repeat(16);
  const context = { trace_id: traceId };
  for (let n = 0; n < 64; n++) answerOf(await gateway.call({ capability: 'leaf', context }));

  problemOf(await gateway.call({ capability: 'leaf', context }), 'call-budget-exceeded');
  answerOf(await gateway.call({ capability: 'leaf' }));
});

test('nested calls carry trace, ancestry and user by themselves, and time only runs out', async () => {
  const context = { on_behalf_of: 'user-7', user_stamp: 'stamp-1' };
  const { seen, trace_id: traceId } = await walk('b', { context, idempotency_key: 'walk-1' });

  for (const step of seen) {
    assert.equal(step.trace, traceId);
    assert.equal(step.on_behalf_of, 'user-7');
    assert.equal(step.user_stamp, 'stamp-1');
  }
  const left = seen.map(({ remaining_ms: ms }) => ms);
  assert.ok((left[0] ?? 0) <= 2_000, 'an agent has 2 s unless it says otherwise');
  for (const [i, ms] of left.entries()) {
    if (i > 0) assert.ok(ms < (left[i - 1] ?? 0), `${left.join(', ')} must fall`);
  }
  const { hops } = await gateway.reach.traces.get(traceId);
  assert.deepEqual(
    hops.map(({ span_id: span }) => span),
    seen.map(({ span }) => span),
  );
  for (const [i, { parent_span_id: parent }] of hops.entries()) {
    if (i > 0) assert.equal(parent, hops[i - 1]?.span_id, 'each hop hangs below the one before');
  }
});

test('a caller who has little time leaves little time to the whole chain', async () => {
  const { seen } = await walk('d', { timeout_ms: 1_500 });

  for (const { remaining_ms: ms } of seen) assert.ok(ms <= 1_500, `${ms} ms were left`);
});

test('a call token that was tampered with is refused, and depth is nothing a header can say', async () => {
  const route = await gateway.reach.route('step-b');
  const [payload = '', mac = ''] = (route.call_token ?? '').split('.');
  const chain = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { path: string[] };
  const forged = Buffer.from(JSON.stringify({ ...chain, path: [] })).toString('base64url');
  const call = (token: string) =>
    post(
      `${gateway.url}/v1/calls`,
      { capability: 'leaf' },
      { headers: { 'reach-call-token': token } },
    );

  problemOf(await call(`${forged}.${mac}`), 'signature-invalid');
  problemOf(await call('made-up'), 'signature-invalid');
  answerOf(await call(`${payload}.${mac}`));
});
