import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { failureOf, openRoom, serve, serveTcp, signpost, until } from './testing/room.ts';

test('an answer has its status, its headers in lower case and joined, and its body', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(418, [
      ['X-Kind', 'a'],
      ['x-kind', 'b'],
      ['Content-Type', 'text/plain'],
    ] as never);
    response.end('short and stout');
  });
  await using room = openRoom();

  const answer = await room.send(`${server.url}/tea?x=1`);

  assert.equal(answer.status, 418);
  assert.equal(answer.headers['x-kind'], 'a, b');
  assert.equal(answer.headers['content-type'], 'text/plain');
  assert.equal(Buffer.from(answer.body).toString(), 'short and stout');
  assert.deepEqual(server.requests, ['GET /tea?x=1']);
});

test("a request has the given headers, the URL's host, the length of its body and nothing more", async () => {
  let received: string[] = [];
  await using server = await serve((request, response) => {
    received = request.rawHeaders;
    request.pipe(response);
  });
  await using room = openRoom();

  const headers = { 'reach-attempt': '1' };
  const answer = await room.send(server.url, { method: 'POST', headers, body: 'grün' });

  assert.equal(Buffer.from(answer.body).toString(), 'grün');
  assert.equal(
    received.join(' '),
    `host 127.0.0.1:${server.port} connection keep-alive reach-attempt 1 content-length 5`,
  );
});

test('a compressed body comes as it was sent', async () => {
  const packed = gzipSync('x'.repeat(5_000));
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  });
  await using room = openRoom();

  const answer = await room.send(server.url);

  assert.deepEqual(Buffer.from(answer.body), packed);
  assert.equal(answer.headers['content-encoding'], 'gzip');
});

test('early hints are passed over', async () => {
  await using server = await serve((_request, response) => {
    response.writeEarlyHints({ link: '</x>; rel=preload' }, () =>
      response.writeHead(201).end('yes'),
    );
  });
  await using room = openRoom();

  assert.equal((await room.send(server.url)).status, 201);
});

test('an answer without a body has an empty one, whatever length it tells', async () => {
  await using server = await serve((request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'content-length': '5000' }).end();
    else response.writeHead(204).end();
  });
  await using room = openRoom();

  assert.equal((await room.send(server.url)).body.length, 0);
  assert.equal((await room.send(server.url, { method: 'HEAD' })).headers['content-length'], '5000');
});

test('a body of exactly the limit comes whole; one byte more is too large, told or untold', async () => {
  await using server = await serve((request, response) => {
    const length = Number(request.url?.slice(2));
    if (request.url?.startsWith('/t')) response.setHeader('content-length', length);
    response.write(Buffer.alloc(10));
    response.end(Buffer.alloc(length - 10));
  });
  await using room = openRoom();

  for (const way of ['t', 'u']) {
    assert.equal((await room.send(`${server.url}/${way}1000`)).body.length, 1_000);
    const failure = await failureOf(room.send(`${server.url}/${way}1001`));
    assert.deepEqual(failure, { kind: 'too-large', sent: true });
  }
});

test('headers over their limit are too large', async () => {
  await using server = await serve((_request, response) => {
    response.writeHead(200, { 'x-long': 'x'.repeat(3_000) }).end();
  });
  await using room = openRoom({ responseHeadersBytesMax: 2_000 });

  assert.deepEqual(await failureOf(room.send(server.url)), { kind: 'too-large', sent: true });
});

for (const [what, begin] of [
  ['headers that never come', () => {}],
  [
    'a body that stalls',
    (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
  ],
] as const) {
  test(`${what} fail at the request's time, not a millisecond before`, async () => {
    const post = signpost();
    await using server = await serveTcp((socket) => {
      socket.on('data', () => {
        begin(socket);
        post.seen();
      });
    });
    await using room = openRoom();
    let isSettled = false;
    const failure = failureOf(room.send(server.url).finally(() => (isSettled = true)));
    await post.reached;

    await room.clock.advance(999);
    assert.equal(isSettled, false);
    await room.clock.advance(1);

    assert.deepEqual(await failure, { kind: 'timeout', sent: true });
    await until(() => server.sockets.size === 0);
    assert.equal(room.clock.waiting, 0);
  });
}

test('a connection that breaks inside a body is a reset of a request that was sent', async () => {
  await using server = await serveTcp((socket) => {
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', () =>
        socket.resetAndDestroy(),
      );
    });
  });
  await using room = openRoom();

  assert.deepEqual(await failureOf(room.send(server.url)), { kind: 'reset', sent: true });
});

test('a connection that closes without a word is a reset of a request that was sent', async () => {
  await using server = await serveTcp((socket) => socket.on('data', () => socket.end()));
  await using room = openRoom();

  assert.deepEqual(await failureOf(room.send(server.url)), { kind: 'reset', sent: true });
  assert.equal(server.seen.connections, 1, 'nothing is sent twice');
});

