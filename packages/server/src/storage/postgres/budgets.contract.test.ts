import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onDatabase, ownSchemas, withPostgres } from './testing/kit.ts';

const DAY = 86_400_000;
const terms = { limit: 10, cap: 10, soft: 8, carryMax: 0, bounds: [0, DAY, 2 * DAY, 3 * DAY] };

await withPostgres(() => {
  const schemas = ownSchemas();

  test('budgets that nobody asked for in a whole period are forgotten, with what they hold', async () => {
    await using storage = await schemas.open();
    const schema = schemas.schemaOf(storage);
    for (const [name, now] of [
      ['a', 0],
      ['b', DAY],
    ] as const) {
      const budgets = [{ ...terms, name, amount: 1 }];
      await storage.ledger.reserve({ id: 'r', budgets, ttlMs: 9 * DAY, now });
    }
    const rowsIn = (table: string) =>
      onDatabase(
        async (client) => (await client.query(`SELECT name FROM ${schema}.${table}`)).rows,
      );

    await storage.ledger.prune({ limit: 9, now: 2 * DAY - 1 });
    assert.equal((await rowsIn('budgets')).length, 2);
    await storage.ledger.prune({ limit: 9, now: 2 * DAY });

    assert.deepEqual(await rowsIn('budgets'), [{ name: 'b' }]);
    assert.deepEqual(await rowsIn('budget_holds'), [{ name: 'b' }]);
  });

  test('a budget that was only made to be locked is as good as none', async () => {
    await using storage = await schemas.open();
    const asked = { ...terms, name: 'a' };
    const over = { id: 'r', budgets: [{ ...asked, amount: 11 }], ttlMs: 1, now: DAY };

    assert.equal((await storage.ledger.reserve(over)).granted, false);

    const [stands] = await storage.ledger.budgets({ budgets: [asked], now: DAY });
    assert.deepEqual([stands?.startsAt, stands?.affordable], [DAY, 10]);
    const one = { ...over, budgets: [{ ...asked, amount: 10 }] };
    assert.equal((await storage.ledger.reserve(one)).granted, true);
  });
});
