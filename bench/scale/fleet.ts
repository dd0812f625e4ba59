import { OPEN_TENANT } from '@agent-reach/core';
import type { Clock, Fetch, FetchRequest, FetchResponse, Random } from '@agent-reach/core/kernel';
import type { openSqlite } from '@agent-reach/server/sqlite';
import type { Counts } from './counts.ts';

/** The stores of one engine. */
export type Storage = Awaited<ReturnType<typeof openSqlite>>;
type Channel = NonNullable<Storage['shared']>['channel'];
type Ear = Parameters<Channel['listen']>[0];

/** Agents that offer one capability: a team's replicas, not the whole company. */
export const SHARED_BY = 10;
const LEASE_MS = 45_000;
const HEARTBEAT_MS = 10_000;
/** An agent of the same building answers a probe within so many milliseconds. */
const ANSWER_MAX_MS = 20;

const SCHEMA = {
  type: 'object',
  properties: {
    order_no: { type: 'string', description: 'As printed on the invoice.', maxLength: 40 },
    region: { type: 'string', enum: ['cn-east', 'cn-north', 'cn-south'] },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
  },
  required: ['order_no'],
};

/** Names of agents. */
export function nameOf(n: number): string {
  return `agent-${n}`;
}

/** The capability that an agent is asked for. */
export function capabilityOf(n: number, sharedBy = SHARED_BY): string {
  return `look_up_${Math.floor(n / sharedBy)}`;
}

/** Puts agents with an address into a store: three capabilities each, one of them shared. */
export async function settle(storage: Storage, count: number, sharedBy = SHARED_BY): Promise<void> {
  const tenant = OPEN_TENANT;
  const now = 'store' as const;
  for (let n = 0; n < count; n++) {
    const agentId = nameOf(n);
    const manifest = manifestOf(n, sharedBy);
    const version = { expectVersion: 0, breaking: [], digest: `sha256:${n}` };
    await storage.agents.define({ tenant, manifest, ...version, now });
    const instance = {
      instanceId: `${agentId}-1`,
      bootId: `boot-${n}`,
      mode: 'push' as const,
      baseUrl: `http://${agentId}`,
      tags: { version: '1.0.0' },
      heartbeatIntervalMs: HEARTBEAT_MS,
      leaseMs: LEASE_MS,
    };
    await storage.agents.join({ tenant, agentId, instance, now });
  }
}

function manifestOf(n: number, sharedBy: number) {
  const capability = (name: string) => ({
    name,
    display_name: name,
    description: 'Looks an order up, and says where it is and when it will be delivered.',
    input: SCHEMA,
    output: {},
    tags: { domain: 'orders' },
    sensitive: false,
    effect: 'read' as const,
    sla: { timeout_ms: 2_000 },
    priority: 50,
    examples: ['Where is order ORD1?', 'Has ORD1 been shipped yet?'],
    not_for: [],
  });
  return {
    agent_id: nameOf(n),
    kind: 'agent' as const,
    display_name: `Agent ${n}`,
    description: 'Knows every order of one region, and everything that happened to it.',
    schema_version: 1 as const,
    tags: { region: 'cn-east', team: `team-${n % 50}` },
    capabilities: [
      capability(capabilityOf(n, sharedBy)),
      capability(`own_a_${n}`),
      capability(`own_b_${n}`),
    ],
    network: { health_path: '/health' },
    metadata: {},
  };
}

/** Machines that all answer, each a few milliseconds later. */
export function network(clock: Clock, random: Random, counts: Counts): Fetch {
  // One timer a millisecond, however many answer in it.
  const answering = new Map<number, (() => void)[]>();
  const later = (): Promise<void> => {
    const due = Math.ceil(clock.monotonic()) + 1 + random.below(ANSWER_MAX_MS);
    const { promise, resolve } = Promise.withResolvers<void>();
    const those = answering.get(due);
    if (those !== undefined) those.push(resolve);
    else {
      answering.set(due, [resolve]);
      clock.timer(due - clock.monotonic(), () => {
        for (const answer of answering.get(due) ?? []) answer();
        answering.delete(due);
      });
    }
    return promise;
  };
  const send = async ({ method, url }: FetchRequest): Promise<FetchResponse> => {
    counts.add(method === 'GET' ? 'probe' : 'work');
    await later();
    const body = method === 'GET' ? { agent_id: new URL(url).hostname } : { status: 'shipped' };
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    };
  };
  const judge = async () => ({ verdict: 'allowed' as const, addresses: ['10.0.0.1'] });
  return Object.assign(send, { judge });
}

/** The line between gateways, which counts: `told` by kind of change, and what each one hears. */
export function line(counts: Counts): () => Channel {
  const ears = new Set<Ear>();
  const send = (text: string) => {
    counts.add('message');
    counts.bytes += Buffer.byteLength(text);
    for (const [, kind] of text.matchAll(/"kind":"(\w+)"/g)) counts.add(`${kind} change`);
    queueMicrotask(() => {
      for (const ear of ears) ear.heard(text);
    });
  };
  return () => ({
    send,
    async listen(ear) {
      ears.add(ear);
      return { [Symbol.asyncDispose]: async () => void ears.delete(ear) };
    },
  });
}
