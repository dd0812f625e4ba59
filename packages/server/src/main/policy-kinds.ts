import type { GrantsPolicy, WeightsPolicy } from '@agent-reach/core';
import { lintGrants } from '../policy/check-grants.ts';
import type { ClientBook } from '../policy/clients/book.ts';
import type { GrantBook } from '../policy/grants.ts';
import type { Directory } from '../registry/directory.ts';
import { checkWeights } from '../routing/check-weights.ts';
import type { PolicyKind, PolicyKinds } from '../routing/policies.ts';
import type { WeightBook } from '../routing/weight-book.ts';

/** The documents that operators write, each with whoever judges it and decides by it. */
export function policyKinds(by: {
  weights: WeightBook;
  grants: GrantBook;
  directory: Directory;
  clients: ClientBook;
  isAuthRequired: boolean;
}): PolicyKinds {
  const weights: PolicyKind<WeightsPolicy> = {
    book: by.weights,
    check: (doc, tenant) => checkWeights(doc, tenant, by.directory),
  };
  const grants: PolicyKind<GrantsPolicy> = {
    book: by.grants,
    check: (doc, tenant) => {
      const offers = [...by.directory.allOffers(tenant)];
      const warnings = lintGrants(doc, {
        clients: by.clients.list(tenant).map(({ clientId }) => clientId),
        capabilities: [...new Set(offers.map(({ capability }) => capability.name))],
      });
      return { faults: [], warnings: by.isAuthRequired ? warnings : [IDLE, ...warnings] };
    },
  };
  return { weights, grants };
}

const IDLE = 'Nobody is held to grants before auth.mode is required: until then all may do all.';
