import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Effect, ReachError } from '@agent-reach/core';
import fc from 'fast-check';
import { testRandom } from '@agent-reach/core/testing';
import {
  claimKey,
  identify,
  judgeRecord,
  type KeptOutcome,
  type Pinned,
  type RequestIdentity,
  settleKey,
} from './idempotency.ts';
import { openRoom, type PolicyRoom } from './testing/room.ts';

const REQUEST: RequestIdentity = {
  tenant: 'internal',
  principal: 'shop',
  key: 'k-1',
  selector: { capability: 'refund', tags: {} },
  params: { order_no: 'A1', amount: 5 },
  onBehalfOf: undefined,
};
const answer = { request_id: 'req-1', result: { done: true } } as Answer;
const DONE: KeptOutcome = { ok: true, answer };

const fingerprint = (over: Partial<RequestIdentity> = {}) =>
  identify({ ...REQUEST, ...over }).fingerprint;

const isCode = (code: string) => (error: unknown) => {
  assert.ok(ReachError.is(error), String(error));
  assert.equal(error.code, code);
  return true;
};

/** Claims, settles and repeats on a real ledger. */
function keys({ clock, ports }: PolicyRoom) {
  let tokens = 0;
  const claimPorts = { ...ports, token: () => `token-${++tokens}` };
  const pin = (effect?: Effect, capability = 'refund'): Pinned => ({
    capability,
    requestId: 'req-1',
    ...(effect === undefined ? {} : { effect }),
  });
  return {
    claim: (pinned: Pinned, over: Partial<RequestIdentity> = {}, workMs = 2_000) =>
      claimKey(identify({ ...REQUEST, ...over }), pinned, workMs, claimPorts),
    settle: (claim: Parameters<typeof settleKey>[0], outcome: KeptOutcome | 'unknown' | 'free') =>
      settleKey(claim, outcome, claimPorts),
    lookup: () => {
      const { scope, key } = identify(REQUEST);
      return ports.ledger.lookup({ scope, key, now: clock.now() });
    },
    pin,
  };
}

async function claimed(answering: ReturnType<typeof claimKey>) {
  const found = await answering;
  assert.ok('claim' in found, 'the key was not free');
  return found.claim;
}

test('a fingerprint does not depend on the order in which members are written', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).reverse();
    return Object.fromEntries(entries.map(([name, member]) => [name, reversed(member)]));
  };
  const json = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(json, (params) => {
      assert.equal(fingerprint({ params: reversed(params) }), fingerprint({ params }));
    }),
    { seed, numRuns: 300 },
  );
});

test('a fingerprint tells apart what is asked, of whom, with what and for whom', () => {
  const others: Partial<RequestIdentity>[] = [
    { params: { order_no: 'A1', amount: 6 } },
    { params: { order_no: 'A1' } },
    { params: { order_no: 'A1', amount: '5' } },
    { params: [] },
    { selector: { capability: 'refund_all', tags: {} } },
    { selector: { intent: 'refund', tags: {} } },
    { selector: { capability: 'refund', tags: { region: 'cn' } } },
    { selector: { capability: 'refund', agent: 'orders', tags: {} } },
    { onBehalfOf: 'alice' },
    { onBehalfOf: 'bob' },
  ];
  const all = [fingerprint(), ...others.map(fingerprint)];

  assert.equal(new Set(all).size, all.length);
});

test('a fingerprint is of the request alone: key, tenant and principal are the scope', () => {
  assert.equal(fingerprint({ key: 'k-2' }), fingerprint());
  assert.equal(identify(REQUEST).scope, 'internal/shop');
  assert.notEqual(identify({ ...REQUEST, principal: 'bank' }).scope, identify(REQUEST).scope);
});

test('no parameters and empty ones are the same request', () => {
  assert.equal(fingerprint({ params: undefined }), fingerprint({ params: {} }));
  assert.equal(fingerprint({ params: null }), fingerprint({ params: {} }));
});

test('no text can move from one part of the fingerprint into another', () => {
  assert.notEqual(
    fingerprint({ params: 'a', onBehalfOf: 'b\nc' }),
    fingerprint({ params: 'a\nb', onBehalfOf: 'c' }),
  );
});

