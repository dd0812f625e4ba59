import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hopCounter } from './kept-hops.ts';
import { type Server, startServer } from './processes.ts';
import { ask } from './ask.ts';
import { AGENT, CALLER, manifestOf } from './sample.ts';
import type { Signer } from './signer.ts';

/** What a gateway holds calls to, beside what it does by default. */
export interface Setup {
  /** Everybody must sign. */
  signsIn?: true;
  /** What is sent to the agent is signed. */
  signsOut?: true;
  /** So many rows; only where everybody must sign. The caller's own is the last. */
  grants?: number;
  /** A pace of the client and one of the tenant that nobody reaches. */
  limits?: true;
  /** One that is never used up, and counts every call. */
  budget?: true;
}

/** One gateway for each way in which calls are governed. Who must sign must be granted something. */
export const SETUPS = {
  open: {},
  'signed-in': { signsIn: true, grants: 1 },
  granted: { signsIn: true, grants: 100 },
  'signed-out': { signsOut: true },
  limited: { limits: true },
  budgeted: { budget: true },
  governed: { signsIn: true, signsOut: true, grants: 100, limits: true, budget: true },
} as const satisfies Record<string, Setup>;
export type SetupName = keyof typeof SETUPS;

/** A gateway that can be called. */
export interface GovernedGateway extends AsyncDisposable {
  server: Server;
  /** How many hops it has written so far. */
  hops: () => number;
  /** With what the caller signs; undefined: nobody is asked. */
  signer: Signer | undefined;
}

/** More a second than any machine here makes, the most that may be said. */
const QPS = '1000000';
/** Bursts of a whole period: nothing is paced, everything is counted. */
const BUDGET = { id: 'calls', limit: 1_000_000_000, period: 'month', burst: '31d' };
/** A gateway takes no signature from the second in which it started. */
const FIRST_SECOND_MS = 1_000;

/** Starts a gateway with a data folder in `dir`, with the agent at `agentOrigin` and all that it takes. */
export async function startGateway(
  name: SetupName,
  { dir, agentOrigin }: { dir: string; agentOrigin: string },
): Promise<GovernedGateway> {
  const setup: Setup = SETUPS[name];
  const dataDir = join(dir, name);
  mkdirSync(dataDir);
  const server = await startServer('gateway', [dataDir, ...settingsOf(setup)]);
  try {
    const signer = await furnish(server, setup, agentOrigin);
    if (signer !== undefined) await pause(FIRST_SECOND_MS);
    const dispose = () => server[Symbol.asyncDispose]();
    return { server, hops: hopCounter(dataDir), signer, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

function settingsOf({ signsIn, signsOut, limits }: Setup): string[] {
  return [
    ...(signsIn ? ['auth.mode=required'] : []),
    ...(signsOut ? ['egress.sign=require'] : []),
    // No client of the agent's is there, and each start would say so.
    ...(signsIn && !signsOut ? ['egress.sign=off'] : []),
    // On a busy machine calls are slow, and not turned away: that would be a cheap one.
    'overload.delay=1m',
    ...(limits ? [`limits.client.qps=${QPS}`, `limits.tenant.qps=${QPS}`] : []),
  ];
}

/** Agent, clients and documents. Answers with what the caller signs. */
async function furnish(
  { origin, token }: Server,
  { signsIn, signsOut, grants, budget }: Setup,
  agentOrigin: string,
): Promise<Signer | undefined> {
  const headers: Record<string, string> = signsIn ? { authorization: `Bearer ${token}` } : {};
  const admin = (method: 'POST' | 'PUT', path: string, body: unknown) =>
    ask(`${origin}${path}`, { method, headers, body });
  if (signsOut) await admin('POST', '/v1/clients', { kind: 'agent', agent_id: AGENT });
  await admin('POST', '/v1/agents', manifestOf(agentOrigin));
  if (grants !== undefined) await admin('PUT', '/v1/policies/grants', { doc: grantsOf(grants) });
  if (budget) await admin('PUT', '/v1/policies/budgets', { doc: { budgets: [BUDGET] } });
  if (!signsIn) return undefined;
  const { data } = await admin('POST', '/v1/clients', { kind: 'service', client_id: CALLER });
  const { client_id: clientId, kid, secret } = data as Record<string, string>;
  return { clientId: clientId ?? '', kid: kid ?? '', secret: secret ?? '' };
}

function grantsOf(rows: number): object {
  const others = Array.from({ length: rows - 1 }, (_, n) => ({
    who: `other-${n}`,
    may: [`query_${n}`, `crm.${n}.*`],
  }));
  return { rows: [...others, { who: CALLER, may: ['query_order_*', 'refund_*'] }] };
}
