import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { reachAbility } from './ability.ts';
import type { Context } from './capability.ts';
import { Rejection } from './rejection.ts';
import { openAgentHouse, problemOf } from './testing/agent-house.ts';
import { answered } from './testing/fake-gateway.ts';
import { until } from './testing/until.ts';

/** A handler that waits until the test lets it go. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

const QUERY = { name: 'query', description: 'Answers a question.', effect: 'read' } as const;
const REFUND = {
  name: 'refund',
  description: 'Pays back.',
  effect: 'write',
  idempotency: 'key',
} as const;

test('the body is the parameters, the answer the bare result, the rest is in the context', async () => {
  let seen: Context | undefined;
  await using house = await openAgentHouse((agent) =>
    agent.capability(QUERY, (params: { order_no: string }, ctx) => {
      seen = ctx;
      return { order_no: params.order_no, status: '已发货' };
    }),
  );
  await house.agent.start();

  const response = await house.post(
    '/abilities/query',
    { order_no: 'A1' },
    {
      'reach-request-id': 'r-1',
      'reach-caller': 'customer-service',
      'reach-deadline-ms': '1500',
      'reach-call-token': 'secret',
      'reach-user-stamp': 'u1',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
  );

  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { order_no: 'A1', status: '已发货' });
  assert.ok(seen);
  assert.deepEqual(
    [seen.requestId, seen.caller, seen.traceId, seen.spanId, seen.userStamp, seen.tenant],
    [
      'r-1',
      'customer-service',
      '4bf92f3577b34da6a3ce929d0e0e4736',
      '00f067aa0ba902b7',
      'u1',
      'internal',
    ],
  );
  assert.equal(seen.deadline.remainingMs(), 1_500);
  assert.doesNotMatch(JSON.stringify(seen), /secret/, 'the call token is not shown to handlers');
});

test('curl needs no header of ours, no body means no parameters, nothing returned is null', async () => {
  await using house = await openAgentHouse((agent) => agent.capability(QUERY, () => undefined));
  await house.agent.start();

  const response = await fetch(`${house.agent.baseUrl}/abilities/query`, { method: 'POST' });

  assert.deepEqual([response.status, await response.text()], [200, 'null']);
});

test('a plain function becomes a capability by reachAbility, sync or async', async () => {
  const add = reachAbility(
    'add',
    'Adds two numbers.',
    ({ a, b }: { a: number; b: number }) => a + b,
  );
  const later = reachAbility('later', 'Answers late.', async () => 'late', { effect: 'read' });
  await using house = await openAgentHouse((agent) => agent.use(add).use(later));
  await house.agent.start();

  const sum = await house.post('/abilities/add', { a: 1, b: 2 });
  const late = await house.post('/abilities/later', {});

  assert.equal(await sum.json(), 3);
  assert.equal(await late.json(), 'late');
  assert.equal(add.reachAbility.description, 'Adds two numbers.');
});

test('a rejection is a final verdict with the agent’s own code', async () => {
  await using house = await openAgentHouse((agent) =>
    agent.capability(QUERY, () => {
      throw new Rejection('order-not-found', 'No order is called X.', { status: 404 });
    }),
  );
  await house.agent.start();

  const response = await house.post('/abilities/query', {}, { 'reach-request-id': 'r-1' });

  const { code, detail, executed, retryable, request_id } = await problemOf(response);
  assert.equal(response.status, 404);
  assert.deepEqual(
    { code, detail, executed, retryable, request_id },
    {
      code: 'order-not-found',
      detail: 'No order is called X.',
      executed: 'yes',
      retryable: false,
      request_id: 'r-1',
    },
  );
  for (const status of [399, 403, 429, 500]) {
    assert.throws(() => new Rejection('x', 'y', { status }), /that is a verdict, not/);
  }
});

test('what else a handler throws is a failure whose text stays in the log', async () => {
  const lines: object[] = [];
  const note = (fields: object) => void lines.push(fields);
  await using house = await openAgentHouse(
    (agent) =>
      agent
        .capability(QUERY, () => {
          throw new Error('password is hunter2');
        })
        .capability({ ...QUERY, name: 'unprintable' }, () => ({ big: 1n }))
        .capability({ ...QUERY, name: 'nested' }, () => {
          throw new ReachError('no-reachable-agent', 'logistics is away.');
        })
        .capability({ ...QUERY, name: 'circle' }, () => {
          throw new ReachError('cycle-detected', 'The call chain runs in a circle.');
        }),
    { log: { debug: () => {}, info: () => {}, warn: () => {}, error: note } },
  );
  await house.agent.start();

  const broken = await problemOf(await house.post('/abilities/query', {}));
  const unprintable = await problemOf(await house.post('/abilities/unprintable', {}));
  const nested = await problemOf(await house.post('/abilities/nested', {}));
  const circle = await problemOf(await house.post('/abilities/circle', {}));

  assert.deepEqual([broken['code'], broken['executed']], ['agent-error', 'unknown']);
  assert.doesNotMatch(JSON.stringify(broken), /hunter2/);
  assert.equal(unprintable['code'], 'agent-error');
  assert.match(String(nested['detail']), /a call it made ended with no-reachable-agent/);
  assert.equal(nested['executed'], 'unknown', 'asked again, it may be back');
  assert.equal(circle['executed'], 'yes', 'asked again, it is still a circle');
  assert.equal(lines.length, 4);
  assert.match(String((lines[0] as { err: Error }).err), /hunter2/);
});

test('a slow handler is answered 504 at its deadline and told to stop', async () => {
  const { promise, open } = gate();
  let reason: unknown;
  await using house = await openAgentHouse((agent) =>
    agent.capability({ ...QUERY, timeoutMs: 800 }, async (_, { signal }) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
      await promise;
    }),
  );
  await house.agent.start();

  const waiting = house.post('/abilities/query', {}, { 'reach-deadline-ms': '5000' });
  await until(() => house.clock.waiting === 3, 'the handler runs');
  await house.clock.advance(800);
  const response = await waiting;
  const probe = await fetch(`${house.agent.baseUrl}/probe`);
  open();

  const problem = await problemOf(response);
  assert.deepEqual([response.status, problem['code']], [504, 'deadline-exceeded']);
  assert.equal(problem['executed'], 'unknown');
  assert.match(String(problem['detail']), /within 800 ms/, 'its own limit is the shorter one');
  assert.ok(ReachError.is(reason) && reason.code === 'deadline-exceeded');
  const { inflight } = (await probe.json()) as { inflight: number };
  assert.equal(inflight, 1, 'it still works, and that counts');
});

test('a read is aborted when its caller goes away, a write is not', async () => {
  const { promise, open } = gate();
  const signals = new Map<string, AbortSignal>();
  const note = async (_: unknown, { capability, signal }: Context) => {
    signals.set(capability, signal);
    await promise;
  };
  await using house = await openAgentHouse((agent) =>
    agent.capability(QUERY, note).capability(REFUND, note),
  );
  await house.agent.start();
  const caller = new AbortController();

  const calls = ['query', 'refund'].map((name) =>
    fetch(`${house.agent.baseUrl}/abilities/${name}`, { method: 'POST', signal: caller.signal }),
  );
  await until(() => signals.size === 2, 'both run');
  caller.abort();
  await Promise.allSettled(calls);

  await until(() => signals.get('query')?.aborted === true, 'the read is aborted');
  assert.equal(signals.get('refund')?.aborted, false);
  open();
});

test('fifty calls with one key at once run once, and all get that answer', async () => {
  const { promise, open } = gate();
  let runs = 0;
  await using house = await openAgentHouse((agent) =>
    agent.capability(REFUND, async () => {
      runs++;
      await promise;
      return { refunded: runs };
    }),
  );
  await house.agent.start();

  const headers = { 'idempotency-key': '"k-1"', 'reach-caller': 'a' };
  const calls = Array.from({ length: 50 }, () =>
    house.post('/abilities/refund', { n: 1 }, headers),
  );
  await until(() => runs > 0, 'the first one runs');
  open();
  const answers = await Promise.all(calls);
  const late = await house.post('/abilities/refund', { n: 1 }, headers);
  const other = await house.post('/abilities/refund', { n: 2 }, headers);

  assert.equal(runs, 1);
  for (const answer of [...answers, late]) assert.deepEqual(await answer.json(), { refunded: 1 });
  const replayed = answers.filter((one) => one.headers.get('idempotency-replayed') === 'true');
  assert.equal(replayed.length, 49);
  assert.equal((await problemOf(other))['code'], 'idempotency-key-reused');
});

test('over its concurrency an agent says busy, and that nothing ran', async () => {
  const { promise, open } = gate();
  let runs = 0;
  await using house = await openAgentHouse(
    (agent) =>
      agent.capability(QUERY, async () => {
        runs++;
        await promise;
      }),
    { maxConcurrency: 2 },
  );
  await house.agent.start();

  const running = [house.post('/abilities/query', {}), house.post('/abilities/query', {})];
  await until(() => runs === 2, 'two run');
  const third = await house.post('/abilities/query', {});
  open();
  await Promise.all(running);
  const fourth = await house.post('/abilities/query', {});

  const problem = await problemOf(third);
  assert.deepEqual([third.status, problem['code'], problem['executed']], [503, 'agent-busy', 'no']);
  assert.equal(third.headers.get('retry-after'), '1');
  assert.equal(fourth.status, 200);
});

test('a call for whoever lived here before is refused 421, provably not run', async () => {
  let runs = 0;
  await using house = await openAgentHouse((agent) => agent.capability(QUERY, () => ++runs));
  await house.agent.start();

  const right = { 'reach-instance': 'orders-1', 'reach-addr-version': 'e.1' };
  const mine = await house.post('/abilities/query', {}, right);
  for (const wrong of [
    { ...right, 'reach-instance': 'orders-2' },
    { ...right, 'reach-addr-version': 'e.0' },
  ]) {
    const response = await house.post('/abilities/query', {}, wrong);
    const { code, executed } = await problemOf(response);
    assert.deepEqual([response.status, code, executed], [421, 'stale-address', 'no']);
  }

  assert.equal(mine.status, 200);
  assert.equal(runs, 1);
});

test('a nested call carries token, trace, agent and the remaining time by itself', async () => {
  await using house = await openAgentHouse((agent) =>
    agent.capability(QUERY, async (_, { reach }) => {
      const { result } = await reach.call('track_shipment', { waybill: 'SF1' });
      return { tracked: result };
    }),
  );
  house.gateway.on('calls.invoke', (request) => answered(request, 'in transit'));
  await house.agent.start();

  const response = await house.post(
    '/abilities/query',
    {},
    {
      'reach-call-token': 'token-1',
      'reach-deadline-ms': '900',
      'reach-on-behalf-of': '%E6%9D%8E',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    },
  );

  assert.deepEqual(await response.json(), { tracked: 'in transit' });
  const { input, headers } = await house.gateway.nth('calls.invoke', 1);
  assert.equal(input.agent_id, 'orders');
  assert.equal(input.context?.on_behalf_of, '李');
  assert.equal(headers['reach-call-token'], 'token-1');
  assert.equal(headers['reach-deadline-ms'], '850');
  assert.equal(headers['traceparent'], '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
});

test('a call outside of handlers is made in the agent’s name', async () => {
  await using house = await openAgentHouse((agent) => agent.capability(QUERY, () => 'ok'));
  house.gateway.on('calls.invoke', (request) => answered(request, 1));
  await house.agent.start();

  await house.agent.reach.call('x', {});

  assert.equal(house.gateway.all('calls.invoke')[0]?.input.agent_id, 'orders');
});
