import type { AgentEntry, Instance } from '../registry/directory.ts';
import { tierOf, whyNotRoutable } from '../registry/routable.ts';
import type { Board } from '../resilience/board.ts';
import type { RoutingPorts } from './decide.ts';

/** An instance that could take work now. */
export interface Place {
  instanceId: string;
  key: string;
  /** It has an address, so work is sent to it; else it comes for its work. */
  isPushed: boolean;
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
  { directory, board }: Pick<RoutingPorts, 'directory' | 'board'>,
): Presence {
  const entry = directory.agent(at.tenant, at.agentId);
  if (entry === undefined) return { isKnown: false, places: [], away: [] };
  const places: Place[] = [];
  const away: string[] = [];
  for (const instance of entry.instances.values()) {
    if (tierOf(instance) !== undefined) places.push(placeOf(entry, instance, slotsEach, board));
    else away.push(`${instance.row.instanceId}: ${whyNotRoutable(instance) ?? 'it is away'}`);
  }
  return { isKnown: true, places, away };
}

function placeOf(entry: AgentEntry, instance: Instance, slotsEach: number, board: Board): Place {
  return {
    instanceId: instance.row.instanceId,
    key: instance.key,
    isPushed: instance.row.mode === 'push',
    slots: entry.definition.manifest.max_concurrency ?? slotsEach,
    inflight: board.of(instance.key).inflight,
  };
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

/** Instances of an agent by id, whatever their state, and what somebody wants of each. */
export function membersOf(
  at: { tenant: string; agentId: string },
  { directory }: Pick<RoutingPorts, 'directory'>,
):
  | { instanceId: string; isPushed: boolean; whyNot: string | undefined; isEnabled: boolean }[]
  | undefined {
  const entry = directory.agent(at.tenant, at.agentId);
  if (entry === undefined) return undefined;
  return [...entry.instances.values()].map((instance) => ({
    instanceId: instance.row.instanceId,
    isPushed: instance.row.mode === 'push',
    whyNot: whyNotRoutable(instance),
    isEnabled: instance.row.intent === 'enabled',
  }));
}
