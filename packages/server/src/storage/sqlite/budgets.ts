import {
  type BudgetHold,
  type BudgetState,
  demandCharges,
  demandTerms,
  forgottenAt,
  settled,
} from '../moves/budget-machine.ts';
import { decideReserve, type FoundBudget, lookAt } from '../moves/budgets.ts';
import { demandWhole } from '../spi/demand.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import type { Database } from './database.ts';
import type { Operation } from './operation.ts';

export const reserve: Operation<LedgerStore['reserve']> = (db, move) => {
  const { id, budgets, ttlMs, now } = move;
  demandTerms(budgets);
  demandWhole('ttlMs', ttlMs, 0);
  const find = (name: string): FoundBudget => ({
    state: stateOf(db, name),
    lapsed: db.every<BudgetHold>(TAKE_LAPSED, name, now),
    isHeld: db.first(HOLD, name, id) !== undefined,
  });
  const { answer, states, holds } = decideReserve(move, find, now);
  for (const { name, state } of states) keep(db, name, state);
  for (const { name, amount, startsAt } of holds) {
    db.write(KEEP_HOLD, name, id, amount, startsAt, now + ttlMs);
  }
  return answer;
};

export const charge: Operation<LedgerStore['charge']> = (db, { id, charges }) => {
  demandCharges(charges);
  let areAllThere = true;
  for (const { name, amount } of charges) {
    const hold = db.first<BudgetHold>(TAKE_HOLD, name, id);
    const state = hold && stateOf(db, name);
    if (hold === undefined || state === undefined) areAllThere = false;
    else keep(db, name, settled(state, hold, amount));
  }
  return areAllThere;
};

export const budgets: Operation<LedgerStore['budgets']> = (db, { budgets: asked, now }) => {
  demandTerms(asked);
  return asked.map((terms) => {
    const { name } = terms;
    const lapsed = db.every<BudgetHold>(LAPSED, name, now);
    return lookAt(terms, { state: stateOf(db, name), lapsed }, now);
  });
};

/** Forgets budgets that nobody asked for since a whole period, at most `limit`. */
export function pruneBudgets(db: Database, move: { limit: number; now: number }): void {
  db.run(PRUNE_HOLDS, move);
  db.run(PRUNE, move);
}

function stateOf(db: Database, name: string): BudgetState | undefined {
  const row = db.first<Omit<BudgetState, 'isTold'> & { isTold: number }>(STATE, name);
  return row && { ...row, isTold: row.isTold === 1 };
}

function keep(db: Database, name: string, state: BudgetState): void {
  const { used, reserved, tokens, minute, startsAt, endsAt, carry, cap, isTold } = state;
  db.write(
    KEEP,
    name,
    used,
    reserved,
    tokens,
    minute,
    startsAt,
    endsAt,
    carry,
    cap,
    isTold ? 1 : 0,
    forgottenAt(state),
  );
}

const STATE = `
  SELECT used, reserved, tokens, minute, starts_at AS startsAt, ends_at AS endsAt, carry, cap,
         is_told AS isTold
  FROM budgets WHERE name = ?`;

const KEEP = `
  INSERT OR REPLACE INTO budgets
    (name, used, reserved, tokens, minute, starts_at, ends_at, carry, cap, is_told, forgotten_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const HOLD = 'SELECT 1 FROM budget_holds WHERE name = ? AND id = ?';

const KEEP_HOLD = `
  INSERT INTO budget_holds (name, id, amount, starts_at, lapses_at)
  VALUES (?, ?, ?, ?, ?)`;

const TAKE_HOLD = `
  DELETE FROM budget_holds WHERE name = ? AND id = ?
  RETURNING amount, starts_at AS startsAt`;

const TAKE_LAPSED = `
  DELETE FROM budget_holds WHERE name = ? AND lapses_at <= ?
  RETURNING amount, starts_at AS startsAt`;

const LAPSED = `
  SELECT amount, starts_at AS startsAt FROM budget_holds
  WHERE name = ? AND lapses_at <= ?`;

const FORGOTTEN = `
  SELECT name FROM budgets WHERE forgotten_at <= :now ORDER BY forgotten_at LIMIT :limit`;

const PRUNE_HOLDS = `DELETE FROM budget_holds WHERE name IN (${FORGOTTEN})`;

const PRUNE = `DELETE FROM budgets WHERE name IN (${FORGOTTEN})`;
