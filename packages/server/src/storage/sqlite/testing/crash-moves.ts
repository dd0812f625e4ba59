import assert from 'node:assert/strict';
import { type AuditRecord, ChainCheck, type Manifest } from '@agent-reach/core';
import type { Storage } from '../../spi/storage.ts';
import type { Database } from '../database.ts';
import type { CrashMove } from './crash-move.ts';
import { TASK_MOVES, type TaskKind } from './crash-tasks.ts';

/** A move that a process was told had happened. */
export interface Answered {
  kind: MoveKind;
  id: string;
}

export type MoveKind = 'claim' | 'settle' | 'define' | 'put' | 'audit' | TaskKind;

const NOW = 1_800_000_000_000;
const TENANT = 'crash';

/** Moves of every store that is durable; those with several rows are the ones that could be halved. */
export const MOVES: Readonly<Record<MoveKind, CrashMove>> = {
  claim: {
    make: (storage, id) => claim(storage, id),
    async check(storage, id) {
      // Its holder was killed, so nobody knows.
      assert.equal((await lookup(storage, id))?.state, 'unknown');
    },
  },
  settle: {
    async make(storage, id) {
      await claim(storage, id);
      const verdict = { state: 'done', answer: answerTo(id) } as const;
      await storage.ledger.settle({ ...key(id), token: id, verdict, ttlMs: 1e9, now: NOW });
    },
    async check(storage, id) {
      const record = await lookup(storage, id);
      assert.ok(record?.state === 'done');
      assert.equal(record.answer, answerTo(id));
    },
  },
  define: {
    make: (storage, id) =>
      storage.agents.define({
        tenant: TENANT,
        manifest: { agent_id: id } as Manifest,
        digest: id,
        breaking: [],
        expectVersion: 0,
        now: NOW,
      }),
    async check(storage, id) {
      const versions = await storage.agents.versions({ tenant: TENANT, agentId: id });
      assert.equal(versions.length, 1);
    },
  },
  put: {
    async make(storage, id) {
      const rule = { tenant: TENANT, name: id, doc: answerTo(id), by: 'crash', now: NOW };
      await storage.rules.put({ ...rule, expectVersion: 0 });
      await storage.rules.put({ ...rule, expectVersion: 1 });
    },
    async check(storage, id) {
      const rule = await storage.rules.get({ tenant: TENANT, name: id });
      assert.equal(rule?.version, 2);
      assert.equal(rule.doc, answerTo(id));
    },
  },
  audit: {
    make: (storage, id) => storage.traces.appendAudit([line(id, 1), line(id, 2), line(id, 3)]),
    async check(storage, id) {
      const lines = await storage.traces.findAudit({ tenant: TENANT, requestId: id, limit: 9 });
      assert.equal(lines.length, 3);
    },
  },
  ...TASK_MOVES,
};

/** What a move killed midway would leave, whether or not anybody was told of it. */
export function assertNoHalves(db: Database): void {
  const halves = {
    'definitions without their version': `
      SELECT agent_id FROM definitions WHERE NOT EXISTS (
        SELECT 1 FROM versions
        WHERE tenant = definitions.tenant AND agent_id = definitions.agent_id
          AND manifest_version = definitions.manifest_version)`,
    'versions without their definition': `
      SELECT agent_id FROM versions WHERE (tenant, agent_id) NOT IN (
        SELECT tenant, agent_id FROM definitions)`,
    'some but not all lines of one append': `
      SELECT request_id FROM audit GROUP BY request_id HAVING count(*) <> 3`,
  };
  for (const [what, sql] of Object.entries(halves)) assert.deepEqual(db.all(sql), [], what);
}

/** The chain is linear and whole, wherever whoever wrote it was killed. */
export async function assertChainWhole({ traces }: Storage): Promise<void> {
  const check = new ChainCheck({ tenant: TENANT, from: 1 });
  for (;;) {
    const links = await traces.auditLinks({ tenant: TENANT, after: check.seq, limit: 1_000 });
    for (const link of links) check.take(link);
    if (links.length < 1_000) break;
  }
  check.end(await traces.auditChain({ tenant: TENANT }));
  assert.deepEqual(check.faults, []);
}

function key(id: string) {
  return { scope: TENANT, key: id };
}

function claim(storage: Storage, id: string) {
  return storage.ledger.claim({
    ...key(id),
    fingerprint: 'f',
    pinned: '{}',
    token: id,
    claimMs: 1e9,
    ttlMs: 1e9,
    now: NOW,
  });
}

function lookup(storage: Storage, id: string) {
  return storage.ledger.lookup({ ...key(id), now: NOW });
}

/** Long enough to fill pages, so that a torn write would show. */
function answerTo(id: string): string {
  return JSON.stringify({ id, text: id.repeat(40) });
}

function line(id: string, at: number): AuditRecord {
  return {
    at,
    tenant: TENANT,
    principal: 'shop',
    operation: 'calls.invoke',
    request_id: id,
    outcome: 'ok',
    executed: 'yes',
  };
}
