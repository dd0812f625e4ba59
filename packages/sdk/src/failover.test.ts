import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Effect, type Input, ReachError, type TaskTicket } from '@agent-reach/core';
import { answered, type FakeGateway } from './testing/fake-gateway.ts';
import { failure, openTwoGateways } from './testing/two-gateways.ts';
import { until } from './testing/until.ts';

const KEYED = { idempotencyKey: 'k-1' };

const echo = (request: Input<'calls.invoke'>) => answered(request, request.params);
const never = () => new Promise<never>(() => {});

/** What a route decision says of whoever would serve. */
function routedTo(effect: Effect | undefined) {
  const decision = { outcome: 'route', route_id: 'r', trace_id: 't', warnings: [] } as const;
  return () => ({ ...decision, warnings: [], ...(effect === undefined ? {} : { effect }) });
}

/** How many requests for it have come. */
const count = (gateway: FakeGateway, name: Parameters<FakeGateway['all']>[0]) =>
  gateway.all(name).length;

test('nobody there: the next one, at once, and it is asked first from then on', async () => {
  await using two = await openTwoGateways();
  two.b.on('calls.invoke', echo);
  await two.wireA.cut();

  await two.reach.call('refund', {});
  await two.reach.call('refund', {});

  assert.equal(two.reach.endpoint, `${two.wireB.url}/`);
  assert.equal(count(two.b, 'calls.invoke'), 2);
});

test('a keyed call whose answer was lost goes to another with the same key, and nothing else new', async () => {
  await using two = await openTwoGateways({ agentId: 'desk' });
  two.a.on('calls.invoke', echo);
  two.b.on('calls.invoke', (request) => ({ ...echo(request), replayed: true }));
  two.wireA.breakAnswers(1);

  const answer = await two.reach.call('refund', { order: 1 }, KEYED);

  assert.equal(answer.replayed, true);
  const [first, second] = [two.a, two.b].map((one) => one.all('calls.invoke')[0]);
  assert.deepEqual(second?.input, first?.input);
  assert.equal(second?.input.idempotency_key, 'k-1');
  assert.equal(second?.headers['traceparent'], first?.headers['traceparent']);
});

test('fifty keyed calls under way at a gateway that dies are all answered by the other', async () => {
  await using two = await openTwoGateways();
  two.a.on('calls.invoke', never);
  two.b.on('calls.invoke', echo);

  const calls = Array.from({ length: 50 }, (_, n) =>
    two.reach.call<{ n: number }>('refund', { n }, { idempotencyKey: `k-${n}` }),
  );
  await two.a.nth('calls.invoke', 50);
  await two.wireA.cut();
  const answers = await Promise.all(calls);

  assert.deepEqual(
    answers.map(({ result }) => result.n),
    Array.from({ length: 50 }, (_, n) => n),
  );
  const keys = two.b.all('calls.invoke').map(({ input }) => input.idempotency_key);
  assert.equal(new Set(keys).size, 50);
  assert.equal(keys.length, 50, 'none was sent twice to the one that lives');
});

test('an undeclared write whose connection broke is told as unknown, and not repeated', async () => {
  await using two = await openTwoGateways();
  two.on('calls.invoke', echo);
  two.on('routes.decide', routedTo(undefined));
  two.wireA.breakAnswers(1);

  const error = await failure(two.reach.call('refund', {}));

  assert.deepEqual([error.code, error.executed], ['connect-failed', 'unknown']);
  assert.match(error.message, /broke the connection before it answered/);
  assert.deepEqual([count(two.a, 'calls.invoke'), count(two.b, 'calls.invoke')], [1, 0]);
});

for (const effect of ['read', 'idempotent_write', 'write'] as const) {
  test(`a declared ${effect} goes to another under the name that it had`, async () => {
    await using two = await openTwoGateways();
    two.on('calls.invoke', echo);
    two.b.on('routes.decide', routedTo(effect));
    two.wireA.breakAnswers(1);

    await two.reach.call('refund', { order: 1 }, { sourceId: 's', timeoutMs: 900 });

    const [first, second] = [two.a, two.b].map((one) => one.all('calls.invoke')[0]?.input);
    assert.deepEqual(second, first);
    assert.match(String(second?.request_id), /^call_/);
    const [asked] = two.b.all('routes.decide');
    assert.deepEqual(asked?.input.params, { order: 1 });
    assert.equal(asked?.input.request_id, undefined, 'the decision is no use of the name');
  });
}

test('while the first may still be at work the repeat waits, and gets its answer', async () => {
  await using two = await openTwoGateways();
  two.a.on('calls.invoke', echo);
  let asked = 0;
  two.b.on('calls.invoke', (request) => {
    if (++asked > 3) return { ...echo(request), replayed: true };
    throw new ReachError('idempotency-in-progress', 'It still runs.', { retry_after_ms: 1_000 });
  });
  two.wireA.breakAnswers(1);

  const call = two.reach.call('refund', {}, { ...KEYED, timeoutMs: 10_000 });
  for (const [n, pauseMs] of [250, 500, 1_000].entries()) {
    await until(() => two.draws() === 2 + n, 'it rests');
    await two.clock.advance(pauseMs - 1);
    assert.equal(asked, n + 1);
    await two.clock.advance(1);
  }

  assert.equal((await call).replayed, true);
});

