import type { Random } from '@agent-reach/core/kernel';

/** One who can take work, as the choice sees him. */
export interface Bearer {
  /** Work he gets beside others, over 0. */
  weight: number;
  /** Work he has already. */
  load: number;
  /** How far he is trusted with more, over 0, 1 at most; a factor of `weight` already. */
  reliability: number;
}

/**
 * Picks one by the power of two choices: of two drawn by weight the one that has less for its
 * weight; the first drawn if they are equal, so that where nobody is busy weights are kept exactly.
 *
 * Never the arg-max of a score: everybody who read the same score would send to the same place
 * until it drowns. Two random choices keep load even without agreement between gateways.
 *
 * Whoever fails fast is soon free again, and would be given everything. So the second takes the
 * first one's place only as often as he is as reliable.
 *
 * Source: Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing" (2001).
 */
export function twoChoices<B extends Bearer>(bearers: readonly B[], random: Random): B | undefined {
  if (bearers.length <= 1) return bearers[0];
  const i = drawByWeight(bearers, random, undefined);
  const j = drawByWeight(bearers, random, i);
  const first = bearers[i];
  const second = bearers[j];
  if (first === undefined || second === undefined) return first ?? second;
  if (second.load / second.weight >= first.load / first.weight) return first;
  if (second.reliability >= first.reliability) return second;
  return random.next() * first.reliability < second.reliability ? second : first;
}

/** The index of one drawn by weight, another than `not`. */
function drawByWeight(bearers: readonly Bearer[], random: Random, not: number | undefined): number {
  let sum = 0;
  for (const [i, { weight }] of bearers.entries()) if (i !== not) sum += weight;
  let point = random.next() * sum;
  let last = 0;
  for (const [i, { weight }] of bearers.entries()) {
    if (i === not) continue;
    last = i;
    point -= weight;
    if (point < 0) break;
  }
  return last;
}
