import { type Effect, type Issue, ReachError, type RouteStrategy } from '@agent-reach/core';
import { demandNoCycle } from '../policy/chain.ts';
import { inOrder, type Member, type Method, methodFor } from '../routing/balance.ts';
import { decisionError, type RouteLimits, survey } from '../routing/decide.ts';
import type { Selector, Survey, Weighed } from '../routing/decision.ts';
import { relaxations } from '../routing/match-tags.ts';
import { nobodyReachable, notPermitted } from '../routing/none.ts';
import { longestMs, membersOf, offerOf, type Place, presenceOf } from '../routing/presence.ts';
import { byVersion, whyNoShare } from '../routing/versions.ts';
import { standingWeight, versionOf } from '../routing/weight.ts';
import { type Candidate, candidateOf } from './candidate.ts';
import type { RoadPorts } from './ports.ts';

export type { Place } from '../routing/presence.ts';
export type { Candidate } from './candidate.ts';

/** Who could do a piece of work that may wait for him. */
export interface Plan {
  capability: string;
  strategy: RouteStrategy;
  /** None: nobody offers it as asked for. Those without slots are away. */
  candidates: Candidate[];
  /** How one of them is chosen. */
  method: Method;
  /** Why nobody is there, when nobody is. */
  absence: string | undefined;
  /** Who alone may have it, where what was asked is pinned to him. */
  agent?: string | undefined;
  /** Everybody who was looked at. */
  weighed: readonly Weighed[];
  warnings: string[];
}

/** What the plan must know beside what is asked for. */
export interface PlanLimits {
  /** `agent/capability` of each call above the work. */
  path: readonly string[];
  /** Runs at once of an instance whose manifest says nothing. */
  slotsEach: number;
  /** Which offers whoever submitted it may have. */
  permits: RouteLimits['permits'];
  /** Why a capability of this kind will not do, where it stands in for another. */
  bars?: RouteLimits['bars'];
  /** Whether an agent's queue is fuller than it should be; for work that is not bound yet. */
  isPastDanger?: (agentId: string) => boolean;
}

/**
 * The second step of the road for work that may wait: all who fit, away or not. Throws what no
 * waiting mends: parameters that nobody takes, tags that fit several capabilities or none, an
 * agent that does not exist, a circle.
 */
export function planWork(selector: Selector, limits: PlanLimits, ports: RoadPorts): Plan {
  const { permits, bars } = limits;
  const found = survey(selector, { permits, bars, tried: NOT_TRIED }, ports.routing);
  if (found.outcome !== 'fitting') return planNobody(selector, found, permits, ports);
  const plan = planFitting(selector, found, limits, ports);
  const { isPastDanger } = limits;
  if (isPastDanger === undefined || !ports.routing.options.relaxPastDanger) return plan;
  return relaxedPastDanger(plan, selector, { ...limits, isPastDanger }, ports) ?? plan;
}

const NOT_TRIED: ReadonlySet<string> = new Set();

function planFitting(
  selector: Selector,
  found: Extract<Survey, { outcome: 'fitting' }>,
  limits: PlanLimits,
  ports: RoadPorts,
): Plan {
  const capability = found.fitting[0]?.provider.capability.name ?? '';
  const free = found.fitting.filter((w) => !closesCircle(w, capability, limits.path));
  const first = found.fitting[0];
  if (free.length === 0 && first !== undefined) {
    demandNoCycle(limits.path, first.provider.agent.definition.agentId, capability);
  }
  const { grouped, warnings } = byVersion(free, selector, ports.routing.weights);
  const method = methodOf(selector, capability, ports);
  const candidates = grouped.map((g) => candidateOf(g, { method, ...limits }, ports));
  const isAbsent = candidates.every(({ slots }) => slots === 0);
  return {
    capability,
    strategy: found.strategy,
    agent: found.pin?.agent,
    candidates,
    method,
    absence: isAbsent
      ? nobodyReachable(selector, found.weighed, free, ports.routing).detail
      : undefined,
    weighed: found.weighed,
    warnings: [...found.warnings, ...warnings],
  };
}

/** Tasks of one source stay with one agent, whatever the strategy, unless turns are asked for. */
function methodOf({ tenant, sourceId }: Selector, capability: string, ports: RoadPorts): Method {
  const { weights, options } = ports.routing;
  return methodFor(weights.strategyOf(tenant, capability) ?? options.strategy, sourceId, true);
}

/**
 * The plan without some of the tags, in their order, where the queues of all who have them are past
 * danger; undefined: they are not, or nobody is better off.
 */
