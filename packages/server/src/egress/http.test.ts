import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode, Executed } from '@agent-reach/core';
import {
  type Fetch,
  FetchFailure,
  type FetchFailureKind,
  type FetchRequest,
  type FetchResponse,
} from '@agent-reach/core/kernel';
import { httpLink, RESULT_BYTES_MAX } from './http.ts';
import type { Attempt, AttemptOutcome } from './link.ts';
import { attempt, response } from './testing/attempt.ts';

/** A link on a network of one agent, which notes what it is sent. */
function wired(machine: (request: FetchRequest) => FetchResponse) {
  const sent: FetchRequest[] = [];
  const send = async (request: FetchRequest) => {
    sent.push(request);
    return machine(request);
  };
  const judge = async () => ({ verdict: 'allowed' as const, addresses: [] });
  const fetch: Fetch = Object.assign(send, { judge });
  return { link: httpLink(fetch), sent };
}

async function sentFor(over: Partial<Attempt>): Promise<FetchRequest> {
  const { link, sent } = wired(() => response(200, {}));
  await link(attempt(over));
  return sent[0] ?? assert.fail('nothing was sent');
}

async function outcomeOf(failure: FetchFailure, over: Partial<Attempt> = {}) {
  const outcome: AttemptOutcome = await wired(() => {
    throw failure;
  }).link(attempt(over));
  assert.ok(!outcome.ok);
  assert.equal(outcome.status, 0);
  return outcome.error;
}

test('an agent is sent the bare parameters, and everything of ours in headers', async () => {
  const request = await sentFor({});

  assert.equal(request.method, 'POST');
  assert.equal(request.url, 'http://orders:9001/abilities/query_order_status');
  assert.equal(request.body, '{"order_no":"A1"}');
  assert.equal(request.timeoutMs, 2_200);
  assert.equal(request.responseBytesMax, RESULT_BYTES_MAX);
  assert.deepEqual(request.headers, {
    'content-type': 'application/json',
    accept: 'application/json, application/problem+json',
    'reach-request-id': 'req-1',
    'reach-tenant': 'internal',
    'reach-caller': 'shop',
    'reach-capability': 'query_order_status',
    'reach-instance': 'i-1',
    'reach-addr-version': 'ab12.3',
    'reach-attempt': '1',
    'reach-deadline-ms': '2000',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03',
    'reach-call-token': 'dG9rZW4.bWFj',
  });
});

test('what rides along is sent when it is there: the key in quotes, stamps, source', async () => {
  const { headers } = await sentFor({
    number: 2,
    idempotencyKey: 'k-1',
    onBehalfOf: 'alice',
    userStamp: 'u 1',
    sourceId: 'src',
  });

  assert.equal(headers['reach-attempt'], '2');
  assert.equal(headers['idempotency-key'], '"k-1"');
  assert.equal(headers['reach-on-behalf-of'], 'alice');
  assert.equal(headers['reach-user-stamp'], 'u 1');
  assert.equal(headers['reach-source-id'], 'src');
});

test('no value can end its header and begin another', async () => {
  const { headers } = await sentFor({
    caller: 'a\r\nx: y',
    onBehalfOf: 'alice\r\nReach-Tenant: other',
    userStamp: 'u\n',
    sourceId: '\u0000',
  });

  assert.equal(headers['reach-caller'], 'a%0D%0Ax%3A%20y');
  assert.equal(headers['reach-on-behalf-of'], 'alice%0D%0AReach-Tenant%3A%20other');
  assert.equal(headers['reach-user-stamp'], 'u%0A');
  assert.equal(headers['reach-source-id'], '%00');
  for (const value of Object.values(headers)) assert.match(value, /^[\x20-\x7e]*$/);
});

test('a stamp that is not plain ASCII travels as percent-encoded UTF-8 and decodes once', async () => {
  for (const stamp of ['张三', 'é', '100%', 'a%20b', '😀', ' a', 'a ', ' ', '\t']) {
    const value = (await sentFor({ userStamp: stamp })).headers['reach-user-stamp'] ?? '';

    assert.match(value, /^[\x21-\x7e]+$/, stamp);
    assert.equal(decodeURIComponent(value), stamp);
  }
});

