import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../call/processes.ts';

/** A gateway in a process of its own, with 500 agents of which 400 never answer any more. */
export interface Loopback {
  agents: number;
  lost: number;
  /** Processor time of the gateway for one list, with the probes that it makes meanwhile. */
  listCpuMs: number;
  /** Of the list of all of them over HTTP, milliseconds. */
  listP50Ms: number;
  listP99Ms: number;
  /** The same of those that can be had now. */
  availableP99Ms: number;
  /** Of a route decision over HTTP. */
  routeP99Ms: number;
  /** From the moment at which a well agent stopped listening until it was out, seconds. */
  missedS: number;
  /** From the moment at which 400 fell silent until all of them were out, seconds. */
  settledS: number;
  /** Seen as up then. */
  up: number;
}

const AGENTS = 500;
const LOST = 400;
const AT_ONCE = 20;
const LISTS = 200;
const ROUTES = 500;
const SETTLED_MAX_MS = 180_000;

export async function loopback(): Promise<Loopback> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  await using agents = await openAgents();
  await using single = await openAgents();
  try {
    await using gateway = await startServer('gateway', [dir, 'registration.rate=0']);
    const get = (path: string) => ask(gateway.origin + path);
    const register = (name: string, baseUrl: string) =>
      ask(`${gateway.origin}/v1/agents`, manifestOf(name, baseUrl));
    for (let from = 0; from < AGENTS; from += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, n) => from + n);
      await Promise.all(
        some.map((n) => register(n === AGENTS - 1 ? 'single' : `agent-${n}`, urlOf(n))),
      );
    }
    function urlOf(n: number): string {
      return n === AGENTS - 1 ? single.origin : `${agents.origin}/a${n}`;
    }
    agents.lose(LOST);
    const settledS = await settled(() => get('/v1/agents?status=unreachable'));

    const before = await gateway.usage();
    const lists = await timesOf(LISTS, () => get('/v1/agents'));
    const after = await gateway.usage();
    const available = await timesOf(LISTS, () => get('/v1/agents?available=true'));
    const routes = await timesOf(ROUTES, (n) =>
      ask(`${gateway.origin}/v1/routes`, {
        capability: `look_up_${40 + (n % 10)}`,
        params: { order_no: 'ORD1' },
      }),
    );
    const { agents: up } = (await get('/v1/agents?status=up')) as { agents: unknown[] };
    return {
      agents: AGENTS,
      lost: LOST,
      listCpuMs: (after.cpuUs - before.cpuUs) / 1_000 / LISTS,
      listP50Ms: at(lists, 0.5),
      listP99Ms: at(lists, 0.99),
      availableP99Ms: at(available, 0.99),
      routeP99Ms: at(routes, 0.99),
      settledS,
      up: up.length,
      missedS: await missed(single, () => get('/v1/agents/single')),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function settled(look: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { agents } = (await look()) as { agents: unknown[] };
    const passedMs = performance.now() - from;
    if (agents.length >= LOST) return passedMs / 1_000;
    if (passedMs > SETTLED_MAX_MS) throw new Error(`only ${agents.length} are missed`);
    await sleep(500);
  }
}

async function missed(single: AsyncDisposable, look: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await single[Symbol.asyncDispose]();
  for (;;) {
    const { status } = (await look()) as { status: string };
    if (status === 'unreachable') return (performance.now() - from) / 1_000;
    await sleep(20);
  }
}

function manifestOf(name: string, baseUrl: string) {
  const n = Number(name.slice('agent-'.length)) || 0;
  return {
    name,
    capabilities: [
      {
        name: `look_up_${Math.floor(n / 10)}`,
        description: 'Looks an order up, and says where it is and when it will be delivered.',
        input_schema: { type: 'object', properties: { order_no: { type: 'string' } } },
        effect: 'read',
      },
    ],
    network: { base_url: baseUrl, heartbeat_interval_sec: 0 },
  };
}

/** Agents that share a port; the first of them may fall silent. */
async function openAgents() {
  let lost = 0;
  const server = createServer((request, response) => {
    const n = Number(/^\/a(\d+)\//.exec(request.url ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
    if (n < lost) return; // For ever.
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(count: number) {
      lost = count;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

async function ask(url: string, body?: unknown): Promise<unknown> {
  const sent =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        };
  const response = await fetch(url, sent);
  const { data } = (await response.json()) as { data?: unknown };
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return data;
}

async function timesOf(count: number, work: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const from = performance.now();
    await work(n);
    times.push(performance.now() - from);
  }
  return times.sort((a, b) => a - b);
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}
