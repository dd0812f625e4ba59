import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { FetchFailure, type FetchFailureKind } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { parseEgressRules } from './address-rules.ts';
import { openOutbound } from './guarded-fetch.ts';
import type { Resolve } from './judged-names.ts';

// Attacks T1 to T3 of the threat model. Each has its control: the same request reaches the same
// server once the policy allows it, so a refusal is the policy's and not an accident of the test.

/** The room under a policy, before a server on loopback that no attack may reach. */
async function openHouse(policy: { allow?: string[]; allowLoopback?: boolean; resolve?: Resolve }) {
  const { allow = [], allowLoopback = false, resolve } = policy;
  const requests: string[] = [];
  const sink = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('inside');
  });
  await once(sink.listen(0, '127.0.0.1'), 'listening');
  const { port } = sink.address() as { port: number };
  const clock = new ManualClock();
  const rules = parseEgressRules({ allow, allowLoopback });
  const room = openOutbound({ rules, clock, ...(resolve === undefined ? {} : { resolve }) });
  const call = (url: string) =>
    room.fetch({ method: 'GET', url, headers: {}, timeoutMs: 1_000, responseBytesMax: 1_000 });
  const stop = async () => {
    await room.close();
    await new Promise((closed) => sink.close(closed));
  };
  return { ...room, call, clock, port, requests, [Symbol.asyncDispose]: stop };
}

async function assertRefused(answer: Promise<unknown>, kind: FetchFailureKind) {
  await assert.rejects(answer, (failure) => {
    assert.ok(failure instanceof FetchFailure, String(failure));
    assert.equal(failure.kind, kind, failure.message);
    assert.equal(failure.sent, false);
    return true;
  });
}

const dotted = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.'];
for (const host of [...dotted, '0x7f000001', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]']) {
  test(`loopback written as ${host} is refused at registration and at the call`, async () => {
    await using house = await openHouse({ allow: ['0.0.0.0/0', '::/0', 'public'] });
    const url = `http://${host}:${house.port}/`;

    assert.equal((await house.fetch.judge(url)).verdict, 'refused');
    await assertRefused(house.call(url), 'refused-address');
    assert.deepEqual(house.requests, []);
  });

  test(`control: loopback written as ${host} is reached where loopback is allowed`, async () => {
    await using house = await openHouse({ allowLoopback: true });

    assert.equal((await house.call(`http://${host}:${house.port}/`)).status, 200);
  });
}

for (const host of ['0.0.0.0', '0', '[::]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::7f00:1]']) {
  test(`${host}, which leads back inside on some systems, is refused whatever is allowed`, async () => {
    await using house = await openHouse({ allow: ['0.0.0.0/0', '::/0'], allowLoopback: true });

    await assertRefused(house.call(`http://${host}:${house.port}/`), 'refused-address');
  });
}

for (const url of ['http://a@127.0.0.1', 'http://allowed.test@127.0.0.1', 'http://[::1%25lo]']) {
  test(`${url} is no URL for us, even where loopback is allowed`, async () => {
    await using house = await openHouse({ allowLoopback: true });

    await assertRefused(house.call(`${url}:${house.port}/`), 'bad-url');
    assert.equal((await house.fetch.judge(`${url}:${house.port}/`)).verdict, 'refused');
    assert.deepEqual(house.requests, []);
  });
}

test('a name that leads to loopback is refused, though the name itself is allowed', async () => {
  const resolve = async () => ['127.0.0.1'];
  await using house = await openHouse({ allow: ['*.nip.test', 'public'], resolve });

  const url = `http://127.0.0.1.nip.test:${house.port}/`;

  assert.equal((await house.fetch.judge(url)).verdict, 'refused');
  await assertRefused(house.call(url), 'refused-address');
  assert.deepEqual(house.requests, []);
});

test('one forbidden address among allowed ones refuses the name, and is told', async () => {
  const resolve = async () => ['127.0.0.1', '10.0.0.1'];
  await using house = await openHouse({ allowLoopback: true, resolve });
  const url = `http://mixed.test:${house.port}/`;

  const verdict = await house.fetch.judge(url);

  assert.equal(verdict.verdict === 'refused' && verdict.address, '10.0.0.1');
  await assertRefused(house.call(url), 'refused-address');
  assert.deepEqual(house.requests, []);
});

test('metadata is refused under any wide policy and reached for only by its own entry', async () => {
  await using wide = await openHouse({
    allow: ['0.0.0.0/0', '::/0', 'public'],
    allowLoopback: true,
  });
  for (const host of [
    '169.254.169.254',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '[::ffff:a9fe:a9fe]',
  ]) {
    await assertRefused(wide.call(`http://${host}/latest/meta-data/`), 'refused-address');
  }

  await using explicit = await openHouse({ allow: ['169.254.169.254'] });
  assert.deepEqual(await explicit.fetch.judge('http://169.254.169.254/'), {
    verdict: 'allowed',
    addresses: ['169.254.169.254'],
  });
});

test('a name of the metadata service is refused by its address', async () => {
  const resolve = async () => ['169.254.169.254'];
  await using house = await openHouse({ allow: ['metadata.google.internal'], resolve });

  await assertRefused(house.call('http://metadata.google.internal/'), 'refused-address');
});

test('a name that was public at registration and is loopback at the call reaches nothing', async () => {
  const answers = [['93.184.215.14'], ['127.0.0.1']];
  const resolve = async () => answers.shift() ?? [];
  await using house = await openHouse({ allow: ['public', '*.test'], resolve });
  const url = `http://rebind.test:${house.port}/`;
  assert.equal((await house.fetch.judge(url)).verdict, 'allowed');

  await house.clock.advance(60_000);

  await assertRefused(house.call(url), 'refused-address');
  assert.deepEqual(house.requests, []);
});

test('what was judged is connected to; the name is not asked a second time', async () => {
  let asked = 0;
  // No resolver knows this name but the test's: only a pinned connection can reach the server.
  const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.9']);
  await using house = await openHouse({ allow: ['127.0.0.1'], resolve });

  const answer = await house.call(`http://pinned.invalid:${house.port}/`);

  assert.equal(answer.status, 200);
  assert.equal(asked, 1);
});

test('a name that turns bad is refused even while a connection to its good address is open', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']];
  const resolve = async () => answers.shift() ?? [];
  await using house = await openHouse({ allowLoopback: true, resolve });
  const url = `http://turning.test:${house.port}/`;
  assert.equal((await house.call(url)).status, 200);

  await house.clock.advance(60_000);

  await assertRefused(house.call(url), 'refused-address');
  assert.equal(house.requests.length, 1);
});

test('a redirect is handed back and not followed, so its target gets no request', async () => {
  await using house = await openHouse({ allowLoopback: true });
  const door = createServer((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${house.port}/secret` }).end();
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const { port } = door.address() as { port: number };

  const answer = await house.call(`http://127.0.0.1:${port}/`);
  door.close().closeAllConnections();

  assert.equal(answer.status, 302);
  assert.equal(answer.headers['location'], `http://127.0.0.1:${house.port}/secret`);
  assert.deepEqual(house.requests, []);
});
