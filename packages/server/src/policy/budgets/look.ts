import type { PolicyPorts } from '../ports.ts';
import { type Spending, UNIT } from './budget.ts';

/** How a budget stands towards one call more. */
export interface BudgetLook {
  id: string;
  /** With which error it would refuse; undefined: it has enough. */
  refuses: 'budget-paced' | 'budget-exhausted' | undefined;
  detail: string;
}

/** The budgets in which something would be counted, as they stand. Reserves nothing. */
export async function lookAtBudgets(
  tenant: string,
  spending: Spending,
  { ledger, budgets: book, clock, now }: Pick<PolicyPorts, 'ledger' | 'budgets' | 'clock' | 'now'>,
): Promise<BudgetLook[]> {
  const budgets = book.matching(tenant, spending);
  if (budgets.length === 0) return [];
  const terms = budgets.map((budget) => budget.termsAt(clock.now()));
  const standings = await ledger.budgets({ budgets: terms, now: now() });
  return budgets.flatMap((budget, n) => {
    const stands = standings[n];
    if (stands === undefined) return [];
    const { id, cost, row } = budget;
    const left = stands.limit - stands.used - stands.reserved;
    const unit = row.unit ?? 'calls';
    const [now, all] = [Math.max(0, stands.affordable), Math.max(0, left)].map((amount) =>
      Math.floor(amount / UNIT),
    );
    const refuses =
      left < cost ? 'budget-exhausted' : stands.affordable < cost ? 'budget-paced' : undefined;
    const detail = `Budget ${id} has ${now} ${unit} for now, ${all} until ${budget.shown(stands.endsAt)}.`;
    return [{ id, refuses, detail }];
  });
}
