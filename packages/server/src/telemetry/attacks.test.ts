import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditHash, type AuditSeal, sealAudit } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import { KnownHeads } from './known-heads.ts';
import { auditRecord, KEY, sealedChain } from './testing/chain.ts';
import { verifyChain } from './verify.ts';

type Chain = Awaited<ReturnType<typeof sealedChain>>;

/** What is done to the data file, and what is told of it: 1 to 10 and 11 to 20 are sealed, of 25. */
const ATTACKS: readonly [what: string, attack: (chain: Chain) => unknown, told: string][] = [
  ['nothing', () => {}, 'ok'],
  [
    'one byte of a record is another',
    ({ db }) => db.run(`UPDATE audit SET body = replace(body, ':7}', ':8}') WHERE chain = 7`),
    'changed 7',
  ],
  [
    'a record and its hash are changed',
    async ({ db, store }) => {
      const [link] = await store.auditLinks({ tenant: 'acme', after: 6, limit: 1 });
      const record = link?.record.replace(':7}', ':8}') ?? '';
      const hash = auditHash(link?.prev ?? '', record);
      db.run('UPDATE audit SET body = :record, hash = :hash WHERE chain = 7', { record, hash });
    },
    'changed 7',
  ],
  [
    'the text of a record is none',
    ({ db }) => db.run(`UPDATE audit SET body = 'x' WHERE chain = 3`),
    'changed 3',
  ],
  [
    'a hash is changed',
    ({ db }) => db.run(`UPDATE audit SET hash = prev WHERE chain = 3`),
    'changed 3',
  ],
  ['a record is taken out', ({ db }) => db.run('DELETE FROM audit WHERE chain = 7'), 'gap 7'],
  [
    'several records are taken out, in two places',
    ({ db }) => db.run('DELETE FROM audit WHERE chain BETWEEN 7 AND 9 OR chain = 22'),
    'gap 7, gap 22',
  ],
  [
    'a record is taken out, and those behind it are numbered anew',
    ({ db }) => {
      db.run('DELETE FROM audit WHERE chain = 22');
      db.run('UPDATE audit SET chain = chain - 1 WHERE chain > 22');
      db.run('UPDATE audit_heads SET seq = 24');
    },
    'reordered 22, reordered 23, reordered 24',
  ],
  [
    'two records change places',
    ({ db }) => {
      db.run('UPDATE audit SET chain = -1 WHERE chain = 7');
      db.run('UPDATE audit SET chain = 7 WHERE chain = 8');
      db.run('UPDATE audit SET chain = 8 WHERE chain = -1');
    },
    'reordered 7, reordered 8',
  ],
  [
    'a number is given twice',
    ({ db }) => {
      db.exec('DROP INDEX audit_by_chain');
      db.run(`INSERT INTO audit (tenant, at, principal, body, chain, prev, hash)
        SELECT tenant, at, principal, body, chain, prev, hash FROM audit WHERE chain = 7`);
    },
    'fork 7',
  ],
  [
    'a record of another tenant is put in a place',
    async ({ db, store }) => {
      await store.appendAudit([{ ...auditRecord(1), tenant: 'other' }]);
      const set = 'body = other.body, prev = other.prev, hash = other.hash';
      db.run(`UPDATE audit SET ${set} FROM audit AS other
        WHERE audit.tenant = 'acme' AND audit.chain = 1 AND other.tenant = 'other'`);
    },
    'changed 1',
  ],
  ['the tail is cut off', ({ db }) => db.run('DELETE FROM audit WHERE chain > 22'), 'truncated 23'],
  [
    'the tail is cut off, and the head set back',
    ({ db }) => {
      db.run('DELETE FROM audit WHERE chain > 15');
      db.run(`UPDATE audit_heads SET seq = 15, hash = (SELECT hash FROM audit WHERE chain = 15)`);
    },
    'truncated 16',
  ],
  ['all records are gone', ({ db }) => db.run('DELETE FROM audit'), 'truncated 1'],
  ['the head is gone', ({ db }) => db.run('DELETE FROM audit_heads'), 'changed 25'],
  [
    'the head names another record',
    ({ db }) => db.run(`UPDATE audit_heads SET hash = (SELECT hash FROM audit WHERE chain = 24)`),
    'changed 25',
  ],
  [
    'what was sealed a moment ago is gone as if it were old',
    ({ db }) => db.run('DELETE FROM audit WHERE chain <= 10'),
    'gap 1',
  ],
  [
    'more is gone at the beginning than segments',
    ({ db }) => db.run('DELETE FROM audit WHERE chain <= 12'),
    'gap 1',
  ],
  [
    'the whole chain is written anew',
    (chain) =>
      chain.rewrite((line) => {
        if (line.seq === 5) line.principal = 'nobody';
      }),
    'seal-mismatch 1, seal-mismatch 11',
  ],
  [
    'the whole chain is written anew, with the hashes in its seals',
    async (chain) => {
      await chain.rewrite((line) => {
        if (line.seq === 15) line.principal = 'nobody';
      });
      await forgeSeals(chain, (seal) => seal);
    },
    'seal-mismatch 11',
  ],
  [
    'the whole chain is written anew, with seals of another key',
    async (chain) => {
      await chain.rewrite((line) => {
        if (line.seq === 15) line.principal = 'nobody';
      });
      await forgeSeals(chain, ({ key: _, mac: __, ...sealed }) =>
        sealAudit(sealed, KEY.toReversed()),
      );
    },
    'seal-mismatch 1, seal-mismatch 11',
  ],
  [
    'seals are made without a key',
    (chain) => forgeSeals(chain, (seal) => ({ ...seal, key: '', mac: '' })),
    'seal-mismatch 1, seal-mismatch 11',
  ],
];

