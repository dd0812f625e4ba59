import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { openWire } from '@agent-reach/core/testing';
import { NOON } from '../contract/driver.ts';
import { newTask } from '../contract/tasks-kit.ts';
import type { Storage } from '../spi/storage.ts';
import type { NewTask } from '../spi/tasks.ts';
import { DSN, onDatabase, ownSchemas, withPostgres } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

await withPostgres(() => {
  suite('moves in company', () => {
    const schemas = ownSchemas();

    const many = (count: number) => Array.from({ length: count }, (_, n) => n);

    function submit({ tasks }: Storage, task: NewTask, pendingMax = 10_000) {
      return tasks.submit({ tasks: [task], pendingMax, reserve: 0, now: NOON });
    }

    function claim({ tasks }: Storage, holder: string, facts: { agentId?: string } = {}) {
      const asked = { tenant: 'acme', agentId: 'crm', holder, limit: 1, leaseMs: 60_000 };
      return tasks.claim({ ...asked, ...facts, now: NOON });
    }

    /** A store behind a wire that the test can cut. */
    async function onWire() {
      const wire = await openWire(DSN);
      const schema = schemas.name();
      const storage = await schemas.openIn(schema, { url: wire.url });
      return {
        wire,
        schema,
        storage,
        async [Symbol.asyncDispose]() {
          await storage.close();
          await wire[Symbol.asyncDispose]();
        },
      };
    }

    test('one of fifty that the database refuses fails alone', async () => {
      await using storage = await schemas.open();
      const tasks = many(50).map((n) => newTask(`t${n}`, { agentId: `agent-${n % 5}` }));
      tasks[17] = newTask('bad', { traceId: null as never });

      const answers = await Promise.allSettled(tasks.map((task) => submit(storage, task)));

      const failed = answers.flatMap(({ status }, n) => (status === 'rejected' ? n : []));
      assert.deepEqual(failed, [17]);
      for (const [n, answer] of answers.entries()) {
        if (answer.status === 'rejected') assert.equal(answer.reason.code, 'internal');
        else assert.equal(answer.value[0]?.outcome, 'accepted', tasks[n]?.taskId ?? '');
      }
      assert.equal(await storage.tasks.get({ tenant: 'acme', taskId: 'bad' }), undefined);
      await assertTasksWhole(schemas.schemaOf(storage));
    });

    test('fifty at once meet the bound, the id and the key that they share', async () => {
      await using storage = await schemas.open();
      const key = { scope: 's', fingerprint: 'f', pinned: '{}', answer: '{}', ttlMs: 60_000 };

      const [bounded, same, keyed] = await Promise.all([
        Promise.all(many(20).map((n) => submit(storage, newTask(`b${n}`, { agentId: 'few' }), 7))),
        Promise.all(many(15).map(() => submit(storage, newTask('same', { agentId: 'mail' })))),
        Promise.all(
          many(15).map((n) => {
            const facts = { agentId: `agent-${n}`, key: { ...key, key: 'k' } };
            return submit(storage, newTask(`k${n}`, facts));
          }),
        ),
      ]);

      const times = (answers: { outcome: string }[][], word: string) =>
        answers.flat().filter(({ outcome }) => outcome === word).length;
      assert.deepEqual([times(bounded, 'accepted'), times(bounded, 'busy')], [7, 13]);
      assert.deepEqual([times(same, 'accepted'), times(same, 'same')], [1, 14]);
      assert.deepEqual([times(keyed, 'accepted'), times(keyed, 'key-held')], [1, 14]);
      await assertTasksWhole(schemas.schemaOf(storage));
    });

    test('fifty claims at once take turns as one claim after the other does', async () => {
      await using storage = await schemas.open();
      for (const principal of ['a', 'b', 'c']) {
        for (const n of many(10)) await submit(storage, newTask(`${principal}${n}`, { principal }));
      }

      const given = await Promise.all(many(50).map((n) => claim(storage, `w${n}`)));

      // In the order asked: a, b, c, a, b, c, …, each caller's oldest first; and then nothing.
      const expected = many(30).map((n) => `${'abc'[n % 3]}${Math.floor(n / 3)}`);
      assert.deepEqual(
        given.map(([task]) => task?.taskId),
        [...expected, ...many(20).map(() => undefined)],
      );
      given.slice(0, 30).forEach(([task], n) => assert.equal(task?.holder, `w${n}`));
      await assertTasksWhole(schemas.schemaOf(storage));
    });

    test('claims of one queue that differ in taste each take what is theirs', async () => {
      await using storage = await schemas.open();
      for (const n of many(6)) {
        await submit(storage, newTask(`t${n}`, { taskType: n % 2 === 0 ? 'even' : 'odd' }));
      }
      const asked = { tenant: 'acme', agentId: 'crm', limit: 1, leaseMs: 60_000, now: NOON };

      const given = await Promise.all(
        many(8).map((n) =>
          storage.tasks.claim({ ...asked, holder: `w${n}`, taskTypes: [n < 4 ? 'odd' : 'even'] }),
        ),
      );

      const ids = given.map((rows) => rows.map(({ taskId }) => taskId).join());
      assert.deepEqual(ids, ['t1', 't3', 't5', '', 't0', 't2', 't4', '']);
    });

    test('words of one turn are heard in their order, also of one task', async () => {
      await using storage = await schemas.open();
      await Promise.all(many(10).map((n) => submit(storage, newTask(`t${n}`))));
      const leases = (await Promise.all(many(10).map((n) => claim(storage, `w${n}`)))).flat();
      const done = { end: 'complete', result: '"done"' } as const;

      const answers = await Promise.all(
        leases.map(({ tenant, taskId, epoch }) => {
          const name = { tenant, taskId, epoch, now: NOON };
          return Promise.all([
            storage.tasks.ack({ ...name, leaseMs: 60_000 }),
            storage.tasks.settle({ ...name, settlement: done }),
            storage.tasks.settle({ ...name, settlement: done }),
            storage.tasks.ack({ ...name, epoch: epoch + 1, leaseMs: 60_000 }),
          ]);
        }),
      );

      for (const words of answers) {
        assert.deepEqual(
          words.map(({ outcome }) => outcome),
          ['ok', 'ok', 'ended', 'stale'],
        );
        assert.equal(words[2].outcome === 'ended' && words[2].result, '"done"');
      }
      await assertTasksWhole(schemas.schemaOf(storage));
    });

    test('verdicts on a whole chain at once pass its turn on each time', async () => {
      await using storage = await schemas.open();
      for (const n of many(4)) await submit(storage, newTask(`t${n}`, { chain: 'k' }));
      const [first] = await claim(storage, 'w');
      assert.ok(first);
      const name = { tenant: 'acme', epoch: first.epoch, now: NOON };
      const settle = (taskId: string) =>
        storage.tasks.settle({ ...name, taskId, settlement: { end: 'complete', result: '1' } });

      const [done, early] = await Promise.all([settle('t0'), settle('t1')]);

      assert.equal(done.outcome === 'ok' && done.next?.taskId, 't1');
      assert.equal(early.outcome, 'stale');
      const head = await storage.tasks.chainHead({ tenant: 'acme', chain: 'k' });
      assert.deepEqual([head?.taskId, head?.state], ['t1', 'queued']);
      await assertTasksWhole(schemas.schemaOf(storage));
    });

    test('a connection that breaks before the commit left: all of the batch are made again', async () => {
      await using house = await onWire();
      house.wire.at('task_lanes', 'cut');

      const answers = await Promise.all(
        many(50).map((n) => submit(house.storage, newTask(`t${n}`))),
      );

      assert.ok(answers.every(([answer]) => answer?.outcome === 'accepted'));
      await assertTasksWhole(house.schema);
    });

    test('a connection that breaks after it left: each of the batch is told that nobody knows', async () => {
      await using house = await onWire();
      await submit(house.storage, newTask('before'));
      house.wire.at('COMMIT\0', 'cut');

      const answers = await Promise.allSettled(
        many(50).map((n) => submit(house.storage, newTask(`t${n}`))),
      );

      const unsure = answers.flatMap((one) => (one.status === 'rejected' ? one.reason : []));
      assert.equal(unsure.length, 50);
      for (const { code, executed } of unsure) {
        assert.deepEqual([code, executed], ['store-unavailable', 'unknown']);
      }
      const again = await Promise.all(many(50).map((n) => submit(house.storage, newTask(`t${n}`))));
      assert.ok(again.every(([answer]) => /accepted|same/.test(answer?.outcome ?? '')));
      await assertTasksWhole(house.schema);
    });

    test('a queue that somebody holds does not hold up those of others', async () => {
      const schema = schemas.name();
      await using storage = await schemas.openIn(schema, { timeoutMs: 2_000 });
      await Promise.all(
        ['held', 'free'].map((agentId) => submit(storage, newTask(agentId, { agentId }))),
      );
      await onDatabase(async (other) => {
        await other.query(
          `BEGIN; SELECT 1 FROM ${schema}.task_queues WHERE agent_id = 'held' FOR UPDATE`,
        );
        const order: string[] = [];
        const put = async (id: string, agentId: string) => {
          await submit(storage, newTask(id, { agentId }));
          order.push(agentId);
        };

        const held = put('h1', 'held');
        await Promise.all(many(20).map((n) => put(`f${n}`, 'free')));
        await other.query('COMMIT');
        await held;

        assert.deepEqual(order, [...many(20).map(() => 'free'), 'held']);
      });
      await assertTasksWhole(schema);
    });

    test('a store that closes answers what was asked of it first', async () => {
      const storage = await schemas.openIn(schemas.name());
      const asked = many(50).map((n) => submit(storage, newTask(`t${n}`)));

      await storage.close();

      const answers = await Promise.all(asked);
      assert.ok(answers.every(([answer]) => answer?.outcome === 'accepted'));
      await assert.rejects(submit(storage, newTask('late')), { code: 'store-unavailable' });
    });
  });
});
