import type { BudgetRow } from '@agent-reach/core';
import {
  isoIn,
  isTimeZone,
  parseDurationMs,
  PERIOD_MS,
  periodsAround,
} from '@agent-reach/core/kernel';
import type { BudgetTerms } from '../../storage/spi/budgets.ts';
import { matches } from '../grants.ts';

/** Stores count in millionths of a unit. */
export const UNIT = 1_000_000;

const BURST_DEFAULT = '1d';
const SOFT_DEFAULT = 0.8;
const MINUTE_MS = 60_000;

/** Who asks for what, as far as budgets care. */
export interface Spending {
  /** The client, or in open mode what the request calls itself. */
  principal: string;
  /** The agent that the client is bound to; else the principal. */
  actsFor: string;
  capability: string;
  onBehalfOf: string | undefined;
  /** It changes nothing where it is done. */
  isRead: boolean;
}

/** One row of a document, ready to be asked. */
export interface Budget {
  readonly id: string;
  readonly row: BudgetRow;
  readonly zone: string;
  /** What one call costs, in millionths. */
  readonly cost: number;
  matches(spending: Pick<Spending, 'principal' | 'actsFor' | 'capability'>): boolean;
  /** Asked apart, because it differs with each call. */
  isFor(onBehalfOf: string | undefined): boolean;
  /** What a store is told of it at a moment. */
  termsAt(now: number): BudgetTerms;
  /** A moment as people in its zone read it. */
  shown(at: number): string;
}

/** What of a limit may go at once, in millionths, never more than all of it. */
export function capOf({ limit, period, burst = BURST_DEFAULT }: BudgetRow): number {
  const part = Math.min(1, (parseDurationMs(burst) ?? 0) / PERIOD_MS[period]);
  return Math.floor(limit * UNIT * part);
}

/** What is wrong with the words of a row that its form cannot say. */
export function faultsOf(row: BudgetRow): { member: string; detail: string }[] {
  const { tz = 'UTC', burst = BURST_DEFAULT, cost = 1, limit, period } = row;
  const burstMs = parseDurationMs(burst);
  if (!isTimeZone(tz)) return [{ member: 'tz', detail: `names no time zone, is ${tz}` }];
  if (burstMs === undefined || burstMs < MINUTE_MS) {
    const detail = `must be a number of seconds or a text like 1m, 12h or 1d, at least 1m, is ${burst}`;
    return [{ member: 'burst', detail }];
  }
  if (cost > limit) {
    return [{ member: 'cost', detail: `is ${cost}, more than a ${period} has, ${limit}` }];
  }
  const cap = capOf(row);
  if (cost * UNIT <= cap) return [];
  const days = Math.ceil((cost * PERIOD_MS[period]) / limit / PERIOD_MS.day);
  const least = cap / UNIT;
  const detail = `lets ${least} go at once, and a call is ${cost}: no call could ever be made. Say at least ${days}d`;
  return [{ member: 'burst', detail }];
}

/** A row as decisions use it. `tenant` is whose it is. The row has no faults. */
export function budgetOf(tenant: string, row: BudgetRow): Budget {
  const { id, scope = {}, limit, period, tz: zone = 'UTC', soft = SOFT_DEFAULT } = row;
  const cost = (row.cost ?? 1) * UNIT;
  const fixed = {
    // Another period is another count; another zone or limit goes on with the same.
    name: `${tenant}/${id}/${period}`,
    limit: limit * UNIT,
    cap: capOf(row),
    soft: Math.ceil(limit * UNIT * soft),
    carryMax: Math.floor(limit * UNIT * (row.carry_over?.max ?? 0)),
  };
  let bounds: readonly number[] = [];
  const boundsAt = (now: number) => {
    const [startsAt = Infinity, endsAt = 0] = bounds.slice(BEFORE);
    // A shared store goes by its own clock, which may be a little elsewhere: hence the others.
    if (now < startsAt || now >= endsAt) {
      bounds = periodsAround(now, { period, zone, before: BEFORE, after: AFTER });
    }
    return bounds;
  };
  return {
    id,
    row,
    zone,
    cost,
    matches: ({ principal, actsFor, capability }) =>
      (scope.agent === undefined ||
        matches(scope.agent, principal) ||
        matches(scope.agent, actsFor)) &&
      (scope.capability === undefined || matches(scope.capability, capability)),
    isFor: (onBehalfOf) =>
      scope.on_behalf_of === undefined ||
      (onBehalfOf !== undefined && matches(scope.on_behalf_of, onBehalfOf)),
    termsAt: (now) => ({ ...fixed, bounds: boundsAt(now) }),
    shown: (at) => isoIn(at, zone),
  };
}

const BEFORE = 2;
const AFTER = 3;
