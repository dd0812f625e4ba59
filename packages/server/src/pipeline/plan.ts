import {
  type CandidateView,
  type Effect,
  type Issue,
  ReachError,
  type RouteStrategy,
} from '@agent-reach/core';
import { demandNoCycle } from '../policy/chain.ts';
import { decisionError, survey } from '../routing/decide.ts';
import type { Selector, Survey, Weighed } from '../routing/decision.ts';
import { explain } from '../routing/explain.ts';
import { nobodyReachable } from '../routing/none.ts';
import { longestMs, membersOf, offerOf, type Place, presenceOf } from '../routing/presence.ts';
import type { RoadPorts } from './ports.ts';

export type { Place } from '../routing/presence.ts';

/** An agent that is permitted and fits, as a place where work may wait. */
export interface Candidate {
  agentId: string;
  effect: Effect | undefined;
  /** Runs it can take at once, all who are there together; 0: nobody of it is. */
  slots: number;
  /** The one instance that has the tags asked for, where not all of the agent's have. */
  home: string | undefined;
}

/** Who could do a piece of work that may wait for him. */
export interface Plan {
  capability: string;
  strategy: RouteStrategy;
  /** None: nobody offers it as asked for. Those without slots are away. */
  candidates: Candidate[];
  /** Why nobody is there, when nobody is. */
  absence: string | undefined;
  warnings: string[];
}

/** What the plan must know beside what is asked for. */
export interface PlanLimits {
  /** `agent/capability` of each call above the work. */
  path: readonly string[];
  /** Runs at once of an instance whose manifest says nothing. */
  slotsEach: number;
}

/**
 * The second step of the road for work that may wait: all who fit, away or not. Throws what no
 * waiting mends: parameters that nobody takes, tags that fit several capabilities or none, an
 * agent that does not exist, a circle.
 */
export function planWork(selector: Selector, limits: PlanLimits, ports: RoadPorts): Plan {
  const permits = () => true;
  const found = survey(selector, { permits, tried: new Set() }, ports.routing);
  if (found.outcome !== 'fitting') return planNobody(selector, found);
  const capability = found.fitting[0]?.provider.capability.name ?? '';
  const free = found.fitting.filter((w) => !closesCircle(w, capability, limits.path));
  const first = found.fitting[0];
  if (free.length === 0 && first !== undefined) {
    demandNoCycle(limits.path, first.provider.agent.definition.agentId, capability);
  }
  const candidates = free.map((w) => candidateOf(w, limits.slotsEach, ports));
  const isAbsent = candidates.every(({ slots }) => slots === 0);
  return {
    capability,
    strategy: found.strategy,
    candidates,
    absence: isAbsent ? nobodyReachable(selector, found.weighed, free).detail : undefined,
    warnings: found.warnings,
  };
}

function planNobody(selector: Selector, found: Exclude<Survey, { outcome: 'fitting' }>): Plan {
  const { capability } = selector;
  if (found.outcome !== 'none' || found.code !== 'capability-not-found') throw decisionError(found);
  if (capability === undefined) throw decisionError(found);
  return {
    capability,
    strategy: 'exact_match',
    candidates: [],
    absence: found.detail,
    warnings: found.warnings,
  };
}

function closesCircle(w: Weighed, capability: string, path: readonly string[]): boolean {
  return path.includes(`${w.provider.agent.definition.agentId}/${capability}`);
}

function candidateOf(w: Weighed, slotsEach: number, ports: RoadPorts): Candidate {
  const { tenant, agentId } = w.provider.agent.definition;
  const fitting = new Set(w.instances.map(({ instance }) => instance.row.instanceId));
  const { places } = presenceOf({ tenant, agentId }, slotsEach, ports.routing);
  const able = places.filter(({ instanceId }) => fitting.has(instanceId));
  return {
    agentId,
    effect: w.provider.capability.effect,
    slots: able.reduce((sum, { slots }) => sum + slots, 0),
    home: able.length < places.length ? able[0]?.instanceId : undefined,
  };
}

/** Why each candidate could or could not take the work, for people. */
export function explainWork(selector: Selector, ports: RoadPorts): CandidateView[] {
  const found = survey(selector, { permits: () => true, tried: new Set() }, ports.routing);
  const decision =
    found.outcome === 'fitting' ? nobodyReachable(selector, found.weighed, found.fitting) : found;
  return explain(decision, ports.board);
}

