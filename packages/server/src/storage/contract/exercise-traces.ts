import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { TraceRecord } from '@agent-reach/core';
import type { Storage } from '../spi/storage.ts';
import { type Driver, NOON, scenario } from './driver.ts';

/** Hops of traces. */
export function exerciseTraces(driver: Driver): void {
  suite('traces: hops', () => exerciseHops(driver));
  suite('traces: prune', () => exercisePrune(driver));
}

/** A hop with every optional field left out but those given. */
function hop(n: number, facts: Partial<TraceRecord> = {}): TraceRecord {
  return {
    trace_id: `trace-${n}`,
    span_id: `span-${n}`,
    request_id: `request-${n}`,
    route_id: 'rte_1',
    tenant: 'acme',
    at: NOON + n,
    hop: 0,
    agent_from: 'shop',
    status_code: 200,
    executed: 'yes',
    retry_count: 0,
    replayed: false,
    execute_ms: 12.5,
    match_ms: 0.1,
    queue_ms: 0,
    agent_ms: 12.25,
    return_ms: 0.15,
    attempts: [],
    ...facts,
  };
}

const ALL = { tenant: 'acme', limit: 1_000 };

type Filters = Partial<Parameters<Storage['traces']['find']>[0]>;

/** The moments of the hops found, counted from noon. */
async function hops({ traces }: Storage, filters: Filters = {}): Promise<number[]> {
  return (await traces.find({ ...ALL, ...filters })).map((record) => record.at - NOON);
}

