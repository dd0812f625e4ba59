import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHmac, type KeyObject } from 'node:crypto';
import type { FetchRequest } from '@agent-reach/core/kernel';
import { exportSPKI, CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { openOutbound } from '../outbound/guarded-fetch.ts';
import { parseEgressRules } from '../outbound/address-rules.ts';
import { loadConfig } from './config.ts';
import { failsWith, openHouse, type TestHouse } from './testing/house.ts';
import { bearer, secured, SECURE } from './testing/secure.ts';
import { systemClock } from '@agent-reach/core/kernel';

const AUDIENCE = 'https://reach.example';

interface Key {
  kid: string;
  alg: string;
  privateKey: CryptoKey | KeyObject;
  publicKey: CryptoKey;
  jwk: JWK;
}

async function makeKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg } };
}

/** An issuer on loopback: its documents, and how often each was asked for. */
async function openIssuer() {
  const state = { keys: [] as JWK[], status: 200, issuer: '', jwksUri: '', asked: [] as string[] };
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    state.asked.push(url);
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: state.issuer, jwks_uri: state.jwksUri },
      '/jwks': { keys: state.keys },
    };
    response
      .writeHead(documents[url] === undefined ? 404 : state.status)
      .end(JSON.stringify(documents[url]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(state, { issuer, jwksUri: `${issuer}/jwks` });
  return {
    issuer,
    state,
    times: (path: string) => state.asked.filter((url) => url === path).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const MAP = [
  { claim: 'sub', equals: 'u-1', client: 'alice' },
  { claim: 'groups', equals: 'viewers', client: 'viewers' },
  { claim: 'sub', equals: 'u-3', client: 'nobody' },
];

/** A house that believes an issuer, and tokens that it would make. */
async function open(flags: Record<string, unknown> = {}) {
  const issuer = await openIssuer();
  const key = await makeKey('k1');
  issuer.state.keys = [key.jwk];
  const house = await openHouse({
    ...SECURE,
    'auth.oidc.issuer': issuer.issuer,
    'auth.oidc.audience': AUDIENCE,
    'auth.oidc.map': JSON.stringify(MAP),
    ...flags,
  });
  reachIssuer(house, issuer.issuer);
  const secure = secured(house);
  await secure.admin('POST', '/v1/clients', { kind: 'person', client_id: 'alice', role: 'viewer' });
  await secure.admin('POST', '/v1/clients', {
    kind: 'service',
    client_id: 'viewers',
    role: 'viewer',
  });
  const nowS = () => Math.floor(house.clock.now() / 1_000);
  const claims = (over: Record<string, unknown> = {}) => ({
    iss: issuer.issuer,
    aud: AUDIENCE,
    sub: 'u-1',
    exp: nowS() + 300,
    ...over,
  });
  return {
    issuer,
    key,
    house,
    secure,
    nowS,
    claims,
    token: (over: Record<string, unknown> = {}, header: Record<string, unknown> = {}, by = key) =>
      signed(claims(over), { typ: 'at+jwt', ...header }, by),
    ask: (token: string) => secure.anybody('GET', '/v1/agents', undefined, bearer(token)),
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await issuer[Symbol.asyncDispose]();
    },
  };
}

/** The house's network leads to the real issuer, through the guard that a gateway has. */
function reachIssuer(house: TestHouse, origin: string): void {
  const outbound = openOutbound({
    clock: systemClock,
    rules: parseEgressRules({ allow: [], allowLoopback: true }),
  });
  house.network.at(origin, async (request: FetchRequest) => {
    return outbound.fetch({ ...request, signal: undefined });
  });
}

function signed(claims: unknown, header: Record<string, unknown>, by: Key): Promise<string> {
  const payload = Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims));
  return new CompactSign(payload)
    .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header })
    .sign(by.privateKey);
}

const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const isNone = failsWith('unauthenticated');

test('a token of the issuer lets in the client that its claims are mapped to, with its role', async () => {
  await using at = await open();

  await at.ask(await at.token());
  await at.ask(await at.token({ sub: 'u-2', groups: ['others', 'viewers'], aud: ['x', AUDIENCE] }));
  await assert.rejects(
    at.secure.anybody('GET', '/v1/clients', undefined, bearer(await at.token())),
    failsWith('permission-denied', (error) => assert.match(error.message, /^alice \(viewer\)/)),
  );
  // A claim is nobody’s identity by itself.
  for (const over of [{ sub: 'alice' }, { sub: 'admin' }, { sub: 'u-3' }, { client: 'admin' }]) {
    const sub = 'sub' in over ? over : { ...over, sub: 'x' };
    await assert.rejects(at.ask(await at.token(sub)), failsWith('identity-unmapped'));
  }
});

