import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asker, type CallRequest, HEADERS, ReachError } from '@agent-reach/core';
import { type Admission, admit } from './admit.ts';
import { checkBinding, reserve } from './bind.ts';
import { type CallChain, signCallToken } from './call-token.ts';
import { type KeptOutcome, settleKey } from './idempotency.ts';
import { askerOf, openRoom, type PolicyRoom } from './testing/room.ts';

const CHAIN: CallChain = {
  tenant: 'internal',
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  root: 'front',
  path: ['desk/ask'],
};

function ask(
  { ports }: PolicyRoom,
  over: CallRequest = {},
  asker: Partial<Asker> = {},
  requestIdIsKey = false,
): Promise<Admission> {
  return admit({ capability: 'query', ...over }, askerOf(asker), () => requestIdIsKey, ports);
}

function tokenHeader({ clock, ports }: PolicyRoom, over: Partial<CallChain> = {}) {
  const token = signCallToken({ ...CHAIN, ...over }, clock.now() + 1_000, ports.tokenKey);
  return { headers: { [HEADERS.callToken]: token } };
}

const isCode = (code: string) => (error: unknown) => {
  assert.ok(ReachError.is(error), String(error));
  assert.equal(error.code, code);
  return true;
};

test('a plain request is admitted as the first of its chain, under a new id and trace', async () => {
  await using room = await openRoom();
  const { signal } = new AbortController();

  const admission = await ask(room, {}, { signal });

  assert.equal(admission.tenant, 'internal');
  assert.equal(admission.principal, 'shop');
  assert.equal(admission.root, 'shop');
  assert.deepEqual(admission.path, []);
  assert.match(admission.requestId, /^call_/);
  assert.equal(admission.trace.given, false);
  assert.equal(admission.deadline, undefined);
  assert.equal(admission.key, undefined);
  assert.equal(admission.kept, undefined);
  assert.equal(admission.signal, signal);
  assert.deepEqual(room.asked, []);
});

test('a nested call continues the chain of its token: root, path and trace', async () => {
  await using room = await openRoom();

  const admission = await ask(room, {}, tokenHeader(room));

  assert.equal(admission.root, 'front');
  assert.deepEqual(admission.path, ['desk/ask']);
  assert.equal(admission.trace.traceId, CHAIN.traceId);
  assert.equal(admission.trace.parentSpanId, CHAIN.spanId);
});

test('a nested call that does not name itself is made by whom the token was given to', async () => {
  await using room = await openRoom();
  const headers = tokenHeader(room);

  assert.equal((await ask(room, {}, { ...headers, principal: 'anonymous' })).principal, 'desk');
  assert.equal((await ask(room, {}, { ...headers, principal: 'shop' })).principal, 'shop');
});

test('a token of another tenant proves nothing: the chain begins anew', async () => {
  await using room = await openRoom();

  const admission = await ask(room, {}, tokenHeader(room, { tenant: 'other' }));

  assert.deepEqual(admission.path, []);
  assert.equal(admission.root, 'shop');
  assert.equal(admission.trace.given, false);
});

test('a token that is forged, expired or doubled is refused, never ignored', async () => {
  await using room = await openRoom();
  const { headers } = tokenHeader(room);
  const token = headers[HEADERS.callToken] ?? '';
  const present = (text: string) => ask(room, {}, { headers: { [HEADERS.callToken]: text } });

  await assert.rejects(present(`${token}x`), isCode('signature-invalid'));
  await assert.rejects(present(''), isCode('signature-invalid'));
  await assert.rejects(present(`${token}, ${token}`), isCode('validation-failed'));
  await room.clock.advance(1_001);
  await assert.rejects(present(token), isCode('signature-invalid'));
});

test('no header but the token makes a chain', async () => {
  await using room = await openRoom();
  const headers = {
    'reach-hop': '9',
    'reach-depth': '9',
    'reach-path': 'a/b',
    'reach-attempt': '9',
  };

  assert.deepEqual((await ask(room, {}, { headers })).path, []);
});

test('the fifth call of a chain is admitted, the sixth refused before its key is looked up', async () => {
  await using room = await openRoom();
  const path = (count: number) => Array.from({ length: count }, (_, i) => `a${i}/c`);

  const fifth = await ask(room, {}, tokenHeader(room, { path: path(4) }));
  assert.equal(fifth.path.length, 4);
  await assert.rejects(
    ask(room, { idempotency_key: 'k' }, tokenHeader(room, { path: path(5) })),
    isCode('call-too-deep'),
  );
  assert.deepEqual(room.asked, []);
});

test('a malformed envelope is told before a bad token, and a bad token before depth', async () => {
  await using room = await openRoom();
  const bad = { headers: { [HEADERS.callToken]: 'x' } };

  await assert.rejects(ask(room, { action: 'other' }, bad), isCode('validation-failed'));
  await assert.rejects(ask(room, {}, bad), isCode('signature-invalid'));
});

