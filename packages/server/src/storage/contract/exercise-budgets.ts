import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { LedgerStore } from '../spi/ledger.ts';
import {
  counts,
  DAWN,
  DAY,
  PACED,
  reserve,
  reserveMany,
  standing,
  TEN,
  UNIT,
} from './budgets-kit.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { exerciseBudgetsInTime } from './exercise-budgets-time.ts';

/** Budgets: reserve, settle, and what time does to both. */
export function exerciseBudgets(driver: Driver): void {
  suite('ledger: budgets', () => {
    exerciseReserve(driver);
    exerciseChargeBounds(driver);
    exerciseSeveral(driver);
    exerciseCharge(driver);
    exerciseBudgetsInTime(driver);
  });
}

function exerciseReserve(driver: Driver): void {
  scenario(driver, 'a budget that nobody asked for is there, and looking makes none', async (s) => {
    const before = await standing(s.ledger);

    assert.deepEqual(before, {
      name: TEN.name,
      startsAt: DAWN,
      endsAt: DAWN + DAY,
      limit: 10 * UNIT,
      used: 0,
      reserved: 0,
      tokens: 10 * UNIT,
      affordable: 10 * UNIT,
      carry: 0,
    });
    assert.deepEqual(await standing(s.ledger), before);
  });

  scenario(driver, 'what is reserved is counted, and what is left is told', async ({ ledger }) => {
    const { granted, budgets } = await reserve(ledger, { id: 'a', units: 3 });

    assert.equal(granted, true);
    const [answer] = budgets;
    assert.deepEqual(answer, {
      name: TEN.name,
      startsAt: DAWN,
      endsAt: DAWN + DAY,
      limit: 10 * UNIT,
      used: 0,
      reserved: 3 * UNIT,
      tokens: 7 * UNIT,
      affordable: 7 * UNIT,
      carry: 0,
      verdict: 'ok',
      retryMs: 0,
      isTold: false,
    });
    assert.equal((await standing(ledger)).reserved, 3 * UNIT);
  });

  scenario(driver, 'of fifty who ask at once for ten, exactly ten are granted', async (s) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => reserve(s.ledger, { id: `r${n}` })),
    );

    assert.equal(answers.filter(({ granted }) => granted).length, 10);
    for (const { granted, budgets } of answers) {
      assert.equal(budgets[0]?.verdict, granted ? 'ok' : 'exhausted');
    }
    assert.deepEqual(await counts(s.ledger), [0, 10]);
  });

  scenario(driver, 'the same reservation again takes nothing more', async ({ ledger }) => {
    await reserve(ledger, { id: 'a', units: 6 });
    const again = await reserve(ledger, { id: 'a', units: 6 });

    assert.equal(again.granted, true);
    assert.deepEqual(await counts(ledger), [0, 6]);
  });

  scenario(driver, 'a used up period is told with its end', async ({ ledger }) => {
    await reserveMany(ledger, 10, { id: 'r' });
    const { granted, budgets } = await reserve(ledger, { id: 'late' });

    assert.equal(granted, false);
    const [answer] = budgets;
    assert.equal(answer?.verdict, 'exhausted');
    assert.equal(answer?.retryMs, DAWN + DAY - NOON);
    assert.equal(answer?.affordable, 0);
  });

  scenario(driver, 'too fast is told with when, and then it may', async ({ ledger }) => {
    const of = [PACED];
    // Since dawn half of the day has gone unused: two a minute are left.
    assert.equal(await reserveMany(ledger, 9, { id: 'r', of }), 5);
    const { budgets } = await reserve(ledger, { id: 'late', of });

    const retryMs = budgets[0]?.retryMs ?? 0;
    assert.equal(budgets[0]?.verdict, 'paced');
    assert.ok(retryMs > 0 && retryMs <= 60_000, `${retryMs}`);
    const before = { of, now: NOON + retryMs - 1 };
    assert.equal(await reserveMany(ledger, 9, { id: 's', ...before }), 0);
    assert.ok((await reserveMany(ledger, 9, { id: 't', of, now: NOON + retryMs })) >= 1);
  });

  scenario(driver, 'that much is used is told once', async ({ ledger }) => {
    const told = [];
    for (let n = 0; n < 10; n++) {
      told.push((await reserve(ledger, { id: `r${n}` })).budgets[0]?.isTold);
    }

    assert.deepEqual(told.indexOf(true), 7);
    assert.equal(told.filter((one) => one === true).length, 1);
    assert.equal((await reserve(ledger, { id: 'late' })).budgets[0]?.isTold, false);
  });

  scenario(driver, 'large numbers are counted exactly', async ({ ledger }) => {
    const most = 1_000_000_000 * UNIT;
    const large = { ...TEN, limit: most, cap: most, soft: most };
    const amount = most - 1;
    const first = { budgets: [{ ...large, amount }], ttlMs: 60_000, now: NOON };

    assert.equal((await ledger.reserve({ ...first, id: 'a' })).granted, true);
    assert.equal((await standing(ledger, large)).reserved, 999_999_999_999_999);
    assert.equal((await standing(ledger, large)).affordable, 1);
    await ledger.charge({ id: 'a', charges: [{ name: large.name, amount }] });
    assert.equal((await standing(ledger, large)).used, 999_999_999_999_999);
  });

  scenario(driver, 'terms that no document has are refused before anything is done', async (s) => {
    for (const wrong of [
      { limit: 0.5 },
      { cap: -1 },
      { limit: Number.NaN },
      { bounds: [DAWN] },
      { bounds: [DAWN, DAWN] },
    ]) {
      await assert.rejects(reserve(s.ledger, { id: 'a', of: [{ ...TEN, ...wrong }] }));
    }
    await assert.rejects(reserve(s.ledger, { id: 'a', ttlMs: -1 }));
    assert.deepEqual(await counts(s.ledger), [0, 0]);
  });
}

