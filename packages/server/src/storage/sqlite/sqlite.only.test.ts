import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { AuditRecord } from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { Storage } from '../spi/storage.ts';
import { openSqlite } from './open.ts';
import { houseOf, tempDirs } from './testing/kit.ts';
import { digestOf, digestsOf } from './testing/store-digest.ts';

const dirs = tempDirs();
const NOON = 1_800_000_000_000;
const PINS = { tenant: 'acme', name: 'pins', doc: '{}', by: 'ops', expectVersion: 0, now: NOON };

const LINE: AuditRecord = {
  at: NOON,
  tenant: 'acme',
  principal: 'shop',
  operation: 'calls.invoke',
  outcome: 'ok',
  executed: 'yes',
};

function claim({ ledger }: Storage, key: string) {
  return ledger.claim({
    scope: 'acme:shop',
    key,
    fingerprint: 'f',
    pinned: '{}',
    token: 't',
    claimMs: 86_400_000,
    ttlMs: 86_400_000,
    now: NOON,
  });
}

test('a directory that is held is refused, naming who holds it', async () => {
  const dir = dirs.make();
  const first = await dirs.open(dir);

  await assert.rejects(dirs.open(dir), {
    code: 'store-unavailable',
    retryable: false,
    message: new RegExp(`${dir} is held by process ${process.pid} on ${hostname()}\\. Stop`),
  });

  await first.close();
  await using second = await dirs.open(dir);
  assert.equal(second.epoch, first.epoch);
});

test('a name left by a process that died holds nobody off', async () => {
  const dir = dirs.make();
  writeFileSync(join(dir, 'reach.pid'), 'process 1 on elsewhere\n');
  writeFileSync(join(dir, 'reach.lock'), '');

  await using storage = await dirs.open(dir);

  assert.equal(storage.driver, 'sqlite');
});

test('data is made for its owner alone', { skip: process.platform === 'win32' }, async () => {
  const dir = join(dirs.make(), 'deep', 'data');
  await using storage = await dirs.open(dir);
  await storage.rules.put(PINS);

  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

  assert.equal(mode(dir), '700');
  for (const file of ['reach.db', 'reach.db-wal', 'reach.lock', 'reach.pid']) {
    assert.equal(mode(join(dir, file)), '600', file);
  }
});

test('a place that is no directory is refused by name', async () => {
  const path = join(dirs.make(), 'file');
  writeFileSync(path, '');

  await assert.rejects(dirs.open(path), { code: 'store-unavailable', message: /file/ });
});

test('a file that a newer release wrote is refused and left as it is', async () => {
  const dir = dirs.make();
  await (await dirs.open(dir)).close();
  alter(dir, 'PRAGMA user_version = 99');

  const refused = { code: 'store-unavailable', message: /schema version 99; .* knows up to \d/ };
  await assert.rejects(dirs.open(dir), refused);
  await assert.rejects(dirs.open(dir), refused);
});

test('a file whose steps another build wrote is refused', async () => {
  const dir = dirs.make();
  await (await dirs.open(dir)).close();
  alter(dir, "UPDATE migrations SET checksum = 'x' WHERE version = 1");

  await assert.rejects(dirs.open(dir), { code: 'store-unavailable', message: /took step 1 as/ });
});

test('another program’s database is refused', async () => {
  const dir = dirs.make();
  mkdirSync(dir, { recursive: true });
  alter(dir, 'CREATE TABLE photos (id INTEGER)');

  const refused = { code: 'store-unavailable', message: /not a database of Agent-Reach/ };
  await assert.rejects(dirs.open(dir), refused);
});

test('a file that is not a database is refused', async () => {
  const dir = dirs.make();
  writeFileSync(join(dir, 'reach.db'), 'not a database at all. '.repeat(100));

  await assert.rejects(dirs.open(dir), { code: 'store-unavailable', message: /not a database/ });
});

test('claims of a process that died are unknown at once, and that is said', async () => {
  const said: object[] = [];
  const log: Log = { ...houseOf().log, warn: (fields) => said.push(fields) };
  const dir = dirs.make();
  const before = await dirs.open(dir);
  await claim(before, 'working');
  await claim(before, 'done');
  const done = { scope: 'acme:shop', key: 'done', token: 't', ttlMs: 9_000, now: NOON };
  await before.ledger.settle({ ...done, verdict: { state: 'done', answer: '{}' } });
  await before.close();

  await using storage = await openSqlite({ dir, ...houseOf(log) });

  const state = async (key: string) =>
    (await storage.ledger.lookup({ scope: 'acme:shop', key, now: NOON }))?.state;
  assert.equal(await state('working'), 'unknown');
  assert.equal(await state('done'), 'done');
  assert.deepEqual(said, [{ keys: 1 }]);
});

