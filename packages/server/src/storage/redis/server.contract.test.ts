import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { compareOver } from '../contract/tasks-compare.ts';
import { TasksModel } from '../contract/tasks-model.ts';
import { modelStore } from '../contract/tasks-model-store.ts';
import { openRedis } from './open.ts';
import { bareClient, optionsOf } from './testing/kit.ts';
import { startServer, whyNoServer } from './testing/server.ts';
import { newTask } from '../contract/tasks-kit.ts';
import { warnings } from './testing/words.ts';

const LOGGED = ['appendonly', 'yes', 'appendfsync', 'always'];
const NOW = 1_800_000_000_000;

suite('what a Redis server must be', { skip: whyNoServer() ?? false }, () => {
  test('one that keeps no log is taken, and what may be lost is said', async () => {
    await using server = await startServer();
    const { log, told } = warnings();

    await using storage = await openRedis({ ...optionsOf(server.url), log });

    assert.equal(storage.capabilities.powerSafe, false);
    assert.match(told.join(), /keeps no log on disk/);
  });

  test('one that evicts keys is refused', async () => {
    await using server = await startServer(...LOGGED, 'maxmemory-policy', 'allkeys-lru');

    await assert.rejects(openRedis(optionsOf(server.url)), {
      code: 'store-unavailable',
      message: /set maxmemory-policy noeviction, or say redis.allow-eviction/,
    });
  });

  test('one that syncs every second is taken with a warning, one that always does without', async () => {
    for (const [appendfsync, powerSafe] of [
      ['everysec', false],
      ['always', true],
    ] as const) {
      await using server = await startServer('appendonly', 'yes', 'appendfsync', appendfsync);
      const { log, told } = warnings();

      await using storage = await openRedis({ ...optionsOf(server.url), log });

      assert.equal(storage.capabilities.powerSafe, powerSafe);
      assert.equal(told.length, powerSafe ? 0 : 1);
    }
  });

  test('a store that another release wrote is refused', async () => {
    await using server = await startServer();
    const client = bareClient(server.url);
    await client.connect();
    await client.hSet('{reach}:store', 'layout', '99');
    client.destroy();

    await assert.rejects(openRedis(optionsOf(server.url)), {
      code: 'store-unavailable',
      message: /has layout 99; this release reads 3/,
    });
  });

  test('what was answered survives a server that is killed', async () => {
    await using server = await startServer(...LOGGED);
    await using storage = await openRedis(optionsOf(server.url));
    const ids = Array.from({ length: 50 }, (_, n) => `t${n}`);
    const answered: string[] = [];
    const asked = ids.map(async (id) => {
      await storage.tasks.submit({
        tasks: [newTask(id)],
        pendingMax: 99,
        reserve: 0,
        now: 'store',
      });
      answered.push(id);
    });
    const all = Promise.allSettled(asked);
    await Promise.race(asked);
    await server.crash();
    await all;

    const kept = await storage.tasks.list({ tenant: 'acme', limit: 100 });

    const there = new Set(kept.map(({ taskId }) => taskId));
    assert.deepEqual(
      answered.filter((id) => !there.has(id)),
      [],
    );
  });

  test('what is only counted costs the log nothing', async () => {
    await using server = await startServer(...LOGGED);
    await using storage = await openRedis(optionsOf(server.url));
    const client = bareClient(server.url);
    await client.connect();
    const logged = async () => /aof_current_size:(\d+)/.exec(await client.info('persistence'))?.[1];
    const before = await logged();

    const spend = { name: 'acme:qps', amount: 1, max: 10, ttlMs: 60_000, now: 'store' } as const;
    assert.deepEqual(await storage.ledger.spend(spend), { granted: true, total: 1 });
    assert.deepEqual(await storage.ledger.spend(spend), { granted: true, total: 2 });

    assert.equal(await logged(), before);
    client.destroy();
  });

  test('a wrong password is told when a store is opened', async () => {
    await using server = await startServer('requirepass', 'secret');
    const url = server.url.replace('//', '//:wrong@');

    await assert.rejects(openRedis(optionsOf(url)), {
      code: 'store-unavailable',
      message: /cannot be reached: WRONGPASS\.$/,
    });
  });

  test('a full one takes nothing new, and work goes on', async () => {
    await using server = await startServer();
    await using storage = await openRedis(optionsOf(server.url));
    const { tasks } = storage;
    const submit = (id: string) =>
      tasks.submit({ tasks: [newTask(id)], pendingMax: 99, reserve: 0, now: NOW });
    await submit('t1');
    const client = bareClient(server.url);
    await client.connect();
    await client.configSet('maxmemory', '1');

    await assert.rejects(submit('t2'), { code: 'storage-full' });
    const claim = { tenant: 'acme', agentId: 'crm', holder: 'i-1', limit: 1, leaseMs: 1_000 };
    const [task] = await tasks.claim({ ...claim, now: NOW });
    assert.ok(task);
    const settlement = { end: 'complete', result: '1' } as const;
    const lease = { tenant: 'acme', taskId: 't1', epoch: task.epoch };
    assert.equal((await tasks.settle({ ...lease, settlement, now: NOW })).outcome, 'ok');
    await tasks.prune({ endedBefore: NOW + 1, deadBefore: 0, limit: 9, now: NOW });

    await client.configSet('maxmemory', '0');
    client.destroy();
    const [outcome] = await submit('t2');
    assert.equal(outcome?.outcome, 'accepted');
  });

  test('in a cluster every script stays in the slot of its store', async () => {
    await using server = await startServer('cluster-enabled', 'yes');
    const client = bareClient(server.url);
    await client.connect();
    await client.clusterAddSlotsRange({ start: 0, end: 16_383 });
    while (!(await client.clusterInfo()).includes('cluster_state:ok'));
    client.destroy();
    await using storage = await openRedis(optionsOf(server.url));

    const model = modelStore(new TasksModel());
    assert.equal(await compareOver({ store: storage.tasks, model }, 1, 200), undefined);
    const pins = { tenant: 'acme', name: 'pins' };
    await storage.rules.put({ ...pins, doc: '{}', by: 'ops', expectVersion: 0, now: NOW });
    assert.equal((await storage.rules.list({ tenant: 'acme' })).length, 1);
  });
});
