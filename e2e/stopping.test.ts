import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { effects } from './agents/effects.ts';
import { type AgentProgram, startAgent } from './kit/agents.ts';
import { pause, until, within } from './kit/bounds.ts';
import { Gateway, reach } from './kit/gateway.ts';
import { answerOf, problemOf } from './kit/wire.ts';

/** A gateway with one worker, both of the test's own. */
class House implements AsyncDisposable {
  readonly gateway: Gateway;
  readonly worker: AgentProgram;
  readonly file: string;

  private constructor(gateway: Gateway, worker: AgentProgram, file: string) {
    this.gateway = gateway;
    this.worker = worker;
    this.file = file;
  }

  static async open(): Promise<House> {
    const gateway = await Gateway.start();
    const file = join(gateway.folder.path, 'effects');
    try {
      return new House(gateway, await startAgent('worker', gateway, '--file', file), file);
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** A connection of bytes, for what no client does. */
  async socket(): Promise<Socket & Disposable> {
    const socket = connect(Number(new URL(this.gateway.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => {}); // The other side may end it as it likes.
    return Object.assign(socket, { [Symbol.dispose]: () => void socket.destroy() });
  }

  /** Resolves when nobody can connect any more. */
  async closed(): Promise<void> {
    await until('the door is closed', async () => {
      try {
        using _ = await this.socket();
        return false;
      } catch {
        return true;
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worker[Symbol.asyncDispose]();
    await this.gateway[Symbol.asyncDispose]();
  }
}

const HELD = { capability: 'add', params: { hold: true }, idempotency_key: 'last' };
const CLEAN = { code: 0, signal: null };

test('a gateway that is told to stop ends what runs, exits with 0 and closes its ports', async () => {
  await using house = await House.open();
  const { gateway, worker } = house;
  const running = gateway.call(HELD);
  await worker.said('ran');

  gateway.signal('SIGTERM');
  await house.closed();
  worker.release();
  const reply = await running;
  const exit = await within('the exit', gateway.exited);

  assert.equal(answerOf(reply).replayed, false);
  assert.equal(reply.headers.get('connection'), 'close');
  assert.deepEqual(exit, CLEAN);
  for (const url of [gateway.url, gateway.agentUrl]) await assert.rejects(fetch(`${url}/health`));
  await gateway.restart();
  assert.equal(answerOf(await gateway.call(HELD)).replayed, true, 'what it ended was kept');
  assert.equal(effects(house.file).length, 1);
});

test('a gateway that stops ends a write whose caller is gone, and keeps its answer', async () => {
  await using house = await House.open();
  const { gateway, worker } = house;
  const leave = new AbortController();
  const running = gateway.call(HELD, { signal: leave.signal });
  await worker.said('ran');
  leave.abort();
  await assert.rejects(running);

  gateway.signal('SIGTERM');
  await house.closed();
  worker.release();
  const exit = await within('the exit', gateway.exited);
  await gateway.restart();
  const kept = answerOf(await gateway.call(HELD));

  assert.deepEqual(exit, CLEAN);
  assert.equal(kept.replayed, true);
  assert.equal(effects(house.file).length, 1);
});

test('a storm of writes that a gateway is stopped in leaves none of unknown outcome', async (t) => {
  await using house = await House.open();
  const { gateway, file } = house;
  const random = testRandom((line) => t.diagnostic(line));
  const keys = Array.from({ length: 50 }, (_, n) => `storm-${n}`);
  const send = (key: string) =>
    gateway.call({ capability: 'add', idempotency_key: key }).catch(() => undefined);

  const early = keys.map(send);
  await pause(random.next() * 60);
  const exit = await gateway.stop();
  const answered = (await Promise.all(early)).filter((reply) => reply?.status === 200).length;
  await gateway.restart();
  await gateway.routable('worker');
  const finals = await Promise.all(keys.map(send));

  t.diagnostic(`${answered} were answered before the end`);
  assert.deepEqual(exit, CLEAN);
  for (const final of finals) {
    assert.ok(final !== undefined);
    answerOf(final);
  }
  for (const key of keys) assert.equal(effects(file, key).length, 1, key);
});

test('connections that say nothing, or not all of it, do not keep a gateway from stopping', async () => {
  await using house = await House.open();
  using _ = await house.socket();
  using half = await house.socket();
  half.write('POST /v1/calls HTTP/1.1\r\nhost: reach\r\ncontent-type: application/json\r\n');
  half.write('content-length: 100\r\n\r\n{"capability"');
  using headless = await house.socket();
  headless.write('POST /v1/ca');

  assert.deepEqual(await house.gateway.stop(), CLEAN);
});

test('a request that a stopping gateway still hears is refused, and may be repeated', async () => {
  await using house = await House.open();
  const { gateway, worker } = house;
  using socket = await house.socket();
  const heard = text(socket);
  const body = JSON.stringify({ capability: 'look', request_id: 'too-late' });
  const running = gateway.call(HELD);
  await worker.said('ran');

  socket.write('POST /v1/calls HTTP/1.1\r\nhost: reach\r\ncontent-type: application/json\r\n');
  gateway.signal('SIGTERM');
  await house.closed();
  socket.write(`content-length: ${body.length}\r\n\r\n${body}`);
  const answer = await heard;
  worker.release();
  answerOf(await running);

  assert.deepEqual(await within('the exit', gateway.exited), CLEAN);
  assert.match(answer, /^HTTP\/1\.1 503 /);
  assert.match(answer, /^content-type: application\/problem\+json/im);
  assert.match(answer, /^connection: close/im);
  assert.match(answer, /"code":"overloaded","retryable":true,"executed":"no"/);
  assert.equal(
    worker.all('ran').some(({ request }) => request === 'too-late'),
    false,
  );
});

test('an agent that is told to stop ends what runs, gets nothing new and exits with 0', async () => {
  await using house = await House.open();
  const { gateway, worker: leaver } = house;
  const call = { capability: 'look' };
  const running = gateway.call({ ...call, params: { hold: true }, request_id: 'last' });
  await leaver.said('ran');

  leaver.program.signal('SIGTERM');
  await until('the gateway knows that it leaves', async () => {
    const { instances } = await gateway.reach.agents.get('worker');
    return instances[0]?.intent === 'draining';
  });
  const refused = problemOf(await gateway.call(call), 'no-reachable-agent');
  leaver.release();

  assert.equal(answerOf(await running).provider.agent, 'worker');
  assert.match(refused.detail, /draining/);
  assert.deepEqual(await within('the exit', leaver.program.exited), { code: 0, signal: null });
  assert.equal(leaver.all('ran').length, 1);
  const { instances } = await gateway.reach.agents.get('worker');
  assert.equal(instances.length, 0, 'its place was given back');
});

test('an agent that is told to stop while its gateway is away exits with 0 all the same', async () => {
  await using house = await House.open();
  await house.gateway.kill();

  assert.deepEqual(await house.worker.program.end('SIGTERM'), CLEAN);
});

test('a second gateway on the same data is refused and told who is there', async () => {
  await using gateway = await Gateway.start();
  const data = join(gateway.folder.path, 'data');
  const second = await reach(['serve', '--port', '0', '--agent-port', '0', '--data-dir', data]);

  assert.equal(second.code, 1);
  assert.equal(second.out, '');
  assert.match(second.err, /^reach: store-unavailable: [^\n]+\n$/);
  assert.match(second.err, new RegExp(`\\b${gateway.pid}\\b`));
  assert.equal((await gateway.get('/health')).status, 200, 'the first goes on');
});
