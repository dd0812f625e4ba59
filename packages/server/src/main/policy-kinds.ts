import type { BudgetsPolicy, GrantsPolicy, WeightsPolicy } from '@agent-reach/core';
import type { BudgetBook } from '../policy/budgets/book.ts';
import { checkBudgets } from '../policy/budgets/check-budgets.ts';
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
  budgets: BudgetBook;
  directory: Directory;
  clients: ClientBook;
  isAuthRequired: boolean;
}): PolicyKinds {
  const weights: PolicyKind<WeightsPolicy> = {
    book: by.weights,
    check: (doc, tenant) => checkWeights(doc, tenant, by.directory),
  };
  const clientsOf = (tenant: string) => by.clients.list(tenant).map(({ clientId }) => clientId);
  const capabilitiesOf = (tenant: string) => {
    const offers = [...by.directory.allOffers(tenant)];
    return [...new Set(offers.map(({ capability }) => capability.name))];
  };
  const grants: PolicyKind<GrantsPolicy> = {
    book: by.grants,
    check: (doc, tenant) => {
      const known = { clients: clientsOf(tenant), capabilities: capabilitiesOf(tenant) };
      const warnings = lintGrants(doc, known);
      return { faults: [], warnings: by.isAuthRequired ? warnings : [IDLE, ...warnings] };
    },
  };
  const budgets: PolicyKind<BudgetsPolicy> = {
    book: by.budgets,
    check: (doc, tenant) =>
      checkBudgets(doc, {
        // Where nobody is asked, callers go by names that nobody knows beforehand.
        agents: by.isAuthRequired ? [...clientsOf(tenant), ...agentsIn(tenant, by)] : undefined,
        capabilities: capabilitiesOf(tenant),
      }),
  };
  return { weights, grants, budgets };
}

function agentsIn(tenant: string, { clients }: { clients: ClientBook }): string[] {
  return clients
    .list(tenant)
    .flatMap(({ doc: { agentId } }) => (agentId === undefined ? [] : [agentId]));
}

const IDLE = 'Nobody is held to grants before auth.mode is required: until then all may do all.';
