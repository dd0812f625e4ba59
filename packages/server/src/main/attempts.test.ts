import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientWithSecret } from '@agent-reach/core';
import { placeOf } from '../policy/clients/attempts.ts';
import { loadConfig } from './config.ts';
import { failsWith } from './testing/house.ts';
import { bearer, openSecure, type SecureHouse, send, signerOf } from './testing/secure.ts';

const WRONG = bearer(`rtk_${'x'.repeat(43)}`);

/** Asks from an address, behind the proxy that is believed. */
async function from(at: SecureHouse, address: string, headers: Record<string, string> = WRONG) {
  const answer = await at.house.http.inject({
    url: '/v1/agents',
    headers: { ...headers, 'x-forwarded-for': address },
  });
  return { status: answer.statusCode, wait: answer.headers['retry-after'], body: answer.body };
}

const FEW = { 'limits.auth.failures': 3, 'http.trust-proxy': '127.0.0.1' };

test('who fails too often from one address gets 429 and when to come back; others do not', async () => {
  await using at = await openSecure(FEW);
  for (let i = 0; i < 3; i++) assert.equal((await from(at, '198.51.100.1')).status, 401);

  const turned = await from(at, '198.51.100.1');
  assert.deepEqual([turned.status, turned.wait], [429, '20']);
  const bare = await from(at, '198.51.100.1', {});
  assert.equal(bare.status, 429, 'nothing shown is a failure as well');
  assert.equal((await from(at, '198.51.100.2')).status, 401);
  await at.house.clock.advance(20_000);
  assert.equal((await from(at, '198.51.100.1')).status, 401);
  assert.equal((await from(at, '198.51.100.1')).status, 429);
});

test('a right signature or token goes through, whatever others at its address do', async () => {
  await using at = await openSecure(FEW);
  const ops = await at.client({ kind: 'service', client_id: 'ops', role: 'viewer' });
  const token = bearer(at.house.house.firstToken() ?? '');
  for (let i = 0; i < 10; i++) await from(at, '198.51.100.1');

  for (let i = 0; i < 5; i++) {
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    await send(at.house, ops.signed({ method: 'GET', url: '/v1/agents', headers }));
    assert.equal((await from(at, '198.51.100.1', token)).status, 200);
    assert.equal((await from(at, '198.51.100.1')).status, 429);
  }
  // And what is public is for everybody.
  const health = await at.house.http.inject({
    url: '/health',
    headers: { 'x-forwarded-for': '198.51.100.1' },
  });
  assert.equal(health.statusCode, 200);
});

test('over the pace a wrong key and an unknown client are told the same', async () => {
  await using at = await openSecure(FEW);
  await at.client({ kind: 'service', client_id: 'ops', role: 'viewer' });
  for (let i = 0; i < 3; i++) await from(at, '127.0.0.1');
  const secret = `rsk_${Buffer.alloc(32, 7).toString('base64url')}`;
  const said = async (client_id: string) => {
    const key: Pick<ClientWithSecret, 'client_id' | 'kid' | 'secret'> = {
      client_id,
      kid: 'k1',
      secret,
    };
    const wire = signerOf(at.house, key).signed({ method: 'GET', url: '/v1/agents' });
    const { statusCode, body } = await at.house.http.inject(wire);
    return [statusCode, body];
  };

  const known = await said('ops');
  assert.equal(known[0], 429);
  assert.deepEqual(await said('nobody'), known);
});

test('without a proxy that is believed nobody chooses the address that he is counted by', async () => {
  await using at = await openSecure({ 'limits.auth.failures': 3 });
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) statuses.push((await from(at, `198.51.100.${i}`)).status);

  assert.deepEqual(statuses, [401, 401, 401, 429, 429]);
});

test('it can be turned off, and proxies are networks alone', async () => {
  await using at = await openSecure({ 'limits.auth.failures': 0 });
  for (let i = 0; i < 100; i++) assert.equal((await from(at, 'x')).status, 401);

  const load = (value: unknown) =>
    loadConfig({ cwd: '/nonexistent', env: {}, flags: { 'http.trust-proxy': value } });
  for (const value of [true, 'true', 1, '1', 'loopback', '0.0.0.0/0']) {
    assert.throws(() => load(value), failsWith('validation-failed'), String(value));
  }
  load('10.0.0.0/8, fd00::/8,192.0.2.1');
});

test('addresses of IPv6 count by their first half', () => {
  assert.equal(placeOf('2001:db8:1:2:3:4:5:6'), placeOf('2001:0db8:1:2::1'));
  assert.notEqual(placeOf('2001:db8:1:2::1'), placeOf('2001:db8:1:3::1'));
  assert.equal(placeOf('2001:db8::1'), '2001:db8:0:0::/64');
  assert.equal(placeOf('::1'), '0:0:0:0::/64');
  assert.equal(placeOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(placeOf('198.51.100.1'), '198.51.100.1');
});
