import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { test } from 'node:test';
import { OPERATIONS, parseTraceparent, ReachError } from '@agent-reach/core';
import { Deadline, systemRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { degradeOf } from './degrade.ts';
import { Reach, type ReachOptions } from './reach.ts';
import { runInScope, type Scope } from './scope.ts';
import { answered, FakeGateway } from './testing/fake-gateway.ts';

const ORDER = { order_no: 'ORD202501180001' };

/** A gateway that echoes parameters, and a client of it on a clock that stands still. */
async function open(options: ReachOptions = {}) {
  const gateway = await FakeGateway.open();
  gateway.on('calls.invoke', (request) => answered(request, request.params));
  const clock = new ManualClock();
  const reach = new Reach({ endpoint: gateway.url, ...options }, { clock, random: systemRandom() });
  return {
    gateway,
    clock,
    reach,
    async [Symbol.asyncDispose]() {
      await reach.close();
      await gateway.close();
    },
  };
}

/** A server below HTTP, for connections that break. */
async function openSocketServer(serve: (socket: Socket) => void) {
  const server: Server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

/** An address where nobody listens. */
async function nowhere(): Promise<string> {
  using server = await openSocketServer(() => {});
  return server.url;
}

async function failure(work: Promise<unknown>): Promise<ReachError> {
  try {
    await work;
  } catch (error) {
    assert.ok(ReachError.is(error), String(error));
    return error;
  }
  assert.fail('it should have failed');
}

test('a call brings back the answer, its result typed', async () => {
  await using house = await open({ agentId: 'customer-service' });

  const answer = await house.reach.call<typeof ORDER>('query_order_status', ORDER);

  assert.equal(answer.result.order_no, ORDER.order_no);
  assert.equal(answer.provider.agent, 'orders');
  const { input, headers } = await house.gateway.nth('calls.invoke', 1);
  assert.equal(input.capability, 'query_order_status');
  assert.equal(input.agent_id, 'customer-service');
  assert.equal(input.request_id, answer.request_id);
  assert.equal(headers['reach-deadline-ms'], '2950', 'a little less than the caller waits');
  assert.ok(parseTraceparent(headers['traceparent'] as string));
  assert.equal(headers['reach-call-token'], undefined);
});

test('every call has a request id of its own, so that writes are keyed by themselves', async () => {
  await using house = await open();

  await Promise.all(Array.from({ length: 20 }, () => house.reach.call('refund', {})));

  const ids = house.gateway.all('calls.invoke').map(({ input }) => input.request_id);
  assert.equal(new Set(ids).size, 20);
});

test('options reach the gateway under their wire names, above what the selector says', async () => {
  await using house = await open({ tenant: 'internal' });

  await house.reach.call(
    { intent: 'where is it', agent: 'a', context: { user_stamp: 'u1' } },
    ORDER,
    {
      agent: 'b',
      tags: ['vip'],
      strictTags: true,
      idempotencyKey: 'k-1',
      requestId: 'r-1',
      explain: true,
      traceId: 'tr-20250118103000-abc123',
      onBehalfOf: '用户',
      sourceId: 's1',
      fallback: ['cached', 'desk'],
      timeoutMs: 500,
    },
  );

  const { input, headers } = await house.gateway.nth('calls.invoke', 1);
  assert.deepEqual(input, {
    intent: 'where is it',
    agent: 'b',
    tags: ['vip'],
    strict_tags: true,
    idempotency_key: 'k-1',
    request_id: 'r-1',
    explain: true,
    tenant: 'internal',
    params: ORDER,
    context: {
      trace_id: 'tr-20250118103000-abc123',
      user_stamp: 'u1',
      on_behalf_of: '用户',
      source_id: 's1',
      fallback: ['cached', 'desk'],
    },
  });
  assert.equal(headers['reach-deadline-ms'], '450');
  assert.equal(headers['reach-tenant'], 'internal');
  assert.equal(headers['traceparent'], undefined, 'the body says the trace');
});

test('the gateway’s refusal arrives with code, sentence and facts', async () => {
  await using house = await open();
  const refusal = new ReachError('no-reachable-agent', 'logistics was last seen 3 s ago.', {
    agent: 'logistics',
    last_seen: '2026-01-01T00:00:00.000Z',
    retry_after_ms: 1_000,
  });
  house.gateway.on('calls.invoke', () => {
    throw refusal;
  });

  const error = await failure(house.reach.call('track_shipment', {}));

  assert.equal(error.code, 'no-reachable-agent');
  assert.equal(error.message, refusal.message);
  assert.equal(error.facts.agent, 'logistics');
  assert.equal(error.facts.retry_after_ms, 1_000);
  assert.equal(error.executed, 'no');
  assert.equal(degradeOf(error), undefined);
});

test('a gateway that is away: connect-failed, provably not executed', async () => {
  await using reach = new Reach({ endpoint: await nowhere() });

  const error = await failure(reach.call('query_order_status', ORDER));

  assert.equal(error.code, 'connect-failed');
  assert.equal(error.executed, 'no');
  assert.equal(error.facts.capability, 'query_order_status');
  assert.match(String(error.facts['request_id']), /^call_/);
  assert.match(error.message, /gateway at http:\/\/127\.0\.0\.1:\d+\/ cannot be reached/);
});

test('a connection that breaks after the request was sent: nobody knows whether it ran', async () => {
  using server = await openSocketServer((socket) => socket.once('data', () => socket.destroy()));
  await using reach = new Reach({ endpoint: server.url });

  const error = await failure(reach.call('refund', {}));

  assert.equal(error.code, 'connect-failed');
  assert.equal(error.executed, 'unknown');
});

test('the caller’s own deadline ends the wait, with a hint for the user', async () => {
  await using house = await open();
  house.gateway.on('calls.invoke', () => new Promise(() => {}));

  const waiting = failure(house.reach.call('slow', {}));
  const { input } = await house.gateway.nth('calls.invoke', 1);
  await house.clock.advance(2_999);
  assert.equal(house.clock.waiting, 1, 'still waiting');
  await house.clock.advance(1);

  const error = await waiting;
  assert.equal(error.code, 'deadline-exceeded');
  assert.equal(error.executed, 'unknown');
  assert.equal(error.facts['request_id'], input.request_id);
  assert.match(error.message, /slow gave no answer within 3000 ms/);
  assert.equal(degradeOf(error)?.text, 'There is no answer in time. Please try again later.');
  assert.equal(house.clock.waiting, 0);
});

test('the text of the hint is set for a client or for one call, whoever’s clock ran out', async () => {
  await using house = await open({ degrade: ({ facts }) => `${facts.capability}暂无结果` });
  house.gateway.on('calls.invoke', ({ capability = '' }) => {
    throw new ReachError('deadline-exceeded', 'Too slow.', { capability, executed: 'no' });
  });

  const byClient = await failure(house.reach.call('slow', {}));
  const byCall = await failure(house.reach.call('slow', {}, { degradeText: '请稍后' }));
  house.gateway.on('calls.invoke', ({ capability = '' }) => {
    const facts = { capability, downstream: { status: 504, code: 'deadline-exceeded' } };
    throw new ReachError('agent-error', 'It did not finish.', facts);
  });
  const byAgent = await failure(house.reach.call('slow', {}));

  assert.equal(degradeOf(byClient)?.text, 'slow暂无结果');
  assert.equal(degradeOf(byCall)?.text, '请稍后');
  assert.equal(degradeOf(byAgent)?.text, 'slow暂无结果');
  assert.equal(byClient.executed, 'no', 'the gateway’s facts stay');
});

test('a signal cancels: before sending nothing is sent, later nobody knows', async () => {
  await using house = await open();
  house.gateway.on('calls.invoke', () => new Promise(() => {}));
  const controller = new AbortController();

  const early = await failure(house.reach.call('x', {}, { signal: AbortSignal.abort() }));
  const waiting = failure(house.reach.call('x', {}, { signal: controller.signal }));
  await house.gateway.nth('calls.invoke', 1);
  controller.abort();
  const late = await waiting;

  assert.deepEqual([early.code, early.executed], ['cancelled', 'no']);
  assert.deepEqual([late.code, late.executed], ['cancelled', 'unknown']);
  assert.equal(house.gateway.all('calls.invoke').length, 1);
});

test('an endpoint must be an http URL, and one there must be', () => {
  assert.throws(() => new Reach({ endpoint: 'localhost:8080' }), /localhost:8080/);
  assert.throws(() => new Reach({ endpoint: [] }), /at least one endpoint/);
});

test('a client that was closed says so, and may be closed again', async () => {
  await using house = await open();
  await house.reach.close();

  const error = await failure(house.reach.call('x', {}));

  assert.deepEqual([error.code, error.executed], ['connect-failed', 'no']);
  assert.equal(house.gateway.seen.length, 0);
});

test('every noun of the operation table is a group with every verb; tasks have their own', () => {
  const reach = new Reach() as unknown as Record<string, Record<string, unknown>>;

  for (const name of Object.keys(OPERATIONS)) {
    const [noun = '', verb = ''] = name.split('.');
    const group = noun.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (noun !== 'tasks') assert.equal(typeof reach[group]?.[verb], 'function', name);
  }
});

test('what stands in the path comes first, the rest is one object', async () => {
  await using house = await open();

  await house.reach.agents.drain('orders', { reason: 'restart' });
  await house.reach.agents.remove('orders');

  const [drain] = house.gateway.all('agents.drain');
  assert.deepEqual(drain?.input, { agent_id: 'orders', reason: 'restart' });
  assert.deepEqual(house.gateway.all('agents.remove')[0]?.input, { agent_id: 'orders' });
});

test('a route decision asks without running', async () => {
  await using house = await open();
  const decision = { outcome: 'none', route_id: 'r', trace_id: 't', warnings: [] } as const;
  house.gateway.on('routes.decide', () => ({ ...decision, warnings: [] }));

  const prefer = { reachability_score: 0.5, latency: 0.3, affinity: 0.2 };
  const options = { agent: 'orders', prefer, strategy: 'exact' } as const;
  const route = await house.reach.route('query_order_status', ORDER, options);

  assert.equal(route.outcome, 'none');
  const [{ input } = assert.fail()] = house.gateway.all('routes.decide');
  assert.deepEqual([input.agent, input.params], ['orders', ORDER]);
  assert.deepEqual([input.prefer, input.strategy], [prefer, 'exact']);
});

test('an answer over 32 MiB is cut off instead of filling the memory', async () => {
  using server = await openSocketServer((socket) => {
    socket.on('error', () => {}); // The client hangs up in the middle, as it should.
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 40000000\r\n\r\n');
      socket.end(Buffer.alloc(40_000_000, ' '));
    });
  });
  await using reach = new Reach({ endpoint: server.url });

  const error = await failure(reach.agents.list());

  assert.equal(error.code, 'bad-response');
  assert.match(error.message, /longer than 33554432 bytes/);
});

