import assert from 'node:assert/strict';
import { type Asker, OPEN_TENANT, type Output } from '@agent-reach/core';
import {
  type Clock,
  type Fetch,
  FetchFailure,
  type FetchRequest,
  type FetchResponse,
  type Random,
  seededRandom,
  silentLog,
} from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { loadConfig } from '@agent-reach/server';
import { compose, type House } from '@agent-reach/server/compose';
import { openSqlite } from '@agent-reach/server/sqlite';

/** How a machine of the simulated network is: it answers, nobody listens, or nothing ever comes back. */
export type Machine = 'well' | 'killed' | 'black-hole';

/** What a machine does with real work. */
export type Work = () => Promise<'done' | 'refused'>;

/** A real gateway without a door, on a clock that is moved by hand and a network that does as it is told. */
export interface Bench extends AsyncDisposable {
  clock: ManualClock;
  random: Random;
  house: House;
  machines: Map<string, Machine>;
  /** By name; whoever is not spoken of does it at once. */
  work: Map<string, Work>;
  /** Told whenever a machine is asked for its health. */
  onProbe: (name: string, machine: Machine) => void;
  /** Moves time on until the work is done. */
  during<T>(work: Promise<T>): Promise<T>;
  register(agent: Registration): Promise<Output<'agents.register'>>;
}

/** What an agent says when it registers. */
export interface Registration {
  name: string;
  capabilities: readonly string[];
  bootId?: string;
  /** It comes for its work and has no address. */
  pulls?: boolean;
  maxConcurrency?: number;
}

/** Opens one; every machine that is not spoken of is well. */
export async function openBench(seed: number, flags: Record<string, unknown> = {}): Promise<Bench> {
  const clock = new ManualClock();
  const random = seededRandom(seed);
  const storage = await openSqlite({ dir: ':memory:', clock, random, log: silentLog });
  const net: Net = { machines: new Map(), work: new Map(), onProbe: () => {} };
  const house = compose({
    config: loadConfig({
      cwd: '/nonexistent',
      env: {},
      flags: { 'listen.business.port': 0, 'registration.rate': 0, ...flags },
    }),
    storage,
    fetch: network(clock, random, net),
    readText: async () => '',
    tokenKey: new Uint8Array(32),
    vault: async () => assert.fail('nobody has a secret here'),
    clock,
    random,
    log: silentLog,
    node: 'one',
    door: false,
  });
  const during = <T>(work: Promise<T>) => turning(work, clock);
  await during(house.start());
  return {
    clock,
    random,
    house,
    ...net,
    get onProbe() {
      return net.onProbe;
    },
    set onProbe(told) {
      net.onProbe = told;
    },
    during,
    register: (agent) =>
      during(
        Promise.resolve(
          house.handlers['agents.register']({ manifest: manifestOf(agent) }, askerOf(agent.name)),
        ),
      ),
    async [Symbol.asyncDispose]() {
      await during(house.stop());
      await storage.close();
    },
  };
}

/** Who asks. */
export function askerOf(principal: string): Asker {
  const { signal } = new AbortController();
  return { tenant: OPEN_TENANT, principal, peer: '10.0.0.2', headers: {}, signal };
}

function manifestOf({
  name,
  capabilities,
  bootId = 'boot-1',
  pulls,
  maxConcurrency,
}: Registration) {
  const instance = pulls
    ? { pull: true, instance_id: `${name}-1` }
    : { base_url: `http://${name}` };
  return {
    name,
    capabilities: capabilities.map((capability) => ({
      name: capability,
      description: 'Looks an order up, and says where it is and when it will be delivered.',
      input_schema: SCHEMA,
      effect: 'read',
      examples: ['Where is order ORD1?'],
    })),
    ...(maxConcurrency === undefined ? {} : { dependencies: { max_concurrency: maxConcurrency } }),
    instance: { ...instance, boot_id: bootId },
  };
}

const SCHEMA = {
  type: 'object',
  properties: {
    order_no: { type: 'string', description: 'As printed on the invoice.', maxLength: 40 },
    region: { type: 'string', enum: ['cn-east', 'cn-north', 'cn-south'] },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
  },
  required: ['order_no'],
};

/** An agent of the same building answers within so many milliseconds. */
const ANSWER_MAX_MS = 5;

type Net = Pick<Bench, 'machines' | 'work' | 'onProbe'>;

function network(clock: Clock, random: Random, net: Net): Fetch {
  const send = async (request: FetchRequest): Promise<FetchResponse> => {
    const { hostname } = new URL(request.url);
    const machine = net.machines.get(hostname) ?? 'well';
    const work = request.method === 'GET' ? undefined : net.work.get(hostname);
    if (request.method === 'GET') net.onProbe(hostname, machine);
    if (work !== undefined) return (await work()) === 'done' ? reply(200, 'done') : BUSY;
    switch (machine) {
      case 'killed':
        throw new FetchFailure('connect', false, `${hostname} refuses connections.`);
      case 'black-hole':
        await clock.sleep(request.timeoutMs);
        throw new FetchFailure('timeout', true, `no answer within ${request.timeoutMs} ms`);
      case 'well':
        await clock.sleep(1 + random.below(ANSWER_MAX_MS));
    }
    return reply(200, { agent_id: hostname });
  };
  const judge = async () => ({ verdict: 'allowed' as const, addresses: ['10.0.0.1'] });
  return Object.assign(send, { judge });
}

function reply(status: number, body: unknown): FetchResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Full, and nothing was run. A proxy before it would say no more. */
const BUSY = reply(503, {});

async function turning<T>(work: Promise<T>, clock: ManualClock): Promise<T> {
  const state = { over: false };
  const done = work.finally(() => {
    state.over = true;
  });
  done.catch(() => {}); // Awaited below.
  await settled();
  while (!state.over) await clock.advance(1);
  return done;
}
