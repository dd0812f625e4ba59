import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { test } from 'node:test';
import type { AuditRecord, ClientView, ClientWithSecret } from '@agent-reach/core';
import { failsWith, openHouse } from './testing/house.ts';
import { json } from './testing/network.ts';
import { bearer, openSecure, secured, SECURE, send, signerOf } from './testing/secure.ts';

const READ = { name: 'look_up', description: 'Looks something up.', effect: 'read' };
const MANIFEST = { name: 'orders', capabilities: [READ] };

test('without a credential everything is refused but health and the page of the API', async () => {
  await using secure = await openSecure();
  for (const url of ['/health', '/livez', '/readyz', '/openapi.json']) {
    assert.equal((await secure.house.http.inject(url)).statusCode, 200, url);
  }

  const refused = await secure.house.http.inject('/v1/agents');
  assert.equal(refused.statusCode, 401);
  assert.equal(refused.headers['www-authenticate'], 'Bearer');
  for (const [method, url] of [
    ['GET', '/v1/agents'],
    ['GET', '/v1/traces'],
    ['POST', '/v1/calls'],
    ['POST', '/v1/agents'],
    ['POST', '/v1/tasks/claim'],
    ['GET', '/v1/clients'],
  ] as const) {
    const body = method === 'GET' ? undefined : BODIES[url];
    await assert.rejects(secure.anybody(method, url, body), failsWith('unauthenticated'), url);
  }
});

const BODIES: Record<string, unknown> = {
  '/v1/calls': { capability: 'look_up' },
  '/v1/agents': MANIFEST,
  '/v1/tasks/claim': { agent_id: 'orders' },
};

test('the first start makes an admin, whose token is told once, and the second none', async () => {
  await using first = await openSecure();
  const token = first.house.house.firstToken();

  assert.match(token ?? '', /^rtk_[\w-]{43}$/);
  const { clients } = await first.admin<{ clients: ClientView[] }>('GET', '/v1/clients');
  assert.deepEqual(
    clients.map(({ client_id, kind, role }) => [client_id, kind, role]),
    [['admin', 'person', 'admin']],
  );
  await first.house.house.stop();
  await using again = await first.house.again();
  assert.equal(again.house.firstToken(), undefined);
  assert.equal(
    (await secured(again, token).admin<{ clients: unknown[] }>('GET', '/v1/clients')).clients
      .length,
    1,
  );
});

test('no secret is in the store, nor in any answer but the one that makes it', async () => {
  await using secure = await openSecure();
  const made = await secure.admin<ClientWithSecret>('POST', '/v1/clients', {
    kind: 'service',
    client_id: 'shop',
  });
  const token = secure.house.house.firstToken() ?? '';

  const rows = await secure.house.storage.rules.list({ tenant: 'internal' });
  const shown = await secure.admin('GET', '/v1/clients');
  const lines = await secure.admin('GET', '/v1/audit');
  const kept = JSON.stringify([rows, shown, lines]);
  for (const secret of [made.secret, token]) {
    assert.ok(!kept.includes(secret.slice(4)));
    // Nor in another spelling of the same bytes.
    const hex = Buffer.from(secret.slice(4), 'base64url').toString('hex');
    assert.ok(!kept.includes(hex));
  }
});

test('an agent registers, beats and claims as itself, and as nobody else', async () => {
  await using secure = await openSecure();
  const orders = await secure.client({ kind: 'agent', agent_id: 'orders' });
  const pulls = { ...MANIFEST, instance: { pull: true, instance_id: 'one' } };

  await orders.ask('POST', '/v1/agents', pulls);
  await orders.ask('POST', '/v1/agents/orders/heartbeat', { instance_id: 'one' });
  await orders.ask('POST', '/v1/tasks/claim', { agent_id: 'orders' });

  const no = failsWith('permission-denied');
  await assert.rejects(orders.ask('POST', '/v1/agents', { ...pulls, name: 'stock' }), no);
  // By its display name, which makes another id.
  await assert.rejects(orders.ask('POST', '/v1/agents', { ...pulls, name: 'Orders 2' }), no);
  await assert.rejects(orders.ask('POST', '/v1/agents/stock/heartbeat', {}), no);
  await assert.rejects(orders.ask('POST', '/v1/agents/stock/drain', {}), no);
  await assert.rejects(orders.ask('DELETE', '/v1/agents/stock'), no);
  await assert.rejects(orders.ask('POST', '/v1/tasks/claim', { agent_id: 'stock' }), no);
  const connector = {
    name: 'crm.contact.read',
    connector: 'crm',
    protocol: 'http',
    endpoint: 'internal://contacts/{id}',
    method: 'GET',
  };
  await assert.rejects(orders.ask('POST', '/v1/connectors', connector), no);
});

