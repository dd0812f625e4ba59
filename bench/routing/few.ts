import { seededRandom } from '@agent-reach/core/kernel';
import { featuresOf } from '@agent-reach/server/meaning';
import type { Case, Observation } from './observe.ts';

const SEED = 7;
/** Up to so many are left to choose from. */
const LEFT_MAX = 3;
/** How often the right one is among them. */
const WITH_RIGHT = 0.6;

/**
 * The same questions where the asker may have one to three capabilities alone, with the right one or
 * without. Public sets are large, and a model that has seen no others takes it for certainty that
 * nothing else comes near. Ambiguous questions are left out: of few they are none.
 */
export function withFew(one: Case): Case {
  const random = seededRandom(SEED);
  const observations = one.observations.flatMap((seen): Observation[] => {
    const { candidates } = seen.ranking;
    if (seen.isNarrow || seen.kind === 'ambiguous' || candidates.length < LEFT_MAX) return [];
    const right = candidates[seen.place];
    const others = candidates.filter((candidate) => candidate !== right);
    const isWith = right !== undefined && random.next() < WITH_RIGHT;
    const left = new Set(isWith ? [right] : []);
    const most = Math.min(1 + random.below(LEFT_MAX), others.length);
    while (left.size < most) {
      const other = others[random.below(others.length)];
      if (other !== undefined) left.add(other);
    }
    const ranking = { ...seen.ranking, candidates: candidates.filter((some) => left.has(some)) };
    return [
      {
        ...seen,
        kind: isWith ? 'in scope' : 'out of scope',
        ranking,
        features: featuresOf(ranking),
        place: isWith ? ranking.candidates.indexOf(right) : -1,
      },
    ];
  });
  return { ...one, observations };
}
