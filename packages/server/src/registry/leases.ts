import { type Input, type Output, ReachError } from '@agent-reach/core';
import type { AgentEntry, Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';
import { fenceWord } from './fence-word.ts';
import { intentOf } from './intent.ts';
import { alive } from './observe.ts';
import { knownAgent, refresh } from './sync.ts';

/** Renews a lease, and says when to beat next. A heartbeat of somebody unknown is told to register again. */
export async function heartbeat(
  tenant: string,
  input: Input<'agents.heartbeat'>,
  ports: RegistryPorts,
): Promise<Output<'agents.heartbeat'>> {
  const { agent_id: agentId } = input;
  const { entry, instance } = await beating(tenant, input, ports);
  const plan = ports.beats.plan(entry, instance);
  const answer = await ports.storage.agents.renew({
    tenant,
    agentId,
    instanceId: instance.row.instanceId,
    ...(input.boot_id === undefined ? {} : { bootId: input.boot_id }),
    ...(input.seq === undefined ? {} : { seq: input.seq }),
    leaseMs: plan.leaseMs,
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
  ports.beats.keep(instance, plan, answer.row);
  return {
    agent_id: agentId,
    instance_id: instance.row.instanceId,
    lease_ms: answer.row.leaseMs,
    next_heartbeat_ms: plan.toldMs,
    observed: instance.observed,
    intent: intentOf(instance).intent,
    addr_version: instance.addrVersion,
    manifest_version: entry.definition.manifestVersion,
    ...fenceWord(instance, ports),
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