test('an agent speaks for a task under its own lease, and not under one that it was shown', async () => {
  await using secure = await openSecure();
  await secure.admin('PUT', '/v1/policies/grants', { doc: { rows: [{ who: '*', may: ['*'] }] } });
  const [orders, thief] = [
    await secure.client({ kind: 'agent', agent_id: 'orders' }),
    await secure.client({ kind: 'agent', agent_id: 'thief' }),
  ];
  await orders.ask('POST', '/v1/agents', { ...MANIFEST, instance: { pull: true } });
  const { task_id: id } = await orders.ask<{ task_id: string }>('POST', '/v1/tasks', {
    task_type: 'look_up',
    payload: {},
  });
  const { tasks } = await orders.ask<{ tasks: { lease: string }[] }>('POST', '/v1/tasks/claim', {
    agent_id: 'orders',
  });
  const word = { lease: tasks[0]?.lease ?? '' };

  for (const verb of ['ack', 'complete', 'release']) {
    const said = thief.ask('POST', `/v1/tasks/${id}/${verb}`, word);
    await assert.rejects(said, failsWith('permission-denied'), verb);
  }
  type Extended = { leases: { outcome: string }[] };
  const extend = (who: typeof orders) =>
    who.ask<Extended>('POST', '/v1/tasks/extend', { leases: [word.lease] });
  assert.equal((await extend(thief)).leases[0]?.outcome, 'lost');
  assert.equal((await extend(orders)).leases[0]?.outcome, 'kept');
  await orders.ask('POST', `/v1/tasks/${id}/ack`, word);
  await orders.ask('POST', `/v1/tasks/${id}/complete`, { ...word, result: {} });
});

test('roles: each may what those before it may, and no more', async () => {
  await using secure = await openSecure();
  const people = {
    none: await secure.client({ kind: 'service', client_id: 'none' }),
    viewer: await secure.client({ kind: 'service', client_id: 'v', role: 'viewer' }),
    operator: await secure.client({ kind: 'service', client_id: 'o', role: 'operator' }),
    admin: await secure.client({ kind: 'service', client_id: 'a', role: 'admin' }),
  };
  await people.operator.ask('POST', '/v1/agents', MANIFEST);
  const asks = {
    viewer: (who: typeof people.none) => who.ask('GET', '/v1/agents'),
    operator: (who: typeof people.none) => who.ask('POST', '/v1/agents/orders/disable', {}),
    admin: (who: typeof people.none) => who.ask('GET', '/v1/clients'),
  };
  const order = ['none', 'viewer', 'operator', 'admin'] as const;
  for (const [needed, ask] of Object.entries(asks)) {
    for (const role of order) {
      const may = order.indexOf(role) >= order.indexOf(needed as keyof typeof asks);
      if (may) await ask(people[role]);
      else await assert.rejects(ask(people[role]), failsWith('permission-denied'), role + needed);
    }
  }
});