test('the caller’s patience begins with admission', async () => {
  await using room = await openRoom();
  const { deadline } = await ask(room, { timeout_ms: 700 });

  await room.clock.advance(200);

  assert.equal(deadline?.remainingMs(), 500);
});

test('a key is looked up and nothing else: admission has no side effect', async () => {
  await using room = await openRoom();

  const admission = await ask(room, { idempotency_key: 'k' }, tokenHeader(room));

  assert.equal(admission.keyIsExplicit, true);
  assert.equal(admission.kept, undefined);
  assert.deepEqual(room.asked, ['lookup']);
});

test('a request id is a key only where something might write', async () => {
  await using room = await openRoom();
  const over = { request_id: 'req-1' };

  assert.equal((await ask(room, over)).key, undefined);
  const keyed = await ask(room, over, {}, true);
  assert.equal(keyed.key?.key, 'req-1');
  assert.equal(keyed.keyIsExplicit, false);
  assert.equal(keyed.requestId, 'req-1');
  assert.equal((await ask(room, {}, {}, true)).key, undefined, 'an id that we made is no key');
});

test('an explicit key goes before a request id', async () => {
  await using room = await openRoom();
  const over = { request_id: 'req-1', idempotency_key: 'k' };

  assert.equal((await ask(room, over, {}, true)).key?.key, 'k');
});

/** Runs one keyed write to its end. */
async function settled(room: PolicyRoom, over: CallRequest, outcome: KeptOutcome | 'unknown') {
  const { ports } = room;
  const admission = await ask(room, over);
  const target = {
    agentId: 'orders',
    capability: 'query',
    effect: 'write' as const,
    agentMs: 2_000,
    typicalMs: undefined,
    isSensitive: false,
  };
  const deadline = checkBinding(admission, target, ports);
  const binding = await reserve(admission, target, deadline, ports);
  assert.ok('claim' in binding && binding.claim !== undefined);
  await settleKey(binding.claim, outcome, { ...ports, token: () => '' });
}

test('what is kept under a key is found at admission, whatever differs between honest repeats', async () => {
  await using room = await openRoom();
  const kept: KeptOutcome = { ok: false, code: 'agent-rejected', detail: 'No.', facts: {} };
  const first = { idempotency_key: 'k', params: { a: 1, b: 2 } };
  await settled(room, first, kept);

  const again: CallRequest = {
    idempotency_key: 'k',
    params: { b: 2, a: 1 },
    request_id: 'req-2',
    timeout_ms: 900,
    context: { trace_id: 'tr-2', deadline_ms: 800, user_stamp: 'other' },
  };

  assert.deepEqual((await ask(room, again)).kept, kept);
});

test('the same key with another wish is refused at admission', async () => {
  await using room = await openRoom();
  const first: CallRequest = { idempotency_key: 'k', params: { a: 1 } };
  await settled(room, first, { ok: false, code: 'agent-rejected', detail: 'No.', facts: {} });

  for (const over of [
    { params: { a: 2 } },
    { capability: 'other' },
    { tags: ['vip'] },
    { agent: 'orders' },
    { version: '2' },
    { intent: 'where is it' },
    { context: { on_behalf_of: 'alice' } },
  ]) {
    await assert.rejects(ask(room, { ...first, ...over }), isCode('idempotency-key-reused'));
  }
});

test('action and capability, payload and params are the same wish', async () => {
  await using room = await openRoom();
  const kept: KeptOutcome = { ok: false, code: 'agent-rejected', detail: 'No.', facts: {} };
  await settled(room, { idempotency_key: 'k', params: { a: 1 } }, kept);
  const other = { action: 'query', payload: { a: 1 }, idempotency_key: 'k' };

  const admission = await admit(other, askerOf(), () => false, room.ports);

  assert.deepEqual(admission.kept, kept);
});

test('a key of unknown outcome is left to binding, which knows the effect', async () => {
  await using room = await openRoom();
  await settled(room, { idempotency_key: 'k' }, 'unknown');

  assert.equal((await ask(room, { idempotency_key: 'k' })).kept, undefined);
});

test('a key in progress is refused at admission', async () => {
  await using room = await openRoom();
  const admission = await ask(room, { idempotency_key: 'k' });
  assert.ok(admission.key !== undefined);
  const { ports } = room;
  await ports.ledger.claim({
    ...admission.key,
    pinned: '{}',
    token: 't',
    claimMs: 1_000,
    ttlMs: 1_000,
    now: ports.now(),
  });

  await assert.rejects(ask(room, { idempotency_key: 'k' }), isCode('idempotency-in-progress'));
});
