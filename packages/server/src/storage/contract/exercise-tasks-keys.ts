import assert from 'node:assert/strict';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, newTask } from './tasks-kit.ts';

/** Idempotency keys that come with a task. */
export function exerciseTasksKeys(driver: Driver): void {
  const key = {
    scope: 'acme/shop',
    key: 'order-1',
    fingerprint: 'kf',
    pinned: '{}',
    answer: '{"task_id":"t"}',
    ttlMs: 1_000,
  };
  const record = {
    fingerprint: 'kf',
    pinned: '{}',
    answer: '{"task_id":"t"}',
    state: 'done',
  } as const;

  scenario(driver, 'a key is written with its task, and holds others off', async (storage) => {
    const floor = new Floor(storage.tasks);
    await floor.submit('t', { key });

    const found = await storage.ledger.lookup({ ...key, now: NOON });
    assert.ok(found?.state === 'done');
    const { token, expiresAt, ...known } = found;
    assert.deepEqual(known, record);
    assert.ok(token !== '' && expiresAt > NOON + key.ttlMs);
    const again = await floor.try(newTask('t2', { key }));
    assert.deepEqual(again, { outcome: 'key-held', record: found });
    assert.equal(await storage.tasks.get(floor.name('t2')), undefined);
    assert.equal((await floor.try(newTask('t', { key }))).outcome, 'same');
    assert.equal((await floor.submit('t3', { key: { ...key, key: 'order-2' } })).state, 'queued');
  });

  scenario(driver, 'a key that a call claimed holds a task off', async (storage) => {
    const floor = new Floor(storage.tasks);
    const held = { ...key, token: 'x', claimMs: 10, now: NOON };
    await storage.ledger.claim(held);

    const answer = await floor.try(newTask('t', { key }));

    assert.ok(answer.outcome === 'key-held' && answer.record.state === 'claimed');
    floor.now += key.ttlMs;
    assert.equal((await floor.submit('t', { key })).state, 'queued');
  });

  scenario(
    driver,
    'nothing is written under the key of a task that was refused',
    async (storage) => {
      const floor = new Floor(storage.tasks);

      const busy = await floor.try(newTask('t', { key }), { pendingMax: 0 });

      assert.equal(busy.outcome, 'busy');
      assert.equal(await storage.ledger.lookup({ ...key, now: NOON }), undefined);
    },
  );

  scenario(driver, 'a key stays as long as its task, and at least its time', async (storage) => {
    const floor = new Floor(storage.tasks);
    const { ledger } = storage;
    await floor.submit('t', { key });
    await floor.submit('t2', { key: { ...key, key: 'order-2', ttlMs: 100_000 } });
    const late = NOON + 50_000;
    for (const lease of await floor.claim()) await floor.complete(lease);
    await ledger.prune({ limit: 100, now: late });
    assert.equal((await ledger.lookup({ ...key, now: late }))?.state, 'done');

    await storage.tasks.prune({ endedBefore: late, deadBefore: 0, limit: 10, now: late });

    assert.equal(await ledger.lookup({ ...key, now: late }), undefined);
    const other = await ledger.lookup({ ...key, key: 'order-2', now: late });
    assert.equal(other?.expiresAt, NOON + 100_000);
  });
}
