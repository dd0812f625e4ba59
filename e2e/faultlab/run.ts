import { seededRandom } from '@agent-reach/core/kernel';
import type { Experiment } from './experiment.ts';
import { addRound, emptyTally, type Tally } from './report.ts';
import type { World } from './site.ts';

/** How experiments are run. */
export interface RunOptions extends World {
  seed: number;
  isShort: boolean;
  /** Default: as many as the experiment says; one in the short form. */
  rounds?: number | undefined;
}

/** Runs the rounds of one experiment, one after the other. */
export async function runExperiment(
  experiment: Experiment,
  { seed, isShort, rounds = isShort ? 1 : experiment.rounds, ...world }: RunOptions,
): Promise<Tally> {
  const tally = emptyTally(experiment, seed);
  for (let number = 0; number < rounds; number++) {
    const random = seededRandom(seed + number);
    try {
      addRound(tally, await experiment.round({ ...world, random, isShort, number }));
    } catch (error) {
      // A round that does not come to its end has shown something; the others are run all the same.
      tally.rounds += 1;
      tally.faults.push({ rule: 'own', detail: `round ${number}: ${String(error)}` });
    }
  }
  return tally;
}
