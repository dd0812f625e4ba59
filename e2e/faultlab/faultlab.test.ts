import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { testRandom } from '@agent-reach/core/testing';
import { storeRestarts } from './e3-store-restarts.ts';
import { cutOff } from './e12-cut-off.ts';
import { stalls } from './e4-stalls.ts';
import { gatewayKilled } from './e1-gateway-killed.ts';
import type { Experiment } from './experiment.ts';
import { EXPERIMENTS } from './experiments.ts';
import { renderDetails, renderTable } from './report.ts';
import { runExperiment } from './run.ts';
import type { World } from './site.ts';
import { STORES } from './stores.ts';

const SEEDS = 2 ** 31;

async function holds(t: TestContext, experiment: Experiment, world: World): Promise<void> {
  const seed = testRandom((line) => t.diagnostic(line)).below(SEEDS);

  const tally = await runExperiment(experiment, { ...world, seed, isShort: true });

  for (const line of renderDetails(tally)) t.diagnostic(line);
  assert.deepEqual(tally.faults, [], renderTable([tally]));
  assert.ok(tally.acked > 0 && tally.executions > 0, 'something was done');
}

/** Why it cannot be shown here. */
async function whyNot(experiment: Experiment, world: World): Promise<string | false> {
  return (await world.store.missing()) ?? (await experiment.missing?.(world)) ?? false;
}

const ALONE: World = { store: STORES.sqlite, gateways: 1 };
const alone = await Promise.all(
  EXPERIMENTS.map(async (experiment) => ({ experiment, skip: await whyNot(experiment, ALONE) })),
);

// Two at a time: most of an experiment is waiting for what only time does.
suite('nothing is lost and nothing done twice', { concurrency: 2 }, () => {
  for (const { experiment, skip } of alone) {
    const { id, title } = experiment;
    test(`${id}: when ${title}`, { skip }, (t) => holds(t, experiment, ALONE));
  }
});

/** Each store, and each way to hurt it that the others do not have. */
const SHARED: readonly { experiment: Experiment; store: World['store'] }[] = [
  { experiment: gatewayKilled, store: STORES.postgres },
  { experiment: storeRestarts, store: STORES.redis },
  { experiment: storeRestarts, store: STORES['postgres-own'] },
  { experiment: stalls, store: STORES.redis },
  { experiment: cutOff, store: STORES.mixed },
];
const together = await Promise.all(
  SHARED.map(async ({ experiment, store }) => {
    const world = { store, gateways: 2 };
    const why = await whyNot(experiment, world);
    // A machine that builds must show it.
    return { experiment, world, skip: process.env['CI'] === 'true' ? false : why };
  }),
);

suite('nothing is lost and nothing done twice by two gateways', { concurrency: 2 }, () => {
  for (const { experiment, world, skip } of together) {
    const { id, title } = experiment;
    test(`${id}, ${world.store.name}: when ${title}`, { skip }, (t) => holds(t, experiment, world));
  }
});
