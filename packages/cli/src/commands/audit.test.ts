import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  AUDIT_GENESIS,
  type AuditLinkView,
  auditLinks,
  type AuditReport,
  type AuditSeal,
  sealAudit,
} from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const dir = mkdtempSync(join(tmpdir(), 'reach-audit-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });

const LINKS: AuditLinkView[] = auditLinks(
  AUDIT_GENESIS,
  Array.from({ length: 6 }, (_, n) => ({
    at: n,
    tenant: 'internal',
    principal: 'shop',
    operation: 'calls.invoke',
    outcome: 'ok',
    executed: 'yes' as const,
  })),
).map(({ record, ...link }) => ({
  ...link,
  record: JSON.parse(record) as AuditLinkView['record'],
}));

const SEAL: AuditSeal = sealAudit(
  { tenant: 'internal', first_seq: 1, last_seq: 4, hash: LINKS[3]?.hash ?? '', sealed_at: 9 },
  new Uint8Array(32),
);

const REPORT: AuditReport = {
  tenant: 'internal',
  from: 1,
  to: 6,
  head: 6,
  records: 6,
  seals: 1,
  seals_verified: 1,
  intact: true,
  faults: [],
  faults_more: 0,
};

/** A gateway that has these records, three a page. */
async function withAudit(links = LINKS): Promise<FakeGateway> {
  const gateway = await FakeGateway.open();
  gateway.on('audit.export', ({ after: from = 0 }) => {
    const page = links.filter(({ seq }) => seq > from).slice(0, 3);
    const last = page.at(-1)?.seq ?? 0;
    const seals = [SEAL].filter(({ last_seq: end }) => end > from && end <= last);
    return { tenant: 'internal', links: page, seals, ...(page.length < 3 ? {} : { next: last }) };
  });
  return gateway;
}

function file(name: string, lines: readonly unknown[]): string {
  const path = join(dir, name);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

test('verify asks until there is no more, adds up, and fails on a fault', async () => {
  await using gateway = await FakeGateway.open();
  const fault = { kind: 'gap' as const, seq: 5, detail: 'record 5 is not there' };
  gateway.on('audit.verify', ({ from }) =>
    from === 1
      ? { ...REPORT, to: 3, records: 3, next: 4 }
      : { ...REPORT, from: 4, records: 2, seals: 0, intact: false, faults: [fault] },
  );

  const { code, out } = await run(['audit', 'verify'], { env: env(gateway) });

  assert.equal(code, 1);
  assert.match(out, /^audit\tNOT INTACT$/m);
  assert.match(out, /^records\t5, 1 to 6$/m);
  assert.match(out, /^5\tgap\trecord 5 is not there$/m);
  assert.deepEqual(
    gateway.seen.map(({ input }) => input),
    [{ from: 1 }, { from: 4 }],
  );
});

test('an export is verified without a gateway, and what was changed in it is told', async () => {
  await using gateway = await withAudit();
  const exported = await run(['audit', 'export'], { env: env(gateway) });
  const path = join(dir, 'export.jsonl');
  writeFileSync(path, exported.out);

  const whole = await run(['audit', 'verify', '--file', path]);
  assert.equal(whole.code, 0, whole.err);
  assert.match(whole.out, /^audit\tintact$/m);
  assert.match(whole.out, /^records\t6, 1 to 6$/m);
  assert.match(whole.out, /^seals\t1, 0 verified/m);

  writeFileSync(path, exported.out.replace('"at":4', '"at":5'));
  const changed = await run(['audit', 'verify', '--file', path, '--json']);
  assert.equal(changed.code, 1);
  const { faults } = JSON.parse(changed.out) as AuditReport;
  assert.deepEqual(
    faults.map(({ kind, seq }) => [kind, seq]),
    [['changed', 5]],
  );
});

test('a part of a chain is verified from its first record on, by the seal before it if there is one', async () => {
  const part = LINKS.slice(4);
  assert.equal((await run(['audit', 'verify', '--file', file('part', part)])).code, 0);

  const sealed = [{ seal: SEAL }, ...part];
  assert.equal((await run(['audit', 'verify', '--file', file('sealed', sealed)])).code, 0);
  const wrong = [{ seal: { ...SEAL, hash: 'f'.repeat(64) } }, ...part];
  assert.equal((await run(['audit', 'verify', '--file', file('wrong', wrong)])).code, 1);
});

test('seals of a second place are held to what the gateway has now', async () => {
  const seals = file('seals', [SEAL]);
  const verify = ['audit', 'verify', '--seals', seals];
  const ask = async (links: AuditLinkView[]) => {
    await using gateway = await withAudit(links);
    gateway.on('audit.verify', () => REPORT);
    return await run(verify, { env: env(gateway) });
  };

  assert.equal((await ask(LINKS)).code, 0);
  // Cut off with its head and the seal in the store: the gateway itself finds nothing.
  const cut = await ask(LINKS.slice(0, 2));
  assert.equal(cut.code, 1);
  assert.match(cut.out, /^3\ttruncated\t/m);
});

test('a file that is something else is refused', async () => {
  const other = file('other', [{ a: 1 }]);

  for (const flags of [
    ['--file', other],
    ['--seals', other],
    ['--file', join(dir, 'none')],
  ]) {
    const { code, err } = await run(['audit', 'verify', ...flags]);
    assert.equal(code, 2, err);
  }
});
