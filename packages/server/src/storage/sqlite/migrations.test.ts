import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainCheck } from '@agent-reach/core';
import { auditChain, auditLinks, findAudit } from './audit.ts';
import { Database } from './database.ts';
import { MIGRATIONS, migrate, versionOf } from './migrations.ts';

const STEPS = [
  { name: 'one', sql: 'CREATE TABLE one (a TEXT) STRICT;' },
  { name: 'two', sql: 'CREATE TABLE two (a TEXT) STRICT; INSERT INTO two SELECT a FROM one;' },
];

function open(): Disposable & Database {
  const db = new Database({ path: ':memory:', writes: true });
  return Object.assign(db, { [Symbol.dispose]: () => db.close() });
}

test('steps are taken once, in order, from where a database stands', () => {
  using db = open();
  migrate(db, STEPS.slice(0, 1), 1);
  db.run("INSERT INTO one VALUES ('kept')");

  migrate(db, STEPS, 2);
  migrate(db, STEPS, 3);

  assert.equal(versionOf(db), 2);
  assert.equal(db.get<{ a: string }>('SELECT a FROM two')?.a, 'kept');
  const taken = db.all<{ version: number; at: number }>('SELECT version, at FROM migrations');
  assert.deepEqual(
    taken.map(({ version, at }) => [version, at]),
    [
      [1, 1],
      [2, 2],
    ],
  );
});

test('a step that fails leaves the database where it stood', () => {
  using db = open();
  const broken = {
    name: 'broken',
    sql: 'CREATE TABLE three (a TEXT); INSERT INTO nowhere VALUES (1);',
  };

  assert.throws(() => migrate(db, [...STEPS, broken], 1));

  assert.equal(versionOf(db), 2);
  assert.equal(db.get("SELECT 1 FROM sqlite_schema WHERE name = 'three'"), undefined);
});

test('a step that only was laid out anew is the same step', () => {
  using db = open();
  migrate(db, STEPS, 1);

  migrate(
    db,
    STEPS.map((step) => ({ ...step, sql: `\n  ${step.sql.replaceAll(' ', '\n ')}` })),
    1,
  );

  assert.equal(versionOf(db), 2);
});

test('a database of each earlier release takes the steps that came since', () => {
  for (let steps = 1; steps < MIGRATIONS.length; steps++) {
    using db = open();
    migrate(db, MIGRATIONS.slice(0, steps), 1);
    db.run("INSERT INTO rules VALUES ('acme', 'pins', 1, '{}', 'ops', 1)");

    migrate(db, MIGRATIONS, 2);

    assert.equal(versionOf(db), MIGRATIONS.length);
    assert.equal(db.all('SELECT name FROM rules').length, 1);
  }
});

test('lines that were kept before there were chains are put into them, in their order', () => {
  using db = open();
  migrate(db, MIGRATIONS.slice(0, 3), 1);
  const line = (n: number, tenant: string) => ({
    at: 1_000 - n,
    tenant,
    principal: 'shop',
    operation: 'calls.invoke',
    request_id: `r${n}`,
    outcome: 'ok',
    executed: 'yes',
  });
  const lines = Array.from({ length: 2_500 }, (_, n) => line(n, n % 5 === 0 ? 'other' : 'acme'));
  for (const { at, tenant, request_id: id, ...rest } of lines) {
    const body = JSON.stringify({ ...rest, tenant, request_id: id, at });
    db.write(
      'INSERT INTO audit (tenant, at, request_id, principal, body) VALUES (?, ?, ?, ?, ?)',
      tenant,
      at,
      id,
      'shop',
      body,
    );
  }

  migrate(db, MIGRATIONS, 2);

  for (const tenant of ['acme', 'other']) {
    const check = new ChainCheck({ tenant, from: 1 });
    for (let n = 0; n < 3; n++) {
      for (const link of auditLinks(db, { tenant, after: check.seq, limit: 1_000 }))
        check.take(link);
    }
    check.end(auditChain(db, { tenant }));
    const own = lines.filter((kept) => kept.tenant === tenant);
    assert.deepEqual([check.faults, check.records], [[], own.length]);
    const found = findAudit(db, { tenant, requestId: own[7]?.request_id ?? '', limit: 9 });
    assert.deepEqual(found, [{ ...own[7], seq: 8 }]);
  }
});

test('every table of the schema is strict', () => {
  using db = open();
  migrate(db, MIGRATIONS, 1);

  const lax = db.all(
    "SELECT name FROM pragma_table_list WHERE NOT strict AND name NOT LIKE 'sqlite_%'",
  );

  assert.deepEqual(lax, []);
});
