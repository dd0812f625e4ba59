import type { BudgetView, HandlersOf } from '@agent-reach/core';
import type { BudgetStanding } from '../../storage/spi/budgets.ts';
import type { PolicyPorts } from '../ports.ts';
import { type Budget, UNIT } from './budget.ts';

type Ports = Pick<PolicyPorts, 'ledger' | 'budgets' | 'now' | 'clock'>;

/** What the budgets answer of themselves; they are written as a document (`policies.put`). */
export function budgetHandlers(ports: Ports): HandlersOf<'budgets'> {
  return {
    'budgets.list': async (_input, { tenant }) => ({
      budgets: await viewsOf(ports.budgets.of(tenant), ports),
    }),
  };
}

async function viewsOf(budgets: readonly Budget[], ports: Ports): Promise<BudgetView[]> {
  if (budgets.length === 0) return [];
  const terms = budgets.map((budget) => budget.termsAt(ports.clock.now()));
  const standings = await ports.ledger.budgets({ budgets: terms, now: ports.now() });
  return standings.flatMap((standing, n) => {
    const budget = budgets[n];
    const soft = terms[n]?.soft ?? 0;
    return budget === undefined ? [] : [viewOf(budget, standing, soft)];
  });
}

function viewOf(budget: Budget, standing: BudgetStanding, soft: number): BudgetView {
  const { id, row, cost } = budget;
  const { used, reserved, limit, affordable, carry, startsAt, endsAt } = standing;
  const left = limit - used - reserved;
  const state =
    left < cost
      ? 'exhausted'
      : affordable < cost
        ? 'paced'
        : used + reserved >= soft
          ? 'soft'
          : 'ok';
  return {
    id,
    scope: row.scope ?? {},
    unit: row.unit ?? 'calls',
    limit: limit / UNIT,
    used: used / UNIT,
    reserved: reserved / UNIT,
    affordable: Math.floor(affordable / UNIT),
    carried: carry / UNIT,
    period: row.period,
    starts_at: budget.shown(startsAt),
    reset_at: budget.shown(endsAt),
    state,
  };
}
