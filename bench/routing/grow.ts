import { seededRandom } from '@agent-reach/core/kernel';
import type { Row, RoutingSet } from './data.ts';

const SEED = 1;

/**
 * So many capabilities out of all sets: the largest sets first, and when all of theirs are taken, others whose
 * descriptions are the first half of one and the second half of another.
 */
export function grow(sets: readonly RoutingSet[], most: number): Row[] {
  const bySize = sets.toSorted((a, b) => b.capabilities.length - a.capabilities.length);
  const byName = new Map(bySize.flatMap((set) => set.capabilities.map((row) => [row.name, row])));
  const own = [...byName.values()];
  const rows = own.slice(0, most);
  const random = seededRandom(SEED);
  while (rows.length < most && own.length > 0) {
    const [first, second] = [own[random.below(own.length)], own[random.below(own.length)]];
    if (first === undefined || second === undefined) break;
    rows.push({
      ...first,
      name: `${first.name}.${rows.length}`,
      display_name: `${first.display_name ?? first.name} ${rows.length}`,
      description: `${halfOf(first.description, 0)} ${halfOf(second.description, 1)}`,
    });
  }
  return rows;
}

/** By words; where there are no spaces, by characters. */
function halfOf(text: string, which: 0 | 1): string {
  const joint = text.includes(' ') ? ' ' : '';
  const parts = text.split(joint);
  const middle = Math.floor(parts.length / 2);
  return (which === 0 ? parts.slice(0, middle) : parts.slice(middle)).join(joint);
}
