import assert from 'node:assert/strict';
import { type Driver, NOON, scenario } from './driver.ts';

/** One at a time, at a steady pace. */
export function exercisePace(driver: Driver): void {
  const five = { name: 'acme:pace', everyUs: 100_000, burst: 5, now: NOON };

  scenario(
    driver,
    'five may go at once, then one each period; who is refused is told when',
    async (s) => {
      const at = (ms: number) => s.ledger.pace({ ...five, now: NOON + ms });
      const left = [];
      for (let i = 0; i < 5; i++) left.push((await at(0)).remaining);

      assert.deepEqual(left, [4, 3, 2, 1, 0]);
      const refused = { allowed: false, remaining: 0 };
      assert.deepEqual(await at(0), { ...refused, retryMs: 100, resetMs: 500 });
      assert.deepEqual(await at(50), { ...refused, retryMs: 50, resetMs: 450 });
      assert.deepEqual(await at(99), { ...refused, retryMs: 1, resetMs: 401 });
      assert.deepEqual(await at(100), { allowed: true, remaining: 0, retryMs: 0, resetMs: 500 });
      assert.deepEqual(await at(700), { allowed: true, remaining: 4, retryMs: 0, resetMs: 100 });
    },
  );

  scenario(driver, 'a pace need not be one of whole milliseconds', async ({ ledger }) => {
    const fast = { ...five, name: 'acme:fast', everyUs: 333, burst: 1 };

    assert.deepEqual(await ledger.pace(fast), {
      allowed: true,
      remaining: 0,
      retryMs: 0,
      resetMs: 1,
    });
    assert.deepEqual(await ledger.pace(fast), {
      allowed: false,
      remaining: 0,
      retryMs: 1,
      resetMs: 1,
    });
    assert.equal((await ledger.pace({ ...fast, now: NOON + 1 })).allowed, true);
  });

  scenario(driver, 'all who ask at once keep one pace, and names are apart', async ({ ledger }) => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ledger.pace({ ...five, name: i % 2 === 0 ? 'a' : 'b' })),
    );

    assert.equal(answers.filter(({ allowed }) => allowed).length, 10);
  });

  scenario(driver, 'a pace is kept by the time of the store, too', async ({ ledger }) => {
    const slow = {
      ...five,
      name: 'acme:slow',
      everyUs: 60_000_000,
      burst: 2,
      now: 'store',
    } as const;
    const [first, second, third] = [
      await ledger.pace(slow),
      await ledger.pace(slow),
      await ledger.pace(slow),
    ];

    assert.deepEqual([first.allowed, second.allowed, third.allowed], [true, true, false]);
    assert.ok(third.retryMs > 50_000 && third.retryMs <= 60_000, `${third.retryMs}`);
  });
}