test('an agent has no role: it lists nobody and disables nobody', async () => {
  await using secure = await openSecure();
  const orders = await secure.client({ kind: 'agent', agent_id: 'orders' });

  for (const [method, url] of [
    ['GET', '/v1/agents'],
    ['POST', '/v1/agents/orders/disable'],
    ['GET', '/v1/clients'],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    await assert.rejects(orders.ask(method, url, body), failsWith('permission-denied'), url);
  }
});

test('a body that says another agent or tenant than the key is refused, and told on', async () => {
  await using secure = await openSecure();
  const shop = await secure.client({ kind: 'agent', agent_id: 'shop' });
  const call = { capability: 'look_up', params: {} };

  const forged = shop.ask('POST', '/v1/calls', { ...call, agent_id: 'boss' });
  await assert.rejects(forged, failsWith('permission-denied'));
  const rows = { tasks: [{ task_type: 'x', agent_id: 'boss' }] };
  const bulk = await shop.ask<{ tasks: { problem: { code: string } }[] }>(
    'POST',
    '/v1/tasks/bulk',
    rows,
  );
  assert.equal(bulk.tasks[0]?.problem.code, 'permission-denied');
  const inBody = shop.ask('POST', '/v1/calls', { ...call, tenant: 'acme' });
  await assert.rejects(inBody, failsWith('tenant-mismatch'));
  const inHeader = shop.ask('POST', '/v1/calls', call, { 'reach-tenant': 'acme' });
  await assert.rejects(inHeader, failsWith('tenant-mismatch'));

  await secure.house.during(new Promise((done) => setImmediate(done)), 100);
  const { lines } = await secure.admin<{ lines: AuditRecord[] }>(
    'GET',
    '/v1/audit?principal=shop&limit=10',
  );
  assert.equal(lines.filter(({ outcome }) => outcome === 'permission-denied').length, 1);
  assert.equal(lines.filter(({ outcome }) => outcome === 'tenant-mismatch').length, 2);
});

test('headers that name a caller are nobody’s identity', async () => {
  await using secure = await openSecure();
  const names = {
    'x-agent-reach-original-caller': 'internal/admin',
    'x-forwarded-for': '127.0.0.1',
    'reach-caller': 'admin',
  };

  await assert.rejects(
    secure.anybody('GET', '/v1/agents', undefined, names),
    failsWith('unauthenticated'),
  );
});

test('a signed request works once: the same bytes again are refused, and run nothing', async () => {
  await using secure = await openSecure();
  const ops = await secure.client({ kind: 'service', client_id: 'ops', role: 'operator' });
  await ops.ask('POST', '/v1/agents', MANIFEST);
  const payload = JSON.stringify({ reason: 'once' });
  const wire = ops.signed({ method: 'POST', url: '/v1/agents/orders/disable', payload });

  await send(secure.house, wire);
  await assert.rejects(send(secure.house, wire), failsWith('replayed'));
  await secure.house.clock.advance(299_000);
  await assert.rejects(send(secure.house, wire), failsWith('replayed'));
  await secure.house.clock.advance(3_000);
  await assert.rejects(send(secure.house, wire), failsWith('signature-invalid'));
});

test('of many copies that come at once, one is taken', async () => {
  await using secure = await openSecure();
  const ops = await secure.client({ kind: 'service', client_id: 'ops', role: 'viewer' });
  const wire = ops.signed({ method: 'GET', url: '/v1/agents' });

  const ends = await Promise.allSettled(Array.from({ length: 20 }, () => send(secure.house, wire)));

  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('a gateway that forgot which signatures were used takes none from before its start', async () => {
  await using first = await openSecure();
  const ops = await first.client({ kind: 'service', client_id: 'ops', role: 'viewer' });
  const wire = ops.signed({ method: 'GET', url: '/v1/agents' });
  await send(first.house, wire);
  await first.house.house.stop();
  await first.house.clock.advance(1_000);
  await using again = await first.house.again();

  await assert.rejects(
    send(again, wire),
    failsWith('replayed', (error) => {
      assert.equal(error.retryable, true);
      assert.match(error.message, /older than this gateway remembers/);
    }),
  );
});

test('what was changed on its way is refused, whatever it is', async () => {
  await using secure = await openSecure({
    'public.authorities': 'Reach.Example,other.example:8080',
  });
  const ops = await secure.client({ kind: 'service', client_id: 'ops', role: 'operator' });
  await ops.ask('POST', '/v1/agents', MANIFEST);
  const payload = JSON.stringify({ reason: 'nonsense' });
  const sign = () => ops.signed({ method: 'POST', url: '/v1/agents/orders/disable', payload });
  const host = { host: 'elsewhere.example' };
  const changed = [
    { ...sign(), url: '/v1/agents/orders/drain' },
    { ...sign(), url: '/api/v1/agents/orders/disable' },
    { ...sign(), url: '/v1/agents/orders/disable?a=1' },
    { ...sign(), payload: JSON.stringify({ reason: 'sensible' }) },
    { ...sign(), payload: `${payload} ` },
    { ...sign(), headers: { ...sign().headers, 'idempotency-key': 'k' } },
    { ...sign(), headers: { ...sign().headers, 'reach-tenant': 'internal' } },
    ops.signed({ method: 'POST', url: '/v1/agents/orders/disable', payload, headers: host }),
  ];
  for (const wire of changed) {
    await assert.rejects(send(secure.house, wire), failsWith('signature-invalid'), wire.url);
  }
  // The alias of the door is signed as it is sent.
  await send(
    secure.house,
    ops.signed({ method: 'POST', url: '/api/v1/agents/orders/disable', payload }),
  );
});

test('the digest is one of the bytes as they came, compressed or not', async () => {
  await using secure = await openSecure();
  const ops = await secure.client({ kind: 'service', client_id: 'ops', role: 'operator' });
  const plain = JSON.stringify({ reason: 'x' });
  const wire = ops.signed({ method: 'POST', url: '/v1/agents/orders/disable', payload: plain });
  const packed = await secure.house.http.inject({
    method: 'POST',
    url: wire.url,
    headers: { ...wire.headers, 'content-encoding': 'gzip' },
    payload: gzipSync(plain),
  });

  assert.ok(packed.statusCode >= 400 && packed.statusCode < 500);
});

test('two credentials are one too many, and a token that nobody has is none', async () => {
  await using secure = await openSecure();
  const ops = await secure.client({ kind: 'service', client_id: 'ops', role: 'viewer' });
  const token = secure.house.house.firstToken() ?? '';
  const wire = ops.signed({ method: 'GET', url: '/v1/agents' });
  const both = { ...wire, headers: { ...wire.headers, ...bearer(token) } };

  await assert.rejects(send(secure.house, both), failsWith('unauthenticated'));
  for (const wrong of [`${token.slice(0, -1)}_`, 'rtk_', '', token.slice(4), 'Basic x']) {
    const asked = secure.anybody('GET', '/v1/agents', undefined, bearer(wrong));
    await assert.rejects(asked, failsWith('unauthenticated'), wrong);
  }
});

test('a client that does not exist is told the same as one with a wrong key', async () => {
  await using secure = await openSecure();
  await secure.client({ kind: 'service', client_id: 'ops', role: 'viewer' });
  const secret = `rsk_${Buffer.alloc(32, 7).toString('base64url')}`;
  const said = async (client_id: string, kid: string) => {
    const signer = signerOf(secure.house, { client_id, kid, secret });
    const answer = await secure.house.http.inject(
      signer.signed({ method: 'GET', url: '/v1/agents' }),
    );
    return [answer.statusCode, answer.body];
  };

  const wrongKey = await said('ops', 'k1');
  assert.equal(wrongKey[0], 401);
  assert.deepEqual(await said('nobody', 'k1'), wrongKey);
  assert.deepEqual(await said('ops', 'k9'), wrongKey);
  // A token has no secret to sign with, not even that of zeros.
  assert.deepEqual(await said('admin', 'k1'), wrongKey);
});

test('a task is cancelled by whom it is, or by an operator', async () => {
  await using secure = await openSecure();
  const ops = await secure.client({ kind: 'service', client_id: 'ops', role: 'operator' });
  const shop = await secure.client({ kind: 'service', client_id: 'shop' });
  const other = await secure.client({ kind: 'service', client_id: 'other' });
  await secure.admin('PUT', '/v1/policies/grants', {
    doc: { rows: [{ who: 'shop', may: ['*'] }] },
  });
  const submit = () =>
    shop.ask<{ task_id: string }>('POST', '/v1/tasks', { task_type: 'look_up', payload: {} });
  const { task_id: id } = await submit();

  await assert.rejects(
    other.ask('POST', `/v1/tasks/${id}/cancel`, {}),
    failsWith('permission-denied'),
  );
  await shop.ask('POST', `/v1/tasks/${id}/cancel`, {});
  const { task_id: second } = await submit();
  await ops.ask('POST', `/v1/tasks/${second}/cancel`, {});
});

test('on loopback and in open words nobody is asked who he is', async () => {
  for (const mode of ['loopback', 'open']) {
    await using house = await openHouse({ 'auth.mode': mode });
    house.network.at('http://orders', () => json(200, {}));
    await house.ask('POST', '/v1/agents', MANIFEST);
    assert.equal(house.house.firstToken(), undefined);
  }
  assert.equal(SECURE['auth.mode'], 'required');
});
