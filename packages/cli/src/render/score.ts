import type { Reachability } from '@agent-reach/core';

/**
 * A reachability score as the sum that it is: `0.4·1 + 0.3·(1−0.5) + 0.2·(1−0.15) + 0.1·(1−0)`, and
 * after it what else bounds it.
 */
export function scoreFormula({ base, weights, parts, gate, caps, stale }: Reachability): string {
  const sum = [
    `${weights.health}·${parts.health}`,
    `${weights.saturation}·(1−${parts.saturation})`,
    `${weights.rtt}·(1−${parts.rtt})`,
    `${weights.errors}·(1−${parts.errors})`,
  ].join(' + ');
  return [
    `${sum} = ${base}`,
    ...(gate === 1 ? [] : [`×${gate} for lost probes`]),
    ...caps.map(({ max, reason }) => `at most ${max}: ${reason}`),
    ...(stale ? ['falling: not probed for too long'] : []),
  ].join('; ');
}
