import type { BudgetView, PolicyDoc } from '@agent-reach/core';
import { readCount, readParams } from '../input.ts';
import type { Column } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';
import { tellWritten } from './policies.ts';

/** `reach budgets set`: a whole document. */
export async function setBudgets(use: Use, session: Session): Promise<void> {
  const doc = (await readParams(use.required(0), [], session.world)) as PolicyDoc;
  const more = given({
    expect_version: readCount(use.text('expect'), '--expect'),
    dry_run: use.on('dryRun') || undefined,
  });
  tellWritten(await session.ask('policies.put', { policy: 'budgets', doc, ...more }), session);
}

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
