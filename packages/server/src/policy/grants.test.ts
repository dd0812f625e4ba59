import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '@agent-reach/core/testing';
import type { GrantRow } from '@agent-reach/core';
import { lintGrants } from './check-grants.ts';
import { GrantBook, permitsIn } from './grants.ts';

const may = (rows: GrantRow[], who: string, capability: string) =>
  permitsIn(rows, who)({ capability });

test('what no row allows is denied', () => {
  assert.equal(may([], 'shop', 'query'), false);
  assert.equal(may([{ who: 'shop' }], 'shop', 'query'), false);
  assert.equal(may([{ who: 'shops', may: ['*'] }], 'shop', 'query'), false);
  assert.equal(may([{ who: 'shop', may: ['query2'] }], 'shop', 'query'), false);
});

test('names match as they are, and by their beginning where a star ends the pattern', () => {
  const rows = [{ who: 'shop-*', may: ['crm.contact.*', 'query'] }];

  assert.equal(may(rows, 'shop-1', 'query'), true);
  assert.equal(may(rows, 'shop-', 'crm.contact.read'), true);
  assert.equal(may(rows, 'shop', 'query'), false);
  assert.equal(may(rows, 'shop-1', 'crm.contact'), false);
  assert.equal(may(rows, 'shop-1', 'Query'), false);
});

test('a denial goes before all that is allowed, wherever it stands', () => {
  const allow = { who: 'shop', may: ['*'] };
  const deny = { who: '*', not: ['refund*'] };

  for (const rows of [
    [allow, deny],
    [deny, allow],
  ]) {
    assert.equal(may(rows, 'shop', 'refund_order'), false);
    assert.equal(may(rows, 'shop', 'query'), true);
    assert.equal(may(rows, 'other', 'query'), false);
  }
});

const pattern = fc.stringMatching(/^(?:[ab]{0,3}\*|[ab]{1,3})$/);
const row = fc.record(
  {
    who: pattern,
    may: fc.array(pattern, { minLength: 1 }),
    not: fc.array(pattern, { minLength: 1 }),
  },
  { requiredKeys: ['who'] },
);
const name = fc.stringMatching(/^[ab]{1,4}$/);

test('property: another row never gives what a denial took, and order means nothing', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(fc.array(row), row, name, name, (rows, extra, who, capability) => {
      const before = may(rows, who, capability);
      const denies = { who: extra.who, ...(extra.not === undefined ? {} : { not: extra.not }) };
      assert.equal(may(rows.toReversed(), who, capability), before);
      assert.ok(!may([...rows, denies], who, capability) || before);
      const denied = [...rows, { who, not: [capability] }];
      assert.equal(may([...denied, { who: '*', may: ['*'] }], who, capability), false);
    }),
    { seed, numRuns: 500 },
  );
});

test('property: a row that lint calls said already moves nobody', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 6 }),
      name,
      name,
      (rows, who, capability) => {
        const warnings = lintGrants({ rows }, { clients: [], capabilities: [] });
        for (const [i] of rows.entries()) {
          if (!warnings.includes(`Row ${i + 1}: earlier rows say all of it.`)) continue;
          const rest = rows.filter((_, j) => j !== i);
          assert.equal(may(rest, who, capability), may(rows, who, capability));
        }
      },
    ),
    { seed, numRuns: 1_000 },
  );
});

test('lint names rows that move nothing, and names that nobody has', () => {
  const known = { clients: ['shop', 'orders'], capabilities: ['query', 'refund'] };
  const rows = [
    { who: 'sho', may: ['query'] },
    { who: 'shop', may: ['querry', 'query'] },
    { who: '*', not: ['ref*'] },
    { who: 'shop', may: ['refund'] },
    { who: 'shop', may: ['query'] },
    { who: 'orders' },
  ];

  assert.deepEqual(lintGrants({ rows }, known), [
    'Row 1: no client is called sho.',
    'Row 2: nobody offers querry now.',
    'Row 4: refund is denied by row 3, which goes before.',
    'Row 5: earlier rows say all of it.',
    'Row 6: it allows nothing and denies nothing.',
  ]);
  assert.deepEqual(lintGrants({}, known), []);
});

test('the book answers by the latest document, and each tenant by its own', () => {
  const book = new GrantBook();
  const asks = () => book.permitsFor('acme', 'shop')({ capability: 'query' });

  assert.equal(asks(), false);
  book.take('acme', 2, { rows: [{ who: 'shop', may: ['query'] }] });
  assert.equal(asks(), true);
  book.take('acme', 1, {});
  assert.equal(asks(), true);
  book.take('other', 9, { rows: [{ who: 'shop', not: ['query'] }] });
  assert.equal(asks(), true);
  book.take('acme', 3, {});
  assert.equal(asks(), false);
});