function exerciseChargeBounds(driver: Driver): void {
  scenario(
    driver,
    'a charge that no reservation has is refused before anything is done',
    async (s) => {
      const { ledger } = s;
      await reserve(ledger, { id: 'a' });
      const charge = (amount: number, name = TEN.name) => ({ name, amount });
      const none = Array.from({ length: 200 }, (_, n) => charge(0, `acme/none-${n}/day`));
      const most = 1_000_000_000 * UNIT;

      for (const wrong of [
        [charge(0.5)],
        [charge(-1)],
        [charge(Number.NaN)],
        [charge(most + 1)],
        [charge(0), charge(-1, 'acme/other/day')],
        [charge(0), ...none],
      ]) {
        await assert.rejects(ledger.charge({ id: 'a', charges: wrong }));
      }
      assert.deepEqual(await counts(ledger), [0, 1]);
      // As many as a tenant has, and as much as can be counted.
      assert.equal(await ledger.charge({ id: 'a', charges: none }), false);
      assert.equal(await ledger.charge({ id: 'a', charges: [charge(most)] }), true);
      assert.deepEqual(await counts(ledger), [1_000_000_000, 0]);
    },
  );
}

function exerciseSeveral(driver: Driver): void {
  const small = { ...TEN, name: 'acme/a-small/day', limit: 4 * UNIT, cap: 4 * UNIT };

  scenario(driver, 'if one of several refuses, nothing is taken from any', async ({ ledger }) => {
    const of = [TEN, small];
    assert.equal(await reserveMany(ledger, 9, { id: 'r', of }), 4);
    const { granted, budgets } = await reserve(ledger, { id: 'late', of });

    assert.equal(granted, false);
    assert.deepEqual(
      budgets.map(({ name, verdict }) => [name, verdict]),
      [
        [TEN.name, 'ok'],
        [small.name, 'exhausted'],
      ],
    );
    assert.deepEqual(await counts(ledger), [0, 4]);
    assert.deepEqual(await counts(ledger, small), [0, 4]);
  });

  scenario(driver, 'many who want the same two in either order all get an answer', async (s) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        reserve(s.ledger, { id: `r${n}`, of: n % 2 === 0 ? [TEN, small] : [small, TEN] }),
      ),
    );

    assert.equal(answers.filter(({ granted }) => granted).length, 4);
    assert.deepEqual(await counts(s.ledger), [0, 4]);
  });

  scenario(driver, 'each part is settled by itself', async ({ ledger }) => {
    await reserve(ledger, { id: 'a', of: [TEN, small], units: 2 });

    const charges = [
      { name: TEN.name, amount: 2 * UNIT },
      { name: small.name, amount: 0 },
    ];
    assert.equal(await ledger.charge({ id: 'a', charges }), true);
    assert.deepEqual(await counts(ledger), [2, 0]);
    assert.deepEqual(await counts(ledger, small), [0, 0]);
  });

  scenario(driver, 'no budget at all is granted', async ({ ledger }) => {
    assert.deepEqual(await reserve(ledger, { id: 'a', of: [] }), { granted: true, budgets: [] });
    assert.equal(await ledger.charge({ id: 'a', charges: [] }), true);
    assert.deepEqual(await ledger.budgets({ budgets: [], now: NOON }), []);
  });
}

