import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from '@agent-reach/core/testing';
import { failureOf, openRoom, serve, serveTcp, signpost, until } from './testing/room.ts';

test('requests one after another share a connection', async () => {
  await using server = await serve((_request, response) => response.end());
  await using room = openRoom();

  for (let i = 0; i < 5; i++) {
    await room.send(server.url, { method: 'POST', body: '{}' });
    await settled(); // undici looks for a late close before it uses a connection again.
  }

  assert.equal(server.seen.connections, 1);
});

test('a connection that the peer closed meanwhile costs a new one, not the request', async () => {
  await using server = await serve((_request, response) => response.end('ok'));
  await using room = openRoom();
  await room.send(server.url, { method: 'POST' });
  server.server.closeIdleConnections();
  await until(() => server.sockets.size === 0);

  const answer = await room.send(server.url, { method: 'POST' });

  assert.equal(answer.status, 200);
  assert.deepEqual(server.seen, { connections: 2, openMax: 1 });
});

test('concurrent requests are all answered, each with its own body, over bounded connections', async () => {
  await using server = await serve((request, response) => response.end(request.url));
  await using room = openRoom({ connectionsMax: 8 });

  const urls = Array.from({ length: 200 }, (_, i) => `/${i}`);
  const answers = await Promise.all(urls.map((path) => room.send(server.url + path)));

  assert.deepEqual(
    answers.map(({ body }) => Buffer.from(body).toString()),
    urls,
  );
  assert.ok(server.seen.openMax > 1 && server.seen.openMax <= 8, String(server.seen.openMax));
  assert.equal(room.clock.waiting, 0);
});

test('a request that waits for a connection gets one when the request before it times out', async () => {
  const post = signpost();
  await using server = await serve((request, response) => {
    if (request.url === '/hangs') post.seen();
    else response.end('ok');
  });
  await using room = openRoom({ connectionsMax: 1 });
  const hanging = failureOf(room.send(`${server.url}/hangs`, { timeoutMs: 500 }));
  await post.reached;
  const waiting = room.send(`${server.url}/waits`);
  const late = failureOf(room.send(`${server.url}/late`, { timeoutMs: 400 }));

  await room.clock.advance(500);

  assert.deepEqual(await hanging, { kind: 'timeout', sent: true });
  assert.deepEqual(await late, { kind: 'timeout', sent: false });
  assert.equal((await waiting).status, 200);
  assert.deepEqual(server.requests, ['GET /hangs', 'GET /waits']);
});

test('a pool that is pushed out ends its request first', async () => {
  const post = signpost();
  let release = () => {};
  await using old = await serve((_request, response) => {
    release = () => response.end('old');
    post.seen();
  });
  await using young = await serve((_request, response) => response.end('young'));
  await using room = openRoom({ poolsMax: 1 });
  const first = room.send(old.url);
  await post.reached;

  await room.send(young.url);
  release();

  assert.equal(Buffer.from((await first).body).toString(), 'old');
  await until(() => old.sockets.size === 0);
  assert.equal(young.sockets.size, 1, 'the other pool stays');
});

test('close ends what is under way, leaves no connection and no timer, and lets nothing out after', async () => {
  const post = signpost();
  await using server = await serve((request, response) => {
    if (request.url === '/idle') response.end();
    else post.seen();
  });
  await using silent = await serveTcp(() => {});
  await using other = await serve((_request, response) => response.end());
  const room = openRoom({ connectionsMax: 1, resolve: () => new Promise(() => {}) });
  await room.send(`${server.url}/idle`);
  const running = failureOf(room.send(server.url));
  const resolving = failureOf(room.send('http://name.test/'));
  const connecting = failureOf(room.send(silent.url.replace('http:', 'https:')));
  await post.reached;
  const waiting = failureOf(room.send(server.url));
  await until(() => silent.sockets.size === 1);

  await room.close();
  await room.close();

  assert.deepEqual(await running, { kind: 'aborted', sent: true });
  assert.deepEqual(await waiting, { kind: 'aborted', sent: false });
  assert.deepEqual(await resolving, { kind: 'aborted', sent: false });
  assert.deepEqual(await connecting, { kind: 'aborted', sent: false });
  await until(() => server.sockets.size + silent.sockets.size === 0);
  assert.equal(room.clock.waiting, 0);
  assert.deepEqual(await failureOf(room.send(other.url)), { kind: 'aborted', sent: false });
  for (let turn = 0; turn < 20; turn++) await settled();
  assert.equal(server.seen.connections, 1, 'nobody connects again for a request that waited');
});
