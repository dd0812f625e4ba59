import type { Capability } from '@agent-reach/core';
import type { Instance, Provider } from '../registry/directory.ts';
import { TIERS, tierOf } from '../registry/routable.ts';
import type { Scores } from '../registry/scores.ts';
import type { OfferFacts, Ranked, Selector, Weighed } from './decision.ts';
import type { Circuits } from '../resilience/circuits.ts';
import type { Findable } from './findable.ts';
import { effectiveTags, missingTag } from './match-tags.ts';
import { NOT_PERMITTED } from './none.ts';
import type { Pin, PinBook } from './pin-book.ts';
import { standingWeight, versionOf } from './weight.ts';
import type { WeightBook } from './weight-book.ts';

/** What routing must know beside the selector to weigh an offer. */
export interface Scales {
  permits: (facts: OfferFacts) => boolean;
  /** Whether the agent may offer a name that others had before it. */
  mayOffer: (facts: OfferFacts) => boolean;
  /** Why a capability of this kind will not do, beside what is asked for. */
  bars?: ((capability: Capability) => string | undefined) | undefined;
  /** Instances already tried in this run of the road. */
  tried: ReadonlySet<string>;
  /** The tags still wanted; fewer than the selector's once some were given up. */
  wanted: Readonly<Record<string, string>>;
  /** Only instances with an address: traffic goes direct. */
  addressed?: boolean | undefined;
  /** By their tags alone: what is not found by them is out. */
  isByTags?: boolean;
  findable: (capability: string) => Findable;
  pins: PinBook;
  weights: WeightBook;
  circuits: Circuits;
  scores: Scores;
}

/**
 * Looks at one offer: narrowing, permission, version, tags, then who of its instances could take
 * work. The order is that of the reasons which help a caller most. Parameters are weighed apart.
 */
export function weigh(provider: Provider, selector: Selector, given: Scales): Weighed {
  const { tenant } = provider.agent.definition;
  const pin = given.pins.ofCapability(tenant, provider.capability.name);
  // Tags are never given up for what is pinned.
  const scales = pin === undefined ? given : { ...given, wanted: selector.tags };
  const out = whyElsewhere(provider, pin) ?? whyOut(provider, selector, scales);
  if (out !== undefined) return { provider, out, members: [], instances: [] };
  const matching = [...provider.agent.instances.values()].filter(
    (instance) =>
      missingTag(scales.wanted, effectiveTags(provider, instance.row.tags)) === undefined &&
      isOfVersion(provider, instance, selector.version),
  );
  if (provider.agent.instances.size > 0 && matching.length === 0) {
    const reason = tagReason(provider, selector, scales.wanted);
    return { provider, out: reason, members: [], instances: [] };
  }
  const found = scales.isByTags === true ? scales.findable(provider.capability.name) : undefined;
  if (found?.byTags === false) {
    const reason = `it ${found.restraint?.said}: tags alone do not find it`;
    return { provider, out: reason, notByTags: found, members: [], instances: [] };
  }
  const instances = ranked(provider, matching, scales);
  return { provider, out: undefined, members: matching, instances };
}

/** Why an offer is out of a name that another agent had first. */
const PENDING = 'no operator has approved that it offers a name that others had first';

function whyElsewhere({ agent }: Provider, pin: Pin | undefined): string | undefined {
  const isIts = pin?.agents?.includes(agent.definition.agentId) ?? true;
  return isIts ? undefined : `it is pinned to ${pin?.agents?.join(', ')}`;
}

/** Instances of one agent may be of several versions, while one takes the place of another. */
function isOfVersion(provider: Provider, instance: Instance, asked: string | undefined): boolean {
  return (
    asked === undefined ||
    isOfDefinition(provider, asked) ||
    versionOf(provider.agent, instance) === asked
  );
}

/** The capability’s own version, and the counted one of the manifest, are of all its instances. */
function isOfDefinition({ agent, capability }: Provider, asked: string): boolean {
  return capability.version === asked || String(agent.definition.manifestVersion) === asked;
}

function whyOut(provider: Provider, selector: Selector, scales: Scales): string | undefined {
  const { tenant, agentId, manifest } = provider.agent.definition;
  const capability = provider.capability;
  if (selector.agent !== undefined && selector.agent !== agentId) {
    return `agent ${selector.agent} is asked for`;
  }
  if (!scales.permits({ tenant, agentId, capability: capability.name })) return NOT_PERMITTED;
  if (!scales.mayOffer({ tenant, agentId, capability: capability.name })) return PENDING;
  const barred = scales.bars?.(capability);
  if (barred !== undefined) return barred;
  if (selector.version !== undefined) {
    const asked = selector.version;
    const isThere =
      manifest.version === asked ||
      isOfDefinition(provider, asked) ||
      [...provider.agent.instances.values()].some(
        (one) => versionOf(provider.agent, one) === asked,
      );
    if (!isThere) return `version ${asked} is asked for`;
  }
  if (provider.agent.instances.size === 0) {
    const missing = missingTag(scales.wanted, provider.tags);
    if (missing !== undefined) return `lacks tag ${missing}`;
  }
  return undefined;
}

function tagReason(
  provider: Provider,
  { version }: Selector,
  wanted: Readonly<Record<string, string>>,
): string {
  const missing = missingTag(wanted, provider.tags);
  if (missing === undefined && version !== undefined) return `version ${version} is asked for`;
  return `lacks tag ${missing ?? 'on every instance'}`;
}

/** This run has tried it already: behind all that are fresh. */
const TRIED_RANK = TIERS;
/** Its breaker is open: behind all where something would get through. */
const OPEN_RANK = 2 * TIERS;

/**
 * What can be taken, worse when it is in doubt, worse still when this run has tried it already, and
 * worst when its breaker is open.
 */
function ranked(
  { agent, capability }: Provider,
  instances: readonly Instance[],
  scales: Scales,
): Ranked[] {
  const all: Ranked[] = [];
  for (const instance of instances) {
    if (scales.addressed === true && instance.row.mode === 'pull') continue;
    const tier = tierOf(instance, scales.scores);
    if (tier === undefined) continue;
    const standing = standingWeight({ agent, capability, instance }, scales);
    if (standing === 0) continue; // Never, whoever else is there.
    const isOpen =
      scales.circuits.blockedMs({ endpoint: instance.key, capability: capability.name }) > 0;
    const rank =
      tier + (scales.tried.has(instance.key) ? TRIED_RANK : 0) + (isOpen ? OPEN_RANK : 0);
    all.push({ instance, rank, tier, standing });
  }
  return all;
}
