import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AuditReport,
  type AuditSeal,
  auditHash,
  auditRecordText,
  type Output,
} from '@agent-reach/core';
import { databaseOf } from '../storage/sqlite/open.ts';
import { openHouse, type TestHouse } from './testing/house.ts';
import { json } from './testing/network.ts';

const WRITE = { name: 'refund', effect: 'write', idempotency: 'key' };

async function openWith(flags: Record<string, unknown> = {}): Promise<TestHouse> {
  const house = await openHouse(flags);
  await house.agent('shop', WRITE, () => json(200, { done: true }));
  return house;
}

async function calls(house: TestHouse, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await house.call({ capability: 'refund', request_id: `r-${n}`, params: { n } });
  }
}

const verify = (house: TestHouse, query = '') =>
  house.ask<AuditReport>('GET', `/v1/audit/verify${query}`);

test('whoever asks is told that the audit stands as it was written, and where it does not', async () => {
  await using house = await openWith({ 'audit.seal.records': 10 });
  await calls(house, 12);
  await house.clock.advance(10_000);

  const before = await verify(house);
  assert.deepEqual(
    [before.intact, before.records, before.seals, before.seals_verified],
    [true, 13, 1, 1],
  );
  databaseOf(house.storage)?.run('DELETE FROM audit WHERE chain = 4');
  const { intact, faults } = await verify(house);

  assert.equal(intact, false);
  assert.deepEqual(
    faults.map(({ kind, seq }) => [kind, seq]),
    [['gap', 4]],
  );
  assert.equal((await verify(house, '?from=5')).intact, true);
  const part = await verify(house, '?from=5&records_max=2');
  assert.deepEqual([part.to, part.next], [6, 7]);
});

test('an export holds what is needed to verify it elsewhere', async () => {
  await using house = await openWith({ 'audit.seal.records': 10 });
  await calls(house, 12);
  await house.clock.advance(10_000);

  const pages: Output<'audit.export'>[] = [];
  for (let after: number | undefined = 0; after !== undefined; after = pages.at(-1)?.next) {
    const url = `/v1/audit/export?limit=5&after=${after}`;
    pages.push(await house.ask<Output<'audit.export'>>('GET', url));
  }

  const links = pages.flatMap((page) => page.links);
  let prev = '0'.repeat(64);
  for (const [n, link] of links.entries()) {
    assert.deepEqual([link.seq, link.prev], [n + 1, prev]);
    assert.equal(auditHash(prev, auditRecordText(link.record)), link.hash);
    prev = link.hash;
  }
  assert.equal(links.length, 13);
  const seals: AuditSeal[] = pages.flatMap((page) => page.seals);
  assert.deepEqual(
    seals.map(({ last_seq: last, hash }) => [last, hash]),
    [[10, links[9]?.hash]],
  );
});

test('an effect is in the chain before its caller has the answer', async () => {
  await using house = await openWith();

  await calls(house, 1);

  const [line] = await house.storage.traces.findAudit({ tenant: 'internal', limit: 1 });
  assert.deepEqual([line?.operation, line?.request_id, line?.seq], ['calls.invoke', 'r-0', 2]);
});

test('seals outlive the gateway: its key is that of its store', async () => {
  await using house = await openWith({ 'audit.seal.records': 10 });
  await calls(house, 12);
  await house.clock.advance(10_000);
  await house.house.stop();

  await using again = await house.again();
  const report = await verify(again);

  assert.deepEqual([report.intact, report.seals_verified], [true, 1]);
});
