import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { REACH, reach, serveIn } from './testing/processes.ts';
import { run } from './testing/run.ts';

/** A folder of its own, gone when the test ends. */
async function folder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'reach-cli-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** An agent as anybody may write one: no SDK, two routes. */
async function agent(): Promise<AsyncDisposable & { url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/health') response.end('{"status":"ok"}');
    else response.end('{"status":"已发货"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => closeServer(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close, [Symbol.asyncDispose]: close };
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

const manifestOf = (url: string) => `
name: order-query-agent
display_name: 订单查询智能体
version: 1.2.0
capabilities:
  - name: query_order_status
    description: 根据订单号查询订单实时状态
    effect: read
    input_schema:
      type: object
      properties: { order_no: { type: string } }
      required: [order_no]
    output_schema:
      type: object
      properties: { status: { type: string } }
network:
  base_url: ${url}
  health_path: /health
`;

test('a gateway is served, an agent joins, is called, traced and diagnosed, and all ends well', async () => {
  await using dir = await folder();
  await using orders = await agent();
  await writeFile(join(dir.path, 'orders.yaml'), manifestOf(orders.url));
  await using served = await serveIn(dir.path);
  const { listeners } = served.told;
  const endpoint = listeners[0]?.url ?? '';
  const ask = (...args: string[]) =>
    reach(args, { cwd: dir.path, env: { REACH_ENDPOINT: endpoint } });
  assert.deepEqual(
    listeners.map(({ role }) => role),
    ['business', 'agents'],
  );

  const checked = await ask('manifest', 'check', 'orders.yaml');
  assert.equal(checked.code, 0, checked.out + checked.err);
  const joined = await ask('agents', 'register', 'orders.yaml');
  assert.equal(joined.code, 0, joined.err);
  assert.match(joined.out, /^agent\torder-query-agent\noutcome\tcreated\n/);
  const listed = await ask('agents', 'list', '--available');
  assert.match(listed.out, /^order-query-agent\t订单查询智能体\tup\t1\.2\.0\t1\/1\t/);
  const shown = await ask('agents', 'get', 'order-query-agent');
  assert.match(shown.out, /\nquery_order_status\tread\t/);

  const routed = await ask('route', 'query_order_status', '--param', 'order_no=A', '--explain');
  assert.equal(routed.code, 0, routed.err);
  assert.match(routed.out, new RegExp(`\\naddress\\t${orders.url}\\n`));
  const called = await ask('call', 'query_order_status', '{"order_no":"A"}', '--json');
  assert.equal(called.code, 0, called.err);
  const answer = JSON.parse(called.out) as { result: unknown; request_id: string };
  assert.deepEqual(answer.result, { status: '已发货' });
  const refused = await ask('call', 'query_order_status', '--param', 'order_no:=7', '--verbose');
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /^reach: validation-failed: [^\n]*\n(?: {2}[^\n]*\n)* {2}#\S*order_no /,
  );

  const traced = await ask('trace', answer.request_id);
  assert.match(traced.out, /anonymous → order-query-agent {2}query_order_status/);
  const hops = await ask('traces', 'search', '--capability', 'query_order_status');
  assert.match(hops.out, /\torder-query-agent\tquery_order_status\t200\t/);
  const audit = await ask('audit', 'search', '--target', 'order-query-agent');
  assert.match(audit.out, /\tagents\.register\t/);
  const config = await ask('config', '--changed');
  assert.match(config.out, /^listen\.business\.port\t0\tflag$/m);
  assert.equal((await ask('health')).code, 0);
  assert.equal((await ask('op', 'system.livez')).out, '{"status":"ok"}\n');

  assert.equal((await ask('diagnose', 'order-query-agent')).code, 0);
  await orders.close();
  const diagnosed = await ask('diagnose', 'order-query-agent');
  assert.equal(diagnosed.code, 1);
  assert.match(diagnosed.out, /cannot be reached: connect fails\n[^]*✗ connect [^]*→ /);

  const second = await reach(['serve', '--port', '0', '--data-dir', dir.path], { cwd: dir.path });
  assert.equal(second.code, 1);
  assert.match(second.err, /^reach: [a-z-]+: [^\n]+\n$/);
  assert.equal(await served.stop('SIGTERM'), 0);
  const gone = await ask('agents', 'list');
  assert.equal(gone.code, 3);
});

test('what a gateway was told wrongly is one line', async () => {
  await using dir = await folder();
  const serve = (...args: string[]) => reach(['serve', ...args], { cwd: dir.path });

  for (const args of [
    ['--set', 'no.such.option=1'],
    ['--port', '99999'],
    ['--host', '0.0.0.0'],
    ['--log-level', 'loud'],
  ]) {
    const { code, out, err } = await serve(...args);
    assert.equal(code, 1, args.join(' '));
    assert.equal(out, '');
    assert.match(err, /^reach: validation-failed: [^\n]+\n$/);
  }
  assert.equal((await serve('--set', 'oops')).code, 2);
});

test('SIGINT stops a gateway as gently as SIGTERM', async () => {
  await using dir = await folder();
  await using served = await serveIn(dir.path);

  assert.equal(await served.stop('SIGINT'), 0);
});

test('a request to stop that comes before the gateway is up is kept; a second waits for nothing', async () => {
  const exits: number[] = [];
  const { code, out } = await run(
    ['serve', '--port', '0', '--agent-port', 'off', '--data-dir', ':memory:'],
    {
      onStop(listener) {
        listener();
        listener();
      },
      onExit: (exit) => exits.push(exit),
    },
  );

  assert.equal(code, 0);
  assert.deepEqual(exits, [1]);
  assert.match(out, /^Agent-Reach [^\n]* is ready\nbusiness\thttp:[^\n]*\ndata\tin memory/);
});

test('a gateway that is asked again when it has stopped is not killed by it', async () => {
  await using dir = await folder();
  await using served = await serveIn(dir.path);

  const ended = served.stop('SIGTERM');
  // Its store is the last that it closes.
  while ((await readdir(dir.path)).some((name) => name.endsWith('-wal'))) await setImmediate();
  const asking = setInterval(() => served.signal('SIGTERM'), 1);
  const code = await ended;
  clearInterval(asking);

  // A kill has no code; 1 if it was asked in the moment before it knew that its store is closed.
  assert.ok(code === 0 || code === 1, `it ended with ${code}`);
});

test('a reader that has seen enough ends nothing with an error', async () => {
  const child = spawn(process.execPath, [REACH, 'op', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));

  const [code] = (await once(child, 'close')) as [number];

  assert.equal(code, 0);
  assert.equal(complaints, '');
});

test('an old Node says so in one line', async () => {
  const older = `data:text/javascript,
    Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });
    Object.defineProperty(process, 'version', { value: 'v20.20.2' });`;

  const { code, out, err } = await reach(['version'], { node: ['--import', older] });

  assert.equal(code, 1);
  assert.equal(out, '');
  assert.match(err, /^reach: needs Node 24 or newer, this is v20\.20\.2: [^\n]+\n$/);
});
