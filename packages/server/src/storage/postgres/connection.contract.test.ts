import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock, openWire } from '@agent-reach/core/testing';
import { NOON } from '../contract/driver.ts';
import { newTask } from '../contract/tasks-kit.ts';
import type { Storage } from '../spi/storage.ts';
import { DSN, houseOf, onDatabase, ownSchemas, withPostgres } from './testing/kit.ts';
import { openPostgres } from './open.ts';

const UNAVAILABLE = { code: 'store-unavailable', retryable: true, executed: 'no' };

await withPostgres(() => {
  suite('a connection that is not to be relied on', () => {
    const schemas = ownSchemas();

    /** A store behind a wire that the test holds, whose deadlines pass when the test says so. */
    async function onWire(timeoutMs = 2_000) {
      const wire = await openWire(DSN);
      const clock = new ManualClock(NOON);
      const schema = schemas.name();
      const storage = await schemas.openIn(schema, {
        url: wire.url,
        clock,
        connectionsMax: 3,
        timeoutMs,
      });
      return {
        wire,
        clock,
        storage,
        schema,
        async [Symbol.asyncDispose]() {
          await storage.close();
          await wire[Symbol.asyncDispose]();
        },
      };
    }

    function put({ rules }: Storage, name: string) {
      return rules.put({ tenant: 'a', name, doc: '{}', by: 'ops', expectVersion: 0, now: NOON });
    }

    function submit({ tasks }: Storage, id: string) {
      return tasks.submit({ tasks: [newTask(id)], pendingMax: 9, reserve: 0, now: NOON });
    }

    test('a server that is not there is said at once, with no secret in it', async () => {
      const opened = openPostgres({ url: 'postgres://reach:geheim@127.0.0.1:1/x', ...houseOf() });

      await assert.rejects(opened, (error: Error) => {
        assert.equal((error as { code?: string }).code, 'store-unavailable');
        assert.doesNotMatch(`${error.message}${error.stack}`, /geheim/);
        return true;
      });
    });

    test('connections that are reset are replaced', async () => {
      await using house = await onWire();
      await Promise.all(['a', 'b', 'c'].map((name) => put(house.storage, name)));

      house.wire.cut();

      assert.equal((await put(house.storage, 'd')).outcome, 'stored');
      const names = (await house.storage.rules.list({ tenant: 'a' })).map(({ name }) => name);
      assert.deepEqual(names, ['a', 'b', 'c', 'd']);
    });

    test('a move whose connection breaks before its commit is made again', async () => {
      await using house = await onWire();
      house.wire.at('task_lanes', 'cut');

      const [answer] = await submit(house.storage, 't1');

      assert.equal(answer?.outcome, 'accepted');
      assert.equal((await house.storage.tasks.history(newTask('t1'))).length, 1);
    });

    test('a commit that was never answered may have happened, and that is said', async () => {
      await using house = await onWire();
      // As it is written on the wire; the word alone is also part of what a transaction begins with.
      house.wire.at('COMMIT\0', 'cut');

      const unsure = { code: 'store-unavailable', executed: 'unknown', retryable: false };
      await assert.rejects(submit(house.storage, 't1'), unsure);

      // Asked again under the same id, it is there once in either case.
      const [again] = await submit(house.storage, 't1');
      assert.ok(again?.outcome === 'accepted' || again?.outcome === 'same');
      assert.equal((await house.storage.tasks.history(newTask('t1'))).length, 1);
    });

    test('moves on a wire that stands still end at their deadline, and others take its place', async () => {
      await using house = await onWire();
      const { storage, clock, wire } = house;
      await put(storage, 'before');
      wire.freeze();

      // More than there are connections: some wait for one.
      const moves = ['a', 'b', 'c', 'd', 'e'].map((name) => put(storage, name));
      const read = storage.rules.get({ tenant: 'a', name: 'before' });
      const failed = Promise.all(
        [...moves, read].map((move) => assert.rejects(move, { code: 'store-unavailable' })),
      );
      await clock.advance(2_000);
      await failed;

      wire.forget();
      // Connections that were being made while the wire stood still are given up first.
      const until = async (): Promise<string> =>
        put(storage, 'after').then(({ outcome }) => outcome, until);
      assert.match(await until(), /stored|conflict/);
      assert.equal((await storage.rules.get({ tenant: 'a', name: 'before' }))?.version, 1);
    });

    test('a gateway that stands still in the middle of a move does not hold up the others', async () => {
      // Its own deadline does not pass: its clock stands still, too. The server's does.
      await using house = await onWire(200);
      await using other = await schemas.openIn(house.schema);
      await submit(other, 't1');
      // The queue is locked by then.
      house.wire.at('task_history', 'freeze');
      const unsure = { code: 'store-unavailable', executed: 'unknown' };
      const failed = assert.rejects(submit(house.storage, 't2'), unsure);
      await house.wire.frozen;

      const [answer] = await submit(other, 't3');

      assert.equal(answer?.outcome, 'accepted');
      await house.clock.advance(200);
      await failed;
      assert.equal(await other.tasks.get(newTask('t2')), undefined);
    });

    test('a move that waits for somebody else’s lock ends at its deadline', async () => {
      await using house = await onWire();
      const { storage, clock, schema } = house;
      await onDatabase(async (other) => {
        await other.query(`BEGIN; LOCK TABLE ${schema}.rules`);
        const waiting = put(storage, 'a');
        const failed = assert.rejects(waiting, UNAVAILABLE);
        await clock.advance(2_000);
        await failed;
        await other.query('COMMIT');
      });

      assert.equal((await put(storage, 'a')).outcome, 'stored');
    });

    test('hops are given up where there is no store, and nobody is told but the log', async () => {
      await using house = await onWire();
      const { storage, clock, wire } = house;
      wire.freeze();

      const kept = storage.traces.append([{ tenant: 'acme', at: NOON } as never]);
      await clock.advance(20);
      await clock.advance(2_000);

      await kept;
      wire.forget();
    });

    test('a store whose line is being laid over a wire that stands still can be closed', async () => {
      await using house = await onWire();
      const { storage, wire } = house;
      wire.at('LISTEN', 'freeze');
      const listening = storage.shared?.channel.listen({ heard() {}, missed() {} });
      await wire.frozen;

      await storage.close();

      await listening;
    });

    test('a store on a dead wire closes', async () => {
      const house = await onWire();
      await put(house.storage, 'a');
      house.wire.freeze();

      await house.storage.close();
      await house.storage.close();

      await assert.rejects(put(house.storage, 'b'), { code: 'store-unavailable' });
      await house.wire[Symbol.asyncDispose]();
    });
  });
});