for (const [where, open] of [
  ['in memory', () => openSqlite({ dir: ':memory:', ...houseOf() })],
  ['in a file', () => dirs.open()],
] as const) {
  test(`${where}: a move that fails takes no neighbour with it`, async () => {
    await using storage = await open();
    const nobody = { ...LINE, principal: null } as unknown as AuditRecord;

    const [first, bad, last] = await Promise.allSettled([
      storage.rules.put(PINS),
      // Its first line is written before its second one fails: all of it must go.
      storage.traces.appendAudit([LINE, nobody]),
      claim(storage, 'k'),
    ]);

    assert.equal(first.status, 'fulfilled');
    assert.equal(last.status, 'fulfilled');
    assert.ok(bad.status === 'rejected');
    assert.equal(bad.reason.code, 'store-unavailable');
    assert.equal((await storage.rules.get(PINS))?.version, 1);
    assert.deepEqual(await storage.traces.findAudit({ tenant: 'acme', limit: 9 }), []);
  });

  test(`${where}: more moves than a batch takes are all answered`, async () => {
    await using storage = await open();

    const keys = Array.from({ length: 1_500 }, (_, i) => `k${i}`);
    const answers = await Promise.all(keys.map((key) => claim(storage, key)));

    assert.ok(answers.every((answer) => answer.outcome === 'claimed'));
  });

  test(`${where}: the digest tells whether anything was written, and where`, async () => {
    await using storage = await open();
    const before = await digestsOf(storage);
    const word = await digestOf(storage);
    await storage.ledger.lookup({ scope: 'acme:shop', key: 'k', now: NOON });
    assert.equal(await digestOf(storage), word);

    void storage.traces.appendAudit([LINE]);

    const { audit, audit_heads: heads, ...others } = await digestsOf(storage);
    assert.notEqual(audit, before['audit']);
    assert.notEqual(heads, before['audit_heads']);
    const written = { audit: before['audit'], audit_heads: before['audit_heads'] };
    assert.deepEqual({ ...others, ...written }, before);
    assert.equal(await digestOf(storage, ['audit']), await digestOf(storage, ['audit']));
    assert.notEqual(await digestOf(storage), word);
  });
}

test('what cannot cross to the thread fails alone', async () => {
  await using storage = await dirs.open();
  const doc = (() => '{}') as unknown as string;

  const [bad, good] = await Promise.allSettled([
    storage.rules.put({ ...PINS, name: 'bad', doc }),
    storage.rules.put(PINS),
  ]);

  assert.equal(good.status, 'fulfilled');
  assert.ok(bad.status === 'rejected');
  assert.equal(bad.reason.code, 'internal');
});

test('a full file refuses what needs room, keeps the rest and recovers', async () => {
  const dir = dirs.make();
  await using storage = await openSqlite({ dir, ...houseOf(), pagesMax: 112 });
  const fill = { ...PINS, name: 'fill', doc: 'x'.repeat(20_000) };
  let version = 0;
  const full = async () => {
    for (;;) {
      await storage.rules.put({ ...fill, expectVersion: version });
      version += 1;
    }
  };

  await assert.rejects(full, { code: 'storage-full', retryable: true, executed: 'no' });

  const [bad, good] = await Promise.allSettled([
    storage.rules.put({ ...fill, expectVersion: version }),
    storage.agents.leave({ tenant: 'acme', agentId: 'crm', instanceId: 'i-1' }),
  ]);
  assert.ok(bad.status === 'rejected' && bad.reason.code === 'storage-full');
  assert.equal(good.status, 'fulfilled');
  assert.equal((await storage.rules.get(fill))?.version, version);
  await storage.close();

  await using roomier = await dirs.open(dir);
  const row = await roomier.rules.put({ ...fill, expectVersion: version });
  assert.equal(row.outcome, 'stored');
});

test('hops and lines linger for company, but a search does not wait for the clock', async () => {
  const clock = new ManualClock(NOON);
  await using storage = await openSqlite({ dir: dirs.make(), ...houseOf(), clock });

  const kept = storage.traces.appendAudit([LINE]);
  assert.equal(clock.waiting, 1);
  const found = await storage.traces.findAudit({ tenant: 'acme', limit: 1 });

  assert.equal(found.length, 1);
  await kept;
  assert.equal(clock.waiting, 0);
});

/** Changes a data file behind the driver's back. */
function alter(dir: string, sql: string): void {
  const db = new DatabaseSync(join(dir, 'reach.db'));
  db.exec(sql);
  db.close();
}
