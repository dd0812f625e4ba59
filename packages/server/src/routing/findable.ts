import type { FindStrategy, NamedOnlyBy } from '@agent-reach/core';
import type { Directory } from '../registry/directory.ts';
import type { PinBook } from './pin-book.ts';

/** Whose word it is that a capability is not found in every way. */
export interface Restraint {
  by: NamedOnlyBy;
  /** What follows its name: `is sensitive`. */
  said: string;
}

/** By what a capability is found, beside its name and the phrases that are pinned to it. */
export interface Findable {
  byMeaning: boolean;
  /** By tags alone; they may narrow whatever else it is found by. */
  byTags: boolean;
  /** By an intent that is its name, its display name or an alias. */
  byTitle: boolean;
  /** Undefined: it is found in every way. */
  restraint: Restraint | undefined;
}

/** Who says by what it is found. */
export interface FindPorts {
  directory: Directory;
  pins: PinBook;
  mayOffer: (facts: { tenant: string; agentId: string; capability: string }) => boolean;
}

const ALL: Findable = { byMeaning: true, byTags: true, byTitle: true, restraint: undefined };
const NOTHING = { byMeaning: false, byTags: false, byTitle: false };
const SENSITIVE = { ...NOTHING, restraint: { by: 'sensitive', said: 'is sensitive' } } as const;

/**
 * By what a capability may be found. That it is sensitive outweighs everything; then an operator’s word
 * counts, then that of its manifests: where they differ, what all of them allow. What an agent says whom
 * nobody has let offer the name hides it from nobody.
 */
export function findable(
  tenant: string,
  name: string,
  { directory, pins, mayOffer }: FindPorts,
): Findable {
  const offers = directory.offers(tenant, name);
  if (offers.some(({ capability }) => capability.sensitive)) return SENSITIVE;
  const pin = pins.ofCapability(tenant, name);
  if (pin !== undefined) {
    const { strategy, version } = pin;
    const where = `the policy pins, version ${version}`;
    return strategy === undefined
      ? { ...NOTHING, restraint: { by: 'pin', said: `is pinned (${where})` } }
      : foundBy(strategy, { by: 'operator', said: `has strategy: ${strategy} in ${where}` });
  }
  let found = ALL;
  for (const { agent, capability } of offers) {
    const { strategy = 'auto' } = capability;
    const { agentId } = agent.definition;
    if (strategy === 'auto' || !mayOffer({ tenant, agentId, capability: name })) continue;
    const said = `has strategy: ${strategy} in the manifest of ${agentId}`;
    found = narrowed(found, foundBy(strategy, { by: 'manifest', said }));
  }
  return found;
}

function foundBy(strategy: FindStrategy, restraint: Restraint): Findable {
  switch (strategy) {
    case 'auto':
      return ALL;
    case 'exact':
      return { byMeaning: false, byTags: false, byTitle: true, restraint };
    case 'tags':
      return { byMeaning: false, byTags: true, byTitle: true, restraint };
    case 'semantic':
      return { byMeaning: true, byTags: false, byTitle: true, restraint };
  }
}

/** What both allow, by the words of those that take something away. */
function narrowed(one: Findable, other: Findable): Findable {
  const byMeaning = one.byMeaning && other.byMeaning;
  const byTags = one.byTags && other.byTags;
  if (byMeaning === one.byMeaning && byTags === one.byTags) return one;
  const said = [one.restraint?.said, other.restraint?.said].filter((text) => text !== undefined);
  return { ...other, byMeaning, byTags, restraint: { by: 'manifest', said: said.join(' and ') } };
}

/** The same of one tenant, each capability looked at once. */
export function findables(tenant: string, ports: FindPorts): (name: string) => Findable {
  const known = new Map<string, Findable>();
  return (name) => {
    const found = known.get(name) ?? findable(tenant, name, ports);
    known.set(name, found);
    return found;
  };
}
