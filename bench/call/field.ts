import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from './load.ts';
import { hopCounter } from './kept-hops.ts';
import { type Load, type Server, startLoad, startServer } from './processes.ts';
import { manifestOf, PARAMS, READ, RESULT, WRITE } from './sample.ts';

/** One way to have the same thing done. */
export interface Case {
  name: 'direct' | 'proxy' | 'plain' | 'keyed' | 'replayed';
  what: string;
  /** The process whose processor time counts. */
  server: Server;
  job: Omit<Job, 'connections' | 'seconds'>;
  /** How many hops have been written so far, where calls leave any. */
  hops?: () => number;
}

/** Everything that runs during a measurement. */
export interface Field extends AsyncDisposable {
  cases: readonly Case[];
  load: Load;
  /** Of the gateway. */
  dataDir: string;
}

/** Starts agent, proxy, gateway and load generator; returns when a call passes. */
export async function openField(): Promise<Field> {
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  started.defer(() => rmSync(dataDir, { recursive: true }));
  const agent = started.use(await startServer('agent'));
  const proxy = started.use(await startServer('proxy', [agent.origin]));
  const gateway = started.use(await startServer('gateway', [dataDir]));
  const load = started.use(startLoad());
  await post(`${gateway.origin}/v1/agents`, manifestOf(agent.origin));
  const cases = casesOf(agent, proxy, gateway, hopCounter(dataDir));
  for (const one of cases) await prove(one);
  const held = started.move();
  return {
    cases,
    load,
    dataDir,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function casesOf(agent: Server, proxy: Server, gateway: Server, hops: () => number): Case[] {
  const headers = { 'content-type': 'application/json' };
  const bare = { path: `/abilities/${READ}`, body: JSON.stringify(PARAMS), headers };
  const callOf = (capability: string) => ({
    origin: gateway.origin,
    path: '/v1/calls',
    body: JSON.stringify({ agent_id: 'bench', capability, params: PARAMS }),
    headers,
  });
  return [
    {
      name: 'direct',
      what: 'the agent called directly; bare node:http',
      server: agent,
      job: { ...bare, origin: agent.origin },
    },
    {
      name: 'proxy',
      what: 'a bare fastify + undici dispatch proxy before it: the anchor',
      server: proxy,
      job: { ...bare, origin: proxy.origin },
    },
    {
      name: 'plain',
      what: 'Agent-Reach: a read; both schemas checked, trace and audit written behind',
      server: gateway,
      hops,
      job: callOf(READ),
    },
    {
      name: 'keyed',
      what: 'Agent-Reach: a write with a new key; claim, result and audit synced to disk',
      server: gateway,
      hops,
      job: { ...callOf(WRITE), key: 'fresh' },
    },
    {
      name: 'replayed',
      what: 'Agent-Reach: the same write with a key that was answered before',
      server: gateway,
      hops,
      job: { ...callOf(WRITE), key: 'same' },
    },
  ];
}

/** One call of its own: the right result comes back, and a key that all use has been answered. */
async function prove({ name, job }: Case): Promise<void> {
  const key = job.key === undefined ? {} : { 'idempotency-key': `bench-${job.key}` };
  const answer = await post(`${job.origin}${job.path}`, JSON.parse(job.body), key);
  const result = name === 'direct' || name === 'proxy' ? answer : answer.data.result;
  deepEqual(result, RESULT, `${name} answers something else`);
}

async function post(url: string, body: unknown, headers = {}): Promise<Answered> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answered;
}

type Answered = Record<string, unknown> & { data: { result?: unknown } };
