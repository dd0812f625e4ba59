import type { OwnersPolicy } from '@agent-reach/core';
import { TenantDocs } from '../storage/spi/tenant-docs.ts';

/** How an agent stands to the name of a capability. `free`: nobody has it. */
export type OfferStanding = 'free' | 'approved' | 'pending' | 'refused';

/** The name of the document in the store. */
export const OWNERS = 'owners';

/** Who may offer which capabilities, as decisions look at it: a copy of the stored documents. */
export class OwnerBook extends TenantDocs<OwnersPolicy> {
  /** Asked for each candidate of each decision. */
  standing(tenant: string, capability: string, agentId: string): OfferStanding {
    return standingIn(this.known(tenant) ?? {}, capability, agentId);
  }

  ownersOf(tenant: string, capability: string): readonly string[] {
    return entryOf(this.known(tenant) ?? {}, capability)?.agents ?? [];
  }

  protected override read(doc: OwnersPolicy): OwnersPolicy {
    return doc;
  }
}

/** The same, by a document. */
export function standingIn(doc: OwnersPolicy, capability: string, agentId: string): OfferStanding {
  const entry = entryOf(doc, capability);
  if (entry === undefined) return 'free';
  if (entry.agents.includes(agentId)) return 'approved';
  return entry.refused?.includes(agentId) === true ? 'refused' : 'pending';
}

/** The document with one agent let in or refused. The same object when it stands so already. */
export function withVerdict(
  doc: OwnersPolicy,
  { capability, agentId }: { capability: string; agentId: string },
  verdict: 'approved' | 'refused',
): OwnersPolicy {
  if (standingIn(doc, capability, agentId) === verdict) return doc;
  const { agents = [], refused = [] } = entryOf(doc, capability) ?? {};
  const without = (ids: readonly string[]) => ids.filter((id) => id !== agentId);
  const joined = (ids: readonly string[]) => [...without(ids), agentId];
  const isApproved = verdict === 'approved';
  const out = isApproved ? without(refused) : joined(refused);
  const entry = {
    agents: isApproved ? joined(agents) : without(agents),
    ...(out.length === 0 ? {} : { refused: out }),
  };
  return { ...doc, capabilities: { ...doc.capabilities, [capability]: entry } };
}

function entryOf({ capabilities = {} }: OwnersPolicy, capability: string) {
  return Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
}
