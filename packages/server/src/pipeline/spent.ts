import {
  type Answer,
  type Asker,
  type BudgetDegrade,
  type RateTold,
  ReachError,
} from '@agent-reach/core';
import type { Admission } from '../policy/admit.ts';
import { spendingOf } from '../policy/bind.ts';
import { type BudgetHold, reserveBudgets, settleBudgets } from '../policy/budgets/spend.ts';
import type { RoadPorts } from './ports.ts';

// Design. A budget that has not enough is no failure of anybody: an agent that knows what is left can
// wait, ask for less, or do something else. So what it is told is an answer, with who would have done
// it, and a problem document in which all of that stands as well; a client library makes one of the
// other (`budget.over_status` says which of them goes over the wire).

export type { BudgetHold } from '../policy/budgets/spend.ts';

/** What a call is answered for which a budget had not enough; undefined: it failed otherwise. */
export function degradeIn({ code, facts }: ReachError): BudgetDegrade | undefined {
  if (code !== 'budget-paced' && code !== 'budget-exhausted') return undefined;
  return facts['degrade'] as BudgetDegrade | undefined;
}

/** The answer to such a call, `would` being the one it would have got; or else the problem of it. */
export function spentAnswer(
  would: Answer,
  error: ReachError,
  degrade: BudgetDegrade,
  isAnswer: boolean,
): Answer {
  const { degraded_to: _, ...rest } = would;
  const warnings = [...would.warnings, error.message];
  const answer: Answer = { ...rest, status: 'degraded', degrade, result: null, warnings };
  if (isAnswer) return answer;
  const { provider, route, timing } = answer;
  const facts = { ...error.facts, provider, route, timing, warnings };
  throw new ReachError(error.code, error.message, facts, error.cause);
}

/** Has the head of an answer say how the budgets stand that count it. */
export function tellBudgets(rates: readonly RateTold[] = [], { told }: Asker): void {
  if (told === undefined || rates.length === 0) return;
  // Of several submissions in one request the last one's word counts.
  const others = (told.rates ?? []).filter(
    ({ policy }) => !rates.some((rate) => rate.policy === policy),
  );
  told.rates = [...others, ...rates];
}

/** A submission is stored in less time than this, or not at all. */
const SUBMIT_MS = 60_000;

/** Reserves of the budgets that count a task, before it is stored; throws where they have not enough. */
export function reserveWork(
  admission: Admission,
  capability: string,
  { policy }: RoadPorts,
): Promise<BudgetHold> | undefined {
  // That a task is taken on is a write, whatever the work is: it can be submitted later.
  const spending = spendingOf(admission, { capability, effect: undefined });
  return reserveBudgets(admission.tenant, spending, SUBMIT_MS, policy);
}

/** A task is paid for once it is accepted; one that is not costs nothing. */
export async function settleWork(
  hold: BudgetHold | undefined,
  isAccepted: boolean,
  { policy }: RoadPorts,
): Promise<void> {
  if (hold !== undefined) await settleBudgets(hold, isAccepted, policy);
}
