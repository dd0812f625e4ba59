import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientView, ClientWithSecret } from '@agent-reach/core';
import { Bus } from '../peers/testing/bus.ts';
import { failsWith } from './testing/house.ts';
import {
  openSecure,
  openSecureShared,
  type SecureHouse,
  secured,
  signerOf,
} from './testing/secure.ts';

async function service(secure: SecureHouse, more: object = {}): Promise<ClientWithSecret> {
  const input = { kind: 'service', client_id: 'shop', role: 'viewer', ...more };
  return secure.admin('POST', '/v1/clients', input);
}

async function states(secure: SecureHouse, clientId = 'shop'): Promise<string[]> {
  const { keys } = await secure.admin<ClientView>('GET', `/v1/clients/${clientId}`);
  return keys.map(({ kid, state }) => `${kid} ${state}`);
}

const rotate = (secure: SecureHouse) =>
  secure.admin<ClientWithSecret>('POST', '/v1/clients/shop/keys', {});
const look = (secure: SecureHouse, key: ClientWithSecret) =>
  signerOf(secure.house, key).ask('GET', '/v1/agents');

/** Lets what nobody waits for be written. */
const settle = () => new Promise((done) => setImmediate(done));

test('a key is pending until it is used, and its use retires the one before for a day', async () => {
  await using secure = await openSecure();
  const first = await service(secure);
  assert.deepEqual(await states(secure), ['k1 pending']);
  await look(secure, first);
  await settle();
  assert.deepEqual(await states(secure), ['k1 active']);

  const second = await rotate(secure);
  assert.deepEqual(await states(secure), ['k1 active', 'k2 pending']);
  await look(secure, first); // Nobody is cut off before the new one is in use.
  await look(secure, second);
  await settle();
  assert.deepEqual(await states(secure), ['k1 retiring', 'k2 active']);
  await look(secure, first);
});

test('two keys are the most: a third waits for the first to end, or gives way unused', async () => {
  await using secure = await openSecure();
  const first = await service(secure);
  await look(secure, first);
  await settle();
  const lost = await rotate(secure);
  const second = await rotate(secure);
  assert.deepEqual(await states(secure), ['k2 revoked', 'k1 active', 'k3 pending']);
  await assert.rejects(look(secure, lost), failsWith('key-revoked'));

  await look(secure, second);
  await settle();
  await assert.rejects(
    rotate(secure),
    failsWith('rule-refused', (error) => assert.match(error.message, /k1 and k3/)),
  );
  await secure.admin('POST', '/v1/clients/shop/keys/k1/revoke', {});
  assert.equal((await rotate(secure)).kid, 'k4');
});

test('a revoked key is refused at once, twice is fine, and the other one holds', async () => {
  await using secure = await openSecure();
  const first = await service(secure);
  await look(secure, first);
  await settle();
  const second = await rotate(secure);
  const revoke = () => secure.admin<ClientView>('POST', '/v1/clients/shop/keys/k1/revoke', {});

  const once = await revoke();
  assert.deepEqual(await revoke(), once);
  await assert.rejects(look(secure, first), failsWith('key-revoked'));
  await look(secure, second);
  await assert.rejects(
    secure.admin('POST', '/v1/clients/shop/keys/k9/revoke', {}),
    failsWith('not-found'),
  );
});

test('a client that is removed is as if it had never been, and its name may come back', async () => {
  await using secure = await openSecure();
  const first = await service(secure);
  const remove = () => secure.admin<{ removed: boolean }>('DELETE', '/v1/clients/shop');

  assert.deepEqual(await remove(), { removed: true });
  assert.deepEqual(await remove(), { removed: false });
  await assert.rejects(look(secure, first), failsWith('signature-invalid'));
  await assert.rejects(secure.admin('GET', '/v1/clients/shop'), failsWith('not-found'));

  const again = await service(secure);
  await look(secure, again);
  await assert.rejects(look(secure, first), failsWith('signature-invalid'));
});

test('a token is a bearer of its own, and signs nothing', async () => {
  await using secure = await openSecure();
  const { secret } = await service(secure, { key_type: 'token' });
  const shown = { authorization: `Bearer ${secret}` };

  await secure.anybody('GET', '/v1/agents', undefined, shown);
  await settle();
  await secure.admin('POST', '/v1/clients/shop/keys/k1/revoke', {});
  await assert.rejects(
    secure.anybody('GET', '/v1/agents', undefined, shown),
    failsWith('key-revoked'),
  );
});

