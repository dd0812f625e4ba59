import { type ClaimPorts, claimNames, type NamedOffer } from '../policy/claims.ts';
import { OwnerBook } from '../policy/owners.ts';
import type { Directory } from '../registry/directory.ts';
import type { RegistryPorts } from '../registry/ports.ts';
import { asksWho } from './entrance.ts';
import type { Ground } from './ground.ts';

/** Whose the names of capabilities are in this house, and what registry and routing ask of it. */
export function ownership(
  ground: Ground,
  shared: Pick<ClaimPorts, 'peers' | 'now' | 'approved'> & { directory: Directory },
): { claims: ClaimPorts; rules: Pick<RegistryPorts, 'claimNames' | 'mayOffer'> } {
  const { directory, ...rest } = shared;
  const claims: ClaimPorts = {
    ...rest,
    rules: ground.storage.rules,
    book: new OwnerBook(),
    offers: (tenant) => namesIn(directory, tenant),
    isAuthRequired: asksWho(ground),
    log: ground.log,
  };
  return {
    claims,
    rules: {
      claimNames: (offer, asker) => claimNames(offer, asker, claims),
      mayOffer: mayOfferBy(claims),
    },
  };
}

/** Where nobody is asked who he is, everybody may offer everything. */
function mayOfferBy({ book, isAuthRequired }: ClaimPorts): RegistryPorts['mayOffer'] {
  if (!isAuthRequired) return () => true;
  return ({ tenant, agentId, capability }) => {
    const standing = book.standing(tenant, capability, agentId);
    return standing === 'free' || standing === 'approved';
  };
}

/** All that is offered in a tenant. */
function* namesIn(directory: Directory, tenant: string): Iterable<NamedOffer> {
  for (const { agent, capability } of directory.allOffers(tenant)) {
    yield { capability: capability.name, agentId: agent.definition.agentId };
  }
}
