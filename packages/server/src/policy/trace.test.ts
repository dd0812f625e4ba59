import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idsFrom, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { CallChain } from './call-token.ts';
import { traceSpot } from './trace.ts';

const HEADER_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const HEADER = `00-${HEADER_TRACE}-00f067aa0ba902b7-01`;
const chain: CallChain = {
  tenant: 'internal',
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  root: 'shop',
  path: ['orders/query'],
};

function spot(given: { header?: string; body?: string; chain?: CallChain }, tenant = 'internal') {
  const { header, body } = given;
  const ids = idsFrom(new ManualClock(), seededRandom(1));
  return traceSpot({ header, body, chain: given.chain }, tenant, ids);
}

test('a request that says nothing begins a new trace, sampled and random', () => {
  const { spanId, traceId, ...rest } = spot({});

  assert.match(traceId, /^[0-9a-f]{32}$/);
  assert.match(spanId, /^[0-9a-f]{16}$/);
  assert.deepEqual(rest, {
    legacyTraceId: undefined,
    parentSpanId: undefined,
    flags: 3,
    given: false,
  });
});

test('a valid traceparent is continued with its flags, below its span', () => {
  const { spanId, ...rest } = spot({ header: HEADER, body: 'tr-1' });

  assert.notEqual(spanId, '00f067aa0ba902b7');
  assert.deepEqual(rest, {
    traceId: HEADER_TRACE,
    legacyTraceId: undefined,
    parentSpanId: '00f067aa0ba902b7',
    flags: 1,
    given: true,
  });
});

test('a broken traceparent begins a new trace', () => {
  for (const header of [
    '',
    'x',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    HEADER.toUpperCase(),
  ]) {
    assert.equal(spot({ header }).given, false, header);
  }
});

test('a W3C id in the body is kept', () => {
  const found = spot({ body: HEADER_TRACE });

  assert.equal(found.traceId, HEADER_TRACE);
  assert.equal(found.legacyTraceId, undefined);
  assert.equal(found.given, true);
});

test('an id of another form becomes the one that stands for it in its tenant', () => {
  const legacy = 'tr-20250118103000-abc123';
  const found = spot({ body: legacy });

  assert.equal(found.traceId, 'f8abbe5f06376ad3029267d05fbfce45');
  assert.equal(found.legacyTraceId, legacy);
  assert.equal(found.given, true);
  assert.notEqual(spot({ body: legacy }, 'other').traceId, found.traceId);
  for (const odd of ['0'.repeat(32), HEADER_TRACE.toUpperCase(), 'x']) {
    assert.equal(spot({ body: odd }).legacyTraceId, odd);
    assert.match(spot({ body: odd }).traceId, /^[0-9a-f]{32}$/);
  }
});

test('the trace of a token cannot be left: other headers and bodies do not count', () => {
  const found = spot({ chain, header: HEADER, body: 'tr-1' });

  assert.equal(found.traceId, chain.traceId);
  assert.equal(found.parentSpanId, chain.spanId);
  assert.equal(found.legacyTraceId, undefined);
  assert.equal(found.flags, 3);
  assert.equal(found.given, true);
});

test('within the trace of a token the header says the nearer parent', () => {
  const found = spot({ chain, header: `00-${chain.traceId}-00f067aa0ba902b7-00` });

  assert.equal(found.parentSpanId, '00f067aa0ba902b7');
  assert.equal(found.flags, 0);
});
