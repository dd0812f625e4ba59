import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceRecord } from '@agent-reach/sdk';
import { paintFor } from './paint.ts';
import { legend, waterfall } from './waterfall.ts';

const plain = paintFor(false, {});

function hop(more: Partial<TraceRecord>): TraceRecord {
  return {
    trace_id: 't',
    span_id: 's',
    request_id: 'r',
    route_id: 'rte',
    tenant: 'internal',
    at: 1_000,
    hop: 1,
    agent_from: 'demo',
    agent_to: 'orders',
    capability: 'query',
    status_code: 200,
    executed: 'yes',
    retry_count: 0,
    replayed: false,
    execute_ms: 100,
    match_ms: 10,
    queue_ms: 0,
    agent_ms: 80,
    return_ms: 10,
    attempts: [],
    ...more,
  };
}

test('hops stand below each other on one axis, with their parts and times', () => {
  const nested = { hop: 2, agent_to: 'logistics', capability: 'track_shipment' };
  const times = { at: 1_050, execute_ms: 25, match_ms: 0, agent_ms: 25, return_ms: 0 };

  const lines = waterfall([hop({ ...nested, ...times }), hop({})], plain);

  assert.deepEqual(lines, [
    '                                                                match  agent return  ms',
    'query → orders                ░░░██████████████████████████▓▓▓   10.0   80.0   10.0  200',
    '└ track_shipment → logistics                  ████████            0.0   25.0    0.0  200',
  ]);
});

test('a hop that failed says how, even if nobody could be asked', () => {
  const failed = { status_code: 503, code: 'no-reachable-agent', capability: 'track' };
  const { agent_to: _, ...nobody } = hop({ ...failed, agent_ms: 0, match_ms: 5, return_ms: 0 });

  const [, line = ''] = waterfall([nobody], plain);

  assert.match(line, /^track → \? {2}░+ .* 503 no-reachable-agent$/);
});

test('the shortest hop is visible and the latest stays inside the bar', () => {
  const short = hop({ at: 1_099, execute_ms: 0.2, match_ms: 0, agent_ms: 0.2, return_ms: 0 });

  const [, first = '', last = ''] = waterfall([hop({}), short], plain);

  assert.match(last, /█/);
  assert.equal(last.length, first.length);
});

test('no hops, no lines; and colours only on a terminal that wants them', () => {
  assert.deepEqual(waterfall([], plain), []);
  assert.match(legend(paintFor(true, {})), /\x1b\[32m█/);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    assert.doesNotMatch(legend(paintFor(true, env)), /\x1b/);
  }
});