test('every algorithm that is allowed verifies, and no other', async () => {
  await using at = await open();
  for (const alg of ['EdDSA', 'ES256', 'RS256', 'PS256']) {
    const key = await makeKey(`k-${alg}`, alg);
    at.issuer.state.keys = [key.jwk];
    await at.house.clock.advance(31_000);
    await at.ask(await at.token({}, {}, key));
  }
  const key = await makeKey('k-384', 'ES384');
  at.issuer.state.keys = [key.jwk];
  await at.house.clock.advance(31_000);
  await assert.rejects(at.ask(await at.token({}, {}, key)), isNone);

  await using strict = await open({ 'auth.oidc.algorithms': 'RS256' });
  await assert.rejects(strict.ask(await strict.token()), isNone);
});

test('none, and a shared secret that is the public key, sign nothing', async () => {
  await using at = await open();
  await at.ask(await at.token());
  const rsa = await makeKey('rsa', 'RS256');
  at.issuer.state.keys = [at.key.jwk, rsa.jwk];
  await at.house.clock.advance(31_000);
  await at.ask(await at.token({}, {}, rsa));
  const body = b64(at.claims());
  const none = [`${b64({ alg: 'none', typ: 'at+jwt' })}.${body}.`];
  none.push(`${b64({ alg: 'none', typ: 'at+jwt', kid: 'k1' })}.${body}.x`);
  for (const token of none) await assert.rejects(at.ask(token), isNone);

  const spellings = [await exportSPKI(rsa.publicKey), JSON.stringify(rsa.jwk), rsa.jwk.n ?? ''];
  for (const secret of spellings) {
    const head = `${b64({ alg: 'HS256', typ: 'at+jwt', kid: 'rsa' })}.${body}`;
    const mac = createHmac('sha256', secret).update(head).digest('base64url');
    await assert.rejects(at.ask(`${head}.${mac}`), isNone);
  }
});

test('who made it, for whom, when and as what: each must be right', async () => {
  await using at = await open();
  const wrong: Record<string, unknown>[] = [
    { iss: `${at.issuer.issuer}/` },
    { iss: undefined },
    { iss: [at.issuer.issuer] },
    { aud: 'https://other.example' },
    { aud: undefined },
    { aud: [`${AUDIENCE}/`] },
    { exp: undefined },
    { exp: String(at.nowS() + 300) },
    { exp: at.nowS() - 60 },
    { nbf: at.nowS() + 61 },
    { nbf: 'now' },
  ];
  for (const over of wrong) {
    await assert.rejects(at.ask(await at.token(over)), isNone, JSON.stringify(over));
  }
  for (const typ of ['JWT', undefined, 'at+jws', 'id+jwt']) {
    await assert.rejects(at.ask(await at.token({}, { typ })), isNone, String(typ));
  }
  // One second inside of each bound.
  await at.ask(await at.token({ exp: at.nowS() - 59 }));
  await at.ask(await at.token({ nbf: at.nowS() + 60 }));
  await at.ask(await at.token({}, { typ: 'application/AT+JWT' }));

  await using lenient = await open({ 'auth.oidc.types': 'at+jwt,JWT' });
  await lenient.ask(await lenient.token({}, { typ: 'JWT' }));
});

test('what was changed, signed by others, doubled or is no token at all is refused alike', async () => {
  await using at = await open();
  const token = await at.token();
  const [head = '', body = '', mac = ''] = token.split('.');
  const stranger = await makeKey('k1');
  const other = b64(at.claims({ sub: 'u-1', groups: ['viewers'] }));
  const doubled = JSON.stringify(at.claims()).replace('{', '{"sub":"x",');
  const bad = [
    `${head}.${other}.${mac}`,
    `${head}.${body}.${mac.slice(0, -4)}AAAA`,
    await at.token({}, {}, stranger),
    await signed(doubled, { typ: 'at+jwt' }, at.key),
    await signed('[]', { typ: 'at+jwt' }, at.key),
    await signed('null', { typ: 'at+jwt' }, at.key),
    await at.token({}, { crit: ['x'], x: 1 }).catch(() => 'a.b.c'),
    await at.token({ pad: 'x'.repeat(12_000) }),
    'a.b.c',
  ];
  const told = new Set<string>();
  for (const one of bad) {
    await assert.rejects(
      at.ask(one),
      failsWith('unauthenticated', (error) => told.add(error.message)),
    );
  }
  assert.deepEqual([...told], ['The bearer token does not verify.']);
});

test('keys are kept, rotated keys found, and nobody makes the gateway ask more than every 30 s', async () => {
  await using at = await open();
  const { issuer, house } = at;
  await Promise.all(Array.from({ length: 5 }, async () => at.ask(await at.token())));
  assert.equal(issuer.times('/jwks'), 1);

  const next = await makeKey('k2');
  issuer.state.keys = [next.jwk];
  await assert.rejects(at.ask(await at.token({}, {}, next)), isNone);
  assert.equal(issuer.times('/jwks'), 1, 'it is not 30 s since it asked');
  await house.clock.advance(30_000);
  await at.ask(await at.token({}, {}, next));
  assert.equal(issuer.times('/jwks'), 2);
  await assert.rejects(at.ask(await at.token()), isNone, 'the key is gone with its issuer’s word');

  for (let i = 0; i < 10; i++) {
    const invented = { ...at.key, kid: `invented-${i}` };
    await assert.rejects(at.ask(await at.token({}, {}, invented)), isNone);
  }
  assert.equal(issuer.times('/jwks'), 2);
  await house.clock.advance(600_001);
  await at.ask(await at.token({}, {}, next));
  assert.equal(issuer.times('/jwks'), 3, 'after ten minutes it looks again');
});

