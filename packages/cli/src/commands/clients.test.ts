import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientView, ClientWithSecret } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });
const AT = '2026-01-01T00:00:00.000Z';
const KEY = { kid: 'k1', type: 'hmac' as const, state: 'active' as const, created_at: AT };
const ORDERS: ClientView = {
  client_id: 'orders',
  tenant: 'internal',
  kind: 'agent',
  agent_id: 'orders',
  created_at: AT,
  keys: [
    { ...KEY, state: 'revoked', ends_at: AT },
    { ...KEY, kid: 'k2' },
  ],
};
const MADE: ClientWithSecret = { ...ORDERS, kid: 'k2', secret: 'rsk_secret' };

test('create prints what the client’s environment needs, and says beside it that it is shown once', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('clients.create', () => MADE);

  const made = await run(['clients', 'create', '--agent', 'orders'], { env: env(gateway) });

  assert.equal(made.out, 'REACH_CLIENT_ID=orders\nREACH_KEY=k2:rsk_secret\n');
  assert.match(made.err, /shown this once/);
  assert.deepEqual(gateway.seen.at(-1)?.input, { kind: 'agent', agent_id: 'orders' });
});

test('a person has a token, a service what is asked for, and the flags say the rest', async () => {
  await using gateway = await FakeGateway.open();
  const token = { ...MADE, keys: [{ ...KEY, kid: 'k2', type: 'token' as const }] };
  gateway.on('clients.create', () => ({ ...token, secret: 'rtk_secret' }));
  const words = 'clients create alice --person --role operator --note on-call --for-tenant acme';

  assert.equal(
    (await run(words.split(' '), { env: env(gateway) })).out,
    'REACH_TOKEN=rtk_secret\n',
  );
  assert.deepEqual(gateway.seen.at(-1)?.input, {
    kind: 'person',
    client_id: 'alice',
    role: 'operator',
    note: 'on-call',
    for_tenant: 'acme',
  });
  await run(['clients', 'create', 'shop', '--token'], { env: env(gateway) });
  assert.deepEqual(gateway.seen.at(-1)?.input, {
    kind: 'service',
    client_id: 'shop',
    key_type: 'token',
  });
});

test('list, get, rotate, revoke and remove ask for what they say', async () => {
  await using gateway = await FakeGateway.open();
  gateway
    .on('clients.list', () => ({ clients: [ORDERS] }))
    .on('clients.get', () => ORDERS)
    .on('clients.rotate', () => MADE)
    .on('clients.revoke', () => ORDERS)
    .on('clients.remove', () => ({ removed: true }));
  const ask = (...args: string[]) => run(['clients', ...args], { env: env(gateway) });

  assert.equal((await ask('list')).out, 'orders\tagent\torders\t\tk2 active\n');
  const { out } = await ask('get', 'orders');
  assert.match(out, new RegExp(`^client\torders\n[\\s\\S]*key k1\thmac, revoked, ${AT}\n`));
  assert.match((await ask('rotate', 'orders')).out, /REACH_KEY=k2:rsk_secret/);
  assert.match((await ask('revoke', 'orders', 'k1')).out, /^client/);
  assert.deepEqual(gateway.seen.at(-1)?.input, { client_id: 'orders', kid: 'k1' });
  assert.equal((await ask('remove', 'orders')).out, 'removed\n');
});

test('grants are read, changed on top of what is there, and set whole', async () => {
  await using gateway = await FakeGateway.open();
  const doc = { rows: [{ who: 'shop', may: ['query'] }] };
  const present = { policy: 'grants' as const, version: 3, doc, by: 'ops', at: AT };
  gateway
    .on('policies.get', () => present)
    .on('policies.put', () => ({ ...present, version: 4, warnings: [], dry_run: false }));
  const put = async (...args: string[]) => {
    const ran = await run(['grants', ...args], { env: env(gateway) });
    assert.deepEqual([ran.code, ran.out], [0, `grants: version 4, by ops, ${AT}\n`]);
    return gateway.seen.at(-1)?.input;
  };

  const { out } = await run(['grants', 'get'], { env: env(gateway) });
  assert.deepEqual(JSON.parse(out), doc);
  assert.deepEqual(await put('allow', 'shop', 'refund', 'query'), {
    policy: 'grants',
    doc: { rows: [{ who: 'shop', may: ['query', 'refund'] }] },
    expect_version: 3,
  });
  assert.deepEqual(await put('deny', 'web-*', 'refund*'), {
    policy: 'grants',
    doc: { rows: [...doc.rows, { who: 'web-*', not: ['refund*'] }] },
    expect_version: 3,
  });
  assert.deepEqual(await put('set', '{"rows":[]}'), { policy: 'grants', doc: { rows: [] } });
  assert.equal((await run(['grants', 'allow', 'shop'], { env: env(gateway) })).code, 2);
});

test('credentials of the environment go with every question, and half of one is asked of nobody', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('clients.list', () => ({ clients: [] }));
  const ask = (more: Record<string, string>) =>
    run(['clients', 'list'], { env: { ...env(gateway), ...more } });

  assert.equal((await ask({ REACH_TOKEN: 'rtk_x' })).code, 0);
  const half = await ask({ REACH_KEY: 'k1:rsk_x' });
  assert.deepEqual([half.code, half.out], [2, '']);
  assert.doesNotMatch(half.err, /rsk_x/);
});
