import type { Instance, Provider } from '../registry/directory.ts';
import { TIERS } from '../registry/routable.ts';
import { chooseVersion } from './canary.ts';
import type { Ranked, Selector, Weighed } from './decision.ts';
import { versionOf } from './weight.ts';
import type { Split, WeightBook } from './weight-book.ts';

/** An offer with those of its instances that may have this piece of work. */
export interface Grouped {
  provider: Provider;
  instances: readonly Ranked[];
  /** The version that was chosen; undefined: none was, any may have it. */
  group: string | undefined;
}

/** Instances of this rank and above have failed this very piece of work already. */
const TRIED = TIERS;

/**
 * Chooses the version first, so that shares are kept whoever is busy, and all that has one source
 * sees one version. Where nobody of that version is there, or left to try, another version takes
 * it, with a warning. A version that is asked for by name is not drawn.
 */
export function byVersion(
  fitting: readonly Weighed[],
  selector: Selector,
  weights: WeightBook,
): { grouped: Grouped[]; warnings: string[] } {
  if (selector.group !== undefined) {
    const { is } = selector.group;
    return {
      grouped: fitting.map((w) => (is === undefined ? open(w) : only(w, is))),
      warnings: [],
    };
  }
  if (selector.version !== undefined) {
    return { grouped: fitting.map((w) => asked(w, selector.version)), warnings: [] };
  }
  const split = weights.splitOf(selector.tenant, fitting[0]?.provider.capability.name ?? '');
  const warnings: string[] = [];
  if (split !== undefined) return { grouped: drawn(fitting, split, selector, warnings), warnings };
  const grouped = fitting.flatMap((w) => {
    const { tenant, agentId } = w.provider.agent.definition;
    const ofAgent = weights.splitOfAgent(tenant, agentId);
    return ofAgent === undefined ? [open(w)] : drawn([w], ofAgent, selector, warnings);
  });
  return { grouped, warnings };
}

/** Whether a version split keeps an instance from all work but what asks for its version. */
export function whyNoShare(
  provider: Provider,
  instance: Instance,
  weights: WeightBook,
): string | undefined {
  const { tenant, agentId } = provider.agent.definition;
  const split =
    weights.splitOf(tenant, provider.capability.name) ?? weights.splitOfAgent(tenant, agentId);
  if (split === undefined) return undefined;
  const version = versionOf(provider.agent, instance) ?? '';
  const share = Object.hasOwn(split.shares, version) ? split.shares[version] : undefined;
  if (share === undefined) return `version ${version || '(none)'} has no share`;
  return share === 0 ? `the share of version ${version} is 0` : undefined;
}

function open({ provider, instances }: Weighed): Grouped {
  return { provider, instances, group: undefined };
}

/** `''` is the version of those that have none; undefined: nobody is there. */
function only({ provider, instances }: Weighed, version: string | undefined): Grouped {
  const ofIt = instances.filter(
    ({ instance }) => (versionOf(provider.agent, instance) ?? '') === version,
  );
  return { provider, instances: ofIt, group: version || undefined };
}

/** Its tasks must stay with that version, if it is one by which instances are told apart. */
function asked(w: Weighed, version: string | undefined): Grouped {
  const { agent } = w.provider;
  const isOfInstances = w.instances.every(({ instance }) => versionOf(agent, instance) === version);
  return { ...open(w), group: isOfInstances ? version : undefined };
}

function drawn(
  fitting: readonly Weighed[],
  split: Split,
  { sourceId, draw }: Selector,
  warnings: string[],
): Grouped[] {
  const fixed = sourceId === undefined ? undefined : split.stateful;
  const present = presentIn(fitting);
  const choice = chooseVersion(split.shares, present, { key: draw, fixed });
  if (choice.warning !== undefined) warnings.push(choice.warning);
  const { version } = choice;
  if (version !== undefined) return fitting.map((w) => only(w, version));
  // A version that is not named may stand in: a share of 0 is a word, no share is none.
  const unnamed = [...present].filter((name) => !Object.hasOwn(split.shares, name)).sort()[0];
  return fitting.map((w) => only(w, unnamed));
}

/** Versions of which somebody is there; those that this work has not been tried at, if any. */
function presentIn(fitting: readonly Weighed[]): Set<string> {
  const fresh = new Set<string>();
  const all = new Set<string>();
  for (const { provider, instances } of fitting) {
    for (const { instance, rank } of instances) {
      const version = versionOf(provider.agent, instance) ?? '';
      all.add(version);
      if (rank < TRIED) fresh.add(version);
    }
  }
  return fresh.size > 0 ? fresh : all;
}
