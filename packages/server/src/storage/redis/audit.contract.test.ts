import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AuditRecord, ChainCheck } from '@agent-reach/core';
import type { Storage } from '../spi/storage.ts';
import { keysOf, tempStores, whyNoRedis } from './testing/kit.ts';

const why = await whyNoRedis();
const stores = why === undefined ? await tempStores() : undefined;

const TENANT = 'acme';

function line(n: number, tenant = TENANT): AuditRecord {
  return {
    at: 1_000 + n,
    tenant,
    principal: 'shop',
    operation: 'calls.invoke',
    request_id: `r${n}`,
    outcome: 'ok',
    executed: 'yes',
  };
}

async function assertWhole({ traces }: Storage, tenant: string, records: number): Promise<void> {
  const check = new ChainCheck({ tenant, from: 1 });
  for (const link of await traces.auditLinks({ tenant, after: 0, limit: 1_000 })) check.take(link);
  check.end(await traces.auditChain({ tenant }));
  assert.deepEqual([check.faults, check.records], [[], records]);
}

suite('the audit of a store in Redis', { skip: why ?? false }, () => {
  /** Puts lines where the layout before had them, each as a script of its release did. */
  async function keepOld(storage: Storage, lines: readonly AuditRecord[], first = 1) {
    assert.ok(stores);
    const { client } = stores;
    const key = (name: string) => `{${stores.prefixOf(storage)}}:${name}`;
    for (const [n, row] of lines.entries()) {
      const seq = first + n;
      const place = `\0${String(row.at).padStart(15, '0')}${String(seq).padStart(16, '0')}`;
      await client.xAdd(key('audit'), `${seq}-0`, { body: JSON.stringify(row) });
      await client.zAdd(key('audit-tenants'), { score: 0, value: row.tenant });
      for (const word of ['at', `request ${row.request_id}`]) {
        await client.zAdd(key(`audit:${row.tenant}`), { score: 0, value: word + place });
      }
    }
    await client.hSet(key('store'), 'layout', '2');
  }

  test('lines of the layout before are put into chains when it is opened, by several at once', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    const prefix = stores.prefixOf(storage);
    const old = Array.from({ length: 350 }, (_, n) => line(n, n % 7 === 0 ? 'other' : TENANT));
    await keepOld(storage, old);

    const opened = await Promise.all([1, 2, 3].map(() => stores.open(undefined, prefix)));
    for (const one of opened) stores.keep(one);
    for (const one of opened) await one.close();

    await assertWhole(storage, TENANT, 300);
    await assertWhole(storage, 'other', 50);
    const found = await storage.traces.findAudit({ tenant: TENANT, requestId: 'r8', limit: 9 });
    assert.deepEqual(found, [{ ...line(8), seq: 7 }]);
    const keys = await keysOf(stores.client, prefix);
    const left = keys.filter((name) => /^audit(-tenants|:)/.test(name));
    assert.deepEqual(left, []);
    assert.equal(await stores.client.hGet(`{${prefix}}:store`, 'layout'), '3');
  });

  test('what a gateway of the release before still wrote is taken along later', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    await storage.traces.appendAudit([line(1), line(2)]);
    await keepOld(storage, [line(3)], 900);

    const late = await stores.open(undefined, stores.prefixOf(storage));
    stores.keep(late);
    await late.close();
    await storage.traces.appendAudit([line(4)]);

    await assertWhole(storage, TENANT, 4);
  });

  test('a batch larger than a script takes keeps its order, and a lone line its place', async () => {
    assert.ok(stores);
    await using storage = await stores.open();
    const many = Array.from({ length: 250 }, (_, n) => line(n));

    await Promise.all([storage.traces.appendAudit(many), storage.traces.appendAudit([line(250)])]);

    const links = await storage.traces.auditLinks({ tenant: TENANT, after: 0, limit: 1_000 });
    assert.deepEqual(
      links.map(({ record }) => (JSON.parse(record) as AuditRecord).request_id),
      Array.from({ length: 251 }, (_, n) => `r${n}`),
    );
    await assertWhole(storage, TENANT, 251);
  });

  test('whoever finds the chain elsewhere than he left it goes on from there', async () => {
    assert.ok(stores);
    await using one = await stores.open();
    await using two = await stores.beside(one);

    for (let n = 0; n < 6; n++) await (n % 2 === 0 ? one : two).traces.appendAudit([line(n)]);

    await assertWhole(one, TENANT, 6);
  });
});