/** An agent as tasks see it. */
export interface AgentPlace {
  tenant: string;
  agentId: string;
}

/** Who of an agent is there, and why the others are not. */
export function agentPresence(at: AgentPlace, slotsEach: number, ports: RoadPorts) {
  return presenceOf(at, slotsEach, ports.routing);
}

/** Instances of the agent to which work is sent, the one with the most room first. */
export function pushPlaces(at: AgentPlace, slotsEach: number, ports: RoadPorts): Place[] {
  return presenceOf(at, slotsEach, ports.routing).places.filter(({ isPushed }) => isPushed);
}

/** The longest that one run at the agent may take. */
export function longestRunMs(at: AgentPlace, ports: RoadPorts): number {
  return longestMs(at, ports.routing);
}

/** Whether the agent offers the capability at present, and with which effect. */
export function offered(
  at: AgentPlace & { capability: string },
  ports: RoadPorts,
): { effect: Effect | undefined; agentMs: number } | undefined {
  const offer = offerOf(at, ports.routing);
  if (offer === undefined) return undefined;
  return { effect: offer.capability.effect, agentMs: offer.capability.sla.timeout_ms };
}

/** Agents that offer the capability at present, there or away. */
export function offerers(at: { tenant: string; capability: string }, ports: RoadPorts): string[] {
  const offers = ports.routing.directory.offers(at.tenant, at.capability);
  return offers.map(({ agent }) => agent.definition.agentId);
}

/** What of a result breaks the schema that the agent declares for it now. */
export function resultFaults(
  at: AgentPlace & { capability: string },
  result: unknown,
  ports: RoadPorts,
): Issue[] {
  return offerOf(at, ports.routing)?.checkOutput(result) ?? [];
}

/** What of a payload breaks the schema that the agent declares for it now. */
export function payloadFaults(
  at: AgentPlace & { capability: string },
  payload: unknown,
  ports: RoadPorts,
): Issue[] {
  return offerOf(at, ports.routing)?.checkInput(payload) ?? [];
}

/**
 * The instance as which an agent claims. Throws `agent-not-found` for one that must register
 * (again), `draining` for one that is to get nothing.
 */
export function demandHolder(
  at: AgentPlace & { instanceId: string | undefined },
  ports: RoadPorts,
): string {
  const members = membersOf(at, ports.routing);
  const again = { agent: at.agentId, register_again: true };
  if (members === undefined) {
    throw new ReachError('agent-not-found', `${at.agentId} is not registered.`, again);
  }
  const named = members.filter(
    (m) => m.instanceId === at.instanceId || at.instanceId === undefined,
  );
  const pulling = named.filter((m) => !m.isPushed);
  const [member] = pulling.length > 0 ? pulling : named;
  if (member === undefined) {
    const who = at.instanceId === undefined ? 'an instance' : `the instance ${at.instanceId}`;
    const detail = `${at.agentId} has not ${who}: register with instance{pull: true} first.`;
    throw new ReachError('agent-not-found', detail, again);
  }
  if (at.instanceId === undefined && named.length > 1) {
    throw new ReachError(
      'validation-failed',
      `${at.agentId} has ${named.length} instances; say which one claims.`,
      { errors: [{ pointer: '#/instance_id', detail: 'is missing' }] },
    );
  }
  if (!member.isEnabled) {
    throw new ReachError('draining', `${at.agentId} gets no work: ${member.whyNot}.`, {
      agent: at.agentId,
      retry_after_ms: 5_000,
    });
  }
  return member.instanceId;
}

/** Whether the agent has an instance of that name, there or away. */
export function hasMember(at: AgentPlace & { instanceId: string }, ports: RoadPorts): boolean {
  const members = membersOf(at, ports.routing) ?? [];
  return members.some(({ instanceId }) => instanceId === at.instanceId);
}

/** Instances of the agent that are away: whoever claims may stand in for them. */
export function awayOf(at: AgentPlace, ports: RoadPorts): string[] {
  const members = membersOf(at, ports.routing) ?? [];
  return members.filter(({ whyNot }) => whyNot !== undefined).map(({ instanceId }) => instanceId);
}
