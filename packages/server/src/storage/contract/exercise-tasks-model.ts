import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { type Driver, scenario } from './driver.ts';
import { FAULTS } from './tasks-faults.ts';
import { tell, tellClosely } from './tasks-tell.ts';

/**
 * Random histories, told to the driver and to the model: every answer, all that a step should have
 * changed, and every few steps the whole state, must agree. A failure names the seed of its history,
 * the step, and the command that repeats it.
 */
export function exerciseTasksHistories(driver: Driver): void {
  const histories = driver.histories ?? historiesOf({ inCi: 300, elsewhere: 300 });
  const tellOne = driver.tell ?? ((seed) => tellClosely(driver, seed));
  // Two at a time: while a server thinks about one, the other is compared.
  suite('tasks: random histories', { concurrency: 2 }, () => {
    for (let first = 0; first < histories; first += BATCH) {
      const end = Math.min(first + BATCH, histories);
      test(`the driver does as the model does: ${first + 1} to ${end} of ${histories}`, async (t) => {
        const { seed } = testRandom((line) => t.diagnostic(line));
        for (let n = first; n < end; n++) {
          const found = await tellOne(seed + n);
          if (found !== undefined) assert.fail(found);
        }
      });
    }
  });
}

/** The other way round: a right driver differs from a model with a fault planted in it. */
export function exerciseTasksFaults(driver: Driver): void {
  for (const [fault, faulty] of Object.entries(FAULTS)) {
    scenario(driver, `a planted fault is found: ${fault}`, async (storage, note) => {
      for (let seed = 1; seed <= SEEDS_MAX; seed++) {
        await using own = seed === 1 ? undefined : await driver.open();
        const found = await tell(driver, own ?? storage, { model: faulty(), seed });
        if (found === undefined) continue;
        note(`found by ${found.slice(0, 80)}`);
        return;
      }
      assert.fail(`${SEEDS_MAX} histories did not find it`);
    });
  }
}

/**
 * How many histories to tell: `REACH_HISTORIES`, or else many where a machine has nothing else to
 * do, and few where somebody waits.
 */
export function historiesOf({ inCi, elsewhere }: { inCi: number; elsewhere: number }): number {
  const usual = process.env['CI'] === 'true' ? inCi : elsewhere;
  return Number(process.env['REACH_HISTORIES'] ?? usual);
}

/** Histories a test, so that a run shows how far it is. */
const BATCH = 5;

/** Each fault is found by one of the first few; the seeds are always the same. */
const SEEDS_MAX = 20;
