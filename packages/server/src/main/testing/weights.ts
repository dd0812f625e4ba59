import type { BalanceView, Input, PolicyView, RouteAnswer } from '@agent-reach/core';
import { payload, query } from '../../tasks/testing/capabilities.ts';
import type { TestHouse } from './house.ts';
import { json, type Machine } from './network.ts';

/** Answers every query. */
export const answers: Machine = () => json(200, { rows: [] });

/** What a written document is answered. */
export type Written = PolicyView & { warnings: string[]; dry_run: boolean };

/** Writes the weights anew. */
export function put(house: TestHouse, doc: unknown, more: Record<string, unknown> = {}) {
  return house.ask<Written>('PUT', '/v1/policies/weights', { doc, ...more });
}

/** How the work of `query` is shared out. */
export function balance(house: TestHouse): Promise<BalanceView> {
  return house.ask('GET', '/v1/routes/balance?capability=query');
}

/** An instance of agent `sql` that runs a version, with an address of its own. */
export async function instance(
  house: TestHouse,
  version: string,
  machine = answers,
): Promise<void> {
  const host = `v${version.replaceAll('.', '-')}`;
  house.network.at(`http://${host}`, (request) =>
    request.method === 'GET' ? json(200, { agent_id: 'sql' }) : machine(request),
  );
  await house.ask('POST', '/v1/agents', {
    name: 'sql',
    version,
    capabilities: [query],
    instance: { instance_id: `i-${version}`, base_url: `http://${host}` },
  });
}

/** The same, for one that comes for its work. */
export async function pulling(house: TestHouse, version: string): Promise<void> {
  await house.ask('POST', '/v1/agents', {
    name: 'sql',
    version,
    capabilities: [query],
    instance: { instance_id: `i-${version}`, pull: true },
  });
}

/** Past the door: thousands of decisions need no HTTP. */
export async function decide(
  { house }: TestHouse,
  more: Partial<Input<'routes.decide'>> = {},
): Promise<RouteAnswer> {
  const request = { capability: 'query', params: payload, ...more };
  const signal = new AbortController().signal;
  const asker = { tenant: 'internal', principal: 'tests', peer: '', headers: {}, signal };
  return house.handlers['routes.decide'](request, asker);
}

/** How often each is decided for, of so many sources. */
export async function counted(
  house: TestHouse,
  times: number,
  of: (answer: RouteAnswer) => string | undefined,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < times; i++) {
    const key = of(await decide(house, { context: { source_id: `user-${i}` } })) ?? 'nobody';
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
