import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demandTrue, present, ReachError, type SignedMessage } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { systemRandom } from '@agent-reach/core/kernel';
import { credentialsIn } from './credentials.ts';
import { Reach } from './reach.ts';
import { answered, FakeGateway } from './testing/fake-gateway.ts';
import { openTwoGateways } from './testing/two-gateways.ts';

const SECRET = Buffer.alloc(32, 9);
const CREDENTIALS = {
  clientId: 'shop',
  kid: 'k2',
  secret: `rsk_${SECRET.toString('base64url')}`,
};

/** What the gateway would find: the signature's own words, if it verifies. */
function verified(message: SignedMessage, clock: ManualClock) {
  const presented = present(message, { nowMs: clock.now(), authorities: undefined });
  demandTrue(presented, SECRET, message.body);
  return presented;
}

test('every request is signed, with a body, with a query and without', async () => {
  await using gateway = await FakeGateway.open();
  gateway
    .on('calls.invoke', (request) => answered(request, 1))
    .on('agents.list', () => ({ agents: [] }));
  const clock = new ManualClock();
  const ports = { clock, random: systemRandom() };
  await using reach = new Reach({ endpoint: gateway.url, credentials: CREDENTIALS }, ports);

  await reach.call('query', { order: '订单 1' }, { idempotencyKey: 'k-1' });
  await reach.agents.list({ capability: 'query' });
  await reach.agents.list();

  const proofs = gateway.seen.map(({ message }) => verified(message, clock));
  assert.deepEqual(
    proofs.map(({ clientId, kid }) => `${clientId}:${kid}`),
    ['shop:k2', 'shop:k2', 'shop:k2'],
  );
  assert.equal(new Set(proofs.map(({ nonce }) => nonce)).size, 3);
});

test('a request that goes to a second gateway is signed anew, for that one', async () => {
  await using two = await openTwoGateways({ credentials: CREDENTIALS });
  two.on('calls.invoke', (request) => answered(request, 1));
  two.wireA.breakAnswers(1);

  await two.reach.call('refund', {}, { idempotencyKey: 'k-1' });

  const [first, second] = [two.a, two.b].map((one) => {
    const [seen] = one.all('calls.invoke');
    assert.ok(seen !== undefined);
    return { seen, proof: verified(seen.message, two.clock) };
  });
  assert.notEqual(first?.proof.nonce, second?.proof.nonce);
  assert.notEqual(first?.seen.message.authority, second?.seen.message.authority);
});

test('a gateway that has just started is told again, with a new signature, a few times', async () => {
  await using gateway = await FakeGateway.open();
  const clock = new ManualClock();
  const ports = { clock, random: systemRandom() };
  await using reach = new Reach({ endpoint: gateway.url, credentials: CREDENTIALS }, ports);
  let refusals = 1;
  gateway.on('agents.list', () => {
    if (refusals-- <= 0) return { agents: [] };
    const facts = { retryable: true, retry_after_ms: 400 };
    throw new ReachError('replayed', 'It is older than this gateway.', facts);
  });
  const asked = async () => {
    const state = { isOver: false };
    const answer = reach.agents.list({}, { timeoutMs: 3_600_000 }).finally(() => {
      state.isOver = true;
    });
    answer.catch(() => {}); // It is awaited below.
    while (!state.isOver) {
      await new Promise((done) => setImmediate(done));
      await clock.advance(400);
    }
    return answer;
  };

  assert.deepEqual(await asked(), { agents: [] });
  const nonces = gateway.seen.map(
    ({ message }) => /nonce="([^"]+)"/.exec(message.rawHeaders.join())?.[1],
  );
  assert.equal(new Set(nonces).size, 2);
  refusals = 100;
  await assert.rejects(asked(), { code: 'replayed' });
  assert.equal(gateway.seen.length, 2 + 4);
});

test('a token goes with every request as it is', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.list', () => ({ agents: [] }));
  await using reach = new Reach({ endpoint: gateway.url, credentials: { token: 'rtk_abc' } });

  await reach.agents.list();

  const [seen] = gateway.seen;
  assert.equal(seen?.headers.authorization, 'Bearer rtk_abc');
  assert.equal(seen?.headers['signature'], undefined);
});

test('the environment says a key by its kid and secret, or a token, or nothing', () => {
  const { clientId, kid, secret } = CREDENTIALS;
  const key = { REACH_CLIENT_ID: clientId, REACH_KEY: `${kid}:${secret}` };

  assert.deepEqual(credentialsIn(key), CREDENTIALS);
  assert.deepEqual(credentialsIn({ REACH_TOKEN: 'rtk_abc' }), { token: 'rtk_abc' });
  assert.equal(credentialsIn({ REACH_TOKEN: '', REACH_KEY: '' }), undefined);
  assert.throws(() => credentialsIn({ ...key, REACH_TOKEN: 'rtk_abc' }), /not both/);
  assert.throws(() => credentialsIn({ REACH_KEY: key.REACH_KEY }), /REACH_CLIENT_ID/);
  assert.throws(() => credentialsIn({ REACH_CLIENT_ID: clientId }), /REACH_KEY/);
  assert.throws(() => credentialsIn({ ...key, REACH_KEY: secret }), /k1:rsk_/);
});

test('credentials that can be none are refused at once, and not repeated', () => {
  const open = (credentials: object) => () => new Reach({ credentials: credentials as never });
  const notTold = (secret: string) => (error: unknown) => {
    assert.ok(error instanceof TypeError);
    return !error.message.includes(secret);
  };

  assert.throws(open({ ...CREDENTIALS, secret: 'hunter2' }), notTold('hunter2'));
  assert.throws(open({ ...CREDENTIALS, kid: 'K 1' }), TypeError);
  assert.throws(open({ ...CREDENTIALS, clientId: '' }), TypeError);
  assert.throws(open({ token: 'hunter2' }), notTold('hunter2'));
  assert.throws(open({ token: 'rtk_a\nb' }), TypeError);
});
