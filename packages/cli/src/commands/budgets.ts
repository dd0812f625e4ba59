import type { BudgetView } from '@agent-reach/core';
import type { Column } from '../render/table.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';
import { setPolicy } from './policies.ts';

/** `reach budgets set`: a whole document. */
export const setBudgets = setPolicy('budgets');

/** `reach budgets status`: what is used, and what is left. */
export async function showBudgets(_use: Use, session: Session): Promise<void> {
  const data = await session.ask('budgets.list', {});
  session.list(data, data.budgets, COLUMNS);
}

const COLUMNS: Column<BudgetView>[] = [
  { title: 'BUDGET', of: (row) => row.id },
  { title: 'STATE', of: (row) => row.state },
  { title: 'USED', of: (row) => row.used, align: 'right' },
  { title: 'RESERVED', of: (row) => row.reserved, align: 'right' },
  { title: 'LIMIT', of: (row) => row.limit, align: 'right' },
  { title: 'NOW', of: (row) => row.affordable, align: 'right' },
  { title: 'PERIOD', of: (row) => row.period },
  { title: 'RESET', of: (row) => row.reset_at },
  { title: 'SCOPE', of: (row) => scopeOf(row), flexible: true },
];

function scopeOf({ scope: { agent, capability, on_behalf_of: user } }: BudgetView): string {
  const words = [agent ?? 'everybody', capability ?? 'everything'];
  return [...words, ...(user === undefined ? [] : [`for ${user}`])].join(' · ');
}
