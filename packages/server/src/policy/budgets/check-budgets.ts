import type { BudgetRow, BudgetsPolicy, Issue } from '@agent-reach/core';
import { matches } from '../grants.ts';
import { faultsOf } from './budget.ts';

/** What there is that a document of budgets may speak of. */
export interface KnownSpenders {
  /** Clients, and the agents that they are bound to; undefined: anybody may call. */
  agents: readonly string[] | undefined;
  capabilities: readonly string[];
}

/** What is wrong with a document of the right form, and what may be. */
export function checkBudgets(
  { budgets = [] }: BudgetsPolicy,
  known: KnownSpenders,
): { faults: Issue[]; warnings: string[] } {
  const faults = budgets.flatMap((row, n) =>
    faultsOf(row).map(({ member, detail }) => ({
      pointer: `#/doc/budgets/${n}/${member}`,
      detail,
    })),
  );
  for (const [n, { id }] of budgets.entries()) {
    const first = budgets.findIndex((row) => row.id === id);
    if (first === n) continue;
    const detail = `is ${id}, as that of row ${first + 1}: both would count as one`;
    faults.push({ pointer: `#/doc/budgets/${n}/id`, detail });
  }
  return { faults, warnings: budgets.flatMap((row) => lintRow(row, known)) };
}

function lintRow({ id, scope = {} }: BudgetRow, { agents, capabilities }: KnownSpenders): string[] {
  const says: string[] = [];
  const { agent, capability } = scope;
  if (agent !== undefined && agents?.some((name) => matches(agent, name)) === false) {
    says.push(`Budget ${id}: no client and no agent is called ${agent}.`);
  }
  if (capability !== undefined && !capabilities.some((name) => matches(capability, name))) {
    says.push(`Budget ${id}: nobody offers ${capability} now.`);
  }
  return says;
}
