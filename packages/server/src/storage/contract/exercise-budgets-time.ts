import assert from 'node:assert/strict';
import { type Driver, NOON, scenario } from './driver.ts';
import { counts, DAWN, DAY, reserve, reserveMany, standing, TEN, UNIT } from './budgets-kit.ts';

/** What time does to budgets, and what they outlive. */
export function exerciseBudgetsInTime(driver: Driver): void {
  exerciseTime(driver);
  exerciseKept(driver);
}

function exerciseTime(driver: Driver): void {
  scenario(driver, 'what nobody settles is given back when its time is over', async (s) => {
    await reserveMany(s.ledger, 10, { id: 'r', ttlMs: 30_000 });

    const before = await reserve(s.ledger, { id: 'x', now: NOON + 29_999 });
    assert.equal(before.granted, false);
    assert.deepEqual(await counts(s.ledger, TEN, NOON + 30_000), [0, 0]);
    const after = await reserve(s.ledger, { id: 'y', units: 10, now: NOON + 30_000 });
    assert.equal(after.granted, true);
    const charges = [{ name: TEN.name, amount: UNIT }];
    assert.equal(await s.ledger.charge({ id: 'r-0', charges }), false);
    assert.deepEqual(await counts(s.ledger, TEN, NOON + 30_000), [0, 10]);
  });

  scenario(driver, 'a refusal gives back what has lapsed all the same', async ({ ledger }) => {
    await reserve(ledger, { id: 'a', units: 4, ttlMs: 1_000 });
    await reserve(ledger, { id: 'b', units: 5 });

    const refused = await reserve(ledger, { id: 'c', units: 6, now: NOON + 1_000 });

    assert.deepEqual([refused.granted, refused.budgets[0]?.affordable], [false, 5 * UNIT]);
    assert.deepEqual(await counts(ledger, TEN, NOON + 1_000), [0, 5]);
  });

  scenario(
    driver,
    'the next period begins anew, and what began before is counted there',
    async (s) => {
      const { ledger } = s;
      await reserveMany(ledger, 9, { id: 'r', ttlMs: DAY });
      const last = { id: 'last', now: DAWN + DAY - 1 };
      assert.equal((await reserve(ledger, last)).granted, true);
      assert.equal((await reserve(ledger, { ...last, id: 'over' })).granted, false);

      const next = DAWN + DAY;
      assert.equal(await reserveMany(ledger, 12, { id: 's', now: next }), 10);
      await ledger.charge({ id: 'last', charges: [{ name: TEN.name, amount: UNIT }] });
      assert.deepEqual(await counts(ledger, TEN, next), [0, 10]);
    },
  );

  scenario(
    driver,
    'a part of what is left is carried over, where that is said',
    async ({ ledger }) => {
      const saving = { ...TEN, carryMax: 2 * UNIT };
      await reserveMany(ledger, 5, { id: 'r', of: [saving] });

      const { limit, carry } = await standing(ledger, saving, NOON + DAY);
      assert.deepEqual([limit, carry], [12 * UNIT, 2 * UNIT]);
      const late = { id: 's', of: [saving], now: NOON + DAY };
      assert.equal(await reserveMany(ledger, 20, late), 12);
    },
  );

  scenario(
    driver,
    'another limit holds from the next move on and keeps what was used',
    async (s) => {
      await reserveMany(s.ledger, 10, { id: 'r' });
      const more = { ...TEN, limit: 12 * UNIT, cap: 12 * UNIT };

      assert.equal(await reserveMany(s.ledger, 9, { id: 's', of: [more] }), 2);
      assert.equal((await reserve(s.ledger, { id: 'x' })).granted, false);
    },
  );

  scenario(driver, 'budgets may be held to the time of the store', async ({ ledger }) => {
    const bounds = [0, 4_000_000_000_000];
    const always = { ...TEN, bounds, name: 'acme/always/day' };
    const of = [always];

    assert.equal(await reserveMany(ledger, 12, { id: 'r', of, now: 'store' }), 10);
    assert.equal((await standing(ledger, always, 'store')).reserved, 10 * UNIT);
  });
}

function exerciseKept(driver: Driver): void {
  scenario(driver, 'no budget is forgotten before a whole period has gone by', async (s) => {
    await reserve(s.ledger, { id: 'a', ttlMs: 10 * DAY });

    await s.ledger.prune({ limit: 10, now: DAWN + 2 * DAY - 1 });

    const charges = [{ name: TEN.name, amount: UNIT }];
    assert.equal(await s.ledger.charge({ id: 'a', charges }), true);
  });

  const { beside, reopen } = driver;
  if (beside !== undefined) {
    scenario(driver, 'gateways on one store share a budget', async (one) => {
      await using two = await beside(one);

      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          reserve((n % 2 === 0 ? one : two).ledger, { id: `r${n}` }),
        ),
      );

      assert.equal(answers.filter(({ granted }) => granted).length, 10);
    });
  }
  if (reopen === undefined) return;
  scenario(driver, 'budgets and reservations survive', async (storage) => {
    await reserve(storage.ledger, { id: 'a', units: 3 });
    await reserve(storage.ledger, { id: 'b', units: 2 });
    await storage.ledger.charge({ id: 'a', charges: [{ name: TEN.name, amount: 3 * UNIT }] });

    await using again = await reopen(storage);

    assert.deepEqual(await counts(again.ledger), [3, 2]);
    const charges = [{ name: TEN.name, amount: 2 * UNIT }];
    assert.equal(await again.ledger.charge({ id: 'b', charges }), true);
    assert.deepEqual(await counts(again.ledger), [5, 0]);
  });
}