function relaxedPastDanger(
  exact: Plan,
  selector: Selector,
  limits: PlanLimits & Required<Pick<PlanLimits, 'isPastDanger'>>,
  ports: RoadPorts,
): Plan | undefined {
  const isCalm = ({ slots, agentId }: Candidate) => slots > 0 && !limits.isPastDanger(agentId);
  const isPinned = ports.routing.pins.ofCapability(selector.tenant, exact.capability) !== undefined;
  if (selector.strictTags || isPinned || exact.absence !== undefined) return undefined;
  if (exact.candidates.some(isCalm)) return undefined;
  for (const step of relaxations(selector.tags, ports.routing.options.relax)) {
    const wider = { ...selector, tags: step.wanted, strictTags: true };
    const found = survey(wider, { permits: limits.permits, tried: NOT_TRIED }, ports.routing);
    if (found.outcome !== 'fitting') continue;
    const plan = planFitting(wider, found, limits, ports);
    const candidates = plan.candidates.filter(isCalm);
    if (candidates.length === 0) continue;
    const warning = `Everybody with ${step.gaveUp.join(', ')} has a queue past danger; given up to find a candidate.`;
    return { ...plan, candidates, warnings: [...plan.warnings, warning] };
  }
  return undefined;
}

/** Those who could take the work, the one who gets it first. */
export function inOrderOfPlan<M extends Member>(
  members: readonly M[],
  { capability, method }: Pick<Plan, 'capability' | 'method'>,
  tenant: string,
  { routing: { random, memory, options } }: RoadPorts,
): M[] {
  const name = `${tenant}/${capability} (tasks)`;
  return inOrder(members, name, method, { random, memory, vnodes: options.vnodes });
}

function planNobody(
  selector: Selector,
  found: Exclude<Survey, { outcome: 'fitting' }>,
  permits: RouteLimits['permits'],
  ports: RoadPorts,
): Plan {
  const { tenant, capability } = selector;
  if (found.outcome !== 'none' || found.code !== 'capability-not-found') throw decisionError(found);
  if (capability === undefined) throw decisionError(found);
  // Whoever may not have it need not wait until somebody offers it.
  if (!permits({ tenant, agentId: '', capability })) throw notPermitted(capability);
  return {
    capability,
    strategy: 'exact_match',
    candidates: [],
    method: methodOf(selector, capability, ports),
    absence: found.detail,
    weighed: found.weighed,
    warnings: found.warnings,
  };
}

function closesCircle(w: Weighed, capability: string, path: readonly string[]): boolean {
  return path.includes(`${w.provider.agent.definition.agentId}/${capability}`);
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

/**
 * Instances whose work others of the agent may take: they have been away for as long as a place is
 * kept, or somebody took them out.
 */
export function awayOf(at: AgentPlace, ports: RoadPorts): string[] {
  const keptSince = ports.clock.now() - ports.routing.options.ringHoldMs;
  return (membersOf(at, ports.routing) ?? [])
    .filter(({ whyNot, isEnabled, isFenced, hasWeight, thereUntil }) => {
      const isOut = !isEnabled || isFenced || !hasWeight;
      return whyNot !== undefined && (isOut || thereUntil < keptSince);
    })
    .map(({ instanceId }) => instanceId);
}

/**
 * The version groups whose tasks an instance takes beside those of none; undefined: it takes
 * nothing at all, its weight is 0.
 */
export function groupsOf(
  at: AgentPlace & { instanceId: string },
  ports: RoadPorts,
): string[] | undefined {
  const members = membersOf(at, ports.routing) ?? [];
  const member = members.find(({ instanceId }) => instanceId === at.instanceId);
  if (member?.hasWeight === false) return undefined;
  return member?.version === undefined ? [] : [member.version];
}

/**
 * Whether a task that waits at an agent may go on waiting there: its home has not left, somebody
 * of its version is there and has a share, and the capability's work there is not weighted to 0.
 */
export function mayStay(
  at: AgentPlace & { capability: string; home: string | undefined; group: string | undefined },
  ports: RoadPorts,
): boolean {
  const members = membersOf(at, ports.routing) ?? [];
  if (at.home !== undefined && !members.some(({ instanceId }) => instanceId === at.home)) {
    return false;
  }
  const offer = offerOf(at, ports.routing);
  if (offer === undefined) return true; // Whoever sends it will find out and route it anew.
  const instances = [...offer.agent.instances.values()].filter(({ row }) =>
    members.some((m) => m.instanceId === row.instanceId && m.whyNot === undefined),
  );
  return instances.some((instance) => {
    const { agent, capability } = offer;
    if (standingWeight({ agent, capability, instance }, ports.routing) === 0) return false;
    if (at.group === undefined) return true;
    const isOfIt = versionOf(agent, instance) === at.group;
    return isOfIt && whyNoShare(offer, instance, ports.routing.weights) === undefined;
  });
}
