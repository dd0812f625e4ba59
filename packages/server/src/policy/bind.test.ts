import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallRequest, HEADERS, ReachError } from '@agent-reach/core';
import { type Admission, admit } from './admit.ts';
import { checkBinding, reserve, type Target, timeNeededMs } from './bind.ts';
import { signCallToken } from './call-token.ts';
import { askerOf, openRoom, type PolicyRoom } from './testing/room.ts';

const TARGET: Target = {
  agentId: 'orders',
  capability: 'query',
  effect: 'read',
  agentMs: 2_000,
  typicalMs: undefined,
  isSensitive: false,
};
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

function admitted(
  { ports }: PolicyRoom,
  over: CallRequest = {},
  headers: Record<string, string> = {},
  requestIdIsKey = false,
): Promise<Admission> {
  return admit({ capability: 'query', ...over }, askerOf({ headers }), () => requestIdIsKey, ports);
}

function failsWith(code: string, check: (error: ReachError) => void = () => {}) {
  return (error: unknown) => {
    assert.ok(ReachError.is(error), String(error));
    assert.equal(error.code, code);
    check(error);
    return true;
  };
}

test('without a word of the caller the gateway waits as long as the capability demands', async () => {
  await using room = await openRoom();
  const admission = await admitted(room);

  assert.equal(checkBinding(admission, TARGET, room.ports).remainingMs(), 2_500);
  const slow = { ...TARGET, agentMs: 10_000 };
  assert.equal(checkBinding(admission, slow, room.ports).remainingMs(), 11_000);
});

test('the caller’s deadline counts from admission and shortens the gateway’s', async () => {
  await using room = await openRoom();
  const admission = await admitted(room, { timeout_ms: 1_000 });

  await room.clock.advance(400);

  assert.equal(checkBinding(admission, TARGET, room.ports).remainingMs(), 600);
});

test('a patient caller does not make the gateway wait longer than the capability may take', async () => {
  await using room = await openRoom();
  const admission = await admitted(room, { timeout: 60 });

  assert.equal(checkBinding(admission, TARGET, room.ports).remainingMs(), 2_500);
});

test('ten milliseconds are enough to try, nine are not, and nothing is sent', async () => {
  await using room = await openRoom();
  checkBinding(await admitted(room, { timeout_ms: 10 }), TARGET, room.ports);
  const short = await admitted(room, { timeout_ms: 9 });

  assert.throws(
    () => checkBinding(short, TARGET, room.ports),
    failsWith('deadline-exceeded', ({ executed, message, retryable }) => {
      assert.equal(executed, 'no');
      assert.equal(retryable, false);
      assert.equal(
        message,
        '9 ms are left, and orders needs about 10 ms for query. Nothing was sent.',
      );
    }),
  );
});

test('a target that typically takes long is not asked with half of that left', async () => {
  await using room = await openRoom();
  const target = { ...TARGET, typicalMs: 1_000 };

  checkBinding(await admitted(room, { timeout_ms: 500 }), target, room.ports);
  const short = await admitted(room, { timeout_ms: 499 });
  assert.throws(() => checkBinding(short, target, room.ports), failsWith('deadline-exceeded'));
});

test('an endpoint’s slowest capability does not shut out its quick ones', async () => {
  await using room = await openRoom();
  // Something else at this endpoint takes half a minute.
  const target = { ...TARGET, agentMs: 100, typicalMs: 30_000 };

  checkBinding(await admitted(room), target, room.ports);

  assert.equal(timeNeededMs(target), 50);
  assert.equal(timeNeededMs({ agentMs: 1, typicalMs: 30_000 }), 10);
  assert.equal(timeNeededMs({ agentMs: 2_000, typicalMs: undefined }), 10);
});

test('a write needs a key, a read and an undeclared effect do not', async () => {
  await using room = await openRoom();
  const bare = await admitted(room, { request_id: 'req-1' });
  for (const effect of ['read', undefined] as const) {
    checkBinding(bare, { ...TARGET, effect }, room.ports);
  }
  for (const effect of ['write', 'idempotent_write'] as const) {
    assert.throws(
      () => checkBinding(bare, { ...TARGET, effect }, room.ports),
      failsWith('idempotency-key-missing', ({ message }) => assert.match(message, /^query writes/)),
    );
  }
});

