import type { BalanceStrategy, Shares, WeightsPolicy } from '@agent-reach/core';

/** What a version split says: the shares, and the version that has all stateful work meanwhile. */
export interface Split {
  shares: Shares;
  stateful: string | undefined;
}

const EMPTY: WeightsPolicy = {};

/**
 * What operators have set by hand, as decisions look at it: a copy of the stored documents, one a
 * tenant. A capability's word goes before an agent's.
 */
export class WeightBook {
  readonly #docs = new Map<string, { version: number; doc: WeightsPolicy }>();

  /** Takes in a document, unless a later one is known. */
  take(tenant: string, version: number, doc: WeightsPolicy): void {
    if (version < this.versionOf(tenant)) return;
    this.#docs.set(tenant, { version, doc });
  }

  /** 0: nothing was ever written. */
  versionOf(tenant: string): number {
    return this.#docs.get(tenant)?.version ?? 0;
  }

  of(tenant: string): WeightsPolicy {
    return this.#docs.get(tenant)?.doc ?? EMPTY;
  }

  /** The weight set for an instance; `capability` undefined: for its work as a whole. */
  handOf(at: {
    tenant: string;
    capability: string | undefined;
    agentId: string;
    instanceId: string;
  }): number {
    const doc = this.#docs.get(at.tenant)?.doc;
    if (doc === undefined) return 1;
    const agent = own(doc.agents, at.agentId);
    const inCapability =
      at.capability === undefined
        ? undefined
        : own(own(doc.capabilities, at.capability)?.agents, at.agentId);
    const ofInstance = own(agent?.instances, at.instanceId) ?? 1;
    return (inCapability ?? agent?.weight ?? 1) * ofInstance;
  }

  /** How the versions of a capability share its work; undefined: nothing is set. */
  splitOf(tenant: string, capability: string): Split | undefined {
    return splitIn(own(this.of(tenant).capabilities, capability));
  }

  /** How the versions of one agent share its part of the work; undefined: nothing is set. */
  splitOfAgent(tenant: string, agentId: string): Split | undefined {
    return splitIn(own(this.of(tenant).agents, agentId));
  }

  strategyOf(tenant: string, capability: string): BalanceStrategy | undefined {
    return own(this.of(tenant).capabilities, capability)?.strategy;
  }
}

function splitIn(
  row: { versions?: Shares | undefined; stateful?: string | undefined } | undefined,
): Split | undefined {
  if (row?.versions === undefined) return undefined;
  return { shares: row.versions, stateful: row.stateful };
}

/** Names come from documents: `constructor` is one like any other. */
function own<T>(map: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}
