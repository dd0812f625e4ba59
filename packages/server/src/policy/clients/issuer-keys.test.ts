import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fetch, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { IssuerKeys, isSafeUrl, NoKeys } from './issuer-keys.ts';

const HEADER = { alg: 'ES256', kid: 'k1' };
const TOKEN = { payload: '', signature: '' };

async function open() {
  const { publicKey } = await generateKeyPair('ES256');
  const set = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }] });
  const state = { status: 200, asked: 0, set };
  const clock = new ManualClock();
  const send: Fetch = Object.assign(
    async () => {
      state.asked += 1;
      return { status: state.status, headers: {}, body: Buffer.from(state.set) };
    },
    { judge: async () => ({ verdict: 'allowed' as const, addresses: [] }) },
  );
  const ports = { fetch: send, readText: async () => '', clock, log: silentLog };
  const keys = new IssuerKeys({ issuer: 'https://i.example', jwks: 'https://i.example/k' }, ports);
  return { state, clock, find: async (kid = 'k1') => keys.find({ ...HEADER, kid }, TOKEN) };
}

test('an issuer that is away for a while locks nobody out, and for long everybody', async () => {
  const { state, clock, find } = await open();
  await find();
  state.status = 503;
  await clock.advance(3_600_000);
  await find();
  await clock.advance(1);
  await assert.rejects(find(), NoKeys);
  state.status = 200;
  await assert.rejects(find(), NoKeys, 'it asked a moment ago');
  await clock.advance(30_000);
  await find();
});

test('who finds no answer at first asks again after a while, and once for all who wait', async () => {
  const { state, clock, find } = await open();
  state.status = 500;
  await Promise.all([1, 2, 3].map(() => assert.rejects(find(), NoKeys)));
  assert.equal(state.asked, 1);
  state.status = 200;
  await clock.advance(30_000);
  await Promise.all([find(), find()]);
  assert.equal(state.asked, 2);
});

test('an answer that is no key set changes nothing of what is known', async () => {
  const { state, clock, find } = await open();
  await find();
  for (const set of ['', '[]', '{"keys":[]}', '{"keys":{}}', '{"keys":[1],"keys":[]}', 'null']) {
    state.set = set;
    await clock.advance(30_001);
    await assert.rejects(find('other'));
    await find();
  }
});

test('an address is believed with TLS, or on this machine', () => {
  const safe = [
    'https://a.example/x',
    'http://127.0.0.1:1/x',
    'http://localhost/x',
    'http://[::1]/',
  ];
  const not = [
    'http://a.example',
    'http://127.0.0.1.example',
    'ftp://a',
    '/etc/x',
    'https://u:p@a',
    'https://a#b',
  ];
  assert.deepEqual(safe.filter(isSafeUrl), safe);
  assert.deepEqual(not.filter(isSafeUrl), []);
});
