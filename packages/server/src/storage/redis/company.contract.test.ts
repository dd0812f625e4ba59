import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { seededRandom } from '@agent-reach/core/kernel';
import { ManualClock, openWire, testRandom } from '@agent-reach/core/testing';
import type { Storage } from '../spi/storage.ts';
import type { TasksStore } from '../spi/tasks.ts';
import { Historian, type Step } from '../contract/tasks-histories.ts';
import { newTask } from '../contract/tasks-kit.ts';
import { TasksModel } from '../contract/tasks-model.ts';
import { modelStore } from '../contract/tasks-model-store.ts';
import { openRedis } from './open.ts';
import { readSource, type Source } from './scripts.ts';
import { optionsOf, REDIS_URL, tempStores, whyNoRedis } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

const why = await whyNoRedis();
const stores = why === undefined ? await tempStores() : undefined;
const NOW = 1_800_000_000_000;
const FIFTY = Array.from({ length: 50 }, (_, n) => `t${n}`);

function submit(storage: Storage, id: string, facts = {}, pendingMax = 1_000) {
  const move = { tasks: [newTask(id, facts)], pendingMax, reserve: 0, now: NOW };
  return storage.tasks.submit(move).then(([answer]) => answer?.outcome);
}

function claimAll(storage: Storage) {
  const lease = { tenant: 'acme', agentId: 'crm', holder: 'i-1', limit: 100, leaseMs: 1_000 };
  return storage.tasks.claim({ ...lease, now: NOW });
}

function complete(storage: Storage, task: { taskId: string; epoch: number }) {
  const { taskId, epoch } = task;
  const settlement = { end: 'complete', result: '1' } as const;
  return storage.tasks.settle({ tenant: 'acme', taskId, epoch, settlement, now: NOW });
}

function count(words: readonly (string | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word ?? ''] = (counts[word ?? ''] ?? 0) + 1;
  return counts;
}

suite('moves in company', { skip: why ?? false }, () => {
  test('of fifty at once one is refused, and the others are as good as alone', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    await Promise.all(FIFTY.map((id) => submit(storage, id)));
    const claimed = await claimAll(storage);
    const words = claimed.map(({ taskId, epoch }, n) => ({ taskId, epoch: n === 30 ? 9 : epoch }));

    const told = await Promise.all(words.map((word) => complete(storage, word)));

    assert.deepEqual(told.map(({ outcome }) => outcome).indexOf('stale'), 30);
    assert.deepEqual(count(told.map(({ outcome }) => outcome)), { ok: 49, stale: 1 });
    await assertTasksWhole(stores.client, stores.prefixOf(storage));
  });

  test('one that fails is told so, and the others are as good as alone', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    await Promise.all(FIFTY.map((id) => submit(storage, id)));
    const claimed = await claimAll(storage);
    const lost = claimed[10];
    assert.ok(lost);
    await stores.client.del(`{${stores.prefixOf(storage)}}:task:${lost.seq}`);

    const told = await Promise.allSettled(claimed.map((task) => complete(storage, task)));

    const failed = told.flatMap((one, n) => (one.status === 'rejected' ? [n] : []));
    assert.deepEqual(failed, [10]);
    const [figures] = await storage.tasks.counts({ tenant: 'acme' });
    assert.equal(figures?.delivered, 1);
  });

  test('each sees what those before it did: of one id, one key, one place', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    const key = { scope: 's', key: 'k', fingerprint: 'f', pinned: 'p', answer: 'a', ttlMs: 9_000 };

    const alike = await Promise.all(FIFTY.map(() => submit(storage, 'same')));
    const keyed = await Promise.all(FIFTY.map((id) => submit(storage, `key-${id}`, { key })));
    const bound = await Promise.all(FIFTY.map((id) => submit(storage, `few-${id}`, {}, 12)));

    assert.deepEqual(count(alike), { accepted: 1, same: 49 });
    assert.deepEqual(count(keyed), { accepted: 1, 'key-held': 49 });
    assert.deepEqual(count(bound), { accepted: 10, busy: 40 });
    await assertTasksWhole(stores.client, stores.prefixOf(storage));
  });

  test('a wire that breaks under a company: each change may have happened, each question is asked again', async () => {
    assert.ok(stores);
    await using direct = await stores.open();
    await using wire = await openWire(REDIS_URL);
    const clock = new ManualClock();
    const prefix = stores.prefixOf(direct);
    await using storage = await openRedis({ ...optionsOf(wire.url), clock, prefix });
    wire.freeze();
    const changes = Promise.allSettled(FIFTY.map((id) => submit(storage, id)));
    const questions = Promise.all(
      FIFTY.map((taskId) => storage.tasks.get({ tenant: 'acme', taskId })),
    );
    await clock.advance(0);
    wire.thaw();
    wire.cut();

    for (const told of await changes) {
      assert.ok(told.status === 'rejected');
      assert.equal(told.reason.code, 'store-unavailable');
      assert.equal(told.reason.executed, 'unknown');
    }
    assert.equal((await questions).length, 50);
    // Whoever was told so says it again, and what had happened is not done twice.
    const again = await Promise.all(FIFTY.map((id) => submit(direct, id)));
    assert.ok(again.every((outcome) => outcome === 'accepted' || outcome === 'same'));
    assert.equal((await direct.tasks.list({ tenant: 'acme', limit: 100 })).length, 50);
    await assertTasksWhole(stores.client, prefix);
  });
});

