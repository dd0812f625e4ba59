import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { NOON } from '../contract/driver.ts';
import { newTask } from '../contract/tasks-kit.ts';
import type { Storage } from '../spi/storage.ts';
import type { NewTask, TaskRow } from '../spi/tasks.ts';
import { ownSchemas, withPostgres } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

await withPostgres(() => {
  suite('two gateways on one store', () => {
    const schemas = ownSchemas();

    /** Two stores with their own connections, as two gateways have them. */
    async function twoGateways() {
      const schema = schemas.name();
      // Migrations race, too.
      const [one, other] = await Promise.all([schemas.openIn(schema), schemas.openIn(schema)]);
      return {
        one,
        other,
        both: [one, other] as const,
        whole: () => assertTasksWhole(schema),
        async [Symbol.asyncDispose]() {
          await Promise.all([one.close(), other.close()]);
        },
      };
    }

    function submit({ tasks }: Storage, list: NewTask[], pendingMax = 10_000) {
      return tasks.submit({ tasks: list, pendingMax, reserve: 0, now: 'store' });
    }

    function claim({ tasks }: Storage, holder: string, limit: number) {
      const asked = { tenant: 'acme', agentId: 'crm', holder, limit, leaseMs: 60_000 };
      return tasks.claim({ ...asked, now: 'store' });
    }

    test('every task is given to one of many who claim at once', async () => {
      await using house = await twoGateways();
      const ids = Array.from({ length: 300 }, (_, n) => `t${n}`);
      const tasks = ids.map((id, n) => newTask(id, { principal: `p${n % 7}`, priority: n % 3 }));
      await submit(house.one, tasks);

      const given: TaskRow[] = [];
      const claimer = async (storage: Storage, n: number) => {
        for (;;) {
          const rows = await claim(storage, `w${n}`, 1 + (n % 5));
          if (rows.length === 0) return;
          given.push(...rows);
        }
      };
      await Promise.all(
        Array.from({ length: 16 }, (_, n) => claimer(house.both[n % 2 === 0 ? 0 : 1], n)),
      );

      assert.deepEqual(given.map((row) => row.taskId).toSorted(), ids.toSorted());
      assert.ok(given.every((row) => row.epoch === 1 && row.deliveries === 1));
      await house.whole();
    });

    test('callers take turns over all claims together', async () => {
      await using house = await twoGateways();
      const tasks = ['a', 'b', 'c'].flatMap((principal) =>
        Array.from({ length: 8 }, (_, n) => newTask(`${principal}${n}`, { principal })),
      );
      await submit(house.one, tasks);

      const rounds = await Promise.all(
        Array.from({ length: 6 }, (_, n) => claim(house.both[n % 2 === 0 ? 0 : 1], `w${n}`, 3)),
      );

      for (const round of rounds) {
        assert.deepEqual(round.map((row) => row.principal).toSorted(), ['a', 'b', 'c']);
      }
    });

    test('a verdict and the end of its lease never both count', async (t) => {
      await using house = await twoGateways();
      const random = testRandom((line) => t.diagnostic(line));
      const seen = new Map<string, number>();
      for (let round = 0; round < 25; round++) {
        const id = `t${round}`;
        await house.one.tasks.submit({
          tasks: [newTask(id)],
          pendingMax: 100,
          reserve: 0,
          now: NOON,
        });
        const asked = { tenant: 'acme', agentId: 'crm', limit: 1, leaseMs: 10 };
        const [lease] = await house.one.tasks.claim({ ...asked, holder: 'w1', now: NOON });
        assert.ok(lease);
        const name = { tenant: 'acme', taskId: id, epoch: lease.epoch };
        const settlement = { end: 'complete', result: '"first"' } as const;
        const now = NOON + 10;
        const lapseAndTake = async ({ tasks }: Storage, holder: string) => {
          await tasks.expire({ deliveriesMax: 12, delaysMs: [], limit: 9, now });
          await tasks.claim({ ...asked, holder, now });
        };
        const settleLater = async ({ tasks }: Storage, questions: number) => {
          for (let n = 0; n < questions; n++) await tasks.get(name);
          await tasks.settle({ ...name, settlement, now });
        };
        await Promise.all([
          settleLater(house.one, random.below(4)),
          lapseAndTake(house.other, 'w2'),
          lapseAndTake(house.one, 'w3'),
        ]);

        const row = await house.one.tasks.get({ tenant: 'acme', taskId: id });
        assert.ok(row);
        const key = `${row.state} at epoch ${row.epoch}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
        const given = (await house.one.tasks.history(name)).filter((l) => l.cause === 'claimed');
        // Whoever holds it now is another than the one whose verdict counted.
        assert.equal(row.state === 'succeeded', row.epoch === 1, key);
        assert.equal(given.length, row.epoch);
        await house.one.tasks.cancel({ ...name, tree: false, now: NOON + 11 });
      }
      t.diagnostic(JSON.stringify([...seen]));
      await house.whole();
    });

    test('one id, one key and one place are taken once', async () => {
      await using house = await twoGateways();
      const key = { scope: 's', fingerprint: 'f', pinned: '{}', answer: '{}', ttlMs: 60_000 };
      const list = Array.from({ length: 12 }, (_, n) => [
        newTask('same', { agentId: n % 2 === 0 ? 'crm' : 'mail' }),
        newTask(`keyed-${n}`, { agentId: `agent-${n}`, key: { ...key, key: 'k' } }),
      ]);

      const answers = await Promise.all(
        list.map((tasks, n) => submit(house.both[n % 2 === 0 ? 0 : 1], tasks)),
      );

      const outcomes = answers.flat().map(({ outcome }) => outcome);
      const times = (word: string) => outcomes.filter((outcome) => outcome === word).length;
      assert.deepEqual([times('accepted'), times('same'), times('key-held')], [2, 11, 11]);
      await house.whole();
    });

    test('a queue takes no more than its bound, whoever submits', async () => {
      await using house = await twoGateways();

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          submit(house.both[n % 2 === 0 ? 0 : 1], [newTask(`t${n}`)], 7),
        ),
      );

      const accepted = answers.flat().filter(({ outcome }) => outcome === 'accepted');
      assert.equal(accepted.length, 7);
      await house.whole();
    });

    test('a chain that many feed and many end never stands still, and never runs twice', async () => {
      await using house = await twoGateways();
      let running = 0;
      const order: string[] = [];
      const ids = Array.from({ length: 30 }, (_, n) => `t${n}`);
      const feeder = async (storage: Storage, mine: string[]) => {
        for (const id of mine) await submit(storage, [newTask(id, { chain: 'k' })]);
      };
      const worker = async (storage: Storage, n: number) => {
        while (order.length < ids.length) {
          const [lease] = await claim(storage, `w${n}`, 1);
          if (lease === undefined) continue;
          running += 1;
          assert.equal(running, 1);
          order.push(lease.taskId);
          running -= 1;
          const { tenant, taskId, epoch } = lease;
          const done = { end: 'complete', result: '1' } as const;
          await storage.tasks.settle({ tenant, taskId, epoch, settlement: done, now: 'store' });
        }
      };

      await Promise.all([
        feeder(house.one, ids.slice(0, 15)),
        feeder(house.other, ids.slice(15)),
        ...[0, 1, 2, 3].map((n) => worker(house.both[n % 2 === 0 ? 0 : 1], n)),
      ]);

      assert.deepEqual(order.toSorted(), ids.toSorted());
      assert.equal(await house.one.tasks.chainHead({ tenant: 'acme', chain: 'k' }), undefined);
      await house.whole();
    });

    test('of those who move one parked task at once, each move counts once', async () => {
      await using house = await twoGateways();
      const now = 'store';
      for (let round = 0; round < 8; round++) {
        const chain = `k${round}`;
        const ids = [0, 1, 2].map((n) => `${chain}-t${n}`);
        for (const id of ids) await submit(house.one, [newTask(id, { chain })]);
        const name = { tenant: 'acme', taskId: ids[0] ?? '' };
        await house.one.tasks.kill({ ...name, by: 'ops', reason: 'parked', now });
        const seen = await house.one.tasks.get(name);
        assert.ok(seen);

        const { version } = seen;
        const edits = await Promise.all(
          house.both.map(({ tasks }, n) =>
            tasks.edit({ ...name, payload: `"${n}"`, version, by: 'ops', now }),
          ),
        );
        const skips = await Promise.all(
          house.both.map(({ tasks }) => tasks.skip({ ...name, by: 'ops', now })),
        );

        for (const answers of [edits, skips]) {
          assert.deepEqual(answers.map(({ outcome }) => outcome).toSorted(), ['ok', 'refused']);
        }
        const head = await house.other.tasks.chainHead({ tenant: 'acme', chain });
        assert.equal(head?.taskId, ids[1]);
        assert.equal(head?.state, 'queued');
      }
      await house.whole();
    });

    test('a cancelled tree has no living child, whenever it was submitted', async () => {
      await using house = await twoGateways();
      for (let round = 0; round < 8; round++) {
        const root = `r${round}`;
        await submit(house.one, [newTask(root)]);
        const children = Array.from({ length: 6 }, (_, n) => `${root}-c${n}`);

        const [, ...answers] = await Promise.all([
          house.other.tasks.cancel({ tenant: 'acme', taskId: root, tree: true, now: 'store' }),
          ...children.map((id) => submit(house.one, [newTask(id, { parentId: root })])),
        ]);

        const born = answers.flat().flatMap((a) => (a.outcome === 'accepted' ? a.row.taskId : []));
        for (const taskId of born) {
          const child = await house.one.tasks.get({ tenant: 'acme', taskId });
          assert.equal(child?.state, 'cancelled', taskId);
        }
      }
      await house.whole();
    });

    test('two that rebind and cancel the same tasks do not wait for each other for ever', async () => {
      await using house = await twoGateways();
      const ids = Array.from({ length: 20 }, (_, n) => `t${n}`);
      await submit(
        house.one,
        ids.map((id, n) => newTask(id, { chain: `k${n % 3}`, parentId: 't0' })),
      );
      const names = ids.map((taskId) => ({ tenant: 'acme', taskId }));
      const to = (agentId: string, list: typeof names) =>
        list.map((name) => ({ ...name, agentId, effect: 'read' as const }));

      await Promise.all([
        house.one.tasks.bind({ tasks: to('mail', names), now: 'store' }),
        house.other.tasks.bind({ tasks: to('pay', names.toReversed()), now: 'store' }),
        house.one.tasks.expire({ deliveriesMax: 9, delaysMs: [], limit: 99, now: 'store' }),
        house.other.tasks.cancel({ tenant: 'acme', taskId: 't0', tree: true, now: 'store' }),
      ]);

      assert.equal(
        (await house.one.tasks.get({ tenant: 'acme', taskId: 't19' }))?.state,
        'cancelled',
      );
      await house.whole();
    });

    test('a key is claimed once, and a count is counted together', async () => {
      await using house = await twoGateways();
      const each = Array.from({ length: 20 }, (_, n) => house.both[n % 2 === 0 ? 0 : 1]);
      const key = { scope: 's', key: 'k', fingerprint: 'f', pinned: '{}' };
      const times = { claimMs: 60_000, ttlMs: 60_000, now: 'store' as const };

      const claims = await Promise.all(
        each.map(({ ledger }, n) => ledger.claim({ ...key, token: `t${n}`, ...times })),
      );
      const counts = await Promise.all(
        each.map(({ ledger }) =>
          ledger.spend({ name: 'calls', amount: 1, max: 9, ttlMs: 60_000, now: 'store' }),
        ),
      );

      assert.equal(claims.filter(({ outcome }) => outcome === 'claimed').length, 1);
      assert.equal(counts.filter(({ granted }) => granted).length, 9);
      assert.equal(Math.max(...counts.map(({ total }) => total)), 9);
    });

    test('of two processes that come for one seat, one is held off', async () => {
      await using house = await twoGateways();
      const manifest = { agent_id: 'crm' } as never;
      const definition = { tenant: 'acme', manifest, digest: 'd', breaking: [], expectVersion: 0 };
      const defined = await Promise.all(
        house.both.map(({ agents }) => agents.define({ ...definition, now: 'store' })),
      );
      assert.deepEqual(defined.map(({ outcome }) => outcome).toSorted(), ['stored', 'unchanged']);

      const joined = await Promise.all(
        house.both.map(({ agents }, n) =>
          agents.join({
            tenant: 'acme',
            agentId: 'crm',
            instance: {
              instanceId: 'i-1',
              mode: 'push',
              baseUrl: `http://127.0.0.1:${9_000 + n}`,
              tags: {},
              heartbeatIntervalMs: 0,
              leaseMs: 60_000,
            },
            now: 'store',
          }),
        ),
      );

      assert.deepEqual(joined.map(({ outcome }) => outcome).toSorted(), ['held', 'joined']);
      const puts = await Promise.all(
        house.both.map(({ rules }) =>
          rules.put({
            tenant: 'a',
            name: 'pins',
            doc: '{}',
            by: 'ops',
            expectVersion: 0,
            now: 'store',
          }),
        ),
      );
      assert.deepEqual(puts.map(({ outcome }) => outcome).toSorted(), ['conflict', 'stored']);
    });
  });
});
