import { mixedHash } from '@agent-reach/core/kernel';

/** A member of a ring. `id` is stable: never an address, which changes with every restart. */
export interface RingMember {
  id: string;
  weight: number;
}

/** Places of members on the circle of all 32-bit numbers, ascending. */
export interface Ring {
  readonly at: Uint32Array;
  /** The member of each place, as an index into `ids`. */
  readonly who: Uint16Array;
  readonly ids: readonly string[];
}

/** One heavy member among many light ones gets no more places: its ring would only be slow. */
const PLACES_MAX = 10_000;

/**
 * Builds the ring: each member has `vnodes` × its weight places on it, and a key belongs to the
 * member whose place comes next. One that joins takes keys from everybody and moves no other key;
 * one that leaves leaves its own keys to those behind its places.
 *
 * Weights are taken by the power of two below their mean: so a ring of weights like 90 and 10 is no
 * fifty times larger than one of 1 and 1, and a small change leaves the places of others.
 *
 * Source: Karger et al., "Consistent Hashing and Random Trees" (1997).
 */
export function buildRing(members: readonly RingMember[], vnodes: number): Ring {
  const mean = members.reduce((sum, { weight }) => sum + weight, 0) / members.length;
  const unit = 2 ** Math.floor(Math.log2(mean));
  const places: { at: number; who: number }[] = [];
  for (const [who, { id, weight }] of members.entries()) {
    const count = Math.min(PLACES_MAX, Math.max(1, Math.round((vnodes * weight) / unit)));
    for (let n = 0; n < count; n++) places.push({ at: mixedHash(`${id}#${n}`), who });
  }
  // Equal places are rare and must not depend on the order in which members are named.
  places.sort((a, b) => a.at - b.at || compare(members[a.who], members[b.who]));
  return {
    at: Uint32Array.from(places, ({ at }) => at),
    who: Uint16Array.from(places, ({ who }) => who),
    ids: members.map(({ id }) => id),
  };
}

function compare(a: RingMember | undefined, b: RingMember | undefined): number {
  return (a?.id ?? '') < (b?.id ?? '') ? -1 : 1;
}

/** Members by how near they stand behind a key, the one it belongs to first; each once. */
export function* walkRing(ring: Ring, key: string): Generator<string> {
  const { length } = ring.at;
  const seen = new Set<number>();
  for (let n = 0, place = placeOf(ring, mixedHash(key)); n < length; n++, place++) {
    const who = ring.who[place % length] ?? 0;
    if (seen.has(who)) continue;
    seen.add(who);
    yield ring.ids[who] ?? '';
    if (seen.size === ring.ids.length) return;
  }
}

/** The first place at or behind a point; behind the last one comes the first. */
function placeOf({ at }: Ring, point: number): number {
  let low = 0;
  let high = at.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((at[middle] ?? 0) < point) low = middle + 1;
    else high = middle;
  }
  return low === at.length ? 0 : low;
}
