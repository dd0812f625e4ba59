import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { buildServer } from './server.ts';

/** A door on a real port, and what came through it. */
async function open() {
  let came = 0;
  const server = buildServer({
    dispatch: async () => {
      came += 1;
      return {};
    },
    clock: new ManualClock(),
    random: seededRandom(1),
    log: silentLog,
    listeners: [],
    bodyBytesMax: 65_536,
    bodyDepthMax: 8,
    requestTimeoutMs: 1_000,
    publicUrl: '',
    hasIssuer: false,
    trustProxy: [],
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    origin: `http://127.0.0.1:${port}`,
    socket: () => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      return socket;
    },
    came: () => came,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await server.close();
    },
  };
}

const CALL = JSON.stringify({ capability: 'query_order_status', params: {} });
const HEAD =
  'POST /v1/calls HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n';

/** All that a socket says until it is closed. */
async function lastWords(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    text += piece;
  });
  await once(socket, 'close');
  return text;
}

for (const [what, sent] of [
  ['its body', `${HEAD}\r\n{"capability":`],
  ['its head', HEAD],
  ['its first byte', ''],
] as const) {
  test(`who is slow with ${what} is sent away, and holds nobody up`, async () => {
    await using door = await open();
    const slow = Array.from({ length: 50 }, door.socket);
    const over = slow.map(lastWords);
    for (const socket of slow) socket.write(sent);

    const quick = await fetch(`${door.origin}/v1/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: CALL,
    });
    assert.equal(quick.status, 200);

    // Node answers 408 before it closes.
    for (const words of await Promise.all(over)) assert.match(words, /^(?:HTTP\/1\.1 408 |$)/);
    assert.equal(door.came(), 1);
  });
}

test('a compressed body is refused as it is, whatever it would hold', async () => {
  await using door = await open();
  const bomb = gzipSync(Buffer.alloc(8 * 1_048_576, ' '));
  assert.ok(bomb.byteLength < 65_536);
  for (const encoding of ['gzip', 'br', 'deflate, gzip', 'x'.repeat(200)]) {
    const { status, body } = await post(door.origin, bomb, encoding);
    assert.deepEqual([status, body['code']], [415, 'unsupported-media-type'], encoding);
  }
  assert.equal(door.came(), 0);
  const plain = await post(door.origin, Buffer.from(CALL), 'identity');
  assert.deepEqual([plain.status, door.came()], [200, 1]);
});

test('a head beyond 16 KiB is refused before anybody reads it', async () => {
  await using door = await open();
  const socket = door.socket();
  const over = lastWords(socket);

  socket.write(`${HEAD}${'x-flood: 0123456789abcdef\r\n'.repeat(1_000)}\r\n`);

  assert.match(await over, /^HTTP\/1\.1 431 /);
  assert.equal(door.came(), 0);
});

async function post(origin: string, body: Buffer, encoding: string) {
  const answer = await fetch(`${origin}/v1/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    body: new Uint8Array(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
