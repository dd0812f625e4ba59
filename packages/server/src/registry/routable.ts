import { type Instance, protocolOf } from './directory.ts';
import { intentOf } from './intent.ts';
import { DEGRADED_BELOW } from './score-machine.ts';
import type { Scores } from './scores.ts';

/** How many tiers there are of those that a route would take. */
export const TIERS = 3;

/**
 * How willingly a route takes an instance: 0 first, and a higher one only when no better one is
 * left; undefined never. 0: it is up, and its score is well. 1: it is degraded, or full. 2: it lost a
 * probe, or the gateway itself has fenced it off. A single lost probe does not take anybody out.
 */
export function tierOf(instance: Instance, scores: Pick<Scores, 'of'>): 0 | 1 | 2 | undefined {
  if (isFenced(instance)) return 2;
  if (whyNotRoutable(instance) !== undefined) return undefined;
  if (instance.observed === 'suspect') return 2;
  const isWell = instance.observed !== 'degraded' && scores.of(instance).score >= DEGRADED_BELOW;
  return isWell ? 0 : 1;
}

/** Fenced off by the gateway, not by a person, while it answers: it is there when nobody else is. */
function isFenced(instance: Instance): boolean {
  const { observed, isWilling } = instance;
  const answers = observed === 'up' || observed === 'degraded' || observed === 'suspect';
  return intentOf(instance).by === 'fence' && answers && isWilling;
}

/** Why no route takes an instance; undefined when one would. */
export function whyNotRoutable(instance: Instance): string | undefined {
  const { row, observed } = instance;
  const { intent, by, reason } = intentOf(instance);
  if (intent !== 'enabled') {
    const why = reason === undefined ? '' : ` (${reason})`;
    return by === 'fence' ? `it is fenced${why}` : `it is ${intent} by ${by}${why}`;
  }
  if (!instance.isWilling) {
    return `its agent is not willing to be called by ${protocolOf(row.mode)}`;
  }
  // One that pulls is not probed: it is there as long as it beats.
  if (row.mode === 'pull' && observed === 'new') return undefined;
  switch (observed) {
    case 'up':
    case 'degraded':
    case 'suspect':
      return undefined;
    case 'new':
      return instance.failure ?? 'no probe has passed yet';
    case 'unreachable':
      return instance.failure ?? 'probes fail';
    case 'gone':
      return 'its heartbeats stopped and its lease is over';
  }
}
