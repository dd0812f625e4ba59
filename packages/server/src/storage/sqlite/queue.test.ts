import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Log, silentLog } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import type { Host } from './host.ts';
import type { Request } from './operations.ts';
import { MoveQueue } from './queue.ts';

/** A host that answers when the test says so. */
function slowHost() {
  const batches: Request[][] = [];
  const waiting: (() => void)[] = [];
  const host: Host = {
    commit: (moves) =>
      new Promise((resolve) => {
        batches.push(moves);
        waiting.push(() => resolve(moves.map(() => ({ value: true }))));
      }),
    search: async () => ({ value: [] }),
    close: async () => {},
  };
  const answer = async () => {
    waiting.shift()?.();
    await settled();
  };
  return { host, answer, sizes: () => batches.map((batch) => batch.length) };
}

function openQueue(log: Log = silentLog) {
  const slow = slowHost();
  const clock = new ManualClock();
  const queue = new MoveQueue({ host: slow.host, clock, log, lingerMs: 20 });
  const leave = () => queue.move('agents.leave', { tenant: 't', agentId: 'a', instanceId: 'i' });
  return { ...slow, clock, queue, leave };
}

test('moves of one turn leave together, at once', async () => {
  const { leave, sizes, clock } = openQueue();

  void leave();
  void leave();
  await settled();

  assert.deepEqual(sizes(), [2]);
  assert.equal(clock.waiting, 0);
});

test('while a batch is on its way the next one grows', async () => {
  const { leave, sizes, answer } = openQueue();
  const first = leave();
  await settled();
  for (let i = 0; i < 600; i++) void leave();
  await settled();
  assert.deepEqual(sizes(), [1]);

  await answer();
  assert.equal(await first, true);
  assert.deepEqual(sizes(), [1, 512]);
  await answer();
  assert.deepEqual(sizes(), [1, 512, 88]);
});

test('hops and lines wait for company until the clock calls', async () => {
  const { queue, sizes, clock, answer } = openQueue();
  void queue.keepHops([]);
  void queue.moveSoon('traces.appendAudit', []);
  await clock.advance(19);
  assert.deepEqual(sizes(), []);

  await clock.advance(1);
  assert.deepEqual(sizes(), [2]);

  await answer();
  await clock.advance(1_000);
  assert.deepEqual(sizes(), [2]);
});

test('a move in a hurry takes along what lingers', async () => {
  const { queue, leave, sizes, clock } = openQueue();
  void queue.keepHops([]);

  void leave();
  await settled();

  assert.deepEqual(sizes(), [2]);
  assert.equal(clock.waiting, 0);
});

test('what came during a batch and is in no hurry lingers on', async () => {
  const { queue, leave, sizes, clock, answer } = openQueue();
  void leave();
  await settled();
  void queue.keepHops([]);

  await answer();
  assert.deepEqual(sizes(), [1]);

  await clock.advance(20);
  assert.deepEqual(sizes(), [1, 1]);
});

test('a crowd that lingers leaves before the clock calls', async () => {
  const { queue, sizes } = openQueue();

  for (let i = 0; i < 512; i++) void queue.keepHops([]);
  await settled();

  assert.deepEqual(sizes(), [512]);
});

test('flush waits for what was asked before it, not for what comes after', async () => {
  const { queue, leave, answer } = openQueue();
  void leave();
  await settled();
  void queue.keepHops([]);
  let isFlushed = false;
  void queue.flush().then(() => (isFlushed = true));
  await answer();
  assert.equal(isFlushed, false);
  void leave();

  await answer();

  assert.equal(isFlushed, true);
});

test('a store that stands still refuses moves beyond its bound', async () => {
  const { leave, answer } = openQueue();
  const first = leave();
  await settled();
  for (let i = 0; i < 10_000; i++) leave().catch(() => {});

  await assert.rejects(leave(), { code: 'store-unavailable', message: /10000 moves behind/ });

  await answer();
  assert.equal(await first, true);
});

test('a store that stands still loses the oldest hops, says so once, and fails nobody', async () => {
  const said: string[] = [];
  const log: Log = { ...silentLog, warn: (_, message) => said.push(message) };
  const { queue, leave, answer, sizes } = openQueue(log);
  void leave();
  await settled();

  const kept = Array.from({ length: 11_000 }, () => queue.keepHops([]));
  await settled();
  assert.equal(said.length, 1);
  while (sizes().reduce((sum, size) => sum + size) < 1 + 11_000 - 2 * 512) await answer();
  await answer();

  await Promise.all(kept);
  assert.equal(said.length, 1);
});

test('after close nothing is taken', async () => {
  const { queue, leave, answer } = openQueue();
  const last = leave();
  const closed = queue.close();
  await settled();

  await assert.rejects(leave(), { code: 'store-unavailable', message: /closed/ });
  await queue.keepHops([]);

  await answer();
  await closed;
  assert.equal(await last, true);
});
