import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TaskView } from '@agent-reach/core';
import { answered, FakeGateway } from './testing/fake-gateway.ts';
import { FakeQueue } from './testing/fake-queue.ts';
import { until } from './testing/until.ts';

/** A sample that never registers must not hold up everything else. */
const LIMIT = { timeout: 20_000 };
const SAMPLES = join(import.meta.dirname, 'testing/readme');

/** Runs a sample of the README against `gateway`. */
function run(sample: string, gateway: FakeGateway) {
  const child = spawn(process.execPath, [join(SAMPLES, sample)], {
    env: { ...process.env, REACH_ENDPOINT: gateway.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit').then(([code, signal]: unknown[]) => ({ code, signal }));
  return { child, exit, stdout: text(child.stdout), stderr: text(child.stderr) };
}

test('the README shows the samples that are compiled and run here, in twenty lines each', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const shown = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code);
  const samples = ['agent.ts', 'caller.ts', 'worker.ts', 'submit.ts'].map((name) =>
    readFileSync(join(SAMPLES, name), 'utf8'),
  );

  assert.deepEqual(shown, samples);
  for (const sample of samples) assert.ok(sample.split('\n').length <= 23);
});

test(
  'the agent of the README serves, and SIGTERM ends it with 0 after it has left',
  LIMIT,
  async () => {
    await using gateway = await FakeGateway.open();
    const { child, exit, stderr } = run('agent.ts', gateway);
    const { input } = await gateway.nth('agents.register', 1);
    const { base_url: url } = input.manifest['instance'] as { base_url: string };
    const call = (sku: string) =>
      fetch(`${url}/abilities/check_stock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sku }),
      });

    const found = await call('PHONE-15');
    const unknown = await call('X');
    child.kill('SIGTERM');

    assert.deepEqual(await found.json(), { sku: 'PHONE-15', count: 3 });
    assert.equal(((await unknown.json()) as { code: string }).code, 'sku-unknown');
    assert.deepEqual(await exit, { code: 0, signal: null }, await stderr);
    assert.equal(gateway.all('agents.drain').length, 1);
    assert.equal(gateway.all('agents.remove').length, 1);
  },
);

test('a second SIGTERM, later than the same one told twice, ends it at once', LIMIT, async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.drain', () => new Promise(() => {}));
  const { child, exit } = run('agent.ts', gateway);
  await gateway.nth('agents.register', 1);

  child.kill('SIGTERM');
  await gateway.nth('agents.drain', 1);
  // The process's own clock decides; it is asked again until it has had enough.
  const impatience = setInterval(() => child.kill('SIGTERM'), 100);
  const { code } = await exit;
  clearInterval(impatience);

  assert.equal(code, 128 + 15);
});

test('the caller of the README prints the answer', LIMIT, async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('calls.invoke', (request) => answered(request, { count: 3 }));
  const { exit, stdout, stderr } = run('caller.ts', gateway);

  assert.equal((await exit).code, 0, await stderr);
  assert.equal(await stdout, '3 left, says orders\n');
});

test(
  'the worker of the README does what the submitter of the README waits for',
  LIMIT,
  async () => {
    await using gateway = await FakeGateway.open();
    const queue = new FakeQueue(gateway);
    gateway.on('tasks.submit', ({ task_id: id = '', task_type: type = '', payload }) => {
      queue.put(id, { task_type: type, payload });
      return {
        task_id: id,
        status: 'queued',
        position: 0,
        eta_ms: 0,
        eta_p90_ms: 0,
        durability: 'durable',
        trace_id: 't',
        replayed: false,
        warnings: [],
      };
    });
    gateway.on('tasks.get', async ({ task_id: id }) => {
      await until(() => queue.of(id).status === 'succeeded', 'it is done');
      return shown(id, queue.of(id).result);
    });
    gateway.on('tasks.why', ({ task_id: id }) => ({
      task_id: id,
      status: 'succeeded',
      says: ['It has ended.'],
    }));

    const worker = run('worker.ts', gateway);
    await gateway.nth('agents.register', 1);
    const submit = run('submit.ts', gateway);
    assert.equal((await submit.exit).code, 0, await submit.stderr);
    worker.child.kill('SIGTERM');

    const result = { pages: [1, 2, 3].map((page) => `month 3, page ${page}`) };
    assert.equal(await submit.stdout, `succeeded: ${JSON.stringify(result)}\nIt has ended.\n`);
    assert.deepEqual(await worker.exit, { code: 0, signal: null }, await worker.stderr);
  },
);

function shown(id: string, result: unknown): TaskView {
  return {
    task_id: id,
    task_type: 'render_report',
    status: 'succeeded',
    priority: 6,
    deliveries: 1,
    attempts: 1,
    attempts_max: 4,
    durability: 'durable',
    result,
    trace_id: 't',
    principal: 'finance',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  };
}
