import type { BudgetMoves, BudgetStanding, BudgetTerms } from '../spi/budgets.ts';
import {
  type BudgetHold,
  type BudgetState,
  lapse,
  perMinuteIn,
  reserved,
  retryMs,
  standingOf,
  turned,
  verdictOn,
} from './budget-machine.ts';

type Reserve = Parameters<BudgetMoves['reserve']>[0];
type Reserved = Awaited<ReturnType<BudgetMoves['reserve']>>;

/** What a store has of a budget at the moment of a move. */
export interface FoundBudget {
  state: BudgetState | undefined;
  /** Reservations whose time is over; the move drops them. */
  lapsed: readonly BudgetHold[];
  /** The reservation that is asked for is there already. */
  isHeld: boolean;
}

/** A decided reservation: its answer, and the states that are to be written. */
export interface ReserveDecision {
  answer: Reserved;
  states: readonly { name: string; state: BudgetState }[];
  /** The parts that are new. */
  holds: readonly (BudgetHold & { name: string })[];
}

/** Decides over all budgets of a move at once. */
export function decideReserve(
  { budgets }: Pick<Reserve, 'budgets'>,
  found: (name: string) => FoundBudget,
  now: number,
): ReserveDecision {
  const rows = budgets.map((terms) => {
    const { state, lapsed, isHeld } = found(terms.name);
    const { state: stands, perMinute } = turned(state, terms, now);
    const present = lapse(stands, lapsed);
    const verdict = isHeld ? 'ok' : verdictOn(present, terms, terms.amount);
    return { terms, present, perMinute, verdict, isHeld, hasLapsed: lapsed.length > 0 } as const;
  });
  const granted = rows.every(({ verdict }) => verdict === 'ok');
  const decided = rows.map((row) => {
    const { terms, present, isHeld, hasLapsed } = row;
    const after = granted && !isHeld ? reserved(present, terms, terms.amount) : present;
    // What time has given back is written whatever becomes of the move.
    const isWritten = hasLapsed || (granted && !isHeld);
    const perMinute = isWritten ? perMinuteIn(after, terms) : row.perMinute;
    return { ...row, after, isWritten, perMinute };
  });
  return {
    answer: {
      granted,
      budgets: decided.map(({ terms, present, after, perMinute, verdict }) => ({
        ...standingOf(after, terms),
        verdict,
        retryMs: retryMs({ state: after, perMinute }, terms, { amount: terms.amount, now }),
        isTold: after.isTold && !present.isTold,
      })),
    },
    states: decided
      .filter(({ isWritten }) => isWritten)
      .map(({ terms: { name }, after: state }) => ({ name, state })),
    holds: decided
      .filter(({ isHeld }) => granted && !isHeld)
      .map(({ terms: { name, amount }, after: { startsAt } }) => ({ name, amount, startsAt })),
  };
}

/** How a budget stands, of what a store has of it. */
export function lookAt(
  terms: BudgetTerms,
  { state, lapsed }: Pick<FoundBudget, 'state' | 'lapsed'>,
  now: number,
): BudgetStanding {
  return standingOf(lapse(turned(state, terms, now).state, lapsed), terms);
}
