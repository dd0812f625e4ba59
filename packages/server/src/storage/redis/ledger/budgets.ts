import {
  type BudgetHold,
  type BudgetState,
  demandCharges,
  demandTerms,
  retryMs,
  standingOf,
} from '../../moves/budget-machine.ts';
import { lookAt } from '../../moves/budgets.ts';
import type { BudgetAnswer, BudgetMoves, BudgetTerms } from '../../spi/budgets.ts';
import { demandWhole } from '../../spi/demand.ts';
import { type Argument, list, record, records } from '../arguments.ts';
import type { Engine, Reply } from '../engine.ts';
import { fields, items, rowOf } from '../rows.ts';

/** Budgets: decided in Lua, told here. */
export function budgetsOn(engine: Engine): BudgetMoves {
  return {
    reserve: async ({ id, budgets, ttlMs, now }) => {
      demandTerms(budgets);
      demandWhole('ttlMs', ttlMs, 0);
      const words = [
        ...record({ id, ttlMs, now }),
        budgets.length,
        ...budgets.flatMap(({ bounds, ...terms }) => [...record(terms), ...list(bounds)]),
      ];
      const [granted, at, answers] = items(
        await engine.runTogether('ledger/reserve', words, budgets.length),
      );
      const told = items(answers);
      return {
        granted: granted === 1,
        budgets: budgets.map((terms, n) => answerOf(terms, items(told[n]), Number(at))),
      };
    },
    charge: async ({ id, charges }) => {
      demandCharges(charges);
      const words: Argument[] = [id, ...records(charges)];
      return (await engine.runTogether('ledger/charge', words, charges.length)) === 1;
    },
    budgets: async ({ budgets, now }) => {
      demandTerms(budgets);
      const words = [now, ...list(budgets.map(({ name }) => name))];
      const [at, answers] = items(await engine.run('ledger/budgets', words));
      const kept = items(answers);
      return budgets.map((terms, n) => {
        const [state, lapsed] = items(kept[n]);
        const found = { state: stateOf(state), lapsed: items(lapsed).map(holdOf) };
        return lookAt(terms, found, Number(at));
      });
    },
  };
}

function answerOf(
  terms: BudgetTerms & { amount: number },
  [verdict, perMinute, told, flat]: readonly Reply[],
  now: number,
): BudgetAnswer {
  const state = stateOf(flat);
  if (state === undefined) throw new Error(`the state of ${terms.name} was not answered`);
  const stands = { state, perMinute: Number(perMinute) };
  return {
    ...standingOf(state, terms),
    verdict: verdict as BudgetAnswer['verdict'],
    retryMs: retryMs(stands, terms, { amount: terms.amount, now }),
    isTold: told === 1,
  };
}

function stateOf(flat: Reply | undefined): BudgetState | undefined {
  if (flat === null || flat === undefined) return undefined;
  const { isTold, ...state } = rowOf<Record<keyof BudgetState, number>>(
    {
      used: 'number',
      reserved: 'number',
      tokens: 'number',
      minute: 'number',
      startsAt: 'number',
      endsAt: 'number',
      carry: 'number',
      cap: 'number',
      isTold: 'number',
    },
    fields(flat),
  );
  return { ...state, isTold: isTold === 1 };
}

function holdOf(reply: Reply): BudgetHold {
  const [amount, startsAt] = items(reply);
  return { amount: Number(amount), startsAt: Number(startsAt) };
}