/** What an agent's wrapper sets up around a handler. */
function scopeOn(clock: ManualClock, more: Partial<Scope> = {}): Scope {
  return {
    agentId: 'customer-service',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    traceFlags: 1,
    callToken: 'token',
    deadline: Deadline.in(clock, 700),
    signal: new AbortController().signal,
    nestedCalls: new Map(),
    ...more,
  };
}

test('inside a handler a call carries token, trace, agent, deadline and user by itself', async () => {
  await using house = await open();
  const scope = scopeOn(house.clock, { userStamp: 'u1', onBehalfOf: 'li' });

  await runInScope(scope, () => house.reach.call('track_shipment', {}));

  const { input, headers } = await house.gateway.nth('calls.invoke', 1);
  assert.equal(input.agent_id, 'customer-service');
  assert.deepEqual(input.context, { user_stamp: 'u1', on_behalf_of: 'li' });
  assert.equal(headers['reach-call-token'], 'token');
  assert.equal(headers['traceparent'], `00-${scope.traceId}-${scope.spanId}-01`);
  assert.equal(headers['reach-deadline-ms'], '650');
});

test('a shorter wish inside a handler stays shorter, and a passed deadline sends nothing', async () => {
  await using house = await open();
  const scope = scopeOn(house.clock);

  await runInScope(scope, () => house.reach.call('x', {}, { timeoutMs: 200 }));
  await house.clock.advance(700);
  const error = await failure(runInScope(scope, () => house.reach.call('x', {})));

  const { headers } = await house.gateway.nth('calls.invoke', 1);
  assert.equal(headers['reach-deadline-ms'], '180');
  assert.deepEqual([error.code, error.executed], ['deadline-exceeded', 'no']);
  assert.match(error.message, /was not sent/);
  assert.equal(house.gateway.seen.length, 1);
});

test('when the handler is aborted its calls are cancelled, and leave no listener behind', async () => {
  await using house = await open();
  house.gateway.on('calls.invoke', () => new Promise(() => {}));
  const controller = new AbortController();
  const scope = scopeOn(house.clock, { signal: controller.signal });

  const waiting = failure(runInScope(scope, () => house.reach.call('x', {})));
  await house.gateway.nth('calls.invoke', 1);
  controller.abort();

  assert.equal((await waiting).code, 'cancelled');
  assert.equal(house.clock.waiting, 0, 'no timer is left');
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
});

test('a handler that runs again under its key sends its nested calls under the same ids', async () => {
  await using house = await open();
  const run = (key?: string) =>
    runInScope(scopeOn(house.clock, { idempotencyKey: key }), async () => {
      const answers = [];
      for (const what of ['book', 'mail', 'mail']) answers.push(await house.reach.call(what, {}));
      return answers.map((answer) => answer.request_id);
    });

  const first = await run('k1');
  const again = await run('k1');
  const other = await run('k2');
  const unkeyed = await run();

  assert.deepEqual(again, first);
  assert.equal(new Set([...first, ...other, ...unkeyed]).size, 9, 'each call is one of its own');
});
