import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { FetchFailure, type FetchRequest } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { parseEgressRules } from '../address-rules.ts';
import { type OpenOutbound, openOutbound } from '../guarded-fetch.ts';

/** The room on loopback, with a clock that only the test moves. */
export function openRoom(options: Partial<OpenOutbound> = {}) {
  const clock = new ManualClock();
  const rules = parseEgressRules({ allow: [], allowLoopback: true });
  const room = openOutbound({ rules, clock, ...options });
  const send = (url: string, more: Partial<FetchRequest> = {}) =>
    room.fetch({
      method: 'GET',
      url,
      headers: {},
      timeoutMs: 1_000,
      responseBytesMax: 1_000,
      ...more,
    });
  return { ...room, clock, send, [Symbol.asyncDispose]: () => room.close() };
}

/** An HTTP server that tells what reached it. */
export async function serve(handler: RequestListener) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  return { ...(await listen(server)), server, requests };
}

/** A server below HTTP: `greet` gets each connection. */
export async function serveTcp(greet: (socket: Socket) => void) {
  // Read from all the same: a socket that is not read from does not notice that its peer is gone.
  return listen(createTcpServer((socket) => greet(socket.on('error', () => {}).resume())));
}

async function listen(server: ReturnType<typeof createTcpServer>) {
  const sockets = new Set<Socket>();
  const seen = { connections: 0, openMax: 0 };
  server.on('connection', (socket: Socket) => {
    seen.connections++;
    seen.openMax = Math.max(seen.openMax, sockets.add(socket).size);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, port, sockets, seen, [Symbol.asyncDispose]: stop };
}

/** How an exchange failed; fails itself if it did not. */
export async function failureOf(answer: Promise<unknown>) {
  const failure = await answer.then(
    () => assert.fail('was answered'),
    (error: unknown) => error,
  );
  assert.ok(failure instanceof FetchFailure, String(failure));
  return { kind: failure.kind, sent: failure.sent };
}

/** How a server tells the test that a request is there: `reached` resolves once `seen()` is called. */
export function signpost() {
  let seen = () => {};
  const reached = new Promise<void>((resolve) => {
    seen = resolve;
  });
  return { seen: () => seen(), reached };
}

/** Lets the loop turn until something has happened. */
export async function until(condition: () => boolean) {
  while (!condition()) await settled();
}