function exerciseCharge(driver: Driver): void {
  const charge = (ledger: LedgerStore, id: string, units: number) =>
    ledger.charge({ id, charges: [{ name: TEN.name, amount: units * UNIT }] });

  scenario(driver, 'what was used stays, what was not is given back', async ({ ledger }) => {
    await reserve(ledger, { id: 'used', units: 4 });
    await reserve(ledger, { id: 'not', units: 4 });
    await reserve(ledger, { id: 'half', units: 2 });

    assert.equal(await charge(ledger, 'used', 4), true);
    assert.equal(await charge(ledger, 'not', 0), true);
    assert.equal(await charge(ledger, 'half', 1), true);

    const { used, reserved, tokens, affordable } = await standing(ledger);
    assert.deepEqual([used, reserved], [5 * UNIT, 0]);
    assert.deepEqual([tokens, affordable], [5 * UNIT, 5 * UNIT]);
  });

  scenario(
    driver,
    'settling again changes nothing, nor does settling what never was',
    async (s) => {
      await reserve(s.ledger, { id: 'a' });
      assert.equal(await charge(s.ledger, 'a', 1), true);

      assert.equal(await charge(s.ledger, 'a', 1), false);
      assert.equal(await charge(s.ledger, 'a', 0), false);
      assert.equal(await charge(s.ledger, 'never', 1), false);
      assert.deepEqual(await counts(s.ledger), [1, 0]);
    },
  );

  scenario(driver, 'of many who settle one at once, one does', async ({ ledger }) => {
    await reserve(ledger, { id: 'a', units: 3 });

    const all = await Promise.all(Array.from({ length: 10 }, () => charge(ledger, 'a', 3)));

    assert.equal(all.filter(Boolean).length, 1);
    assert.deepEqual(await counts(ledger), [3, 0]);
  });

  scenario(driver, 'who used more than he reserved leaves a debt', async ({ ledger }) => {
    await reserve(ledger, { id: 'a', units: 10 });
    await charge(ledger, 'a', 13);

    const { used, tokens, affordable } = await standing(ledger);
    assert.deepEqual([used, tokens, affordable], [13 * UNIT, -3 * UNIT, 0]);
    const next = await standing(ledger, TEN, NOON + DAY);
    assert.deepEqual([next.limit, next.used, next.affordable], [7 * UNIT, 0, 7 * UNIT]);
  });

  scenario(driver, 'what is given back may be had again at once', async ({ ledger }) => {
    await reserveMany(ledger, 10, { id: 'r' });
    assert.equal((await reserve(ledger, { id: 'x' })).granted, false);

    await charge(ledger, 'r-0', 0);

    assert.equal((await reserve(ledger, { id: 'y' })).granted, true);
    assert.equal((await reserve(ledger, { id: 'z' })).granted, false);
  });
}
