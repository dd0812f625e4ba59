import assert from 'node:assert/strict';
import { type AuditRecord, auditLine, auditLinks } from '@agent-reach/core';
import { defaultsOf, type Log, seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { databaseOf, openSqlite } from '../../storage/sqlite/open.ts';
import { KnownHeads } from '../known-heads.ts';
import { TELEMETRY_OPTIONS } from '../options.ts';
import { sealer } from '../sealer.ts';
import { verifyChain } from '../verify.ts';

export const KEY = Uint8Array.from({ length: 32 }, (_, n) => n);
export const TENANT = 'acme';

/** When the clock of a test begins. */
export const BEGAN = new ManualClock().now();

export function auditRecord(n: number): AuditRecord {
  return {
    at: BEGAN + n,
    tenant: TENANT,
    principal: 'shop',
    operation: 'calls.invoke',
    outcome: 'ok',
    executed: 'yes',
    params: `{"n":${n}}`,
  };
}

/**
 * 25 records of one chain, of which 20 are sealed in two segments, and somebody who has the data file
 * open but not the key.
 */
export async function sealedChain({
  log = silentLog,
  records = 25,
}: {
  log?: Log;
  records?: number;
} = {}) {
  const clock = new ManualClock();
  const storage = await openSqlite({ dir: ':memory:', clock, random: seededRandom(1), log });
  const store = storage.traces;
  const outside: string[] = [];
  const options = { ...defaultsOf(TELEMETRY_OPTIONS), sealRecords: 10 };
  const ports = {
    store,
    key: async () => KEY,
    keepOutside: async (line: string) => void outside.push(line),
    clock,
    log,
    options,
    auditRetentionMs: 86_400_000,
    heads: new KnownHeads(),
  };
  const service = sealer(ports);
  await store.appendAudit(Array.from({ length: records }, (_, n) => auditRecord(n + 1)));
  await service.start();
  await clock.advance(10_000);
  const db = databaseOf(storage);
  assert.ok(db);
  /** What verification says, in short; `ok` of a chain that is intact. By a gateway that saw nothing before. */
  const verdict = async (part: { from?: number; to?: number; heads?: KnownHeads } = {}) => {
    const { heads = new KnownHeads() } = part;
    const query = { tenant: TENANT, from: part.from ?? 1, to: part.to, recordsMax: 1_000 };
    const report = await verifyChain(query, { ...ports, heads }, new AbortController().signal);
    assert.equal(report.intact, report.faults.length === 0);
    return report.faults.map(({ kind, seq }) => `${kind} ${seq}`).join(', ') || 'ok';
  };
  return {
    clock,
    store,
    db,
    ports,
    outside,
    verdict,
    /** Writes the chain anew, as somebody can who knows how it is hashed. */
    async rewrite(change: (line: AuditRecord & { seq: number }) => void): Promise<void> {
      const links = await store.auditLinks({ tenant: TENANT, after: 0, limit: 1_000 });
      const lines = links.map(({ record }) => auditLine(record));
      for (const line of lines) change(line);
      const head = { seq: 0, hash: '0'.repeat(64) };
      const forged = auditLinks(
        head,
        lines.map(({ seq: _, ...line }) => line),
      );
      for (const { seq, prev, hash, record } of forged) {
        db.run('UPDATE audit SET prev = :prev, hash = :hash, body = :record WHERE chain = :seq', {
          seq,
          prev,
          hash,
          record,
        });
      }
      db.run('UPDATE audit_heads SET hash = :hash', { hash: forged.at(-1)?.hash });
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await storage.close();
    },
  };
}
