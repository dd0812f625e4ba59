import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { AuditRecord } from '@agent-reach/core';
import type { Storage } from '../spi/storage.ts';
import { tempStores, whyNoRedis } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';
import { newTask } from '../contract/tasks-kit.ts';

const why = await whyNoRedis();

/** No script takes on more than a hundred things: what is asked for more must be whole all the same. */
suite('what takes more than one script', { skip: why ?? false }, async () => {
  const NOW = 1_800_000_000_000;
  const MANY = 250;
  const stores = why === undefined ? await tempStores() : undefined;

  /** A store with so many tasks. */
  async function filled(act: (storage: Storage) => Promise<void>, facts: object = {}) {
    assert.ok(stores);
    await using storage = await stores.open();
    const tasks = Array.from({ length: MANY }, (_, n) => newTask(`t${n}`, facts));
    const submitted = await storage.tasks.submit({
      tasks,
      pendingMax: MANY - 1,
      reserve: 0,
      now: NOW,
    });
    const outcomes = submitted.map(({ outcome }) => outcome);
    assert.deepEqual([outcomes.indexOf('busy'), outcomes.length], [MANY - 1, MANY]);
    await act(storage);
    await assertTasksWhole(stores.client, stores.prefixOf(storage));
  }

  async function claimAll({ tasks }: Storage) {
    const claim = { tenant: 'acme', agentId: 'crm', holder: 'i-1', limit: 100, leaseMs: 1_000 };
    const rows = [];
    for (let n = 0; n < 3; n++) rows.push(...(await tasks.claim({ ...claim, now: NOW })));
    assert.equal(rows.length, MANY - 1);
    return rows;
  }

  test('leases are kept alive, graced and ended', () =>
    filled(async (storage) => {
      const leases = await claimAll(storage);

      const kept = await storage.tasks.extend({ leases, leaseMs: 2_000, now: NOW });
      assert.ok(kept.every(({ outcome }) => outcome === 'ok'));
      assert.equal(await storage.tasks.grace({ leaseMs: 5_000, now: NOW }), MANY - 1);
      assert.equal(await storage.tasks.grace({ leaseMs: 5_000, now: NOW }), 0);
      const rule = { deliveriesMax: 12, delaysMs: [], now: NOW + 5_000 };
      const some = await storage.tasks.expire({ ...rule, limit: 120 });
      const rest = await storage.tasks.expire({ ...rule, limit: 500 });

      assert.deepEqual([some.expired.length, rest.expired.length], [120, MANY - 121]);
      assert.equal(some.expired[119]?.taskId, 't119');
    }));

  test('deadlines pass, and what is forgotten is', () =>
    filled(
      async ({ tasks }) => {
        const some = await tasks.tick({ limit: 130, now: NOW + 10 });
        const rest = await tasks.tick({ limit: 500, now: NOW + 10 });
        assert.deepEqual([some.overdue.length, rest.overdue.length], [130, MANY - 131]);

        const prune = { endedBefore: NOW + 11, deadBefore: 0, now: NOW + 11 };
        assert.equal((await tasks.prune({ ...prune, limit: 140 })).forgotten, 140);
        assert.equal((await tasks.prune({ ...prune, limit: 500 })).forgotten, MANY - 141);
        assert.deepEqual(await tasks.counts({}), []);
      },
      { deadlineMs: 10 },
    ));

  test('what waits becomes due', () =>
    filled(
      async ({ tasks }) => {
        const { due } = await tasks.tick({ limit: 500, now: NOW + 10 });
        assert.equal(due.length, MANY - 1);
      },
      { delayMs: 10 },
    ));

  test('a queue is bound to another agent', () =>
    filled(async ({ tasks }) => {
      const targets = Array.from({ length: MANY - 1 }, (_, n) => ({
        tenant: 'acme',
        taskId: `t${n}`,
        agentId: 'erp',
      }));
      assert.equal((await tasks.bind({ tasks: targets, now: NOW })).length, MANY - 1);
      assert.deepEqual(
        (await tasks.counts({})).map(({ agentId, queued }) => [agentId, queued]),
        [['erp', MANY - 1]],
      );
    }));

  test('a tree is cancelled however wide it is, and though it is a circle', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    const { tasks } = storage;
    const root = newTask('root', { parentId: 'leaf' });
    const children = Array.from({ length: 1_100 }, (_, n) =>
      newTask(`c${n}`, { parentId: 'root' }),
    );
    const all = [root, ...children.slice(0, 999)];
    await tasks.submit({ tasks: all, pendingMax: 9_999, reserve: 0, now: NOW });
    const late = [...children.slice(999), newTask('leaf', { parentId: 'c1099' })];
    await tasks.submit({ tasks: late, pendingMax: 9_999, reserve: 0, now: NOW });
    const cancel = { tenant: 'acme', taskId: 'root', tree: true, now: NOW };

    const first = await tasks.cancel(cancel);
    const second = await tasks.cancel(cancel);

    assert.deepEqual([first.cancelled.length, first.cancelled[0]?.taskId], [1_000, 'root']);
    assert.deepEqual([second.cancelled.length, second.cancelled.at(-1)?.taskId], [102, 'leaf']);
    assert.deepEqual((await tasks.cancel(cancel)).cancelled, []);
  });

  test('a search walks until it has found enough', () =>
    filled(async ({ tasks }) => {
      const mine = newTask('mine', { principal: 'ops' });
      await tasks.submit({ tasks: [mine], pendingMax: 9_999, reserve: 0, now: NOW });
      const others = Array.from({ length: 600 }, (_, n) => newTask(`o${n}`));
      await tasks.submit({ tasks: others, pendingMax: 9_999, reserve: 0, now: NOW });

      const found = await tasks.list({ tenant: 'acme', principal: 'ops', limit: 5 });
      const all = await tasks.list({ tenant: 'acme', limit: 1_000 });

      assert.deepEqual(
        found.map(({ taskId }) => taskId),
        ['mine'],
      );
      assert.equal(all.length, MANY + 600);
    }));

  test('figures, documents and agents come page by page', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    const names = Array.from({ length: MANY }, (_, n) => `n${String(n).padStart(3, '0')}`);
    const queued = names.map((agentId) => newTask(agentId, { agentId }));
    await storage.tasks.submit({ tasks: queued, pendingMax: 9, reserve: 0, now: NOW });
    for (const name of names) {
      await storage.rules.put({
        tenant: 'acme',
        name,
        doc: '{}',
        by: 'o',
        expectVersion: 0,
        now: 1,
      });
      const manifest = { agent_id: name } as never;
      const definition = { tenant: 'acme', manifest, digest: 'd', breaking: [], expectVersion: 0 };
      await storage.agents.define({ ...definition, now: NOW });
    }

    const figures = await storage.tasks.counts({ tenant: 'acme' });
    const rules = await storage.rules.list({ tenant: 'acme' });
    const { definitions } = await storage.agents.load();

    assert.deepEqual(
      figures.map(({ agentId }) => agentId),
      names,
    );
    assert.deepEqual(
      rules.map(({ name }) => name),
      names,
    );
    assert.deepEqual(
      definitions.map(({ agentId }) => agentId),
      names,
    );
  });

  test('lines are found behind many others, and a long segment is forgotten whole', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    const { traces } = storage;
    const line = (n: number, facts: Partial<AuditRecord> = {}): AuditRecord => {
      const said = { operation: 'calls.invoke', outcome: 'ok', executed: 'yes' } as const;
      return { at: NOW + n, tenant: 'acme', principal: 'shop', ...said, ...facts };
    };
    await traces.appendAudit([line(0, { principal: 'ops' })]);
    await traces.appendAudit(Array.from({ length: MANY }, (_, n) => line(n + 1)));
    await traces.appendAudit(Array.from({ length: 120 }, (_, n) => line(n, { tenant: `x${n}` })));

    const found = await traces.findAudit({ tenant: 'acme', principal: 'ops', limit: 9 });
    const chains = await traces.auditChains({ after: '', limit: 1_000 });
    const links = await traces.auditLinks({ tenant: 'acme', after: 0, limit: 1_000 });
    const seal = { tenant: 'acme', first_seq: 1, last_seq: MANY, hash: '', sealed_at: NOW };
    assert.equal(await traces.keepSeal({ ...seal, key: '', mac: '' }), 'stored');
    const prune = { before: 0, rowsMax: 9, auditBefore: NOW + 1_000, limit: 10 };
    const gone = await traces.prune(prune);

    assert.deepEqual(
      found.map(({ at }) => at - NOW),
      [0],
    );
    assert.equal(chains.length, 121);
    assert.deepEqual(
      links.map(({ seq }) => seq),
      Array.from({ length: MANY + 1 }, (_, n) => n + 1),
    );
    assert.equal(gone.audit, MANY);
    const left = await traces.findAudit({ tenant: 'acme', limit: 1_000 });
    assert.deepEqual(
      left.map(({ seq }) => seq),
      [MANY + 1],
    );
  });

  test('two gateways never hand out the same task', () =>
    filled(async (storage) => {
      assert.ok(stores);
      await using other = await stores.open(undefined, stores.prefixOf(storage));
      const claims = Array.from({ length: 40 }, (_, n) =>
        (n % 2 === 0 ? storage : other).tasks.claim({
          tenant: 'acme',
          agentId: 'crm',
          holder: `i-${n}`,
          limit: 7,
          leaseMs: 1_000,
          now: 'store',
        }),
      );
      const claimed = (await Promise.all(claims)).flat().map(({ taskId }) => taskId);

      assert.equal(new Set(claimed).size, claimed.length);
      assert.equal(claimed.length, MANY - 1);
      stores.keep(other);
    }));
});
