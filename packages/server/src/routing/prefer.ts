import type { Prefer } from '@agent-reach/core';
import { rendezvousDraw } from '@agent-reach/core/kernel';
import type { Instance } from '../registry/directory.ts';
import type { Scores } from '../registry/scores.ts';
import type { Board } from '../resilience/board.ts';

/** What a request would like of those who are as good as each other. */
export interface Preference {
  weights: Prefer;
  /** What affinity is for: the same source, else the same caller, finds the same one. */
  key: string;
}

/** Of nobody is so little thought that he gets nothing: else nobody would see that he is better now. */
const LEAST = 0.05;
/** One who is half as good as another gets an eighth of what that one gets. */
const POWER = 3;
/** How one is judged of whom no time is known yet. */
const UNKNOWN = 0.5;

/**
 * How far each of these is what is preferred, 0.05 to 1. A factor of weights, and no arg-max of a
 * score: load still spreads, and whoever drowns is left.
 */
export function preferred(
  instances: readonly Instance[],
  { weights, key }: Preference,
  { board, scores }: { board: Board; scores: Scores },
): (instance: Instance) => number {
  const { reachability_score: byScore = 0, latency: byTime = 0, affinity: byHome = 0 } = weights;
  const sum = byScore + byTime + byHome;
  if (sum === 0) return () => 1;
  const times = new Map(instances.map((one) => [one, timeOf(one, board)]));
  const fastest = Math.min(...[...times.values()].filter((ms) => ms !== undefined));
  const home = byHome === 0 ? undefined : homeOf(instances, key);
  return (instance) => {
    const ms = times.get(instance);
    const speed = ms === undefined ? UNKNOWN : (1 + fastest) / (1 + ms);
    const wished =
      byScore * scores.of(instance).score + byTime * speed + byHome * (instance === home ? 1 : 0);
    return Math.max(LEAST, wished / sum);
  };
}

/** By how much a preference multiplies a weight. */
export function factorOf(preference: number): number {
  return preference ** POWER;
}

/** A typical answer, else a round trip; one millisecond more or less is no difference. */
function timeOf({ key, scoring }: Instance, board: Board): number | undefined {
  return board.of(key).typicalMs ?? scoring.pulse.srttMs;
}

/** The same one as long as it is there, and only its share moves when it is not. */
function homeOf(instances: readonly Instance[], key: string): Instance | undefined {
  const drawn = instances.map((instance) => {
    return { instance, draw: rendezvousDraw(instance.key, key, 1) };
  });
  return drawn.sort((a, b) => b.draw - a.draw)[0]?.instance;
}
