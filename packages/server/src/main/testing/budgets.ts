import type { BudgetView, PolicyView } from '@agent-reach/core';
import { ask, lookup, shipped } from '../../pipeline/testing/orders.ts';
import { failsWith, openHouse, type TestHouse } from './house.ts';

/** Three calls a day. */
export const three = { id: 'three', limit: 3, period: 'day' } as const;
export const EXHAUSTED = failsWith('budget-exhausted');

/** Writes the budgets anew. */
export function set(house: TestHouse, budgets: readonly object[], more: object = {}) {
  type Written = PolicyView & { warnings: string[] };
  return house.ask<Written>('PUT', '/v1/policies/budgets', { doc: { budgets }, ...more });
}

/** How all budgets stand. */
export async function standing(house: TestHouse): Promise<BudgetView[]> {
  return (await house.ask<{ budgets: BudgetView[] }>('GET', '/v1/budgets')).budgets;
}

/** What is used and reserved of each. */
export async function used(house: TestHouse): Promise<number[]> {
  return (await standing(house)).flatMap((budget) => [budget.used, budget.reserved]);
}

/** Lets time pass in which the agent shows that it lives. */
export async function pass(house: TestHouse, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 20_000) {
    await house.clock.advance(Math.min(left, 20_000));
    await house.ask('POST', '/v1/agents/orders/heartbeat', {});
  }
}

/** A call as the wire sees it. */
export async function onWire(house: TestHouse, body: object = ask) {
  const {
    statusCode: status,
    headers,
    json: read,
  } = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    payload: body,
  });
  return { status, headers, body: read<Record<string, unknown>>() };
}

/** A house with agent `orders`, and these budgets. */
export async function openCounted(budgets: readonly object[], flags: Record<string, unknown> = {}) {
  const house = await openHouse(flags);
  await house.agent('orders', lookup, shipped);
  if (budgets.length > 0) await set(house, budgets);
  return house;
}
