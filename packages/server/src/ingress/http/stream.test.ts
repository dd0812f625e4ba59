import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { EventReader, type OperationName, ReachError, type Received } from '@agent-reach/core';
import { seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { buildServer } from './server.ts';

type Events = (signal: AbortSignal) => AsyncGenerator<{ data: { type: string } }>;

/** A door behind which a stream is what the test says, and a reader with a plain socket. */
async function open(answer: (name: OperationName, signal: AbortSignal) => unknown) {
  const clock = new ManualClock();
  const server = buildServer({
    dispatch: async (name, _input, { signal }) => answer(name, signal),
    clock,
    random: seededRandom(1),
    log: silentLog,
    listeners: [],
    bodyBytesMax: 1_024,
    bodyDepthMax: 8,
    requestTimeoutMs: 1_000,
    publicUrl: '',
    hasIssuer: false,
    trustProxy: [],
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const ask = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return socket;
  };
  return { clock, server, ask, [Symbol.asyncDispose]: () => server.close() };
}

const CHANGES = '/v1/agents/changes';

/** A stream of events without an end, each of so many letters; counts how many were asked for. */
function endless(chars: number) {
  const state = { asked: 0, isOver: false };
  const events: Events = async function* (signal) {
    try {
      while (!signal.aborted) {
        state.asked += 1;
        yield { data: { type: 'changes', text: 'x'.repeat(chars) } as { type: string } };
      }
    } finally {
      state.isOver = true;
    }
  };
  return { state, events };
}

const silent: Events = async function* (signal) {
  yield { data: { type: 'snapshot' } };
  if (!signal.aborted) await once(signal, 'abort');
};

/** Waits, turn by turn, for what another socket does. */
async function until(is: () => boolean): Promise<void> {
  for (let turns = 0; !is(); turns++) {
    assert.ok(turns < 100_000, 'it never came');
    await settled();
  }
}

function received(socket: Socket): { text: string; got: Received[] } {
  const seen = { text: '', got: [] as Received[] };
  const reader = new EventReader();
  socket.setEncoding('utf8');
  socket.on('data', (piece: string) => {
    seen.text += piece;
    seen.got.push(...reader.read(piece.replace(/^HTTP[^]*?\r\n\r\n/, '')));
  });
  return seen;
}

test('a reader that does not read is asked nothing more for, and is closed after 30 s', async () => {
  const { state, events } = endless(65_536);
  await using house = await open((_name, signal) => events(signal));
  const socket = house.ask(CHANGES);
  socket.pause();
  let before = -1;
  await until(() => {
    const isStill = state.asked > 0 && before === state.asked && house.clock.waiting === 3;
    before = state.asked;
    return isStill;
  });
  for (let turns = 0; turns < 1_000; turns++) await settled();
  const asked = state.asked;

  await house.clock.advance(29_999);
  assert.equal(state.isOver, false);
  assert.equal(state.asked, asked);
  await house.clock.advance(1);
  await until(() => state.isOver);

  // What the machine holds for a socket, and not what the stream could give.
  assert.ok(asked < 1_000, String(asked));
  assert.equal(house.clock.waiting, 0);
  socket.destroy();
});

test('a stream ends after about an hour, in order, and its reader knows when to come again', async () => {
  await using house = await open((_name, signal) => silent(signal));
  const socket = house.ask(CHANGES);
  const seen = received(socket);
  await until(() => seen.text.includes('snapshot'));

  await house.clock.advance(3_600_000 * 0.9 - 1);
  await settled();
  assert.ok(!seen.text.includes('event: bye'));
  await house.clock.advance(3_600_000 * 0.2 + 2);
  await until(() => socket.readableEnded || seen.text.includes('event: bye'));
  await until(() => seen.text.endsWith('0\r\n\r\n'));

  assert.match(seen.text, /"reason":"max-age","retry_ms":[2-5]\d{3}}/);
  assert.equal(house.clock.waiting, 0);
});

test('a stream that breaks says why, as a problem', async () => {
  const broken: Events = async function* () {
    yield { data: { type: 'snapshot' } };
    throw new ReachError('key-revoked', 'The key k1 holds no more.');
  };
  await using house = await open((_name, signal) => broken(signal));
  const seen = received(house.ask(CHANGES));

  await until(() => seen.text.includes('event: error'));

  assert.match(seen.text, /event: error\ndata: {"type":"error","problem":{.*"code":"key-revoked"/);
});

test('a body that breaks off is cut: nobody takes it for whole', async () => {
  const arrived = Promise.withResolvers<void>();
  const parts = async function* () {
    yield 'one\n';
    await arrived.promise;
    throw new Error('the store is away');
  };
  await using house = await open(() => ({ type: 'text/plain', parts: parts() }));
  const socket = house.ask('/v1/routes/export');
  const seen = { text: '' };
  socket.setEncoding('utf8').on('data', (piece: string) => {
    seen.text += piece;
    if (seen.text.includes('one')) arrived.resolve();
  });
  socket.on('error', () => {});
  await once(socket, 'close');

  assert.match(seen.text, /one\n/);
  assert.ok(!seen.text.endsWith('0\r\n\r\n'));
});

test('what fails before the first piece is a problem like any other', async () => {
  const next = () => Promise.reject(new ReachError('store-unavailable', 'The store is away.'));
  const parts = { [Symbol.asyncIterator]: () => ({ next }) };
  await using house = await open(() => ({ type: 'text/plain', parts }));

  const response = await house.server.inject('/v1/routes/export');

  assert.equal(response.statusCode, 503);
  assert.equal(response.json<{ code: string }>().code, 'store-unavailable');
});

test('no id and no event name ends its line', async () => {
  const forged: Events = async function* () {
    yield { id: '1\nevent: forged\r', data: { type: 'a\ndata: forged' } } as {
      data: { type: string };
    };
  };
  await using house = await open((_name, signal) => forged(signal));

  const response = await house.server.inject(CHANGES);

  assert.match(
    response.body,
    /\nid: 1event: forged\nevent: adata: forged\ndata: {"type":"a\\ndata/,
  );
});
