import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { type AuditRecord, type AuditSeal, ChainCheck, sealAudit } from '@agent-reach/core';
import type { Storage } from '../spi/storage.ts';
import { type Driver, NOON, scenario } from './driver.ts';

/** Lines of the audit: found by what they say, chained, sealed, and forgotten by segments. */
export function exerciseAudit(driver: Driver): void {
  suite('audit: lines', () => exerciseLines(driver));
  suite('audit: chains', () => exerciseChains(driver));
  suite('audit: seals', () => exerciseSeals(driver));
  suite('audit: prune', () => exercisePrune(driver));
}

function line(n: number, facts: Partial<AuditRecord> = {}): AuditRecord {
  return {
    at: NOON + n,
    tenant: 'acme',
    principal: 'shop',
    operation: 'calls.invoke',
    outcome: 'ok',
    executed: 'yes',
    ...facts,
  };
}

const ALL = { tenant: 'acme', limit: 1_000 };

type Filters = Partial<Parameters<Storage['traces']['findAudit']>[0]>;

/** The moments of the lines found, counted from noon. */
async function lines({ traces }: Storage, filters: Filters = {}): Promise<number[]> {
  return (await traces.findAudit({ ...ALL, ...filters })).map((record) => record.at - NOON);
}

/** What is wrong with a whole chain; nothing, when it is linear and has no gap. */
async function faultsOf({ traces }: Storage, tenant = 'acme') {
  const check = new ChainCheck({ tenant, from: 1 });
  for (;;) {
    const links = await traces.auditLinks({ tenant, after: check.seq, limit: 1_000 });
    for (const link of links) check.take(link);
    if (links.length < 1_000) break;
  }
  check.end(await traces.auditChain({ tenant }));
  return { faults: check.faults, records: check.records };
}