function exerciseHops(driver: Driver): void {
  scenario(driver, 'a hop comes back as it was, newest first', async (storage) => {
    const full = hop(2, {
      legacy_trace_id: '旧-1',
      parent_span_id: 'span-1',
      agent_to: 'crm',
      instance: 'i-1',
      capability: 'query.orders',
      route_strategy: 'exact',
      code: 'agent-error',
      attempts: [
        { agent: 'crm', instance: 'i-1', started_ms: 0.5, ms: 11, status: 0, executed: 'unknown' },
      ],
    });
    await storage.traces.append([hop(1), full]);
    await storage.traces.append([hop(3, { tenant: 'other' })]);
    await storage.traces.append([]);

    assert.deepEqual(await storage.traces.find(ALL), [full, hop(1)]);
  });

  scenario(driver, 'order is by moment, then by what was kept last', async (storage) => {
    await storage.traces.append([hop(2, { hop: 1 }), hop(5), hop(1)]);
    await storage.traces.append([hop(2, { hop: 2 })]);

    const found = await storage.traces.find(ALL);

    assert.deepEqual(
      found.map((record) => [record.at - NOON, record.hop]),
      [
        [5, 0],
        [2, 2],
        [2, 1],
        [1, 0],
      ],
    );
    assert.deepEqual(await hops(storage, { limit: 2 }), [5, 2]);
    assert.deepEqual(await hops(storage, { limit: 1 }), [5]);
  });

  scenario(driver, 'a hop is found by either of its trace ids', async (storage) => {
    await storage.traces.append([
      hop(1, { trace_id: 'aa', legacy_trace_id: 'old' }),
      hop(2, { trace_id: 'bb' }),
      hop(3, { trace_id: 'old' }),
      hop(4, { trace_id: 'old', legacy_trace_id: 'old' }),
      hop(5, { trace_id: 'aa', tenant: 'other' }),
    ]);

    assert.deepEqual(await hops(storage, { traceId: 'aa' }), [1]);
    assert.deepEqual(await hops(storage, { traceId: 'old' }), [4, 3, 1]);
    assert.deepEqual(await hops(storage, { traceId: 'none' }), []);
  });

  scenario(driver, 'filters are joined by and', async (storage) => {
    await storage.traces.append([
      hop(1, { agent_to: 'crm', capability: 'a', request_id: 'r' }),
      hop(2, { agent_from: 'crm', capability: 'b', request_id: 'r' }),
      hop(3, { agent_to: 'mail', capability: 'a', trace_id: 'trace-1' }),
    ]);

    assert.deepEqual(await hops(storage, { agent: 'crm' }), [2, 1]);
    assert.deepEqual(await hops(storage, { capability: 'a' }), [3, 1]);
    assert.deepEqual(await hops(storage, { agent: 'crm', capability: 'a' }), [1]);
    assert.deepEqual(await hops(storage, { requestId: 'r' }), [2, 1]);
    assert.deepEqual(await hops(storage, { requestId: 'r', traceId: 'trace-1' }), [1]);
    assert.deepEqual(await hops(storage, { traceId: 'trace-1', agent: 'mail' }), [3]);
    assert.deepEqual(await hops(storage, { agent: 'crm', tenant: 'other' }), []);
  });

  scenario(driver, 'a span of time has its beginning and not its end', async (storage) => {
    await storage.traces.append([hop(1), hop(2), hop(3)]);

    assert.deepEqual(await hops(storage, { since: NOON + 2 }), [3, 2]);
    assert.deepEqual(await hops(storage, { until: NOON + 2 }), [1]);
    assert.deepEqual(await hops(storage, { since: NOON + 2, until: NOON + 3 }), [2]);
    assert.deepEqual(await hops(storage, { traceId: 'trace-2', since: NOON + 3 }), []);
  });

  scenario(driver, 'one of many thousand is found', async (storage) => {
    const many = Array.from({ length: 5_000 }, (_, n) => hop(n));
    await Promise.all(many.map((record) => storage.traces.append([record])));

    assert.equal((await storage.traces.find(ALL)).length, 1_000);
    for (const n of [0, 2_047, 2_048, 4_999]) {
      assert.deepEqual(await hops(storage, { traceId: `trace-${n}` }), [n]);
      assert.deepEqual(await hops(storage, { requestId: `request-${n}` }), [n]);
    }
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'hops that were answered survive a close', async (storage) => {
    await storage.traces.append([hop(1)]);

    await using again = await reopen(storage);

    assert.deepEqual(await hops(again), [1]);
  });
}

function exercisePrune(driver: Driver): void {
  const keep = { before: 0, rowsMax: 1_000, auditBefore: 0, limit: 100 };

  scenario(driver, 'what is old enough goes, of every tenant', async (storage) => {
    const { traces } = storage;
    await traces.append([hop(5), hop(1), hop(2), hop(3), hop(1, { tenant: 'other' })]);

    assert.deepEqual(await traces.prune(keep), { traces: 0, audit: 0 });
    const gone = await traces.prune({ ...keep, before: NOON + 3 });

    assert.deepEqual(gone, { traces: 3, audit: 0 });
    assert.deepEqual(await hops(storage), [5, 3]);
    assert.deepEqual(await hops(storage, { tenant: 'other' }), []);
    assert.deepEqual(await hops(storage, { traceId: 'trace-2' }), []);
  });

  scenario(driver, 'hops beyond so many go, the first kept first', async (storage) => {
    await storage.traces.append([hop(1), hop(2), hop(3), hop(4)]);

    assert.deepEqual(await storage.traces.prune({ ...keep, rowsMax: 4 }), { traces: 0, audit: 0 });
    assert.deepEqual(await storage.traces.prune({ ...keep, rowsMax: 3 }), { traces: 1, audit: 0 });
    assert.deepEqual(await hops(storage), [4, 3, 2]);
  });

  scenario(driver, 'no call takes more than its limit', async (storage) => {
    const { traces } = storage;
    await traces.append([hop(1), hop(2), hop(3), hop(4), hop(5)]);
    const all = { before: NOON + 3, rowsMax: 1, auditBefore: 0, limit: 2 };

    assert.deepEqual(await traces.prune(all), { traces: 2, audit: 0 });
    assert.deepEqual(await traces.prune(all), { traces: 2, audit: 0 });
    assert.deepEqual(await traces.prune(all), { traces: 0, audit: 0 });
    assert.deepEqual(await hops(storage), [5]);
  });
}
