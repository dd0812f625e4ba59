import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asker, ReachError, type TraceRecord } from '@agent-reach/core';
import { seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { openSqlite } from '../storage/sqlite/open.ts';
import { KnownHeads } from './known-heads.ts';
import { telemetryHandlers } from './handlers.ts';
import { Recorder } from './recorder.ts';

const asker: Asker = {
  tenant: 'internal',
  principal: 'operator',
  peer: '127.0.0.1',
  headers: {},
  signal: new AbortController().signal,
};

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function hop(over: Partial<TraceRecord> = {}): TraceRecord {
  return {
    trace_id: TRACE,
    span_id: '00f067aa0ba902b7',
    request_id: 'req-1',
    route_id: 'rte_1',
    tenant: 'internal',
    at: 1_000,
    hop: 1,
    agent_from: 'shop',
    agent_to: 'orders',
    capability: 'query',
    status_code: 200,
    executed: 'yes',
    retry_count: 0,
    replayed: false,
    execute_ms: 1,
    match_ms: 0,
    queue_ms: 0,
    agent_ms: 1,
    return_ms: 0,
    attempts: [],
    ...over,
  };
}

async function room() {
  const clock = new ManualClock();
  const storage = await openSqlite({
    dir: ':memory:',
    clock,
    random: seededRandom(1),
    log: silentLog,
  });
  const recorder = new Recorder(storage.traces, clock, silentLog);
  const handlers = telemetryHandlers({
    store: storage.traces,
    recorder,
    clock,
    key: undefined,
    auditRetentionMs: 1_000,
    heads: new KnownHeads(),
  });
  return { recorder, handlers, [Symbol.asyncDispose]: () => storage.close() };
}

const isCode = (code: string) => (error: unknown) => ReachError.is(error) && error.code === code;

test('whoever asks after an answer finds its trace: the recorder is flushed first', async () => {
  await using here = await room();
  here.recorder.trace(hop());

  const found = await here.handlers['calls.get']({ request_id: 'req-1' }, asker);

  assert.equal(found.hops[0]?.agent_to, 'orders');
});

test('the hops of a trace come in the order they began, also those of one millisecond', async () => {
  await using here = await room();
  // Each is told when it has ended, the innermost first.
  here.recorder.trace(hop({ at: 2_000, hop: 3, request_id: 'req-3' }));
  here.recorder.trace(hop({ at: 2_000, hop: 2, request_id: 'req-2' }));
  here.recorder.trace(hop({ at: 1_000, hop: 1 }));

  const { hops } = await here.handlers['traces.get']({ trace_id: TRACE }, asker);

  assert.deepEqual(
    hops.map((one) => one.hop),
    [1, 2, 3],
  );
});

test('a trace is found by the caller’s own id as well, and answers with the one it has', async () => {
  await using here = await room();
  here.recorder.trace(hop({ legacy_trace_id: 'tr-20250118-abc' }));

  const found = await here.handlers['traces.get']({ trace_id: 'tr-20250118-abc' }, asker);

  assert.equal(found.trace_id, TRACE);
});

test('what is not known is not found, and another tenant’s is not known', async () => {
  await using here = await room();
  here.recorder.trace(hop());
  const stranger = { ...asker, tenant: 'other' };
  const { handlers } = here;

  await assert.rejects(
    async () => handlers['traces.get']({ trace_id: 'x' }, asker),
    isCode('not-found'),
  );
  await assert.rejects(
    async () => handlers['traces.get']({ trace_id: TRACE }, stranger),
    isCode('not-found'),
  );
  await assert.rejects(
    async () => handlers['calls.get']({ request_id: 'req-1' }, stranger),
    isCode('not-found'),
  );
  assert.deepEqual(await handlers['traces.search']({}, stranger), { hops: [] });
});

test('hops and lines are searched by each of their fields', async () => {
  await using here = await room();
  const { handlers, recorder } = here;
  recorder.trace(hop());
  recorder.trace(hop({ at: 2_000, agent_to: 'stock', request_id: 'req-2' }));
  recorder.auditSoon({
    at: 1_000,
    tenant: 'internal',
    principal: 'shop',
    operation: 'calls.invoke',
    target: 'orders',
    outcome: 'ok',
    executed: 'yes',
  });

  const count = async (query: object) =>
    (await handlers['traces.search'](query, asker)).hops.length;
  assert.equal(await count({}), 2);
  assert.equal(await count({ limit: 1 }), 1);
  assert.equal(await count({ agent: 'stock' }), 1);
  assert.equal(await count({ request_id: 'req-2' }), 1);
  assert.equal(await count({ trace_id: TRACE, capability: 'query' }), 2);
  assert.equal(await count({ since: 1_001 }), 1);
  const { lines } = await handlers['audit.search']({ principal: 'shop' }, asker);
  assert.equal(lines[0]?.target, 'orders');
  assert.equal((await handlers['audit.search']({ target: 'stock' }, asker)).lines.length, 0);
});