function exerciseLines(driver: Driver): void {
  scenario(driver, 'a line comes back as it was, with its number', async ({ traces }) => {
    const full = line(2, {
      on_behalf_of: '张三',
      target: 'crm',
      capability: 'query.orders',
      request_id: 'request-2',
      trace_id: 'trace-2',
      params: JSON.stringify({ 订单: '1'.repeat(4_000) }),
      result: '{}',
    });
    await traces.appendAudit([line(1), full]);
    await traces.appendAudit([line(3, { tenant: 'other' })]);
    await traces.appendAudit([]);

    assert.deepEqual(await traces.findAudit(ALL), [
      { ...full, seq: 2 },
      { ...line(1), seq: 1 },
    ]);
  });

  scenario(driver, 'lines are found by who, what and when', async (storage) => {
    await storage.traces.appendAudit([
      line(1, { target: 'crm', trace_id: 't', request_id: 'r' }),
      line(2, { target: 'crm', principal: 'ops', trace_id: 't' }),
      line(3, { tenant: 'other', trace_id: 't' }),
    ]);

    assert.deepEqual(await lines(storage, { target: 'crm' }), [2, 1]);
    assert.deepEqual(await lines(storage, { principal: 'ops' }), [2]);
    assert.deepEqual(await lines(storage, { principal: 'ops', target: 'mail' }), []);
    assert.deepEqual(await lines(storage, { traceId: 't' }), [2, 1]);
    assert.deepEqual(await lines(storage, { traceId: 't', requestId: 'r' }), [1]);
    assert.deepEqual(await lines(storage, { since: NOON + 2 }), [2]);
    assert.deepEqual(await lines(storage, { until: NOON + 2 }), [1]);
    assert.deepEqual(await lines(storage, { limit: 1 }), [2]);
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'lines survive, and the chain goes on where it was', async (storage) => {
    await storage.traces.appendAudit([line(1)]);

    await using again = await reopen(storage);
    await again.traces.appendAudit([line(2)]);

    assert.deepEqual(await lines(again), [2, 1]);
    assert.deepEqual(await faultsOf(again), { faults: [], records: 2 });
  });
}

function exerciseChains(driver: Driver): void {
  scenario(driver, 'each tenant has one chain from 1, in the order of its lines', async (s) => {
    const { traces } = s;
    await traces.appendAudit([line(1), line(2, { tenant: 'other' }), line(3)]);
    await traces.appendAudit([line(4)]);

    const links = await traces.auditLinks({ tenant: 'acme', after: 0, limit: 9 });
    const said = links.map(({ record }) => JSON.parse(record) as AuditRecord & { v: number });
    assert.deepEqual(
      said.map(({ at }) => at - NOON),
      [1, 3, 4],
    );
    assert.deepEqual(said[0], { ...line(1), seq: 1, v: 1 });
    assert.equal(links[0]?.prev, '0'.repeat(64));
    assert.deepEqual(await faultsOf(s), { faults: [], records: 3 });
    assert.deepEqual(await faultsOf(s, 'other'), { faults: [], records: 1 });
  });

  scenario(driver, 'records are read from a number on, at most so many', async ({ traces }) => {
    await traces.appendAudit(Array.from({ length: 250 }, (_, n) => line(n)));

    const numbers = async (after: number, limit: number) =>
      (await traces.auditLinks({ tenant: 'acme', after, limit })).map(({ seq }) => seq);
    assert.deepEqual(await numbers(0, 2), [1, 2]);
    assert.deepEqual(await numbers(248, 9), [249, 250]);
    assert.deepEqual(await numbers(250, 9), []);
    assert.equal((await numbers(0, 1_000)).length, 250);
    assert.deepEqual(await traces.auditLinks({ tenant: 'none', after: 0, limit: 9 }), []);
  });

  scenario(driver, 'where chains stand is told by tenant', async ({ traces }) => {
    await traces.appendAudit([line(1, { tenant: 'b' }), line(1, { tenant: 'a' }), line(2)]);
    const [last] = await traces.auditLinks({ tenant: 'acme', after: 0, limit: 9 });

    const acme = { tenant: 'acme', seq: 1, hash: last?.hash, sealedSeq: 0, sealedAt: 0 };
    assert.deepEqual(await traces.auditChain({ tenant: 'acme' }), acme);
    assert.equal(await traces.auditChain({ tenant: 'none' }), undefined);
    const names = async (after: string, limit: number) =>
      (await traces.auditChains({ after, limit })).map(({ tenant }) => tenant);
    assert.deepEqual(await names('', 9), ['a', 'acme', 'b']);
    assert.deepEqual(await names('a', 1), ['acme']);
    assert.deepEqual(await names('b', 9), []);
  });

  scenario(driver, 'fifty who write at once make one chain', async (storage) => {
    await inParallel([storage]);

    assert.deepEqual(await faultsOf(storage), { faults: [], records: 50 * 8 });
  });

  const { beside } = driver;
  if (beside === undefined) return;
  scenario(driver, 'fifty who write at once on two gateways make one chain', async (one) => {
    await using two = await beside(one);

    await inParallel([one, two]);

    assert.deepEqual(await faultsOf(one), { faults: [], records: 50 * 8 });
    assert.equal((await lines(two)).length, 50 * 8);
  });
}

/** Fifty writers, each with its lines one after the other: some alone, some three at once. */
async function inParallel(storages: readonly Storage[]): Promise<void> {
  const writers = Array.from({ length: 50 }, async (_, n) => {
    const { traces } = storages[n % storages.length] as Storage;
    for (const size of [1, 3, 1, 3]) {
      const principal = `writer-${n}`;
      await traces.appendAudit(Array.from({ length: size }, () => line(n, { principal })));
    }
  });
  await Promise.all(writers);
}

const KEY = Uint8Array.from({ length: 32 }, (_, n) => n);

/** Seals the records from the last seal to `last`. */
async function sealTo({ traces }: Storage, last: number, at: number, tenant = 'acme') {
  const chain = await traces.auditChain({ tenant });
  const [link] = await traces.auditLinks({ tenant, after: last - 1, limit: 1 });
  const sealed = {
    tenant,
    first_seq: (chain?.sealedSeq ?? 0) + 1,
    last_seq: last,
    hash: link?.hash ?? '',
    sealed_at: at,
  };
  const seal = sealAudit(sealed, KEY);
  return { seal, outcome: await traces.keepSeal(seal) };
}

function exerciseSeals(driver: Driver): void {
  scenario(driver, 'a seal begins where the last one ended, or is not kept', async (storage) => {
    const { traces } = storage;
    await traces.appendAudit([line(1), line(2), line(3), line(4)]);
    const first = await sealTo(storage, 2, NOON);
    assert.equal(first.outcome, 'stored');

    // Another gateway that looked before, and one that leaves something out.
    assert.equal(await traces.keepSeal({ ...first.seal, last_seq: 3 }), 'conflict');
    assert.equal(await traces.keepSeal(first.seal), 'conflict');
    assert.equal(await traces.keepSeal({ ...first.seal, first_seq: 4, last_seq: 4 }), 'conflict');
    assert.equal(await traces.keepSeal({ ...first.seal, tenant: 'none' }), 'conflict');
    const second = await sealTo(storage, 3, NOON + 5);

    assert.equal(second.outcome, 'stored');
    const { sealedSeq, sealedAt } = (await traces.auditChain({ tenant: 'acme' })) ?? {};
    assert.deepEqual([sealedSeq, sealedAt], [3, NOON + 5]);
    const seals = (from: number, limit = 9) => traces.auditSeals({ tenant: 'acme', from, limit });
    assert.deepEqual(await seals(0), [first.seal, second.seal]);
    assert.deepEqual(await seals(2, 1), [first.seal]);
    assert.deepEqual(await seals(3), [second.seal]);
    assert.deepEqual(await seals(4), []);
  });

  const { beside } = driver;
  if (beside === undefined) return;
  scenario(driver, 'of two gateways that seal at once one does', async (one) => {
    await using two = await beside(one);
    await one.traces.appendAudit([line(1), line(2)]);

    const both = await Promise.all([sealTo(one, 2, NOON), sealTo(two, 1, NOON)]);

    assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ['conflict', 'stored']);
    assert.equal((await two.traces.auditSeals({ tenant: 'acme', from: 0, limit: 9 })).length, 1);
  });
}

