import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sign, readSecret, type ClientWithSecret } from '@agent-reach/core';
import { Agent, Reach, silentLog } from '@agent-reach/sdk';
import { until } from './kit/bounds.ts';
import { openFolder } from './kit/folder.ts';
import { Gateway, reach } from './kit/gateway.ts';
import { problemOf } from './kit/wire.ts';

const SECURE = {
  'auth.mode': 'required',
  'listen.host': '0.0.0.0',
  'egress.allow': '127.0.0.1',
};

/** A gateway that asks who one is, and what its first admin may do. */
async function open() {
  const gateway = await Gateway.start({ set: SECURE });
  const token = (gateway.told as { admin_token?: string }).admin_token ?? '';
  const port = new URL(gateway.url).port;
  const endpoint = `http://127.0.0.1:${port}`;
  const as = (env: Record<string, string>) => async (line: string) => {
    const args = [...line.split(' '), '--json'];
    const { code, out, err } = await reach(args, { env: { REACH_ENDPOINT: endpoint, ...env } });
    return { code, err, data: out === '' ? undefined : (JSON.parse(out) as unknown) };
  };
  return { gateway, endpoint, token, as, admin: as({ REACH_TOKEN: token }) };
}

const credentialsOf = ({ client_id: clientId, kid, secret }: ClientWithSecret) => ({
  clientId,
  kid,
  secret,
});

test('from the first token to a signed call: agents, callers and people each with their own key', async () => {
  const { gateway, endpoint, token, admin, as } = await open();
  await using _ = gateway;
  assert.match(token, /^rtk_/);
  const kek = join(gateway.folder.path, 'data', 'secrets.kek');
  assert.equal((await stat(kek)).mode & 0o777, 0o600);

  const orders = (await admin('clients create --agent orders')).data as ClientWithSecret;
  const shop = (await admin('clients create shop')).data as ClientWithSecret;
  assert.equal((await admin('grants allow shop look_up')).code, 0);
  const look = { name: 'look_up', description: 'Looks something up.', effect: 'read' as const };
  await using agent = new Agent({
    name: 'orders',
    endpoint,
    credentials: credentialsOf(orders),
    handleSignals: false,
    lingerMs: 0,
    log: silentLog,
  }).capability(look, (_params, ctx) => ({ for: ctx.caller }));
  await agent.start();

  await using caller = new Reach({ endpoint, credentials: credentialsOf(shop) });
  await until('the agent can be called', async () => {
    return (await caller.route('look_up')).outcome === 'route';
  });
  assert.deepEqual((await caller.call('look_up')).result, { for: 'shop' });
  // Past the gateway nobody calls the agent.
  const direct = await fetch(`${agent.baseUrl}/abilities/look_up`, { method: 'POST' });
  const problem = { status: direct.status, headers: direct.headers, body: await direct.json() };
  assert.equal(problemOf(problem, 'signature-invalid')['executed'], 'no');
  await assert.rejects(caller.agents.list(), { code: 'permission-denied' });
  const told = await as({})('agents list');
  assert.deepEqual([told.code, /unauthenticated/.test(told.err)], [1, true]);

  // A process that dies and comes back knows its clients, and makes no second admin.
  await gateway.kill();
  await gateway.restart();
  assert.equal((gateway.told as { admin_token?: string }).admin_token, undefined);
  await until('the call goes through again', async () => {
    const answer = await caller.call('look_up').catch(() => undefined);
    return answer?.status === 'ok';
  });
  assert.equal((await admin('clients revoke shop k1')).code, 0);
  await assert.rejects(caller.call('look_up'), { code: 'key-revoked' });
});

test('a captured request is worth nothing, before its gateway is killed and after', async () => {
  const { gateway, endpoint, admin } = await open();
  await using _ = gateway;
  const shop = (await admin('clients create shop --role viewer')).data as ClientWithSecret;
  const { host } = new URL(endpoint);
  const key = { ...credentialsOf(shop), secret: readSecret(shop.secret) ?? new Uint8Array() };
  const message = {
    method: 'GET',
    target: '/v1/agents',
    authority: host,
    rawHeaders: [],
    body: new Uint8Array(),
  };
  const signed = () =>
    sign(message, key, { nowMs: Date.now(), nonce: crypto.randomUUID().replaceAll('-', '') });
  const send = async (headers: Record<string, string>) => {
    const response = await fetch(`${endpoint}/v1/agents`, { headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  let captured = signed();
  // The first second of a gateway's life takes none: it cannot know what was used before.
  await until('a signature is taken', async () => {
    captured = signed();
    return (await send(captured)).status === 200;
  });

  problemOf(await send(captured), 'replayed');
  await gateway.kill();
  await gateway.restart();
  problemOf(await send(captured), 'replayed');
});

test('over TLS the command and the SDK come in who know the authority, and nobody else', async (t) => {
  await using folder = await openFolder();
  const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  const made = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const named = ['-subj', '/CN=reach', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  const { error } = spawnSync('openssl', ['req', '-x509', ...made, ...named, ...files]);
  if (error !== undefined) return t.skip('there is no openssl here to make a certificate with');
  const set = { 'auth.mode': 'required', 'tls.cert': cert, 'tls.key': key };
  await using gateway = await Gateway.start({ set });
  assert.match(gateway.url, /^https:/);
  const env = {
    REACH_ENDPOINT: gateway.url,
    REACH_TOKEN: (gateway.told as { admin_token?: string }).admin_token ?? '',
  };

  const known = await reach(['clients', 'list'], { env: { ...env, NODE_EXTRA_CA_CERTS: cert } });
  assert.equal(known.code, 0, known.err);
  const unknown = await reach(['clients', 'list'], { env });
  assert.notEqual(unknown.code, 0);
});
