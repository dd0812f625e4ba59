import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { FetchFailure } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { pinnedConnector } from './pinned-connector.ts';

async function openHouse(addresses: string[]) {
  const server = createServer((socket) => socket.on('error', () => {}));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const sockets = new Set<Socket>();
  const clock = new ManualClock();
  const connector = pinnedConnector({ addresses, clock, connectTimeoutMs: 1_000, sockets });
  const connect = (hostname: string) =>
    new Promise<Socket>((resolve, reject) => {
      const peer = { hostname, protocol: 'http:', port: String(port) };
      connector(peer, (...[error, socket]) => (error === null ? resolve(socket) : reject(error)));
    });
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  };
  return { connect, sockets, clock, [Symbol.asyncDispose]: stop };
}

test('a name is connected to by its pinned address, without a resolver', async () => {
  await using house = await openHouse(['127.0.0.1']);

  const socket = await house.connect('nobody-knows.invalid');

  assert.equal(socket.remoteAddress, '127.0.0.1');
  assert.equal(house.clock.waiting, 0);
});

test('several addresses are tried until one answers', async () => {
  await using house = await openHouse(['::1', '127.0.0.1']);

  const socket = await house.connect('nobody-knows.invalid');

  assert.equal(socket.remoteAddress, '127.0.0.1');
});

test('a literal, for which no lookup is ever called, is still compared with what was judged', async () => {
  await using house = await openHouse(['10.0.0.1']);

  await assert.rejects(house.connect('127.0.0.1'), (failure) => {
    assert.ok(failure instanceof FetchFailure);
    assert.equal(failure.kind, 'refused-address');
    assert.equal(failure.sent, false);
    return true;
  });
  await Promise.all([...house.sockets].map((socket) => once(socket, 'close')));

  assert.equal(house.sockets.size, 0);
});

test('a mapped address and its plain form are the same peer', async () => {
  await using house = await openHouse(['::ffff:127.0.0.1']);

  const socket = await house.connect('127.0.0.1');

  assert.equal(socket.remoteAddress, '127.0.0.1');
});
