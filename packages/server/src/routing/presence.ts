import type { AgentEntry, Instance } from '../registry/directory.ts';
import { whyNotRoutable } from '../registry/routable.ts';
import type { Board } from '../resilience/board.ts';
import type { RoutingPorts } from './ports.ts';
import { versionOf, whyWeightless } from './weight.ts';

/** An instance that could take work now. */
export interface Place {
  instanceId: string;
  key: string;
  /** It has an address, so work is sent to it; else it comes for its work. */
  isPushed: boolean;
  /** The version group to which it belongs. */
  version: string | undefined;
  /** Runs it takes at once. */
  slots: number;
  /** Requests it has not answered yet, from any part of the gateway. */
  inflight: number;
}

/** How an agent stands, for work that can wait for it. */
export interface Presence {
  /** Nobody of that name is registered. */
  isKnown: boolean;
  places: Place[];
  /** Why the others of its instances take nothing. */
  away: string[];
}

/** Who of an agent is there now. `slotsEach` is meant where its manifest says nothing. */
export function presenceOf(
  at: { tenant: string; agentId: string },
  slotsEach: number,
  { directory, board, weights }: Pick<RoutingPorts, 'directory' | 'board' | 'weights'>,
): Presence {
  const entry = directory.agent(at.tenant, at.agentId);
  if (entry === undefined) return { isKnown: false, places: [], away: [] };
  const places: Place[] = [];
  const away: string[] = [];
  for (const instance of entry.instances.values()) {
    const why = whyNothing(entry, instance, weights);
    if (why === undefined) places.push(placeOf(entry, instance, slotsEach, board));
    else away.push(`${instance.row.instanceId}: ${why}`);
  }
  return { isKnown: true, places, away };
}

/** Why an instance gets no work at all. */
function whyNothing(
  agent: AgentEntry,
  instance: Instance,
  weights: RoutingPorts['weights'],
): string | undefined {
  return (
    whyNotRoutable(instance) ??
    whyWeightless({ agent, capability: undefined, instance }, { weights })
  );
}

function placeOf(entry: AgentEntry, instance: Instance, slotsEach: number, board: Board): Place {
  return {
    instanceId: instance.row.instanceId,
    key: instance.key,
    isPushed: instance.row.mode === 'push',
    version: versionOf(entry, instance),
    slots: entry.definition.manifest.max_concurrency ?? slotsEach,
    inflight: board.of(instance.key).inflight,
  };
}

/** All endpoints where a capability could be had now. */
export function* endpointsOf(
  at: { tenant: string; capability: string },
  { directory, weights }: Pick<RoutingPorts, 'directory' | 'weights'>,
): Generator<string> {
  for (const { agent } of directory.offers(at.tenant, at.capability)) {
    for (const instance of agent.instances.values()) {
      if (whyNothing(agent, instance, weights) === undefined) yield instance.key;
    }
  }
}

/** The effect and the time limit of an agent's capability; undefined: it does not offer it. */
export function offerOf(
  at: { tenant: string; agentId: string; capability: string },
  { directory }: Pick<RoutingPorts, 'directory'>,
) {
  return directory
    .offers(at.tenant, at.capability)
    .find((offer) => offer.agent.definition.agentId === at.agentId);
}

/** The longest that any capability of the agent may take. */
export function longestMs(
  at: { tenant: string; agentId: string },
  { directory }: Pick<RoutingPorts, 'directory'>,
): number {
  const providers = directory.agent(at.tenant, at.agentId)?.providers ?? [];
  return Math.max(0, ...providers.map(({ capability }) => capability.sla.timeout_ms));
}

/** An instance of an agent, whatever its state, and what somebody wants of it. */
export interface AgentMember {
  instanceId: string;
  isPushed: boolean;
  version: string | undefined;
  /** Why it gets no work. */
  whyNot: string | undefined;
  isEnabled: boolean;
  /** Nothing is sent to it for a while; what it fetches by itself it gets. */
  isFenced: boolean;
  /** It has a weight, so that it gets work whenever it is there. */
  hasWeight: boolean;
  /** Until when it was there, as far as anybody knows, wall clock. */
  thereUntil: number;
}

/** Instances of an agent by id. */
export function membersOf(
  at: { tenant: string; agentId: string },
  { directory, weights }: Pick<RoutingPorts, 'directory' | 'weights'>,
): AgentMember[] | undefined {
  const entry = directory.agent(at.tenant, at.agentId);
  if (entry === undefined) return undefined;
  return [...entry.instances.values()].map((instance) => ({
    instanceId: instance.row.instanceId,
    isPushed: instance.row.mode === 'push',
    version: versionOf(entry, instance),
    whyNot: whyNothing(entry, instance, weights),
    isEnabled: instance.row.intent === 'enabled',
    isFenced: instance.fence !== undefined,
    hasWeight:
      whyWeightless({ agent: entry, capability: undefined, instance }, { weights }) === undefined,
    thereUntil: thereUntil(instance),
  }));
}

/** One that fell silent was believed to be there until its lease was over. */
function thereUntil({ observed, row, seenAt }: Instance): number {
  return observed === 'gone' ? row.leaseEndsAt : seenAt;
}

/** Whether an agent that is away was there until lately, and nobody took it out. */
export function isKept(
  at: { tenant: string; agentId: string },
  { holdMs, now }: { holdMs: number; now: number },
  { directory, weights }: Pick<RoutingPorts, 'directory' | 'weights'>,
): boolean {
  const agent = directory.agent(at.tenant, at.agentId);
  return [...(agent?.instances.values() ?? [])].some(
    (instance) =>
      agent !== undefined &&
      instance.row.intent === 'enabled' &&
      instance.observed !== 'new' &&
      now - thereUntil(instance) <= holdMs &&
      whyWeightless({ agent, capability: undefined, instance }, { weights }) === undefined,
  );
}