test('it waits no longer than the caller, who is told that nobody knows', async () => {
  await using two = await openTwoGateways();
  two.a.on('calls.invoke', echo);
  two.b.on('calls.invoke', () => {
    throw new ReachError('idempotency-in-progress', 'It still runs.');
  });
  two.wireA.breakAnswers(1);

  const call = failure(two.reach.call('refund', {}, { ...KEYED, timeoutMs: 200 }));
  await until(() => two.draws() === 2, 'it rests');
  await two.clock.advance(200);

  const error = await call;
  assert.deepEqual([error.code, error.executed], ['deadline-exceeded', 'unknown']);
  assert.equal(two.reach.endpoint, `${two.wireB.url}/`, 'which is not held against the other');
});

test('a first request that meets its own key is told so at once: somebody else is at work', async () => {
  await using two = await openTwoGateways();
  two.a.on('calls.invoke', () => {
    throw new ReachError('idempotency-in-progress', 'It still runs.');
  });

  const error = await failure(two.reach.call('refund', {}, KEYED));

  assert.equal(error.code, 'idempotency-in-progress');
  assert.equal(two.b.seen.length, 0);
});

for (const code of ['overloaded', 'store-unavailable', 'storage-full'] as const) {
  test(`a gateway that says ${code} is left for another, for a write that nobody named, too`, async () => {
    await using two = await openTwoGateways();
    two.a.on('calls.invoke', () => {
      throw new ReachError(code, 'Not now.');
    });
    two.b.on('calls.invoke', echo);

    await two.reach.call('refund', {});
    await two.reach.call('refund', {});

    assert.equal(count(two.a, 'calls.invoke'), 1, 'and avoided from then on');
  });
}

test('when all refuse, the refusal is what the caller gets', async () => {
  await using two = await openTwoGateways();
  two.on('calls.invoke', () => {
    throw new ReachError('overloaded', 'Full.', { retry_after_ms: 1_500 });
  });

  const error = await failure(two.reach.call('refund', {}));

  assert.deepEqual([error.code, error.executed], ['overloaded', 'no']);
  assert.equal(error.facts.retry_after_ms, 1_500);
});

for (const code of ['no-reachable-agent', 'draining', 'agent-busy', 'internal'] as const) {
  test(`${code} is not asked of another: it is about an agent, or may have run`, async () => {
    await using two = await openTwoGateways();
    two.a.on('calls.invoke', () => {
      throw new ReachError(code, 'No.');
    });

    assert.equal((await failure(two.reach.call('refund', {}, KEYED))).code, code);
    assert.equal(two.b.seen.length, 0);
    assert.equal(two.reach.endpoint, `${two.wireA.url}/`);
  });
}

test('a no to the repeat says nothing of the first: nobody knows', async () => {
  await using two = await openTwoGateways();
  two.a.on('calls.invoke', echo);
  two.b.on('calls.invoke', () => {
    throw new ReachError('no-reachable-agent', 'Nobody is there.', { last_seen: 'now' });
  });
  two.wireA.breakAnswers(1);

  const error = await failure(two.reach.call('refund', {}, KEYED));

  assert.deepEqual([error.code, error.executed], ['no-reachable-agent', 'unknown']);
  assert.equal(error.facts.last_seen, 'now');
});

test('when all are dead one error names each, and why', async () => {
  await using two = await openTwoGateways();
  await two.wireA.cut();
  await two.wireB.cut();

  const error = await failure(two.reach.agents.list());

  assert.deepEqual([error.code, error.executed], ['connect-failed', 'no']);
  const reason = String.raw`\/ cannot be reached \(connect ECONNREFUSED [^)]*\)`;
  const names = [two.wireA.url, two.wireB.url].map((url) => url + reason).join('; ');
  assert.match(error.message, new RegExp(`^agents\\.list: no gateway answers: ${names}\\.$`));
});

test('one that broke and one that is away: both are named, and nobody knows', async () => {
  await using two = await openTwoGateways();
  two.a.on('calls.invoke', echo);
  two.wireA.breakAnswers(2);
  await two.wireB.cut();

  const error = await failure(two.reach.call('refund', {}, KEYED));

  assert.deepEqual([error.code, error.executed], ['connect-failed', 'unknown']);
  assert.match(error.message, /broke the connection .* cannot be reached .* broke the connection/);
});

test('a submission whose answer was lost goes to another under its id', async () => {
  await using two = await openTwoGateways();
  const ticket = ({ task_id: id = '' }: Input<'tasks.submit'>): TaskTicket => ({
    task_id: id,
    status: 'queued',
    position: 0,
    eta_ms: 0,
    eta_p90_ms: 0,
    durability: 'durable',
    trace_id: 't',
    replayed: true,
    warnings: [],
  });
  two.on('tasks.submit', ticket);
  two.wireA.breakAnswers(1);

  const { task_id: id } = await two.reach.tasks.submit({ task_type: 'query' });

  const ids = [two.a, two.b].map((one) => one.all('tasks.submit')[0]?.input.task_id);
  assert.deepEqual(ids, [id, id]);
});

test('a bare submission without a name is not sent twice: it would be two tasks', async () => {
  await using two = await openTwoGateways();
  two.wireA.breakAnswers(1);

  const error = await failure(two.reach.invoke('tasks.submit', { task_type: 'query' }));

  assert.equal(error.executed, 'unknown');
  assert.equal(two.b.seen.length, 0);
});
