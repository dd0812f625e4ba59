import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from './ask.ts';
import type { CaseSpec } from './cases.ts';
import { type GovernedGateway, type SetupName, startGateway } from './governed-gateway.ts';
import type { Job } from './load.ts';
import { type Load, type Server, startLoad, startServer } from './processes.ts';
import { RESULT } from './sample.ts';
import { signerOf } from './signer.ts';

/** One way to have the same thing done. */
export interface Case extends Omit<CaseSpec, 'job'> {
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
  /** Of the gateways. */
  dataDir: string;
}

/** Starts agent, proxy, load generator and the gateways of these cases; returns when each passes a call. */
export async function openField(specs: readonly CaseSpec[]): Promise<Field> {
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  started.defer(() => rmSync(dataDir, { recursive: true }));
  const agent = started.use(await startServer('agent'));
  const proxy = started.use(await startServer('proxy', [agent.origin]));
  const load = started.use(startLoad());
  const gateways = new Map<SetupName, GovernedGateway>();
  const gatewayOf = async (name: SetupName) => {
    const running = gateways.get(name);
    if (running !== undefined) return running;
    const how = { dir: dataDir, agentOrigin: agent.origin };
    const gateway = started.use(await startGateway(name, how));
    gateways.set(name, gateway);
    return gateway;
  };
  const cases: Case[] = [];
  for (const spec of specs) {
    const { at } = spec;
    const one =
      at === 'agent' || at === 'proxy'
        ? caseOf(spec, { server: at === 'agent' ? agent : proxy })
        : caseOf(spec, await gatewayOf(at));
    await prove(one);
    cases.push(one);
  }
  const held = started.move();
  return {
    cases,
    load,
    dataDir,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function caseOf(
  spec: CaseSpec,
  { server, hops, signer }: Pick<GovernedGateway, 'server'> & Partial<GovernedGateway>,
): Case {
  return {
    ...spec,
    server,
    job: { ...spec.job, origin: server.origin, ...(signer === undefined ? {} : { signer }) },
    ...(hops === undefined ? {} : { hops }),
  };
}

/** One call of its own: the right result comes back, and a key that all use has been answered. */
async function prove({ name, at, job }: Case): Promise<void> {
  // Of several cases at one gateway each has its own: the same key for another request is refused.
  const key = job.key === 'same' ? 'bench-same' : `bench-${name}`;
  const keyed = job.key === undefined ? {} : { 'idempotency-key': key };
  const headers = signerOf(job)({ ...job.headers, ...keyed });
  const answer = await ask(`${job.origin}${job.path}`, { headers, body: job.body });
  const result = at === 'agent' || at === 'proxy' ? answer : answer.data['result'];
  deepEqual(result, RESULT, `${name} answers something else`);
}
