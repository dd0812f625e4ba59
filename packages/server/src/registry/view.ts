import type { AgentView, InstanceView, Observed } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { Board } from '../resilience/board.ts';
import { toldOf } from '../resilience/circuits.ts';
import type { AgentEntry, Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';
import { intentOf } from './intent.ts';
import { whyNotRoutable } from './routable.ts';
import { reachabilityView, whyLow } from './score-view.ts';

// Best first: an agent is as well as its best instance.
const BEST_FIRST: readonly Observed[] = ['up', 'degraded', 'suspect', 'new', 'unreachable', 'gone'];

/** An agent as operations show it. */
export function viewOf(
  entry: AgentEntry,
  ports: Pick<RegistryPorts, 'board' | 'scores' | 'mayOffer' | 'fences' | 'clock'>,
): AgentView {
  const { mayOffer } = ports;
  const { definition } = entry;
  const { manifest } = definition;
  const instances = [...entry.instances.values()];
  const lastSeen = lastSeenOf(instances);
  const { tenant, agentId } = definition;
  const pending = manifest.capabilities
    .map(({ name }) => name)
    .filter((capability) => !mayOffer({ tenant, agentId, capability }));
  return {
    agent_id: definition.agentId,
    tenant: definition.tenant,
    kind: manifest.kind,
    display_name: manifest.display_name,
    ...(manifest.description === undefined ? {} : { description: manifest.description }),
    ...(manifest.version === undefined ? {} : { version: manifest.version }),
    ...(manifest.owner === undefined ? {} : { owner: manifest.owner }),
    manifest_version: definition.manifestVersion,
    ...(definition.breaking.length === 0 ? {} : { breaking: definition.breaking }),
    status: statusOf(instances),
    ...(lastSeen === undefined ? {} : { last_seen: iso(lastSeen) }),
    tags: manifest.tags,
    capabilities: manifest.capabilities,
    ...(pending.length === 0 ? {} : { pending }),
    instances: instances.map((instance) => instanceView(entry, instance, ports)),
    metadata: manifest.metadata,
  };
}

/** The best observed state among instances; `absent` without any. */
export function statusOf(instances: readonly Instance[]): AgentView['status'] {
  return BEST_FIRST.find((state) => instances.some((i) => i.observed === state)) ?? 'absent';
}

/** When any of the instances was last heard or measured. */
export function lastSeenOf(instances: Iterable<Instance>): number | undefined {
  let last: number | undefined;
  for (const { seenAt } of instances) last = Math.max(last ?? 0, seenAt);
  return last;
}

/** Capabilities of an instance that are left alone for now. */
export function circuitsOf(entry: AgentEntry, { key }: Instance, { circuits }: Board) {
  return entry.definition.manifest.capabilities.flatMap(({ name: capability }) => {
    const circuit = circuits.of({ endpoint: key, capability });
    return circuit === undefined ? [] : [{ capability, circuit }];
  });
}

function instanceView(
  entry: AgentEntry,
  instance: Instance,
  ports: Pick<RegistryPorts, 'board' | 'scores' | 'fences' | 'clock'>,
): InstanceView {
  const { board, scores } = ports;
  const { row, sight } = instance;
  const { intent, by, reason } = intentOf(instance);
  const score = scores.of(instance);
  const circuits = circuitsOf(entry, instance, board).map(({ capability, circuit }) => ({
    capability,
    state: circuit.state,
    detail: toldOf(circuit),
  }));
  return {
    instance_id: row.instanceId,
    mode: row.mode,
    ...(row.baseUrl === undefined ? {} : { base_url: row.baseUrl }),
    observed: instance.observed,
    observed_cause:
      instance.observed === 'degraded'
        ? (sight.spared ?? whyLow(score))
        : (instance.failure ?? instance.cause),
    intent,
    intent_by: by === 'fence' ? 'system' : by,
    ...(reason === undefined ? {} : { intent_reason: reason }),
    routable: whyNotRoutable(instance) === undefined,
    addr_version: instance.addrVersion,
    ...(sight.isVerified === undefined
      ? {}
      : { identity: sight.isVerified ? 'verified' : 'unverified' }),
    ...fenceView(instance, ports),
    tags: row.tags,
    inflight: board.of(instance.key).inflight,
    reachability: reachabilityView(score),
    ...(circuits.length === 0 ? {} : { circuits }),
    ...(instance.rttMs === undefined ? {} : { rtt_ms: Math.round(instance.rttMs * 10) / 10 }),
    last_heartbeat: iso(row.lastHeartbeatAt),
    lease_ends: iso(row.leaseEndsAt),
  };
}

function fenceView(
  { fence, row: { tenant } }: Instance,
  { fences, clock }: Pick<RegistryPorts, 'fences' | 'clock'>,
): Pick<InstanceView, 'fence'> {
  if (fence === undefined) return {};
  const { epoch, from, until } = fence;
  const times = fences.timesOf(tenant, fence, clock.now());
  return { fence: { epoch, since: iso(from), until: iso(until), times } };
}
