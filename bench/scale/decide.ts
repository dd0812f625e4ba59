import assert from 'node:assert/strict';
import { type Asker, OPEN_TENANT } from '@agent-reach/core';
import { seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { loadConfig } from '@agent-reach/server';
import { compose } from '@agent-reach/server/compose';
import { openSqlite } from '@agent-reach/server/sqlite';
import { Counts } from './counts.ts';
import { capabilityOf, network, settle } from './fleet.ts';
import { during } from './simulate.ts';

/** What a decision costs when so many agents offer what is asked for. */
export interface Decision {
  agents: number;
  candidates: number;
  /** Median. */
  us: number;
}

const ROUNDS = 200;
/** By then everybody was probed. */
const SETTLED_MS = 10_000;

/** A route by name, among few and among many, in a fleet of a thousand and of ten thousand. */
export async function decisions(): Promise<Decision[]> {
  const found: Decision[] = [];
  for (const [agents, candidates] of [
    [1_000, 10],
    [10_000, 10],
    [1_000, 100],
    [1_000, 1_000],
  ] as const) {
    found.push({ agents, candidates, us: await decide(agents, candidates) });
  }
  return found;
}

async function decide(agents: number, candidates: number): Promise<number> {
  const clock = new ManualClock();
  const random = seededRandom(7);
  const storage = await openSqlite({ dir: ':memory:', clock, random, log: silentLog });
  await settle(storage, agents, candidates);
  const house = compose({
    config: loadConfig({ cwd: '/nonexistent', env: {}, flags: { 'listen.business.port': 0 } }),
    storage,
    fetch: network(clock, random, new Counts()),
    readText: async () => '',
    tokenKey: new Uint8Array(32),
    vault: async () => assert.fail('nobody has a secret here'),
    clock,
    random,
    log: silentLog,
    node: 'one',
    door: false,
  });
  await during(house.start(), clock);
  await clock.advance(SETTLED_MS);

  const signal = new AbortController().signal;
  const asker: Asker = {
    tenant: OPEN_TENANT,
    principal: 'shop',
    peer: '10.0.0.2',
    headers: {},
    signal,
  };
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const order = { capability: capabilityOf(0, candidates), params: { order_no: `ORD${n}` } };
    const start = performance.now();
    await house.handlers['routes.decide'](order, asker);
    times.push((performance.now() - start) * 1_000);
  }
  await during(house.stop(), clock);
  await storage.close();
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
}