test('another issuer’s document, keys without TLS, too many keys and none are not believed', async () => {
  await using at = await open();
  const { state, issuer } = at.issuer;
  const spoils: (() => void)[] = [
    () => Object.assign(state, { issuer: 'https://evil.example' }),
    () => Object.assign(state, { jwksUri: 'http://keys.example/jwks' }),
    () => Object.assign(state, { jwksUri: 'file:///etc/keys' }),
    () => Object.assign(state, { keys: [] }),
    () => Object.assign(state, { keys: Array.from({ length: 101 }, () => at.key.jwk) }),
  ];
  for (const spoil of spoils) {
    Object.assign(state, { issuer, jwksUri: `${issuer}/jwks`, keys: [at.key.jwk] });
    spoil();
    await assert.rejects(at.ask(await at.token()), isNone);
    await at.house.clock.advance(30_000);
  }
  Object.assign(state, { issuer, jwksUri: `${issuer}/jwks` });
  state.keys = [
    at.key.jwk,
    ...Array.from({ length: 99 }, (_, i) => ({ ...at.key.jwk, kid: `x${i}` })),
  ];
  await at.ask(await at.token());
});

test('keys may be at a URL of their own, or in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reach-jwks-'));
  try {
    const file = join(folder, 'jwks.json');
    await using at = await open({ 'auth.oidc.jwks': file });
    await writeFile(file, JSON.stringify({ keys: [at.key.jwk] }));
    await at.ask(await at.token());
    assert.deepEqual(at.issuer.state.asked, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a 401 and a document say whose tokens are taken; where none are, neither does', async () => {
  await using at = await open({ 'public.url': 'https://reach.example' });
  const refused = await at.house.http.inject('/v1/agents');
  const where = 'https://reach.example/.well-known/oauth-protected-resource';
  assert.equal(refused.headers['www-authenticate'], `Bearer resource_metadata="${where}"`);
  const told = await at.house.http.inject('/.well-known/oauth-protected-resource');
  assert.deepEqual(told.json(), {
    resource: AUDIENCE,
    resource_name: 'Agent-Reach',
    authorization_servers: [at.issuer.issuer],
    bearer_methods_supported: ['header'],
  });

  await using other = await open({ 'auth.oidc.audience': 'reach' });
  const ask = (host: string) =>
    other.house.http.inject({ url: '/.well-known/oauth-protected-resource', headers: { host } });
  assert.equal(
    (await ask('gw.example:8080')).json<{ resource: string }>().resource,
    'http://gw.example:8080',
  );
  assert.ok(!(await ask('a"b')).body.includes('a\\"b'));

  await using none = await openHouse(SECURE);
  assert.equal((await none.http.inject('/.well-known/oauth-protected-resource')).statusCode, 404);
});

test('settings that would let in the wrong ones are refused before anything listens', () => {
  const good = {
    'auth.oidc.issuer': 'https://idp.example/realm',
    'auth.oidc.audience': AUDIENCE,
    'auth.oidc.map': MAP,
  };
  const load = (over: Record<string, unknown>) =>
    loadConfig({ cwd: '/nonexistent', env: {}, flags: { ...good, ...over } });
  load({});
  load({ 'auth.oidc.issuer': 'http://127.0.0.1:8090' });
  const bad: Record<string, unknown>[] = [
    { 'auth.oidc.issuer': 'http://idp.example' },
    { 'auth.oidc.issuer': 'idp.example' },
    { 'auth.oidc.audience': '' },
    { 'auth.oidc.jwks': 'http://idp.example/keys' },
    { 'auth.oidc.algorithms': 'HS256' },
    { 'auth.oidc.algorithms': 'none,ES256' },
    { 'auth.oidc.types': '' },
    { 'auth.oidc.map': '[]' },
    { 'auth.oidc.map': '[{"claim":"sub","equals":"x"}]' },
    { 'auth.oidc.map': '[{"claim":"sub","equals":"x","client":"y","z":1}]' },
    { 'auth.oidc.map': 'sub=x' },
    { 'public.url': 'https://reach.example/path' },
  ];
  for (const over of bad) {
    assert.throws(() => load(over), failsWith('validation-failed'), JSON.stringify(over));
  }
  assert.equal(load({}).warnings.length, 1, 'nobody is asked for a token in this mode');
});
