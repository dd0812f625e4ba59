import {
  type BudgetHold,
  type BudgetState,
  demandCharges,
  demandTerms,
  forgottenAt,
  settled,
} from '../moves/budget-machine.ts';
import { decideReserve, lookAt } from '../moves/budgets.ts';
import { demandWhole } from '../spi/demand.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import type { Now } from '../spi/now.ts';
import { TIME, timeOf } from './ledger.ts';
import type { Operation } from './operation.ts';
import type { Transaction } from './transaction.ts';

/** A budget as it is stored. */
type Row = BudgetState & { name: string };
/** A part of a reservation as it is stored. */
type HoldRow = BudgetHold & { name: string };

/**
 * All budgets of a reservation are locked in the order of their names, so that two that want the same
 * ones wait for each other and never in a circle; what is read after that, in the same flight, is
 * true until the end.
 */
export const reserve: Operation<LedgerStore['reserve']> = async (tx, move) => {
  const { id, ttlMs } = move;
  demandTerms(move.budgets);
  demandWhole('ttlMs', ttlMs, 0);
  const names = namesOf(move.budgets);
  const { rows, lapsed, held, now } = await lockAll(tx, names, move);
  const heldNames = new Set(held);
  const find = (name: string) => ({
    state: known(rows, name),
    lapsed: lapsed.filter((hold) => hold.name === name),
    isHeld: heldNames.has(name),
  });
  const { answer, states, holds } = decideReserve(move, find, now);
  for (const { name, state } of states) keep(tx, name, state);
  for (const { name, amount, startsAt } of holds) {
    tx.put(KEEP_HOLD, [name, id, amount, startsAt, now + ttlMs]);
  }
  await tx.commit();
  return answer;
};

export const charge: Operation<LedgerStore['charge']> = async (tx, { id, charges }) => {
  demandCharges(charges);
  const names = namesOf(charges);
  const [rows, holds] = await Promise.all([
    tx.rows<Row>(LOCK, [names]),
    tx.writeRows<HoldRow>(TAKE_HOLDS, [names, id]),
  ]);
  let areAllThere = true;
  for (const { name, amount } of charges) {
    const hold = holds.find((one) => one.name === name);
    const state = known(rows, name);
    if (hold === undefined || state === undefined) areAllThere = false;
    else keep(tx, name, settled(state, hold, amount));
  }
  await tx.commit();
  return areAllThere;
};

export const budgets: Operation<LedgerStore['budgets']> = async (tx, { budgets: asked, now }) => {
  demandTerms(asked);
  const names = namesOf(asked);
  const [rows, lapsed, at] = await Promise.all([
    tx.rows<Row>(READ, [names]),
    tx.rows<HoldRow>(LAPSED, [timeOf(now), names]),
    tx.clock(now),
  ]);
  return asked.map((terms) => {
    const own = lapsed.filter(({ name }) => name === terms.name);
    return lookAt(terms, { state: known(rows, terms.name), lapsed: own }, at);
  });
};

/** Forgets budgets that nobody asked for since a whole period. */
export function pruneBudgets(tx: Transaction, { limit, now }: { limit: number; now: Now }): void {
  tx.put(PRUNE, [timeOf(now), limit]);
}

interface Locked {
  rows: Row[];
  lapsed: HoldRow[];
  /** Those of which the reservation has a part already. */
  held: string[];
  now: number;
}

/** How often a budget may be forgotten between its making and its lock. */
const ROUNDS_MAX = 3;

async function lockAll(
  tx: Transaction,
  names: readonly string[],
  { id, now }: { id: string; now: Now },
): Promise<Locked> {
  const lapsed: HoldRow[] = [];
  for (let round = 0; round <= ROUNDS_MAX; round++) {
    if (round > 0) tx.put(MAKE, [names]);
    const [rows, taken, held, at] = await Promise.all([
      tx.rows<Row>(LOCK, [names]),
      tx.writeRows<HoldRow>(TAKE_LAPSED, [timeOf(now), names]),
      tx.rows<HoldRow>(HELD, [names, id]),
      tx.clock(now),
    ]);
    lapsed.push(...taken);
    if (rows.length === names.length) {
      return { rows, lapsed, held: held.map(({ name }) => name), now: at };
    }
  }
  throw new Error(`budgets are forgotten as soon as they are made: ${names.join(', ')}`);
}

function namesOf(budgets: readonly { name: string }[]): string[] {
  return budgets.map(({ name }) => name).toSorted();
}

function known(rows: readonly Row[], name: string): BudgetState | undefined {
  const row = rows.find((one) => one.name === name);
  return row === undefined || row.endsAt === 0 ? undefined : row;
}

function keep(tx: Transaction, name: string, state: BudgetState): void {
  const { used, reserved, tokens, minute, startsAt, endsAt, carry, cap, isTold } = state;
  const numbers = [used, reserved, tokens, minute, startsAt, endsAt, carry, cap];
  tx.put(KEEP, [name, ...numbers, isTold, forgottenAt(state)]);
}

const READ = `
  SELECT name, used, reserved, tokens, minute, starts_at AS "startsAt", ends_at AS "endsAt", carry,
         cap, is_told AS "isTold"
  FROM budgets WHERE name = ANY($1::text[])`;

const LOCK = `${READ} ORDER BY name FOR UPDATE`;

const MAKE = `
  INSERT INTO budgets (name) SELECT unnest($1::text[]) ORDER BY 1 ON CONFLICT DO NOTHING`;

const KEEP = `
  UPDATE budgets SET
    used = $2, reserved = $3, tokens = $4, minute = $5, starts_at = $6, ends_at = $7, carry = $8,
    cap = $9, is_told = $10, forgotten_at = $11
  WHERE name = $1`;

const HOLD_COLUMNS = 'name, amount, starts_at AS "startsAt"';

const KEEP_HOLD = `
  INSERT INTO budget_holds (name, id, amount, starts_at, lapses_at) VALUES ($1, $2, $3, $4, $5)`;

const HELD = `
  SELECT ${HOLD_COLUMNS} FROM budget_holds WHERE name = ANY($1::text[]) AND id = $2`;

const TAKE_HOLDS = `
  DELETE FROM budget_holds WHERE name = ANY($1::text[]) AND id = $2 RETURNING ${HOLD_COLUMNS}`;

const LAPSED = `
  SELECT ${HOLD_COLUMNS} FROM budget_holds
  WHERE name = ANY($2::text[]) AND lapses_at <= ${TIME}`;

const TAKE_LAPSED = `
  DELETE FROM budget_holds WHERE name = ANY($2::text[]) AND lapses_at <= ${TIME}
  RETURNING ${HOLD_COLUMNS}`;

const PRUNE = `
  WITH old AS (
    DELETE FROM budgets USING (
      SELECT name FROM budgets WHERE forgotten_at <= ${TIME}
      ORDER BY forgotten_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS chosen
    WHERE budgets.name = chosen.name RETURNING budgets.name)
  DELETE FROM budget_holds USING old WHERE budget_holds.name = old.name`;