test('a client that contradicts itself is refused by its field', async () => {
  await using secure = await openSecure();
  const wrong: [object, RegExp][] = [
    [{ kind: 'agent' }, /agent_id/],
    [{ kind: 'agent', agent_id: 'a', role: 'admin' }, /role/],
    [{ kind: 'service', client_id: 's', agent_id: 'a' }, /agent_id/],
    [{ kind: 'person' }, /client_id/],
    [{ kind: 'service', client_id: 'anonymous' }, /client_id/],
    [{ kind: 'service', client_id: 'Shop' }, /client_id/],
  ];
  for (const [input, where] of wrong) {
    await assert.rejects(
      secure.admin('POST', '/v1/clients', input),
      failsWith('validation-failed', (error) => assert.match(error.message, where)),
    );
  }
  await service(secure);
  await assert.rejects(service(secure), failsWith('rule-refused'));
});

test('only who runs the gateway lets another tenant in, and a name leads to one tenant', async () => {
  await using secure = await openSecure();
  const made = await secure.admin<ClientWithSecret>('POST', '/v1/clients', {
    kind: 'service',
    client_id: 'acme-admin',
    role: 'admin',
    for_tenant: 'acme',
  });
  const acme = signerOf(secure.house, made);

  assert.equal(made.tenant, 'acme');
  const { clients } = await acme.ask<{ clients: ClientView[] }>('GET', '/v1/clients');
  assert.deepEqual(
    clients.map(({ client_id }) => client_id),
    ['acme-admin'],
  );
  await acme.ask('POST', '/v1/clients', { kind: 'agent', agent_id: 'orders' });
  // The name is taken, in whatever tenant; the agent may be called so in both.
  await assert.rejects(
    secure.admin('POST', '/v1/clients', { kind: 'agent', agent_id: 'orders' }),
    failsWith('rule-refused'),
  );
  await secure.admin('POST', '/v1/clients', {
    kind: 'agent',
    agent_id: 'orders',
    client_id: 'our-orders',
  });
  for (const [method, url] of [
    ['GET', '/v1/clients/admin'],
    ['POST', '/v1/clients/admin/keys/k1/revoke'],
    ['POST', '/v1/clients/our-orders/keys'],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    await assert.rejects(acme.ask(method, url, body), failsWith('not-found'), url);
  }
  assert.deepEqual(await acme.ask('DELETE', '/v1/clients/admin'), { removed: false });
  await assert.rejects(
    acme.ask('POST', '/v1/clients', { kind: 'service', client_id: 'x', for_tenant: 'internal' }),
    failsWith('permission-denied'),
  );
  await secure.admin('GET', '/v1/clients');
});

test('what one gateway let in, rotated or revoked, the others know by its word', async () => {
  const bus = new Bus();
  await using here = await openSecureShared(bus);
  await using beside = await here.house.beside();
  const there = secured(beside, here.house.house.firstToken());
  await here.house.clock.advance(2_000); // They have heard of each other.
  const first = await service(here);
  await here.house.clock.advance(10);
  await look(there, first);
  await settle();
  await here.house.clock.advance(10);
  assert.deepEqual(await states(here), ['k1 active']);

  await there.admin('POST', '/v1/clients/shop/keys/k1/revoke', {});
  await here.house.clock.advance(10);
  await assert.rejects(look(here, first), failsWith('key-revoked'));
});

test('what was not heard is read a few seconds later', async () => {
  const bus = new Bus();
  await using here = await openSecureShared(bus);
  await using beside = await here.house.beside();
  const there = secured(beside, here.house.house.firstToken());
  const first = await service(here);
  const { rules } = here.house.storage;
  const row = await rules.get({ tenant: 'internal', name: 'client:shop' });
  assert.ok(row !== undefined);
  const doc = JSON.parse(row.doc);
  doc.keys[0].endsAt = 0;
  await rules.put({ ...row, doc: JSON.stringify(doc), expectVersion: row.version, now: 0 });

  await there.house.clock.advance(6_000);

  await assert.rejects(look(there, first), failsWith('key-revoked'));
});

test('a signature that one gateway has taken is refused by the others', async () => {
  const bus = new Bus();
  await using here = await openSecureShared(bus);
  await using beside = await here.house.beside();
  const first = await service(here);
  await here.house.clock.advance(6_000);
  const wire = signerOf(here.house, first).signed({ method: 'GET', url: '/v1/agents' });

  assert.equal((await here.house.http.inject(wire)).statusCode, 200);
  const second = await beside.http.inject(wire);
  assert.equal(second.statusCode, 401);
  assert.equal(second.json().code, 'replayed');
});