test('half a surrogate pair, which has no UTF-8, stops nothing', async () => {
  const { headers } = await sentFor({ onBehalfOf: 'a\ud83d' });

  assert.equal(headers['reach-on-behalf-of'], 'a%EF%BF%BD');
});

test('a capability’s name stays one segment of the path', async () => {
  assert.equal(
    (await sentFor({ capability: 'crm.contact.read' })).url,
    'http://orders:9001/abilities/crm.contact.read',
  );
  assert.equal(
    (await sentFor({ capability: '../a?b#c' })).url,
    'http://orders:9001/abilities/..%2Fa%3Fb%23c',
  );
});

test('the time an agent is told is whole milliseconds, and never none', async () => {
  const told = async (agentMs: number) => (await sentFor({ agentMs })).headers['reach-deadline-ms'];

  assert.equal(await told(1_999.99), '1999');
  assert.equal(await told(0.4), '1');
  assert.equal(await told(3_600_000), '3600000');
});

test('no parameters are an empty object', async () => {
  assert.equal((await sentFor({ params: undefined })).body, '{}');
  assert.equal((await sentFor({ params: null })).body, '{}');
});

/** What a failed exchange means, unsent and sent. */
const failures: [kind: FetchFailureKind, unsent: ErrorCode, sent: ErrorCode][] = [
  ['bad-url', 'egress-blocked', 'egress-blocked'],
  ['refused-address', 'egress-blocked', 'egress-blocked'],
  ['resolve', 'connect-failed', 'connect-failed'],
  ['connect', 'connect-failed', 'connect-failed'],
  ['tls', 'connect-failed', 'connect-failed'],
  ['timeout', 'deadline-exceeded', 'deadline-exceeded'],
  ['reset', 'connect-failed', 'agent-error'],
  ['too-large', 'bad-response', 'bad-response'],
  ['aborted', 'overloaded', 'overloaded'],
];

for (const [kind, unsent, sent] of failures) {
  for (const [wasSent, code] of [
    [false, unsent],
    [true, sent],
  ] as const) {
    const executed: Executed = wasSent ? 'unknown' : 'no';
    test(`${kind}, ${wasSent ? 'sent' : 'unsent'}, means ${code}, executed ${executed}`, async () => {
      const failure = new FetchFailure(kind, wasSent, 'it broke');
      const error = await outcomeOf(failure);

      assert.equal(error.code, code);
      assert.equal(error.executed, executed);
      assert.equal(error.cause, failure);
      assert.equal(error.facts.agent, 'orders');
      if (wasSent) assert.equal(error.retryable, false);
    });
  }
}

test('an exchange that the caller aborted is cancelled, one that the gateway ends is not', async () => {
  const failure = new FetchFailure('aborted', true, 'aborted');

  const left = await outcomeOf(failure, { signal: AbortSignal.abort() });
  assert.equal(left.code, 'cancelled');
  assert.equal(left.executed, 'unknown');
  const stays = await outcomeOf(failure, { signal: new AbortController().signal });
  assert.equal(stays.code, 'overloaded');
  assert.match(stays.message, /closing/);
});

test('a failure names who and the limit in whole milliseconds', async () => {
  const late = await outcomeOf(new FetchFailure('timeout', true, 'x'), { gatewayMs: 2_199.6 });

  assert.equal(late.message, 'orders (i-1) did not answer within 2200 ms.');
});

test('what a peer writes into a failure is scrubbed', async () => {
  const failure = new FetchFailure('tls', false, `altnames: DNS:\u001b[2J${'x'.repeat(1_000)}`);
  const { message } = await outcomeOf(failure);

  assert.doesNotMatch(message, /\u001b/);
  assert.ok(message.length < 260);
});

test('an error that is no failure of the exchange is a fault of ours and is thrown', async () => {
  const { link } = wired(() => {
    throw new TypeError('a bug');
  });

  await assert.rejects(link(attempt()), TypeError);
});

test('the caller’s signal and the answer’s bound reach the exchange', async () => {
  const { signal } = new AbortController();

  assert.equal((await sentFor({ signal })).signal, signal);
});
