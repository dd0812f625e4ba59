import { type BudgetDegrade, type RateTold, ReachError } from '@agent-reach/core';
import type { BudgetAnswer, BudgetTerms } from '../../storage/spi/budgets.ts';
import type { PolicyPorts } from '../ports.ts';
import { type Budget, type Spending, UNIT } from './budget.ts';

/** What was reserved of budgets for one call or task; settled once, by what became of it. */
export interface BudgetHold {
  id: string;
  parts: readonly { name: string; amount: number }[];
  /** What its caller should know: a budget that is nearly used up. */
  warnings: readonly string[];
  /** How the budgets stand, for the head of the answer. */
  rates: readonly RateTold[];
}

type Ports = Pick<
  PolicyPorts,
  'ledger' | 'budgets' | 'budgetShare' | 'now' | 'clock' | 'ids' | 'random' | 'log'
>;

/** What was reserved outlives its call by this: a gateway that is late to settle still may. */
const GRACE_MS = 30_000;
/** Those who were told to come at one moment come a part of their wait later, at most a minute. */
const JITTER = { part: 0.2, maxMs: 60_000 };
/** As the callers' own users are to read it. */
const TEXT = '预算不足，请稍后再试';

/**
 * Reserves one call of all budgets that count it, for work of `workMs`. Undefined: none does, and no
 * store was asked. Throws `budget-paced` or `budget-exhausted`, and what the store throws where one of
 * the budgets lets nothing go meanwhile.
 */
export function reserveBudgets(
  tenant: string,
  spending: Spending,
  workMs: number,
  ports: Ports,
): Promise<BudgetHold> | undefined {
  const budgets = ports.budgets.matching(tenant, spending);
  if (budgets.length === 0) return undefined;
  return reserveOf(budgets, { tenant, isRead: spending.isRead, workMs }, ports);
}

async function reserveOf(
  budgets: readonly Budget[],
  { tenant, isRead, workMs }: { tenant: string; isRead: boolean; workMs: number },
  ports: Ports,
): Promise<BudgetHold> {
  const id = ports.ids.next('bud');
  const at = ports.clock.now();
  const asked = budgets.map((budget) => ({ ...budget.termsAt(at), amount: budget.cost }));
  let answer;
  try {
    answer = await ports.ledger.reserve({
      id,
      budgets: asked,
      ttlMs: Math.ceil(workMs) + GRACE_MS,
      now: ports.now(),
    });
  } catch (thrown) {
    return uncounted(tenant, { budgets, asked, isRead, thrown }, ports);
  }
  ports.budgetShare.learn(answer.budgets);
  const answers = paired(budgets, answer.budgets);
  if (!answer.granted) throw refusal(tenant, answers, ports);
  for (const { budget, stands } of answers) if (stands.isTold) tell(tenant, budget, stands, ports);
  const soft = new Map(asked.map((terms) => [terms.name, terms.soft]));
  return {
    id,
    parts: asked.map(({ name, amount }) => ({ name, amount })),
    warnings: answers
      .filter(({ stands }) => stands.used + stands.reserved >= (soft.get(stands.name) ?? Infinity))
      .map(({ budget, stands }) => `${usedOf(budget, stands)}.`),
    rates: answers.map(({ budget, stands }) => toldOf(budget, stands, at)),
  };
}

/**
 * Settles what was reserved: used, or given back. Never throws: what is not settled here is given
 * back when its time is over.
 */
export async function settleBudgets(
  hold: BudgetHold,
  isUsed: boolean,
  { ledger, log }: Pick<Ports, 'ledger' | 'log'>,
): Promise<void> {
  if (hold.parts.length === 0) return;
  const charges = hold.parts.map(({ name, amount }) => ({ name, amount: isUsed ? amount : 0 }));
  try {
    if (await ledger.charge({ id: hold.id, charges })) return;
    log.warn({ reservation: hold.id, isUsed }, 'a reservation of budgets had lapsed already');
  } catch (error) {
    log.error({ err: error, reservation: hold.id, isUsed }, 'budgets could not be settled');
  }
}

interface Uncounted {
  budgets: readonly Budget[];
  asked: readonly (BudgetTerms & { amount: number })[];
  isRead: boolean;
  thrown: unknown;
}