test('an answer that is not HTTP is a reset', async () => {
  await using server = await serveTcp((socket) =>
    socket.on('data', () => socket.end('SSH-2.0\r\n')),
  );
  await using room = openRoom();

  assert.deepEqual(await failureOf(room.send(server.url)), { kind: 'reset', sent: true });
});

test('nobody listening is a failed connection, with nothing sent', async () => {
  const server = await serveTcp(() => {});
  await server[Symbol.asyncDispose]();
  await using room = openRoom();

  assert.deepEqual(await failureOf(room.send(server.url)), { kind: 'connect', sent: false });
  assert.equal(room.clock.waiting, 0);
});

test('a peer that speaks no TLS is a TLS failure, with nothing sent', async () => {
  await using server = await serveTcp((socket) =>
    socket.on('data', () => socket.end('HTTP/1.1 400\r\n\r\n')),
  );
  await using room = openRoom();

  const failure = await failureOf(room.send(server.url.replace('http:', 'https:')));

  assert.deepEqual(failure, { kind: 'tls', sent: false });
});

test('a handshake that stalls ends at the connect timeout', async () => {
  const post = signpost();
  await using server = await serveTcp((socket) => socket.on('data', post.seen));
  await using room = openRoom({ connectTimeoutMs: 300 });
  const failure = failureOf(room.send(server.url.replace('http:', 'https:')));
  await post.reached;

  await room.clock.advance(300);

  assert.deepEqual(await failure, { kind: 'tls', sent: false });
  assert.equal(room.clock.waiting, 0);
});

test('a signal that has fired sends nothing', async () => {
  await using server = await serve((_request, response) => response.end());
  await using room = openRoom();

  const failure = await failureOf(room.send(server.url, { signal: AbortSignal.abort() }));

  assert.deepEqual(failure, { kind: 'aborted', sent: false });
  assert.equal(server.seen.connections, 0);
  assert.equal(room.clock.waiting, 0);
});

test('a signal that fires under way closes the connection', async () => {
  const post = signpost();
  await using server = await serve(post.seen);
  await using room = openRoom();
  const abort = new AbortController();
  const failure = failureOf(room.send(server.url, { signal: abort.signal }));
  await post.reached;

  abort.abort();

  assert.deepEqual(await failure, { kind: 'aborted', sent: true });
  await until(() => server.sockets.size === 0);
});

test('a request given up while it waits for a connection is not sent, and the next one is', async () => {
  const post = signpost();
  let release = () => {};
  await using server = await serve((request, response) => {
    if (request.url !== '/first') return response.end('next');
    release = () => response.end('first');
    post.seen();
  });
  await using room = openRoom({ connectionsMax: 1 });
  const abort = new AbortController();
  const first = room.send(`${server.url}/first`);
  await post.reached;
  const second = failureOf(room.send(`${server.url}/second`, { signal: abort.signal }));
  const third = room.send(`${server.url}/third`);

  abort.abort();
  assert.deepEqual(await second, { kind: 'aborted', sent: false });
  release();

  assert.equal(Buffer.from((await first).body).toString(), 'first');
  assert.equal(Buffer.from((await third).body).toString(), 'next');
  assert.deepEqual(server.requests, ['GET /first', 'GET /third']);
  assert.equal(server.seen.connections, 1);
});

test('a caller who goes while the name is resolved causes no connection', async () => {
  await using server = await serve((_request, response) => response.end());
  let answer = (_addresses: string[]) => {};
  const resolving = new Promise<string[]>((resolve) => {
    answer = resolve;
  });
  await using room = openRoom({ resolve: () => resolving });
  const abort = new AbortController();
  const url = `http://slow.test:${server.port}/`;
  const gone = failureOf(room.send(url, { signal: abort.signal }));
  const late = failureOf(room.send(url));

  abort.abort();
  await room.clock.advance(1_000);
  answer(['127.0.0.1']);

  assert.deepEqual(await gone, { kind: 'aborted', sent: false });
  assert.deepEqual(await late, { kind: 'timeout', sent: false });
  assert.equal((await room.send(url)).status, 200);
  assert.equal(server.seen.connections, 1);
});

test('a name that does not resolve is its own kind of failure', async () => {
  await using room = openRoom({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });

  const failure = await failureOf(room.send('http://nowhere.test/'));

  assert.deepEqual(failure, { kind: 'resolve', sent: false });
});

test('a header that cannot be written fails before anything is sent', async () => {
  await using server = await serve((_request, response) => response.end());
  await using room = openRoom();

  const unwritable: Record<string, string>[] = [
    { 'x-a': 'b\r\nx-c: d' },
    { 'x a': 'b' },
    { expect: '100-continue' },
    { host: 'inside' },
  ];
  for (const headers of unwritable) {
    const failure = await failureOf(room.send(server.url, { headers }));
    assert.deepEqual(failure, { kind: 'bad-url', sent: false }, JSON.stringify(headers));
  }
  assert.deepEqual(server.requests, []);
});
