import type { BalanceStrategy, Shares, WeightsPolicy } from '@agent-reach/core';
import { TenantDocs } from '../storage/spi/tenant-docs.ts';

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
export class WeightBook extends TenantDocs<WeightsPolicy> {
  of(tenant: string): WeightsPolicy {
    return this.known(tenant) ?? EMPTY;
  }

  /** The weight set for an instance; `capability` undefined: for its work as a whole. */
  handOf(at: {
    tenant: string;
    capability: string | undefined;
    agentId: string;
    instanceId: string;
  }): number {
    const doc = this.known(at.tenant);
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

  protected override read(doc: WeightsPolicy): WeightsPolicy {
    return doc;
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
