import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { EXPERIMENTS } from './experiments.ts';
import { renderDetails, renderTable } from './report.ts';
import { runExperiment } from './run.ts';
import { STORES } from './stores.ts';

const { sqlite } = STORES;
assert.ok(sqlite);
const SEEDS = 2 ** 31;

// Two at a time: most of an experiment is waiting for what only time does.
suite('nothing is lost and nothing done twice', { concurrency: 2 }, () => {
  for (const experiment of EXPERIMENTS) {
    const { id, title } = experiment;
    const skip = experiment.missing?.() ?? false;
    test(`${id}: when ${title}`, { skip }, async (t) => {
      const seed = testRandom((line) => t.diagnostic(line)).below(SEEDS);

      const tally = await runExperiment(experiment, { store: sqlite, seed, isShort: true });

      for (const line of renderDetails(tally)) t.diagnostic(line);
      assert.deepEqual(tally.faults, [], renderTable([tally]));
      assert.ok(tally.acked > 0 && tally.executions > 0, 'something was done');
    });
  }
});
