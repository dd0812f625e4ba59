import type { Effect } from '@agent-reach/core';
import { inOrder, type Method, UNWEIGHED } from '../routing/balance.ts';
import { isKept, type Place, presenceOf } from '../routing/presence.ts';
import type { Grouped } from '../routing/versions.ts';
import { agentStanding, weightOf, weightParts } from '../routing/weight.ts';
import type { RoadPorts } from './ports.ts';

/** An agent that is permitted and fits, as a place where work may wait. */
export interface Candidate {
  agentId: string;
  effect: Effect | undefined;
  /** Runs it can take at once, all who are there together; 0: nobody of it is. */
  slots: number;
  /** The same, each place by its weight: what its queue is measured against. */
  capacity: number;
  /** The part of its weight that an operator's hand alone changes: sources are spread by it. */
  standing: number;
  /** How far it is trusted with more, over 0, 1 at most. */
  reliability: number;
  /**
   * The one instance that may take it, where others of the agent could come for it: the one with the
   * tags asked for, or the one to which its source belongs.
   */
  home: string | undefined;
  /** The version that was chosen for it. */
  group: string | undefined;
  /** Nobody of it is there, but was until just now, and its sources wait for it. */
  isKept: boolean;
}

/**
 * An offer as a candidate: who of it is there, and of which weight. `slotsEach` is meant where a
 * manifest does not say how many runs an instance takes at once.
 */
export function candidateOf(
  { provider, instances, group }: Grouped,
  { method, slotsEach }: { method: Method; slotsEach: number },
  ports: RoadPorts,
): Candidate {
  const { agent, capability } = provider;
  const { tenant, agentId } = agent.definition;
  const ranked = new Map(instances.map((one) => [one.instance.key, one]));
  // Others of the agent that could come for the work, if nothing names its home.
  const places = presenceOf({ tenant, agentId }, slotsEach, ports.routing).places.filter(
    ({ version }) => group === undefined || version === group,
  );
  const able: Able[] = [];
  const total = { slots: 0, capacity: 0, sound: 0 };
  for (const place of places) {
    const one = ranked.get(place.key);
    if (one === undefined) continue;
    const parts = weightParts({ agent, capability, instance: one.instance }, ports.routing);
    able.push({ ...place, standing: one.standing });
    total.slots += place.slots;
    total.capacity += place.slots * weightOf(parts);
    total.sound += (place.slots * weightOf(parts)) / parts.reachability;
  }
  const now = ports.clock.now();
  const holdMs = ports.routing.options.ringHoldMs;
  return {
    agentId,
    effect: capability.effect,
    slots: total.slots,
    capacity: total.capacity,
    standing: agentStanding(provider, ports.routing),
    reliability: total.sound === 0 ? 1 : total.capacity / total.sound,
    home: homeOf(
      able,
      places.length,
      { method, name: `${tenant}/${capability.name}/${agentId}` },
      ports,
    ),
    group,
    isKept:
      able.length === 0 &&
      method.by === 'ring' &&
      isKept({ tenant, agentId }, { holdMs, now }, ports.routing),
  };
}

type Able = Place & { standing: number };

/** Among `rivals` places that could come for it. A source has the same one as its calls do. */
function homeOf(
  able: readonly Able[],
  rivals: number,
  { method, name }: { method: Method; name: string },
  ports: RoadPorts,
): string | undefined {
  if (method.by === 'ring' && rivals > 1) {
    const members = able.map((place) => ({ ...place, ...UNWEIGHED, id: place.key }));
    const { random, memory, options } = ports.routing;
    return inOrder(members, name, method, { random, memory, vnodes: options.vnodes })[0]
      ?.instanceId;
  }
  return able.length < rivals ? able[0]?.instanceId : undefined;
}
