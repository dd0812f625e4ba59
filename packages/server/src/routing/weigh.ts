import type { Instance, Provider } from '../registry/directory.ts';
import { tierOf } from '../registry/routable.ts';
import type { OfferFacts, Ranked, Selector, Weighed } from './decision.ts';
import { effectiveTags, missingTag } from './match-tags.ts';

/** What routing must know beside the selector to weigh an offer. */
export interface Scales {
  permits: (facts: OfferFacts) => boolean;
  /** Instances already tried in this run of the road. */
  tried: ReadonlySet<string>;
  /** The tags still wanted; fewer than the selector's once some were given up. */
  wanted: Readonly<Record<string, string>>;
  /** Only instances with an address: traffic goes direct. */
  addressed?: boolean | undefined;
}

/**
 * Looks at one offer: narrowing, permission, version, tags, then who of its instances could take
 * work. The order is that of the reasons which help a caller most. Parameters are weighed apart.
 */
export function weigh(provider: Provider, selector: Selector, scales: Scales): Weighed {
  const out = whyOut(provider, selector, scales);
  if (out !== undefined) return { provider, out, instances: [] };
  const matching = [...provider.agent.instances.values()].filter(
    (instance) =>
      missingTag(scales.wanted, effectiveTags(provider, instance.row.tags)) === undefined,
  );
  if (provider.agent.instances.size > 0 && matching.length === 0) {
    return { provider, out: tagReason(provider, scales.wanted), instances: [] };
  }
  return { provider, out: undefined, instances: ranked(matching, scales) };
}

function whyOut(provider: Provider, selector: Selector, scales: Scales): string | undefined {
  const { tenant, agentId, manifestVersion, manifest } = provider.agent.definition;
  const capability = provider.capability;
  if (selector.agent !== undefined && selector.agent !== agentId) {
    return `agent ${selector.agent} is asked for`;
  }
  if (!scales.permits({ tenant, agentId, capability: capability.name })) return 'not permitted';
  if (selector.version !== undefined) {
    const versions = [capability.version, manifest.version, String(manifestVersion)];
    if (!versions.includes(selector.version)) return `version ${selector.version} is asked for`;
  }
  if (provider.agent.instances.size === 0) {
    const missing = missingTag(scales.wanted, provider.tags);
    if (missing !== undefined) return `lacks tag ${missing}`;
  }
  return undefined;
}

function tagReason(provider: Provider, wanted: Readonly<Record<string, string>>): string {
  return `lacks tag ${missingTag(wanted, provider.tags) ?? 'on every instance'}`;
}

/** What can be taken, worse when it is in doubt, and worst when this run has tried it already. */
function ranked(instances: readonly Instance[], { tried, addressed }: Scales): Ranked[] {
  const all: Ranked[] = [];
  for (const instance of instances) {
    if (addressed === true && instance.row.mode === 'pull') continue;
    const tier = tierOf(instance);
    if (tier !== undefined) all.push({ instance, rank: tier + (tried.has(instance.key) ? 2 : 0) });
  }
  return all;
}
