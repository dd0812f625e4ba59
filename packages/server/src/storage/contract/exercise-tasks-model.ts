import assert from 'node:assert/strict';
import { testRandom } from '@agent-reach/core/testing';
import { type Driver, scenario } from './driver.ts';
import { compareOver } from './tasks-compare.ts';
import { FAULTS } from './tasks-faults.ts';
import { TasksModel } from './tasks-model.ts';
import { modelStore } from './tasks-model-store.ts';
import type { Storage } from '../spi/storage.ts';

/**
 * Random histories, told to the driver and to the model: every answer, and after every step the
 * whole state, must agree. A failure names the seed of its history and the step; `REACH_SEED` with
 * that seed and `REACH_HISTORIES=1` repeats it.
 */
export function exerciseTasksModel(driver: Driver): void {
  const histories = driver.histories ?? Number(process.env['REACH_HISTORIES'] ?? 300);
  const batches = Math.ceil(histories / BATCH);
  for (let batch = 0; batch < batches; batch++) {
    const size = Math.min(BATCH, histories - batch * BATCH);
    const name = `the driver does as the model does: ${size} histories, ${batch + 1} of ${batches}`;
    scenario(driver, name, async (storage, note) => {
      const { seed } = testRandom(note);
      for (let n = 0; n < size; n++) {
        const model = new TasksModel();
        // The first one uses what the scenario opened, the others what is theirs alone.
        await using own = n === 0 ? undefined : await driver.open();
        assert.equal(
          await tell(driver, own ?? storage, model, seed + batch * BATCH + n),
          undefined,
        );
      }
    });
  }

  for (const [fault, faulty] of Object.entries(FAULTS)) {
    scenario(driver, `a planted fault is found: ${fault}`, async (storage, note) => {
      for (let seed = 1; seed <= SEEDS_MAX; seed++) {
        await using own = seed === 1 ? undefined : await driver.open();
        const found = await tell(driver, own ?? storage, faulty(), seed).catch(String);
        if (found === undefined) continue;
        note(`found by history ${seed}: ${found.slice(0, 60)}`);
        return;
      }
      assert.fail(`${SEEDS_MAX} histories did not find it`);
    });
  }
}

/** Histories a test, so that a run shows how far it is. */
const BATCH = 5;

const STEPS = 400;

/** Each fault is found by one of the first few; the seeds are always the same. */
const SEEDS_MAX = 20;

function tell(driver: Driver, storage: Storage, model: TasksModel, seed: number) {
  const check = driver.check && (() => driver.check?.(storage));
  return compareOver({ store: storage.tasks, model: modelStore(model), check }, seed, STEPS);
}
