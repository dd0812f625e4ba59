import { invariant } from '../kernel/assert.ts';
import { type Random, seededRandom } from '../kernel/random.ts';

/**
 * Chance for one test. `REACH_SEED` repeats a failing run; the seed is printed either way, so a
 * failure seen once can be had again.
 */
export function testRandom(print: (line: string) => void): Random & { seed: number } {
  const given = process.env['REACH_SEED'];
  const seed = given === undefined ? Date.now() % 2 ** 31 : Number(given);
  invariant(Number.isSafeInteger(seed), `REACH_SEED must be a whole number, is ${given}`);
  print(`REACH_SEED=${seed}`);
  return { ...seededRandom(seed), seed };
}
