import type { BudgetsPolicy } from '@agent-reach/core';
import { type Budget, budgetOf, type Spending } from './budget.ts';
import { TenantDocs } from '../../storage/spi/tenant-docs.ts';

/** How many answers are kept; beyond this they are worked out anew. */
const CACHED_MAX = 10_000;

const NONE: readonly Budget[] = [];

/**
 * The budgets of tenants as decisions look at them: a copy of the stored documents. What is not
 * counted is found out here, and costs no store anything.
 */
export class BudgetBook extends TenantDocs<BudgetsPolicy, readonly Budget[]> {
  /** By tenant, who asks and what for. */
  readonly #cached = new Map<string, readonly Budget[]>();

  /** All of a tenant, in the order of its document. */
  of(tenant: string): readonly Budget[] {
    return this.known(tenant) ?? NONE;
  }

  /** Those in which a call is counted. */
  matching(tenant: string, spending: Spending): readonly Budget[] {
    const all = this.of(tenant);
    if (all.length === 0) return NONE;
    const { principal, actsFor, capability, onBehalfOf } = spending;
    // None of these names has a line break.
    const name = [tenant, principal, actsFor, capability].join('\n');
    let own = this.#cached.get(name);
    if (own === undefined) {
      own = all.filter((budget) => budget.matches(spending));
      if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
      this.#cached.set(name, own);
    }
    return own.filter((budget) => budget.isFor(onBehalfOf));
  }

  protected override read({ budgets = [] }: BudgetsPolicy, tenant: string): Budget[] {
    return budgets.map((row) => budgetOf(tenant, row));
  }

  protected override taken(): void {
    this.#cached.clear();
  }
}
