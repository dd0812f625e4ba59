import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a call may cost of the processor, as times the bare proxy of the same run. */
export interface Budgets {
  /** When, by which command, on which machine and beside which load. */
  measured: string;
  /** What is compared with what. */
  how: string;
  cases: Record<BudgetedCase, { measured: number; budget: number }>;
}

/** The cases that have a budget. */
export const BUDGETED = ['plain', 'keyed', 'governed'] as const;
export type BudgetedCase = (typeof BUDGETED)[number];

/** What is compared: with one connection a call's figure holds too much of waking and waiting. */
export const BUDGET_CONNECTIONS = 32;
/** So much more than was measured is still the noise of a machine. */
export const HEADROOM = 0.25;

const FILE = join(import.meta.dirname, '..', 'budgets.json');
const HOW = `Processor time (user and system, all threads) of the gateway a call, over that of a bare fastify + undici proxy in the same round, at ${BUDGET_CONNECTIONS} connections; the median of the rounds, and ${HEADROOM * 100} % on top.`;

/** Ratios of the budgeted cases, as they were measured. */
export type Ratios = Readonly<Record<BudgetedCase, number>>;

/** The budgets for what was measured. */
export function budgetsFor(ratios: Ratios, measured: string): Budgets {
  const row = (name: BudgetedCase) => ({
    measured: round(ratios[name]),
    budget: budgetOver(round(ratios[name])),
  });
  const cases = { plain: row('plain'), keyed: row('keyed'), governed: row('governed') };
  return { measured, how: HOW, cases };
}

/** The budget for a measured ratio. */
export function budgetOver(ratio: number): number {
  return round(ratio * (1 + HEADROOM));
}

/** Each case that exceeds its budget, in a sentence; what just keeps it does not. */
export function excesses(ratios: Ratios, { cases }: Pick<Budgets, 'cases'>): string[] {
  return BUDGETED.flatMap((name) => {
    const { budget, measured } = cases[name];
    const ratio = ratios[name];
    // What is no number is no budget kept.
    if (ratio <= budget) return [];
    const says = `${ratio.toFixed(2)} × the bare proxy; its budget is ${budget.toFixed(2)} ×`;
    return [`${name} takes ${says} (${measured.toFixed(2)} × when that was set).`];
  });
}

/** Throws where there is none for a budgeted case. */
export function readBudgets(text = readFileSync(FILE, 'utf8')): Budgets {
  const budgets = JSON.parse(text) as Budgets;
  for (const name of BUDGETED) {
    const { measured, budget } = budgets.cases?.[name] ?? {};
    if (Number.isFinite(measured) && Number.isFinite(budget)) continue;
    throw new Error(`bench/budgets.json has no budget of the case ${name}.`);
  }
  return budgets;
}

export function writeBudgets(budgets: Budgets): void {
  writeFileSync(FILE, `${JSON.stringify(budgets, undefined, 2)}\n`);
}

function round(ratio: number): number {
  return Math.round(ratio * 100) / 100;
}