test('the fingerprint of a known request is what it was: keys outlive an upgrade', () => {
  assert.equal(fingerprint(), 'nB7Nx5DbAA80gkJGW40MMiraaJGV41tfZNvK6y3yzs8');
});

test('a first request claims its key, a second one is told that the first still runs', async () => {
  await using room = await openRoom();
  const { claim, pin } = keys(room);
  await claimed(claim(pin('write')));

  await assert.rejects(claim(pin('write')), (error) => {
    assert.ok(ReachError.is(error));
    assert.equal(error.code, 'idempotency-in-progress');
    assert.equal(error.facts.retry_after_ms, 1_000);
    return error.retryable;
  });
});

test('a repeat after the verdict gets the first answer, word for word', async () => {
  await using room = await openRoom();
  const { claim, pin, settle } = keys(room);
  const first = await claimed(claim(pin('write')));

  assert.equal(await settle(first, DONE), true);

  assert.deepEqual(await claim(pin('write')), { kept: DONE });
});

test('a refusal that is final is kept with its facts', async () => {
  await using room = await openRoom();
  const { claim, pin, settle } = keys(room);
  const refusal: KeptOutcome = {
    ok: false,
    code: 'agent-rejected',
    detail: 'orders refused with 422.',
    facts: { executed: 'yes', downstream: { status: 422 } },
  };
  await settle(await claimed(claim(pin('write'))), refusal);

  assert.deepEqual(await claim(pin('write')), { kept: refusal });
});

test('a key used with another request is refused, whatever became of the first', async () => {
  const other = { params: { order_no: 'B2' } };
  for (const outcome of [undefined, DONE, 'unknown'] as const) {
    await using room = await openRoom();
    const { claim, pin, settle } = keys(room);
    const first = await claimed(claim(pin('read')));
    if (outcome !== undefined) await settle(first, outcome);

    await assert.rejects(claim(pin('read'), other), isCode('idempotency-key-reused'));
  }
});

test('a key that was set free is claimed anew, by another request as well', async () => {
  await using room = await openRoom();
  const { claim, pin, settle } = keys(room);
  await settle(await claimed(claim(pin('write'))), 'free');

  await claimed(claim(pin('write'), { params: { order_no: 'B2' } }));
});

test('the key of one principal or tenant is not the key of another', async () => {
  await using room = await openRoom();
  const { claim, pin } = keys(room);

  await claimed(claim(pin('write')));
  await claimed(claim(pin('write'), { principal: 'bank' }));
  await claimed(claim(pin('write'), { tenant: 'other' }));
});

for (const effect of ['read', 'idempotent_write'] as const) {
  test(`a ${effect} whose outcome is unknown is run again by its repeat`, async () => {
    await using room = await openRoom();
    const { claim, pin, settle } = keys(room);
    await settle(await claimed(claim(pin(effect))), 'unknown');

    const again = await claimed(claim(pin(effect)));

    await settle(again, DONE);
    assert.deepEqual(await claim(pin(effect)), { kept: DONE });
  });
}

for (const effect of ['write', undefined] as const) {
  test(`${effect ?? 'an undeclared effect'} whose outcome is unknown is never run again`, async () => {
    await using room = await openRoom();
    const { claim, pin, settle } = keys(room);
    await settle(await claimed(claim(pin(effect))), 'unknown');

    for (let n = 0; n < 2; n++) await assert.rejects(claim(pin(effect)), isCode('outcome-unknown'));
  });
}

test('a write of unknown outcome is not run again because its repeat was routed to a read', async () => {
  await using room = await openRoom();
  const { claim, pin, settle } = keys(room);
  await settle(await claimed(claim(pin('write'))), 'unknown');

  await assert.rejects(claim(pin('read')), isCode('outcome-unknown'));
});

