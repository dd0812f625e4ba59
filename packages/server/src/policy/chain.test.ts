import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { demandDepth, demandNoCycle, hopOf, spendTraceCall } from './chain.ts';
import { openRoom, type PolicyRoom } from './testing/room.ts';

const steps = (count: number) => Array.from({ length: count }, (_, i) => `a${i}/c`);

function failsWith(code: string, check: (error: ReachError) => void = () => {}) {
  return (error: unknown) => {
    assert.ok(ReachError.is(error), String(error));
    assert.equal(error.code, code);
    check(error);
    return true;
  };
}

test('a call that nobody called for is the first hop', () => {
  assert.equal(hopOf([]), 1);
  assert.equal(hopOf(steps(4)), 5);
});

test('the fifth call of a chain is made, the sixth is refused with the way it came', () => {
  demandDepth(steps(4), 5);

  assert.throws(
    () => demandDepth(steps(5), 5),
    failsWith('call-too-deep', ({ facts, message, executed }) => {
      assert.deepEqual(facts.path, steps(5));
      assert.equal(facts.limit, 5);
      assert.equal(executed, 'no');
      assert.match(message, /call 6 of a chain that may have 5 \(a0\/c → a1\/c/);
    }),
  );
});

test('a chain may come back to an agent, but not to the same capability of it', () => {
  const path = ['orders/query', 'stock/count'];
  demandNoCycle(path, 'orders', 'cancel');
  demandNoCycle(path, 'stock', 'query');

  assert.throws(
    () => demandNoCycle(path, 'orders', 'query'),
    failsWith('cycle-detected', ({ facts, message }) => {
      assert.deepEqual(facts.path, [...path, 'orders/query']);
      assert.match(message, /orders\/query → stock\/count → orders\/query/);
    }),
  );
});

test('names that only run together are no circle', () => {
  demandNoCycle(['a.b/c'], 'a', 'b.c');
});

function spend(
  { ports }: PolicyRoom,
  over: { traceId?: string; tenant?: string; isNested?: boolean } = {},
) {
  const call = { tenant: 'internal', traceId: 't1', isNested: false, ...over };
  return spendTraceCall(call, ports.options, ports.ledger, ports.now());
}

test('a trace may make 64 calls, and the 65th is refused', async () => {
  await using room = await openRoom();
  for (let n = 1; n <= 64; n++) await spend(room);

  await assert.rejects(
    spend(room),
    failsWith('call-budget-exceeded', ({ facts, message, executed }) => {
      assert.equal(facts.limit, 64);
      assert.equal(executed, 'no');
      assert.match(message, /its 64 calls of the last 30 s\.$/);
    }),
  );
});

test('a refused call is not counted: the trace stays at its bound', async () => {
  await using room = await openRoom({ traceCallsMax: 1 });
  await spend(room);
  for (let n = 0; n < 3; n++) await assert.rejects(spend(room), failsWith('call-budget-exceeded'));

  await room.clock.advance(30_000);

  await spend(room);
});

test('the budget comes back when its window is over, and not a millisecond before', async () => {
  await using room = await openRoom();
  for (let n = 1; n <= 64; n++) await spend(room);

  await room.clock.advance(29_999);
  await assert.rejects(spend(room), failsWith('call-budget-exceeded'));
  await room.clock.advance(1);

  await spend(room);
});

test('each trace of each tenant has a budget of its own', async () => {
  await using room = await openRoom({ traceCallsMax: 1 });

  await spend(room);
  await spend(room, { traceId: 't2' });
  await spend(room, { tenant: 'other' });
});

test('the first nested call pays for the call above it as well: 64 in all', async () => {
  await using room = await openRoom();
  // The first call of the trace was made by the gateway and counted by nobody.
  for (let n = 1; n <= 63; n++) await spend(room, { isNested: true });

  await assert.rejects(spend(room, { isNested: true }), failsWith('call-budget-exceeded'));
});

test('a nested call below one that was counted pays for itself alone', async () => {
  await using room = await openRoom({ traceCallsMax: 3 });
  await spend(room);
  await spend(room, { isNested: true });
  await spend(room, { isNested: true });

  await assert.rejects(spend(room, { isNested: true }), failsWith('call-budget-exceeded'));
});

test('a budget of one call admits no nested one', async () => {
  await using room = await openRoom({ traceCallsMax: 1 });

  await assert.rejects(spend(room, { isNested: true }), failsWith('call-budget-exceeded'));
});
