import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { suite, test } from 'node:test';
import { ChainCheck } from '@agent-reach/core';
import { NOON } from '../contract/driver.ts';
import { Floor } from '../contract/tasks-kit.ts';
import { openPostgres } from './open.ts';
import { DSN, houseOf, onDatabase, ownSchemas, withPostgres } from './testing/kit.ts';

/** Takes back the step that made chains of the audit. */
const UNCHAINED = `
  DROP TABLE audit_heads, audit_seals; DROP INDEX audit_by_chain;
  ALTER TABLE audit DROP COLUMN chain, DROP COLUMN prev, DROP COLUMN hash;`;

await withPostgres(() => {
  suite('opening', () => {
    const schemas = ownSchemas();
    const pins = {
      tenant: 'acme',
      name: 'pins',
      doc: '{}',
      by: 'ops',
      expectVersion: 0,
      now: NOON,
    };

    test('gateways that start together make one schema', async () => {
      const schema = schemas.name();

      const opened = await Promise.all([1, 2, 3, 4].map(() => schemas.openIn(schema)));

      assert.equal(new Set(opened.map(({ epoch }) => epoch)).size, 1);
      const [first, second] = opened;
      await first?.rules.put(pins);
      assert.equal((await second?.rules.get(pins))?.version, 1);
      assert.deepEqual(first?.capabilities.sharedByProcesses, true);
      await Promise.all(opened.map((storage) => storage.close()));
    });

    test('a schema that a newer release wrote is refused and left as it is', async () => {
      const schema = schemas.name();
      await (await schemas.openIn(schema)).close();
      await onDatabase((client) =>
        client.query(`INSERT INTO ${schema}.migrations VALUES (99, 'later', 'x')`),
      );

      const refused = { code: 'store-unavailable', retryable: false, message: /knows up to \d/ };
      await assert.rejects(schemas.openIn(schema), refused);
      await assert.rejects(schemas.openIn(schema), refused);
    });

    test('a schema whose steps another build wrote is refused', async () => {
      const schema = schemas.name();
      await (await schemas.openIn(schema)).close();
      await onDatabase((client) =>
        client.query(`UPDATE ${schema}.migrations SET checksum = 'x' WHERE version = 1`),
      );

      const refused = { code: 'store-unavailable', message: /took step 1 as/ };
      await assert.rejects(schemas.openIn(schema), refused);
    });

    test('a schema that stopped at an earlier step takes those that came since', async () => {
      const schema = schemas.name();
      await (await schemas.openIn(schema)).close();
      const tables = ['task_turns', 'task_lanes', 'task_queues', 'tasks', 'task_payloads'].concat([
        'task_results',
        'task_history',
        'task_orphans',
        'task_edits',
        // Of the steps after it.
        'budgets',
        'budget_holds',
        'confirmations',
      ]);
      await onDatabase((client) =>
        client.query(`
          SET search_path TO ${schema};
          DROP TABLE ${tables.join(', ')}; DROP SEQUENCE task_seq;
          ${UNCHAINED}
          DELETE FROM migrations WHERE version >= 2`),
      );

      await using storage = await schemas.openIn(schema);

      assert.equal((await new Floor(storage.tasks).submit('t1')).state, 'queued');
    });

    test('lines that were kept before there were chains are put into them', async () => {
      const schema = schemas.name();
      await (await schemas.openIn(schema)).close();
      await onDatabase((client) =>
        client.query(`
          SET search_path TO ${schema};
          ${UNCHAINED}
          INSERT INTO audit (tenant, at, request_id, principal, body)
            SELECT 'acme', n, 'r' || n, 'shop', json_build_object('at', n, 'tenant', 'acme',
              'principal', 'shop', 'operation', 'calls.invoke', 'request_id', 'r' || n,
              'outcome', 'ok', 'executed', 'yes')
            FROM generate_series(1, 1500) AS n;
          DELETE FROM migrations WHERE version = 5`),
      );

      await using storage = await schemas.openIn(schema);

      const check = new ChainCheck({ tenant: 'acme', from: 1 });
      for (const after of [0, 1_000]) {
        const links = await storage.traces.auditLinks({ tenant: 'acme', after, limit: 1_000 });
        for (const link of links) check.take(link);
      }
      check.end(await storage.traces.auditChain({ tenant: 'acme' }));
      assert.deepEqual([check.faults, check.records], [[], 1_500]);
      const query = { tenant: 'acme', requestId: 'r7', limit: 9 };
      assert.deepEqual(
        (await storage.traces.findAudit(query)).map(({ seq, at }) => [seq, at]),
        [[7, 7]],
      );
    });

    test('a name that is no schema is refused before anything is asked', async () => {
      for (const schema of ['', 'Reach', 'a b', 'x; DROP', '1st', 'x'.repeat(64)]) {
        const opened = openPostgres({ url: DSN, schema, ...houseOf() });
        await assert.rejects(opened, { code: 'store-unavailable', message: /no name/ }, schema);
      }
    });

    test('a database that is not there is refused by its name', async () => {
      const url = new URL(DSN);
      url.pathname = '/reach_nowhere';

      const opened = openPostgres({ url: url.href, ...houseOf() });

      await assert.rejects(opened, { code: 'store-unavailable', message: /3D000/ });
    });

    test('every character comes back, also the one that PostgreSQL refuses', async () => {
      await using storage = await schemas.open();
      const floor = new Floor(storage.tasks);
      const odd = 'nul \u0000, one \u0001, \u0000\u0001\u00010, 订单 😀 ‮';
      await floor.submit(odd, { principal: odd, payload: JSON.stringify(odd), chain: odd });

      const lease = await floor.claimOne({ holder: odd });
      await floor.settle(lease, { end: 'fail', retryable: true, reason: odd, delayMs: 1 });

      const row = await floor.row(odd);
      assert.deepEqual([row.principal, row.chain, row.reason, row.holder], [odd, odd, odd, odd]);
      assert.equal((await floor.history(odd)).at(-1)?.reason, odd);
    });

    test('a pooler that nobody spoke of is named', async () => {
      // As PgBouncer in transaction mode answers whoever sets up a session.
      const said = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0';
      const length = Buffer.alloc(4);
      length.writeInt32BE(4 + said.length);
      const pooler = createServer((wire) => {
        wire.on('error', () => {});
        wire.once('data', () =>
          wire.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(said)])),
        );
      });
      await new Promise<void>((resolve) => {
        pooler.listen(0, '127.0.0.1', resolve);
      });
      const { port } = pooler.address() as AddressInfo;

      const opened = openPostgres({ url: `postgres://root@127.0.0.1:${port}/test`, ...houseOf() });

      await assert.rejects(opened, {
        code: 'store-unavailable',
        retryable: false,
        message: /isPooled/,
      });
      await new Promise((resolve) => pooler.close(resolve));
    });

    test('behind a pooler or not, the answers are the same', async () => {
      const schema = schemas.name();
      await using storage = await schemas.openIn(schema, {
        isPooled: true,
        connectionsMax: 1,
      });
      const floor = new Floor(storage.tasks);
      // Often enough for the server to settle on a plan that serves all values.
      for (let n = 0; n < 12; n++) {
        const lease = await floor.start(`t${n}`, { chain: 'k' });
        assert.equal((await floor.complete(lease)).outcome, 'ok');
      }
      const done = await storage.tasks.list({ tenant: 'acme', states: ['succeeded'], limit: 99 });
      assert.equal(done.length, 12);
    });
  });
});
