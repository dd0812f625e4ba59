import type { Intent, IntentOwner } from '@agent-reach/core';
import { inOrder, type Service } from '@agent-reach/core/kernel';
import { fencing, readFences } from './fencing.ts';
import { isFresh } from './freshness.ts';
import { alive, shift } from './observe.ts';
import type { RegistryPorts } from './ports.ts';
import { look, prober } from './prober.ts';
import { sweeper } from './sweep.ts';
import { agentSync, tellOthers } from './sync.ts';
import { trendKeeper } from './trend-keeper.ts';

/**
 * The registry at work: loads what is stored, looks at everybody once, then probes and sweeps
 * until stopped. Once it has started, routes know who can be reached: a gateway that took calls
 * before that would refuse them all for a moment.
 */
export function registryService(ports: RegistryPorts): Service {
  const start = async () => {
    await load(ports);
    await readFences(ports);
    await lookAround(ports);
  };
  const loader: Service = { start, stop: async () => {} };
  return inOrder([
    loader,
    agentSync(ports),
    fencing(ports),
    prober(ports),
    sweeper(ports),
    trendKeeper(ports),
  ]);
}

/**
 * Fills the directory. Where nobody else kept the house meanwhile every lease gets its whole length
 * anew: nobody could beat while this gateway was away, and nobody shall be taken out for that.
 */
async function load(ports: RegistryPorts): Promise<void> {
  const { definitions, instances } = await ports.storage.agents.load();
  for (const definition of definitions) ports.directory.define(definition);
  const now = ports.clock.now();
  for (const row of instances) {
    const entry = ports.directory.agent(row.tenant, row.agentId);
    if (entry === undefined) continue;
    const anew = ports.peers.isAlone ? now + row.leaseMs : 0;
    ports.directory.join(entry, { ...row, leaseEndsAt: Math.max(row.leaseEndsAt, anew) });
  }
}

/** The first look at everybody. Those who do not answer in time are left to the prober. */
async function lookAround(ports: RegistryPorts): Promise<void> {
  const addressed = [...ports.directory.allInstances()].filter((i) => i.row.mode === 'push');
  const queue = addressed.values();
  const worker = async () => {
    for (const instance of queue) await look(instance, ports);
  };
  const looks = Promise.all(Array.from({ length: ports.options.probeParallel }, worker));
  looks.catch((error: unknown) => ports.log.error({ err: error }, 'a first probe stumbled'));
  const { clock, options } = ports;
  using patience = new DisposableStack();
  const enough = Promise.withResolvers<void>();
  patience.use(clock.timer(options.probeTimeoutMs, enough.resolve));
  await Promise.race([looks, enough.promise]);
}

/** Sets what somebody wants of an agent, or of one instance, and shows it to routes at once. */
export async function setIntent(
  change: {
    tenant: string;
    agentId: string;
    instanceId?: string;
    intent: Intent;
    by: IntentOwner;
    reason?: string;
  },
  ports: RegistryPorts,
) {
  const rows = await ports.storage.agents.setIntent({ ...change, now: ports.now() });
  const entry = ports.directory.agent(change.tenant, change.agentId);
  for (const row of rows) {
    const instance = entry?.instances.get(row.instanceId);
    if (instance !== undefined) instance.row = row;
  }
  if (entry !== undefined) {
    entry.changes += 1;
    ports.directory.touch(change);
  }
  if (rows.length === 0) return rows;
  tellOthers(change, ports);
  (change.intent === 'enabled' ? ports.arrived : ports.left)(change);
  return rows;
}

/**
 * An instance came for its work: a sign of life, as good as a heartbeat for one that sends none.
 * Written no more often than its lease needs.
 */
export async function noteSeen(
  at: { tenant: string; agentId: string; instanceId: string },
  ports: RegistryPorts,
): Promise<void> {
  const instance = ports.directory.agent(at.tenant, at.agentId)?.instances.get(at.instanceId);
  if (instance === undefined) return;
  const { leaseMs } = instance.row;
  if (isFresh(instance, ports.clock) && instance.observed !== 'gone') return;
  const answer = await ports.storage.agents.renew({
    ...at,
    leaseMs,
    reported: {},
    now: ports.now(),
  });
  if (answer.outcome === 'renewed') alive(instance, answer.row, ports);
}

/** A call could not even connect: the next probe comes at once, and others are preferred till then. */
export function noteUnconnected(
  at: { tenant: string; agentId: string; instanceId: string; why: string },
  ports: Pick<RegistryPorts, 'directory' | 'log' | 'arrived' | 'scores'>,
): void {
  const instance = ports.directory.agent(at.tenant, at.agentId)?.instances.get(at.instanceId);
  if (instance === undefined) return;
  instance.failure = at.why;
  shift(instance, 'call-unconnected', ports);
  if (instance.probeAt !== undefined) instance.probeAt = 0;
}
