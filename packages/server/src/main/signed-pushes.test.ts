import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClientWithSecret,
  demandTrue,
  type Input,
  present,
  readSecret,
  ReachError,
  toProblem,
} from '@agent-reach/core';
import type { FetchRequest, FetchResponse, Log } from '@agent-reach/core/kernel';
import { silentLog } from '@agent-reach/core/kernel';
import { failsWith, openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { secured, SECURE, signerOf } from './testing/secure.ts';

const READ = { name: 'look_up', description: 'Looks something up.', effect: 'read' };
const CALL = { capability: 'look_up', params: { a: 1 } };

/** A house that asks who one is, an agent's key, and what the agent was sent. */
async function open(flags: Record<string, unknown> = {}) {
  const warned: string[] = [];
  const log: Log = {
    ...silentLog,
    warn: (_facts: unknown, text?: string) => void warned.push(text ?? ''),
  };
  const house = await openHouse({ ...SECURE, ...flags }, log);
  const secure = secured(house);
  await secure.admin('PUT', '/v1/policies/grants', { doc: { rows: [{ who: '*', may: ['*'] }] } });
  const shop = await secure.client({ kind: 'service', client_id: 'shop', role: 'operator' });
  const sent: FetchRequest[] = [];
  let holds: ClientWithSecret | undefined;
  house.network.at('http://orders:9001', (request) => {
    if (request.method === 'GET') return json(200, { agent_id: 'orders' });
    sent.push(request);
    return holds === undefined
      ? json(200, { ok: true })
      : answerOf(request, holds, house.clock.now());
  });
  const register = () =>
    shop.ask('POST', '/v1/agents', {
      name: 'orders',
      capabilities: [READ],
      network: { base_url: 'http://orders:9001' },
    });
  return {
    house,
    secure,
    shop,
    sent,
    warned,
    register,
    make: (input: Partial<Input<'clients.create'>> = {}) =>
      secure.admin<ClientWithSecret>('POST', '/v1/clients', {
        kind: 'agent',
        agent_id: 'orders',
        ...input,
      }),
    /** The agent verifies by this key from now on. */
    hold: (key: ClientWithSecret) => {
      holds = key;
    },
  };
}

/** What an agent that verifies answers. */
function answerOf(request: FetchRequest, key: ClientWithSecret, nowMs: number): FetchResponse {
  try {
    verified(request, key, nowMs);
    return json(200, { ok: true });
  } catch (error) {
    if (!ReachError.is(error)) throw error;
    const type = { 'content-type': 'application/problem+json' };
    return json(error.status, toProblem(error), type);
  }
}

function verified(request: FetchRequest, key: ClientWithSecret, nowMs: number) {
  const { host, pathname, search } = new URL(request.url);
  const body = Buffer.from(request.body ?? '');
  const rawHeaders = Object.entries(request.headers).flat();
  const message = { method: request.method, target: pathname + search, authority: host };
  const said = { ...message, rawHeaders, body };
  const facts = { nowMs, authorities: new Set(['orders:9001']), direction: 'push' as const };
  const presented = present(said, facts);
  const isKnown = presented.clientId === key.client_id && presented.kid === key.kid;
  demandTrue(presented, isKnown ? readSecret(key.secret) : undefined, body);
  return presented;
}

test('calls and tasks are sent signed with the key of the agent’s own client, each with its nonce', async () => {
  const { house, shop, sent, make, hold, register } = await open();
  await using _ = house;
  const key = await make();
  hold(key);
  await register();

  const call = { ...CALL, idempotency_key: 'k-1', timeout: '1s' };
  assert.equal((await shop.ask('POST', '/v1/calls', call))['status'], 'ok');
  const { task_id: id } = await shop.ask<{ task_id: string }>('POST', '/v1/tasks', {
    task_type: 'look_up',
    payload: {},
  });
  await house.during(shop.ask('GET', `/v1/tasks/${id}?wait=5`), 6_000);

  const proofs = sent.map((request) => verified(request, key, house.clock.now()));
  assert.equal(sent.length, 2);
  assert.equal(new Set(proofs.map(({ nonce }) => nonce)).size, 2);
  const covered = sent.map(({ headers }) => headers['signature-input'] ?? '');
  for (const name of ['idempotency-key', 'reach-deadline-ms', 'reach-call-token', 'reach-caller']) {
    assert.ok(covered[0]?.includes(`"${name}"`), name);
  }
  for (const name of ['reach-task-id', 'reach-lease']) assert.ok(covered[1]?.includes(name), name);
});

test('a second attempt has the same key of idempotency and another nonce', async () => {
  const { house, shop, sent, make, register } = await open();
  await using _ = house;
  const key = await make();
  await register();
  house.network.at('http://orders:9001', (request) => {
    if (request.method === 'POST') sent.push(request);
    return json(sent.length === 1 ? 502 : 200, { ok: true });
  });

  await house.during(shop.ask('POST', '/v1/calls', { ...CALL, idempotency_key: 'k-1' }), 3_000);

  const [first, second] = sent.map((request) => verified(request, key, house.clock.now()));
  assert.notEqual(first?.nonce, second?.nonce);
  assert.deepEqual(
    sent.map(({ headers }) => headers['idempotency-key']),
    ['"k-1"', '"k-1"'],
  );
});

test('a process that has the new key and one that has the old are both sent what they verify', async () => {
  const { house, secure, shop, sent, make, hold, register } = await open();
  await using _ = house;
  const old = await make();
  await register();
  const beat = (key: ClientWithSecret) =>
    signerOf(house, key).ask('POST', '/v1/agents/orders/heartbeat', {});
  hold(old);
  await beat(old);
  const next = await secure.admin<ClientWithSecret>('POST', '/v1/clients/orders/keys', {});

  await shop.ask('POST', '/v1/calls', CALL);
  assert.equal(sent.length, 1, 'a new key that nobody used is not tried first');
  await beat(next); // Another process came up with it, and this one still has the old one.
  await house.during(new Promise((done) => setImmediate(done)), 100);
  await shop.ask('POST', '/v1/calls', CALL);
  assert.equal(sent.length, 2, 'what an instance took is tried first');
  hold(next);
  await shop.ask('POST', '/v1/calls', CALL);
  assert.equal(sent.length, 4, 'it restarted with the new key: the second one is found');
  await shop.ask('POST', '/v1/calls', CALL);
  assert.equal(sent.length, 5, 'and remembered');
});

test('an agent that cannot verify has run nothing, and what is revoked signs nothing', async () => {
  const { house, secure, shop, sent, make, hold, register } = await open();
  await using _ = house;
  const key = await make();
  await register();
  hold({ ...key, secret: `rsk_${Buffer.alloc(32, 1).toString('base64url')}` });

  await assert.rejects(
    shop.ask('POST', '/v1/calls', CALL),
    failsWith('agent-rejected', (error) => {
      assert.equal(error.executed, 'no');
      assert.equal(error.facts.downstream?.code, 'signature-invalid');
    }),
  );
  await secure.admin('POST', `/v1/clients/orders/keys/${key.kid}/revoke`);
  sent.length = 0;
  await assert.rejects(shop.ask('POST', '/v1/calls', CALL), failsWith('agent-rejected'));
  assert.equal(sent.at(-1)?.headers['signature'], undefined);
});

test('an agent without a key is sent it unsigned and one is warned once, or nothing is sent', async () => {
  const lenient = await open();
  await using _ = lenient.house;
  await lenient.register();
  await lenient.shop.ask('POST', '/v1/calls', CALL);
  await lenient.shop.ask('POST', '/v1/calls', CALL);

  assert.equal(lenient.sent[0]?.headers['signature'], undefined);
  assert.equal(lenient.warned.filter((text) => text.includes('is not signed')).length, 1);

  const strict = await open({ 'egress.sign': 'require' });
  await using other = strict.house;
  void other;
  await strict.register();
  await assert.rejects(
    strict.shop.ask('POST', '/v1/calls', CALL),
    failsWith('egress-blocked', (error) => assert.equal(error.executed, 'no')),
  );
  assert.equal(strict.sent.length, 0);
  strict.hold(await strict.make());
  assert.equal((await strict.shop.ask('POST', '/v1/calls', CALL))['status'], 'ok');
});

test('another tenant’s client of the same agent signs nothing here', async () => {
  const { house, secure, shop, sent, make, register } = await open();
  await using _ = house;
  await register();
  await secure.admin('POST', '/v1/clients', {
    kind: 'service',
    client_id: 'acme-admin',
    role: 'admin',
    for_tenant: 'acme',
  });
  await make({ client_id: 'acme-orders', for_tenant: 'acme' });

  await shop.ask('POST', '/v1/calls', CALL);

  assert.equal(sent[0]?.headers['signature'], undefined);
});
