import { type Input, type Output, ReachError } from '@agent-reach/core';
import { loop, type Service } from '@agent-reach/core/kernel';
import type { AgentEntry, Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';
import { alive, shift } from './observe.ts';
import { knownAgent, refresh, tellOthers } from './sync.ts';

const SWEEP_MS = 1_000;
/** Instances forgotten in one sweep: a bound on one store move, the rest waits a second. */
const SWEEP_MAX = 100;

/** How long an instance that beats every `intervalMs` is believed: three beats and a bit. */
export function leaseMsFor(intervalMs: number, leaseMinMs: number): number {
  return Math.max(leaseMinMs, 3 * intervalMs + 1_000);
}

/** Renews a lease. A heartbeat of somebody unknown is told to register again. */
export async function heartbeat(
  tenant: string,
  input: Input<'agents.heartbeat'>,
  ports: RegistryPorts,
): Promise<Output<'agents.heartbeat'>> {
  const { agent_id: agentId } = input;
  const { entry, instance } = await beating(tenant, input, ports);
  const intervalMs = instance.row.heartbeatIntervalMs || ports.options.heartbeatIntervalMs;
  const answer = await ports.storage.agents.renew({
    tenant,
    agentId,
    instanceId: instance.row.instanceId,
    ...(input.boot_id === undefined ? {} : { bootId: input.boot_id }),
    ...(input.seq === undefined ? {} : { seq: input.seq }),
    leaseMs: leaseMsFor(intervalMs, ports.options.leaseMinMs),
    reported: {
      ...(input.inflight === undefined ? {} : { inflight: input.inflight }),
      ...(input.pending === undefined ? {} : { pending: input.pending }),
      ...(input.load === undefined ? {} : { load: input.load }),
    },
    now: ports.now(),
  });
  if (answer.outcome === 'unknown') throw registerAgain(agentId, instance.row.instanceId);
  if (answer.outcome === 'stale') {
    throw new ReachError(
      'instance-conflict',
      `${agentId} (${instance.row.instanceId}) beats with a boot_id or seq that a newer process has replaced.`,
      { agent: agentId },
    );
  }
  alive(instance, answer.row, ports);
  return {
    agent_id: agentId,
    instance_id: instance.row.instanceId,
    lease_ms: answer.row.leaseMs,
    next_heartbeat_ms: intervalMs,
    observed: instance.observed,
    intent: answer.row.intent,
    addr_version: instance.addrVersion,
    manifest_version: entry.definition.manifestVersion,
  };
}

/** Who beats: known here, or registered at another gateway a moment ago. */
async function beating(
  tenant: string,
  { agent_id: agentId, instance_id: instanceId }: Input<'agents.heartbeat'>,
  ports: RegistryPorts,
): Promise<{ entry: AgentEntry; instance: Instance }> {
  let entry = await knownAgent({ tenant, agentId }, ports);
  let instance = entry && beatingInstance(entry, instanceId);
  if (instance === undefined && ports.peers.isPossible) {
    entry = await refresh({ tenant, agentId }, ports);
    instance = entry && beatingInstance(entry, instanceId);
  }
  if (entry === undefined || instance === undefined) throw registerAgain(agentId, instanceId);
  return { entry, instance };
}

function beatingInstance(entry: AgentEntry, instanceId: string | undefined): Instance | undefined {
  if (instanceId !== undefined) return entry.instances.get(instanceId);
  if (entry.instances.size > 1) {
    throw new ReachError(
      'validation-failed',
      `${entry.definition.agentId} has ${entry.instances.size} instances; say which one beats.`,
      { errors: [{ pointer: '#/instance_id', detail: 'is missing' }] },
    );
  }
  return entry.instances.values().next().value;
}

function registerAgain(agentId: string, instanceId: string | undefined): ReachError {
  const who = instanceId === undefined ? agentId : `${agentId} (${instanceId})`;
  return new ReachError('agent-not-found', `${who} is not registered. Register again.`, {
    agent: agentId,
    register_again: true,
  });
}

/** Ends leases that lapsed and forgets instances that are long gone. */
export function sweeper(ports: RegistryPorts): Service {
  return loop({
    clock: ports.clock,
    pauseMs: () => SWEEP_MS,
    onError: (error) => ports.log.error({ err: error }, 'the lease sweep stumbled'),
    async round() {
      const now = ports.clock.now();
      let longGone = false;
      // A copy: looking at the store may change who is there.
      for (const instance of Array.from(ports.directory.allInstances())) {
        if (instance.row.leaseEndsAt > now || (await isRenewedElsewhere(instance, ports))) continue;
        shift(instance, 'lease-lapsed', ports);
        longGone ||= now - instance.row.leaseEndsAt >= ports.options.goneKeepMs;
      }
      if (longGone) await forget(ports);
    },
  });
}

/** Whether an instance beats at another gateway. Asked once a lease, before it is given up. */
async function isRenewedElsewhere(instance: Instance, ports: RegistryPorts): Promise<boolean> {
  if (!ports.peers.isPossible || instance.observed === 'gone') return false;
  const { tenant, agentId, instanceId } = instance.row;
  const entry = await refresh({ tenant, agentId }, ports);
  const row = entry?.instances.get(instanceId)?.row;
  return row === undefined || row.leaseEndsAt > ports.clock.now();
}

async function forget(ports: RegistryPorts): Promise<void> {
  const gone = await ports.storage.agents.sweep({
    goneForMs: ports.options.goneKeepMs,
    limit: SWEEP_MAX,
    now: ports.now(),
  });
  for (const { tenant, agentId, instanceId } of gone) {
    const instance = ports.directory.leave(tenant, agentId, instanceId);
    if (instance !== undefined) ports.board.drop(instance.key);
    tellOthers({ tenant, agentId }, ports);
  }
}
