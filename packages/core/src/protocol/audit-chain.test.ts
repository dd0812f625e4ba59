import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '../testing/index.ts';
import {
  AUDIT_GENESIS,
  auditHash,
  auditLine,
  auditLinks,
  auditRecordText,
  isAuditSeal,
  sealAudit,
} from './audit-chain.ts';
import type { AuditRecord } from './trace.ts';

const KEY = Uint8Array.from({ length: 32 }, (_, n) => n);
const LINE: AuditRecord = {
  at: 1_800_000_000_000,
  tenant: 'internal',
  principal: 'shop',
  operation: 'calls.invoke',
  outcome: 'ok',
  executed: 'yes',
};

test('a record is hashed with the one before it, as the vector says', () => {
  const record = {
    action: 'call.completed',
    actor: 'agt_customer-service',
    outcome: 'ok',
    request_id: 'ar_20261130_00000001',
    seq: 1,
    target: 'query_order_status',
    tenant: 'internal',
    ts: '2026-11-30T00:00:00.000Z',
    v: 1,
  };

  const hash = auditHash(AUDIT_GENESIS.hash, auditRecordText(record));

  assert.equal(hash, 'ecbc324396696426b6608cb66683180808e6366dafdc99238239eddc43704387');
});

test('links follow each other, and each gives its line back', () => {
  const other = { ...LINE, params: '{"订单":"\\u0001"}' };
  const links = auditLinks({ seq: 4, hash: 'f'.repeat(64) }, [LINE, other]);

  assert.deepEqual(
    links.map(({ seq }) => seq),
    [5, 6],
  );
  assert.equal(links[0]?.prev, 'f'.repeat(64));
  assert.equal(links[1]?.prev, links[0]?.hash);
  for (const { prev, hash, record } of links) assert.equal(auditHash(prev, record), hash);
  assert.deepEqual(auditLine(links[1]?.record ?? ''), { ...other, seq: 6 });
});

test('the text of a record is that of RFC 8785, whatever the order of its fields', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const lines = fc.record(
    { at: fc.nat(), params: text, on_behalf_of: text, target: text, trace_id: text },
    { requiredKeys: ['at'] },
  );
  fc.assert(
    fc.property(lines, (facts) => {
      const [link] = auditLinks(AUDIT_GENESIS, [{ ...LINE, ...facts }]);
      const read: unknown = JSON.parse(link?.record ?? '');
      assert.equal(link?.record, auditRecordText(read));
    }),
    { seed },
  );
});

test('a seal vouches for each of its fields, and for nothing with another key or none', () => {
  const sealed = { tenant: 'a', first_seq: 1, last_seq: 9, hash: 'f'.repeat(64), sealed_at: 5 };
  const seal = sealAudit(sealed, KEY);
  const text = `{"first_seq":1,"hash":"${sealed.hash}","last_seq":9,"sealed_at":5,"tenant":"a"}`;

  assert.equal(
    seal.mac,
    createHmac('sha256', KEY).update(`reach.audit.seal.v1\n${text}`).digest('hex'),
  );
  assert.equal(isAuditSeal(seal, KEY), true);
  for (const change of [
    { tenant: 'b' },
    { first_seq: 2 },
    { last_seq: 8 },
    { hash: 'e'.repeat(64) },
    { sealed_at: 6 },
    { mac: '' },
    { mac: seal.mac.slice(2) },
  ]) {
    assert.equal(isAuditSeal({ ...seal, ...change }, KEY), false, JSON.stringify(change));
  }
  assert.equal(isAuditSeal(seal, KEY.toReversed()), undefined);
  assert.equal(isAuditSeal(seal, undefined), undefined);
  assert.equal(isAuditSeal(sealAudit(sealed, undefined), KEY), undefined);
});