function exercisePrune(driver: Driver): void {
  const keep = { before: 0, rowsMax: 1_000, limit: 100 };

  scenario(driver, 'segments go whole, one a call, the oldest first', async (storage) => {
    const { traces } = storage;
    await traces.appendAudit([line(1), line(2), line(3), line(4), line(5)]);
    await traces.appendAudit([line(1, { tenant: 'zeta', trace_id: 't' })]);
    await sealTo(storage, 2, NOON + 10);
    await sealTo(storage, 4, NOON + 20);
    await sealTo(storage, 1, NOON + 15, 'zeta');
    const prune = async (auditBefore: number) =>
      (await traces.prune({ ...keep, auditBefore: NOON + auditBefore })).audit;

    assert.equal(await prune(10), 0, 'a segment is as young as its seal');
    assert.equal(await prune(20), 2);
    assert.deepEqual(await lines(storage), [5, 4, 3]);
    assert.equal(await prune(20), 1);
    assert.deepEqual(await lines(storage, { tenant: 'zeta', traceId: 't' }), []);
    assert.equal(await prune(20), 0);
    assert.equal(await prune(1_000), 2);
    assert.equal(await prune(1_000), 0, 'what no seal covers stays');

    assert.deepEqual(await lines(storage), [5]);
    const seals: AuditSeal[] = await traces.auditSeals({ tenant: 'acme', from: 0, limit: 9 });
    assert.deepEqual(
      seals.map(({ last_seq: last }) => last),
      [2, 4],
      'the seals stay',
    );
  });

  scenario(driver, 'segments sealed in one moment go in their order', async (storage) => {
    const { traces } = storage;
    await traces.appendAudit(Array.from({ length: 12 }, (_, n) => line(n + 1)));
    for (const last of [2, 9, 11]) await sealTo(storage, last, NOON);

    const went: number[] = [];
    for (let n = 0; n < 3; n++) {
      went.push((await traces.prune({ ...keep, auditBefore: NOON + 1 })).audit);
    }

    assert.deepEqual(went, [2, 7, 2]);
    assert.deepEqual(await lines(storage), [12]);
  });

  scenario(driver, 'the number of a line is never given again', async (storage) => {
    const { traces } = storage;
    await traces.appendAudit([line(1), line(2)]);
    const [, last] = await traces.auditLinks({ tenant: 'acme', after: 0, limit: 9 });
    await sealTo(storage, 2, NOON);
    assert.equal((await traces.prune({ ...keep, auditBefore: NOON + 1 })).audit, 2);

    await traces.appendAudit([line(20)]);

    const [link] = await traces.auditLinks({ tenant: 'acme', after: 0, limit: 9 });
    assert.deepEqual([link?.seq, link?.prev], [3, last?.hash]);
  });
}
