import type { Reachability } from '@agent-reach/core';
import { SCORE_WEIGHTS, type Score } from './score-machine.ts';

/** Finer is noise. */
export function thousandth(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** A score with all that it was made from. */
export function reachabilityView({ score, base, parts, gate, caps, stale }: Score): Reachability {
  return {
    score: thousandth(score),
    base: thousandth(base),
    weights: SCORE_WEIGHTS,
    parts: {
      health: thousandth(parts.health),
      saturation: thousandth(parts.saturation),
      rtt: thousandth(parts.rtt),
      errors: thousandth(parts.errors),
    },
    gate: thousandth(gate),
    caps,
    stale,
  };
}

/** In a few words, why a score is as low as it is. */
export function whyLow({ score, parts, caps, stale }: Score): string {
  const [cap] = caps.toSorted((a, b) => a.max - b.max);
  const told = `score ${thousandth(score)}`;
  if (stale) return `${told}: it was not probed for too long`;
  if (cap !== undefined) return `${told}: ${cap.reason}`;
  const losses = Object.entries({
    'lost probes': SCORE_WEIGHTS.health * (1 - parts.health),
    'how full it is': SCORE_WEIGHTS.saturation * parts.saturation,
    'slow probes': SCORE_WEIGHTS.rtt * parts.rtt,
    'failed runs': SCORE_WEIGHTS.errors * parts.errors,
  }).sort(([, a], [, b]) => b - a);
  return `${told}, most of all for ${losses[0]?.[0]}`;
}