/** No store can say what is left: what the budgets say for this case, and all of them must let it go. */
function uncounted(
  tenant: string,
  { budgets, asked, isRead, thrown }: Uncounted,
  ports: Ports,
): BudgetHold {
  const error = ReachError.from(thrown);
  const isAway = error.code === 'store-unavailable' || error.code === 'storage-full';
  const ids = budgets.map(({ id }) => id);
  const ways = budgets.map(({ row }) => row.on_store_failure ?? (isRead ? 'local' : 'deny'));
  const mayGo = isAway && !ways.includes('deny');
  const about = { err: thrown, budgets: ids, mayGo };
  ports.log.warn(about, 'the store cannot say what budgets have left');
  if (!mayGo) throw error;
  const isOwn = (_: unknown, n: number) => ways[n] === 'local';
  const own = budgets.filter(isOwn);
  const { granted, budgets: stands } = ports.budgetShare.take(
    asked.filter(isOwn),
    ports.clock.now(),
  );
  if (!granted) throw refusal(tenant, paired(own, stands), ports);
  const warning = `Not counted in ${ids.join(', ')}: the store does not answer.`;
  return { id: '', parts: [], warnings: [warning], rates: [] };
}

/** Each answer with the budget that it is of. */
function paired(budgets: readonly Budget[], answers: readonly BudgetAnswer[]): Answered[] {
  return answers.flatMap((stands, n) => {
    const budget = budgets[n];
    return budget === undefined ? [] : [{ budget, stands }];
  });
}

/** Once a period and budget: that it is nearly used up. */
function tell(tenant: string, budget: Budget, stands: BudgetAnswer, { log }: Ports): void {
  const { used, reserved, limit, endsAt } = stands;
  const facts = { used: (used + reserved) / UNIT, limit: limit / UNIT };
  log.warn(
    { tenant, budget: budget.id, ...facts, reset_at: budget.shown(endsAt) },
    'a budget has come to its soft limit',
  );
}

interface Answered {
  budget: Budget;
  stands: BudgetAnswer;
}

function refusal(tenant: string, answers: readonly Answered[], ports: Ports): ReachError {
  const refused = answers.filter(({ stands }) => stands.verdict !== 'ok');
  // The tightest is the one that is worth waiting for: before it nothing goes.
  const [tightest] = refused.toSorted((a, b) => b.stands.retryMs - a.stands.retryMs);
  if (tightest === undefined) return new ReachError('internal', 'A budget refused and all grant.');
  const { budget, stands } = tightest;
  const now = ports.clock.now();
  const jitterMs = Math.min(JITTER.maxMs, stands.retryMs * JITTER.part) * ports.random.next();
  const retryAfterMs = Math.ceil(stands.retryMs + jitterMs);
  const affordable = Math.min(
    ...answers.map((one) => Math.floor(one.stands.affordable / one.budget.cost)),
  );
  const code = stands.verdict === 'exhausted' ? 'budget-exhausted' : 'budget-paced';
  const degrade: BudgetDegrade = {
    code,
    budget: budget.id,
    text: TEXT,
    reset_at: budget.shown(stands.endsAt),
    retry_after_ms: retryAfterMs,
    affordable_now: affordable,
    splittable: affordable > 0,
  };
  const why =
    code === 'budget-exhausted'
      ? usedOf(budget, stands)
      : `Budget ${budget.id} gives no more so fast: the next is there in ${Math.ceil(stands.retryMs / 1_000)} s`;
  ports.log.debug({ tenant, budget: budget.id, code }, 'a budget refused');
  return new ReachError(code, `${why}.`, {
    executed: 'no',
    retry_after_ms: retryAfterMs,
    degrade,
    violated_policies: refused.map((one) => policyOf(one.budget)),
    rate_limits: answers.map((one) => toldOf(one.budget, one.stands, now)),
  });
}

function usedOf(budget: Budget, { used, reserved, limit, endsAt }: BudgetAnswer): string {
  const all = (used + reserved) / UNIT;
  return `Budget ${budget.id} has used ${all} of ${limit / UNIT} ${budget.row.unit ?? 'calls'}; the next ${budget.row.period} begins at ${budget.shown(endsAt)}`;
}

function policyOf({ id }: Budget): string {
  return `budget/${id}`;
}

/** How a budget stands, in the words of the headers: of `q` in `w` s, `r` now, and more in `t` s. */
function toldOf(budget: Budget, stands: BudgetAnswer, now: number): RateTold {
  const { limit, affordable, startsAt, endsAt, retryMs } = stands;
  const waitMs = retryMs > 0 ? retryMs : Math.max(0, endsAt - now);
  return {
    policy: policyOf(budget),
    q: Math.floor(limit / UNIT),
    w: Math.round((endsAt - startsAt) / 1_000),
    r: Math.floor(affordable / UNIT),
    t: Math.ceil(waitMs / 1_000),
  };
}