test('a request id serves as the key of a write, where something might write', async () => {
  await using room = await openRoom();
  const keyed = await admitted(room, { request_id: 'req-1' }, {}, true);

  checkBinding(keyed, { ...TARGET, effect: 'write' }, room.ports);
});

test('a circle is refused before anything else is looked at', async () => {
  await using room = await openRoom();
  const admission = { ...(await admitted(room)), path: ['orders/query'] };

  assert.throws(
    () => checkBinding(admission, { ...TARGET, effect: 'write' }, room.ports),
    failsWith('cycle-detected'),
  );
});

test('checking reserves nothing', async () => {
  await using room = await openRoom();
  const admission = await admitted(room, { idempotency_key: 'k' });
  room.asked.length = 0;

  checkBinding(admission, TARGET, room.ports);

  assert.deepEqual(room.asked, []);
});

async function reserved(room: PolicyRoom, admission: Admission, target = TARGET) {
  const deadline = checkBinding(admission, target, room.ports);
  room.asked.length = 0;
  return reserve(admission, target, deadline, room.ports);
}

test('a read without a key in a new trace reserves nothing at all', async () => {
  await using room = await openRoom();
  const binding = await reserved(room, await admitted(room));

  assert.ok('deadline' in binding);
  assert.equal(binding.claim, undefined);
  assert.deepEqual(room.asked, []);
});

test('a call of a given trace is counted, then the key is claimed', async () => {
  await using room = await openRoom();
  const headers = { [HEADERS.traceparent]: `00-${TRACE}-00f067aa0ba902b7-01` };
  const admission = await admitted(room, { idempotency_key: 'k' }, headers);

  const binding = await reserved(room, admission, { ...TARGET, effect: 'write' });

  assert.ok('claim' in binding && binding.claim !== undefined);
  assert.deepEqual(room.asked, ['spend', 'claim']);
});

test('a trace that has spent its calls claims no key', async () => {
  await using room = await openRoom({ traceCallsMax: 1 });
  const headers = { [HEADERS.traceparent]: `00-${TRACE}-00f067aa0ba902b7-01` };
  await reserved(room, await admitted(room, {}, headers));
  const admission = await admitted(room, { idempotency_key: 'k' }, headers);

  await assert.rejects(reserved(room, admission), failsWith('call-budget-exceeded'));

  assert.deepEqual(room.asked, ['spend']);
});

test('a nested call counts for the call above it, too', async () => {
  await using room = await openRoom({ traceCallsMax: 2 });
  const chain = {
    tenant: 'internal',
    traceId: TRACE,
    spanId: '00f067aa0ba902b7',
    root: 'shop',
    path: ['desk/ask'],
  };
  const token = signCallToken(chain, room.clock.now() + 1_000, room.ports.tokenKey);
  const nested = () => admitted(room, {}, { [HEADERS.callToken]: token });

  await reserved(room, await nested());

  await assert.rejects(reserved(room, await nested()), failsWith('call-budget-exceeded'));
});

test('a read is kept under a key that its caller named, not under a request id', async () => {
  await using room = await openRoom();

  const named = await reserved(room, await admitted(room, { idempotency_key: 'k' }));
  assert.ok('claim' in named && named.claim !== undefined);
  const byId = await reserved(room, await admitted(room, { request_id: 'req-9' }, {}, true));
  assert.ok('claim' in byId && byId.claim === undefined);
});

test('of two that pass every check at once, one gets the key and the other waits its turn', async () => {
  await using room = await openRoom();
  const target: Target = { ...TARGET, effect: 'write' };
  const both = [0, 1].map(() => admitted(room, { idempotency_key: 'k' }));
  const [first, second] = await Promise.all(both);
  assert.ok(first && second);

  await reserved(room, first, target);

  await assert.rejects(reserved(room, second, target), failsWith('idempotency-in-progress'));
});
