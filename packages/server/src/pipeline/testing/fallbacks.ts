import type { TestHouse } from '../../main/testing/house.ts';
import { json } from '../../main/testing/network.ts';
import { ask, lookup } from './orders.ts';

/** A read that can stand in for `lookup`: it takes and gives the same. */
export const cached = { ...lookup, name: 'cached_order_status' };

/** A call of `lookup` that lists `cached` as its fallback. */
export const toCached = { ...ask, context: { fallback: ['cached_order_status'] } };

/** What `cached` answers. */
export const remembered = () => json(200, { status: 'shipped yesterday' });

/** Takes an agent out, so that nobody can reach it. */
export async function disable(house: TestHouse, agent: string): Promise<void> {
  await house.ask('POST', `/v1/agents/${agent}/disable`, { reason: 'maintenance' });
}

/** How often each path was called. */
export function callsTo(house: TestHouse, capability: string): number {
  return house.network.calls.filter(({ url }) => url.endsWith(`/abilities/${capability}`)).length;
}