test('a read of unknown outcome is not run again as a write, nor as another capability', async () => {
  await using room = await openRoom();
  const { claim, pin, settle } = keys(room);
  await settle(await claimed(claim(pin('read'))), 'unknown');

  await assert.rejects(claim(pin('write')), isCode('outcome-unknown'));
  await assert.rejects(claim(pin('read', 'look_up')), isCode('outcome-unknown'));
  await claimed(claim(pin('read')));
});

test('a claim whose holder went silent lapses, and is taken over where that is safe', async () => {
  await using room = await openRoom();
  const { claim, pin, settle } = keys(room);
  const first = await claimed(claim(pin('read')));
  await room.clock.advance(59_999);
  await assert.rejects(claim(pin('read')), isCode('idempotency-in-progress'));
  await room.clock.advance(1);

  const second = await claimed(claim(pin('read')));

  assert.equal(await settle(first, DONE), false, 'the late answer of the first is not kept');
  await assert.rejects(claim(pin('read')), isCode('idempotency-in-progress'));
  assert.equal(await settle(second, DONE), true);
});

test('a claim outlives the work it is for, and its time is whole milliseconds', async () => {
  await using room = await openRoom();
  const { claim, lookup, pin } = keys(room);

  await claimed(claim(pin('write'), {}, 65_999.123));

  const record = await lookup();
  assert.ok(record?.state === 'claimed');
  assert.equal(record.claimEndsAt - room.clock.now(), 76_000);
});

test('an answer is kept up to its bound; past it the outcome is unknown, not forgotten', async () => {
  for (const [over, kept] of [
    [0, true],
    [1, false],
  ] as const) {
    const size = Buffer.byteLength(JSON.stringify(DONE));
    await using room = await openRoom({ answerBytesMax: size - over });
    const { claim, pin, settle } = keys(room);
    await settle(await claimed(claim(pin('write'))), DONE);

    if (kept) assert.deepEqual(await claim(pin('write')), { kept: DONE });
    else await assert.rejects(claim(pin('write')), isCode('outcome-unknown'));
  }
});

test('the bound of an answer is in bytes, not in characters', async () => {
  const wide: KeptOutcome = { ok: true, answer: { ...answer, result: '数'.repeat(400) } };
  await using room = await openRoom({ answerBytesMax: 1_024 });
  const { claim, lookup, pin, settle } = keys(room);

  await settle(await claimed(claim(pin('read'))), wide);

  assert.equal((await lookup())?.state, 'unknown');
});

test('a key is forgotten when its retention is over', async () => {
  await using room = await openRoom({ keyRetentionMs: 60_000 });
  const { claim, pin, settle } = keys(room);
  await settle(await claimed(claim(pin('write'))), DONE);

  await room.clock.advance(59_999);
  assert.ok('kept' in (await claim(pin('write'))));
  await room.clock.advance(1);

  await claimed(claim(pin('write'), { params: 'another' }));
});

test('of fifty claims of one key at once one gets it', async () => {
  await using room = await openRoom();
  const { claim, pin } = keys(room);

  const all = await Promise.allSettled(Array.from({ length: 50 }, () => claim(pin('write'))));

  const won = all.filter((one) => one.status === 'fulfilled');
  assert.equal(won.length, 1);
  for (const one of all) {
    if (one.status === 'rejected') isCode('idempotency-in-progress')(one.reason);
  }
});

test('of fifty repeats that take over a lost read at once one gets it', async () => {
  await using room = await openRoom();
  const { claim, pin, settle } = keys(room);
  await settle(await claimed(claim(pin('read'))), 'unknown');

  const all = await Promise.allSettled(Array.from({ length: 50 }, () => claim(pin('read'))));

  assert.equal(all.filter((one) => one.status === 'fulfilled').length, 1);
});

test('a record that is unknown is handed back: who looks knows the effect', () => {
  const key = identify(REQUEST);
  const record = {
    fingerprint: key.fingerprint,
    pinned: '{}',
    token: 't',
    expiresAt: 1,
    state: 'unknown' as const,
  };

  assert.equal(judgeRecord(record, key), record);
  assert.throws(
    () => judgeRecord({ ...record, fingerprint: 'other' }, key),
    isCode('idempotency-key-reused'),
  );
});
