import type { BudgetShare, BudgetStanding, BudgetTerms } from '../spi/budgets.ts';
import type { BudgetState } from './budget-machine.ts';
import { decideReserve } from './budgets.ts';

type Asked = BudgetTerms & { amount: number };

/** What a gateway knows of a budget: what the store said last, and what it has let go since. */
interface Known {
  standing: BudgetStanding;
  /** How many gateways shared it then: those that fall silent with the store are still there. */
  gateways: number;
  /** Undefined: the store has counted everything so far. */
  share: BudgetState | undefined;
}

/** More than any gateway has; beyond it all is forgotten, and shares are those of a new period. */
const KNOWN_MAX = 10_000;
const MINUTE_MS = 60_000;

/** Shares of budgets in this process. `gateways` is how many live on the store. */
export function budgetShare(gateways: () => number): BudgetShare {
  const known = new Map<string, Known>();
  const partOf = (terms: Asked) => partedBy(terms, known.get(terms.name)?.gateways ?? gateways());
  return {
    learn(standings) {
      if (known.size + standings.length > KNOWN_MAX) known.clear();
      const now = gateways();
      for (const standing of standings) {
        known.set(standing.name, { standing, gateways: now, share: undefined });
      }
    },
    take(budgets, now) {
      const parts = budgets.map(partOf);
      const stateOf = (name: string, n: number): BudgetState | undefined => {
        const own = known.get(name);
        const part = parts[n];
        if (own === undefined || part === undefined) return undefined;
        return own.share ?? leftOf(own, part.cap, now);
      };
      const found = new Map(parts.map(({ name }, n) => [name, stateOf(name, n)]));
      const { answer, states } = decideReserve(
        { budgets: parts },
        (name) => ({ state: found.get(name), lapsed: [], isHeld: false }),
        now,
      );
      for (const { name, state } of states) {
        const own = known.get(name);
        // Nobody settles what no store has: it counts as used at once.
        const share = { ...state, used: state.used + state.reserved, reserved: 0 };
        const standing = answer.budgets.find((one) => one.name === name);
        if (own !== undefined) own.share = share;
        else if (standing !== undefined) {
          known.set(name, { standing, gateways: gateways(), share });
        }
      }
      return answer;
    },
  };
}

/** A budget's part for one of several gateways; one call can always be made. */
function partedBy(terms: Asked, gateways: number): Asked {
  const part = (amount: number) => Math.floor(amount / gateways);
  return {
    ...terms,
    limit: Math.max(part(terms.limit), terms.amount),
    cap: Math.max(part(terms.cap), terms.amount),
    soft: part(terms.soft),
    carryMax: part(terms.carryMax),
  };
}

/** A gateway's part of what the store said was left. What was under way counts as used. */
function leftOf({ standing, gateways }: Known, cap: number, now: number): BudgetState {
  const { used, reserved, tokens, startsAt, endsAt, carry } = standing;
  return {
    used: Math.ceil((used + reserved) / gateways),
    reserved: 0,
    tokens: Math.floor(tokens / gateways),
    minute: Math.floor(Math.max(startsAt, now) / MINUTE_MS),
    startsAt,
    endsAt,
    carry: Math.floor(carry / gateways),
    cap,
    isTold: true,
  };
}