/** Puts seals in the place of those that are there, each of the chain as it is now. */
async function forgeSeals({ db, store }: Chain, forge: (seal: AuditSeal) => AuditSeal) {
  for (const seal of await store.auditSeals({ tenant: 'acme', from: 0, limit: 9 })) {
    const { last_seq: last } = seal;
    const [link] = await store.auditLinks({ tenant: 'acme', after: last - 1, limit: 1 });
    const body = JSON.stringify(forge({ ...seal, hash: link?.hash ?? '' }));
    db.run('UPDATE audit_seals SET body = :body WHERE last = :last', { body, last });
  }
}

for (const [what, attack, told] of ATTACKS) {
  test(`${what}: ${told}`, async () => {
    await using chain = await sealedChain();

    await attack(chain);

    assert.equal(await chain.verdict(), told);
  });
}

test('only what is looked at is judged, and its first record is held to the one before it', async () => {
  await using chain = await sealedChain();
  chain.db.run(`UPDATE audit SET body = 'x' WHERE chain IN (3, 23)`);

  assert.equal(await chain.verdict({ from: 4, to: 22 }), 'ok');
  assert.equal(await chain.verdict({ from: 4 }), 'changed 23');
  assert.equal(await chain.verdict({ to: 3 }), 'changed 3');
  assert.equal(await chain.verdict({ from: 26 }), 'ok');
});

test('old segments may be gone, as their seals say, and nothing before a record that is there', async () => {
  await using chain = await sealedChain();
  const { store, ports } = chain;
  const old = { ...ports, auditRetentionMs: 1 };
  const query = { tenant: 'acme', from: 1, to: undefined, recordsMax: 1_000 };
  const { signal } = new AbortController();
  await store.prune({ before: 0, rowsMax: 1_000, auditBefore: Infinity, limit: 1 });
  await chain.clock.advance(10);

  const report = await verifyChain(query, old, signal);

  assert.deepEqual(report.faults, []);
  assert.deepEqual([report.records, report.to, report.removed?.last_seq], [15, 25, 10]);
  // What follows them is held to the last of their seals.
  chain.db.run('UPDATE audit SET prev = hash WHERE chain = 11');
  assert.equal((await verifyChain(query, old, signal)).faults[0]?.seq, 11);
});

test('a long chain is looked at in parts, which say where to go on', async () => {
  await using chain = await sealedChain({ records: 2_500 });
  const parts: [from: number, to: number, records: number][] = [];
  let from: number | undefined = 1;
  while (from !== undefined) {
    const query = { tenant: 'acme', from, to: undefined, recordsMax: 1_100 };
    const report = await verifyChain(query, chain.ports, new AbortController().signal);
    assert.ok(report.intact);
    parts.push([report.from, report.to, report.records]);
    from = report.next;
  }

  assert.deepEqual(parts, [
    [1, 1_100, 1_100],
    [1_101, 2_200, 1_100],
    [2_201, 2_500, 300],
  ]);
});

test('nobody who has gone away is verified for', async () => {
  await using chain = await sealedChain();
  const query = { tenant: 'acme', from: 1, to: undefined, recordsMax: 1_000 };

  await assert.rejects(verifyChain(query, chain.ports, AbortSignal.abort()), { code: 'cancelled' });
});

test('what was written and sealed while one looks is no fault', async () => {
  await using chain = await sealedChain();
  const { store, ports } = chain;
  const late = {
    ...ports,
    store: {
      ...store,
      async auditLinks(query: Parameters<typeof store.auditLinks>[0]) {
        const links = await store.auditLinks(query);
        await store.appendAudit(Array.from({ length: 10 }, (_, n) => auditRecord(n)));
        await chain.clock.advance(10_000);
        return links;
      },
    },
  };
  const query = { tenant: 'acme', from: 1, to: undefined, recordsMax: 1_000 };

  const report = await verifyChain(query, late, new AbortController().signal);

  assert.deepEqual(report.faults, []);
});