/** Moves that travel in company. */
const TOGETHER: ReadonlySet<string> = new Set([
  'submit',
  'claim',
  'ack',
  'extend',
  'progress',
  'settle',
]);

/** Some steps of one kind, none of which knows of another's answer. */
function roundOf(historian: Historian): [Step, ...Step[]] {
  const first = historian.next();
  if (!TOGETHER.has(first.act)) return [first];
  const more = Array.from({ length: 20 }, () => historian.next());
  return [first, ...more.filter(({ act }) => act === first.act).slice(0, 7)];
}

function play(store: TasksStore, step: Step): Promise<unknown> {
  return (store[step.act] as (move: object) => Promise<unknown>)(step.move);
}

/** As data, without `seq`: its order is promised, its value is the store's own. */
function told(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer ?? null, (name, value) => (name === 'seq' ? 0 : value)));
}

/** Plays rounds, all of one at once, against the model, which plays them one after the other. */
async function compareRounds(storage: Storage, check: () => Promise<void>, seed: number) {
  const historian = new Historian(seededRandom(seed));
  const model = modelStore(new TasksModel());
  for (let n = 1; n <= ROUNDS; n++) {
    const steps = roundOf(historian);
    const expected: unknown[] = [];
    for (const step of steps) expected.push(await play(model, step));
    const answered = await Promise.all(steps.map((step) => play(storage.tasks, step)));
    const place = `seed ${seed}, round ${n}: ${JSON.stringify(steps)}`;
    assert.deepEqual(answered.map(told), expected.map(told), place);
    for (const [m, step] of steps.entries()) historian.learn(step, expected[m]);
    for (const tenant of ['acme', 'other']) {
      const look = { tenant, limit: 1_000 };
      const rows = await model.list(look);
      assert.deepEqual(told(await storage.tasks.list(look)), told(rows), place);
      const histories = (store: TasksStore) => Promise.all(rows.map((row) => store.history(row)));
      assert.deepEqual(await histories(storage.tasks), await histories(model), place);
    }
    assert.deepEqual(await storage.tasks.counts({}), await model.counts({}), place);
    if (n % 20 === 0) await check();
  }
}

const ROUNDS = 120;

async function tell(seed: number, source?: Source): Promise<void> {
  assert.ok(stores);
  await using storage = await stores.open(source);
  const prefix = stores.prefixOf(storage);
  await compareRounds(storage, () => assertTasksWhole(stores.client, prefix), seed);
}

/** Faults that no move alone would show: each a line of what a script keeps for later. */
const FAULTS: Readonly<Record<string, readonly [file: string, line: string, faulty: string]>> = {
  'what was put is taken out before': [
    'lua/later',
    "if added[key] then send(added, 'ZADD', key) end\n    batch",
    'batch',
  ],
  'what was taken out is put before': [
    'lua/later',
    "if dropped[key] then send(dropped, 'ZREM', key) end\n    batch",
    'batch',
  ],
  'a lane is closed late': ['tasks/claim', 'closeLanes()', ''],
  'the figures of a queue stand still': ['tasks/queue', 'if figures then', 'if false then'],
};

suite('histories in company', { skip: why ?? false }, () => {
  test('moves that travel together do what they would do one after the other', async (t) => {
    const { seed } = testRandom((note) => t.diagnostic(note));
    const histories = Number(process.env['REACH_HISTORIES'] ?? 10);
    for (let n = 0; n < histories; n++) await tell(seed + n);
  });

  for (const [fault, [file, line, faulty]] of Object.entries(FAULTS)) {
    test(`a fault planted in the scripts is found: ${fault}`, async (t) => {
      const source = (name: string) => {
        const text = readSource(name);
        if (name !== file) return text;
        assert.ok(text.includes(line), `${file} does not say ${line}`);
        return text.replace(line, () => faulty);
      };
      for (let seed = 1; seed <= 20; seed++) {
        const found = await tell(seed, source).then(() => undefined, String);
        if (found === undefined) continue;
        t.diagnostic(`found by history ${seed}: ${found.slice(0, 80)}`);
        return;
      }
      assert.fail('20 histories did not find it');
    });
  }
});
