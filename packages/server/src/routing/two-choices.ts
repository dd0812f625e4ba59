import type { Random } from '@agent-reach/core/kernel';
import type { Instance } from '../registry/directory.ts';
import type { Board } from '../resilience/board.ts';

/**
 * Picks an instance by the power of two choices: of two drawn at random the one with less in
 * flight.
 *
 * Never the arg-max of a score: everybody who read the same score would send to the same place
 * until it drowns. Two random choices keep load even without agreement between gateways.
 * Source: Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing" (2001).
 */
export function twoChoices(
  instances: readonly Instance[],
  board: Board,
  random: Random,
): Instance | undefined {
  const { length } = instances;
  if (length <= 1) return instances[0];
  const i = random.below(length);
  const j = random.below(length - 1);
  const a = instances[i];
  const b = instances[j >= i ? j + 1 : j];
  if (a === undefined || b === undefined) return a ?? b;
  return board.of(b.key).inflight < board.of(a.key).inflight ? b : a;
}