test('an empty chain is intact', async () => {
  await using chain = await sealedChain();
  const query = { tenant: 'none', from: 1, to: undefined, recordsMax: 1_000 };

  const report = await verifyChain(query, chain.ports, new AbortController().signal);

  assert.deepEqual([report.intact, report.records, report.head], [true, 0, 0]);
});

test('whoever seals looks first, and says once that a chain was tampered with', async () => {
  const told: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void told.push(fields) };
  await using chain = await sealedChain({ log });
  chain.db.run(`UPDATE audit SET body = 'x' WHERE chain = 23`);

  await chain.store.appendAudit(Array.from({ length: 20 }, (_, n) => auditRecord(n + 30)));
  await chain.clock.advance(20_000);

  assert.deepEqual(
    told.map((fields) => [(fields as { kind: string }).kind, (fields as { seq: number }).seq]),
    [['changed', 23]],
  );
  assert.equal((await chain.store.auditChain({ tenant: 'acme' }))?.sealedSeq, 40);
});

/** Cuts off all records after one, as if they had never been. */
function cut({ db }: Chain, seq: number): void {
  db.run('DELETE FROM audit WHERE chain > :seq', { seq });
  const hash = '(SELECT hash FROM audit WHERE chain = :seq)';
  db.run(`UPDATE audit_heads SET seq = :seq, hash = ${hash}`, { seq });
}

test('a gateway that saw a chain misses a tail that was cut off with its head', async () => {
  const told: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void told.push(fields) };
  await using chain = await sealedChain({ log });
  const { heads } = chain.ports;
  assert.equal(await chain.verdict({ heads }), 'ok');

  cut(chain, 22);

  assert.equal(await chain.verdict({ heads }), 'truncated 23');
  assert.equal(await chain.verdict(), 'ok', 'as the guide says of one that did not');
  await chain.clock.advance(20_000);
  assert.deepEqual(told, [
    {
      tenant: 'acme',
      kind: 'truncated',
      seq: 23,
      detail: 'the records up to 25, which this gateway saw, are not there',
    },
  ]);
});

test('nor does it take for the same what has grown in the place of what was cut off', async () => {
  const told: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void told.push(fields) };
  await using chain = await sealedChain({ log });
  const { heads } = chain.ports;

  cut(chain, 22);
  await chain.store.appendAudit(Array.from({ length: 3 }, (_, n) => auditRecord(n + 100)));
  assert.equal(await chain.verdict({ heads }), 'changed 25');
  await chain.store.appendAudit([auditRecord(200)]);
  await chain.clock.advance(20_000);

  assert.equal(await chain.verdict({ heads }), 'changed 25');
  assert.equal(told.length, 1);
});

test('that a chain is not there any more at all is seen and told', async () => {
  const told: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void told.push(fields) };
  await using chain = await sealedChain({ log });
  for (const table of ['audit', 'audit_heads', 'audit_seals']) chain.db.run(`DELETE FROM ${table}`);

  assert.equal(await chain.verdict({ heads: chain.ports.heads }), 'truncated 1');
  await chain.clock.advance(20_000);
  assert.equal(told.length, 1);
});

test('what goes by its age, and what is written and sealed, is no cut', async () => {
  const told: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void told.push(fields) };
  await using chain = await sealedChain({ log });
  for (let n = 0; n < 5; n++) {
    await chain.store.appendAudit(Array.from({ length: 7 }, (_, m) => auditRecord(10 * n + m)));
    await chain.clock.advance(10_000);
    await chain.store.prune({ before: 0, rowsMax: 1_000, auditBefore: Infinity, limit: 1 });
  }

  assert.deepEqual(told, []);
});

test('of a part that ends before the chain does, what is missing at its end is missed', async () => {
  await using chain = await sealedChain();
  chain.db.run('DELETE FROM audit WHERE chain > 22');

  assert.equal(await chain.verdict({ to: 22 }), 'ok');
  assert.equal(await chain.verdict({ to: 23 }), 'gap 23');
  assert.equal(await chain.verdict({ from: 23, to: 24 }), 'gap 23');
});

test('faults are listed up to a bound, whoever finds them', async () => {
  await using chain = await sealedChain();
  chain.db.run(`UPDATE audit SET body = 'x' WHERE chain > 5`);
  chain.db.run('DELETE FROM audit_heads');
  const query = { tenant: 'acme', from: 1, to: undefined, recordsMax: 1_000 };

  const ports = { ...chain.ports, heads: new KnownHeads() };
  const report = await verifyChain(query, ports, new AbortController().signal);

  assert.equal(report.faults.length, 20);
  assert.equal(report.faults_more, 1, 'the head is one as well');
});
