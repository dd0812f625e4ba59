import type { Capability, FallbackView } from '@agent-reach/core';
import { type Declared, whyNoStandIn } from '../resilience/stand-in.ts';
import { survey, type RouteLimits } from './decide.ts';
import type { Decision, Selector, Weighed } from './decision.ts';
import type { RoutingPorts } from './ports.ts';
import { NOT_PERMITTED } from './none.ts';

/** A capability that may stand in for the one asked for, and who says so. */
export type StandIn = Pick<FallbackView, 'capability' | 'from'>;

/** What was asked for, as far as its fallbacks depend on it. */
export interface Fallbacks {
  /** In the order in which they are tried. */
  standIns: readonly StandIn[];
  /** Effects of those who offer what was asked for: a fallback outdoes none of them. */
  effects: readonly Declared[];
}

/** Of several providers each may declare its own; more would be a search. */
const STAND_INS_MAX = 6;

/**
 * What is declared to stand in for what was asked for: the request's own list, then what the
 * manifests of those say who offer it and fit. Whoever named an agent wants no other one, unless he
 * lists it himself. What the asker may not have is refused to him, and nothing stands in for it.
 */
export function fallbacksOf(
  { capability: asked, agent }: Pick<Selector, 'capability' | 'agent'>,
  requested: readonly string[],
  weighed: readonly Weighed[],
): Fallbacks {
  const fitting = weighed.filter(({ out }) => out === undefined);
  const offers = fitting.length > 0 ? fitting : weighed;
  const effects = new Set(offers.map((one) => one.provider.capability.effect ?? 'undeclared'));
  const isRefused = fitting.length === 0 && weighed.some(({ out }) => out === NOT_PERMITTED);
  if (isRefused) return { standIns: [], effects: [...effects] };
  const declared =
    agent === undefined
      ? fitting.flatMap(({ provider }) => provider.capability.fallback ?? [])
      : [];
  const standIns = new Map<string, StandIn>();
  for (const capability of requested) standIns.set(capability, { capability, from: 'request' });
  for (const capability of declared) {
    if (!standIns.has(capability)) standIns.set(capability, { capability, from: 'manifest' });
  }
  for (const own of [asked, ...fitting.map(({ provider }) => provider.capability.name)]) {
    if (own !== undefined) standIns.delete(own); // Nothing stands in for itself.
  }
  return { standIns: [...standIns.values()].slice(0, STAND_INS_MAX), effects: [...effects] };
}

/** Why a capability may not stand in for others of these effects. */
export function barsFor(effects: readonly Declared[]) {
  return (capability: Capability) => whyNoStandIn(capability, effects);
}

/** What is asked for in its place: the tags hold, the names of agent and version were of the other. */
export function insteadOf(selector: Selector, capability: string): Selector {
  const { strategy: _, ...rest } = selector;
  return { ...rest, capability, intent: undefined, agent: undefined, version: undefined };
}

/** Each fallback of a decision, and whether a call could turn to it now. */
export function explainFallbacks(
  selector: Selector,
  about: { requested: readonly string[]; decision: Decision; permits: RouteLimits['permits'] },
  ports: RoutingPorts,
): FallbackView[] {
  const { standIns, effects } = fallbacksOf(selector, about.requested, about.decision.weighed);
  // Those that pull as well: a call reaches them, if direct traffic does not.
  const limits = { permits: about.permits, tried: new Set<string>(), bars: barsFor(effects) };
  return standIns.map((standIn) => {
    const found = survey(insteadOf(selector, standIn.capability), limits, ports);
    if (found.outcome === 'none') {
      return { ...standIn, verdict: 'excluded', reason: found.detail };
    }
    const ready = found.outcome === 'fitting' ? found.fitting.filter(isReady) : [];
    const agents = ready.map(({ provider }) => provider.agent.definition.agentId);
    if (agents.length === 0) {
      return { ...standIn, verdict: 'excluded', reason: 'nobody who offers it can be reached now' };
    }
    return { ...standIn, verdict: 'ready', reason: `offered by ${agents.slice(0, 5).join(', ')}` };
  });
}

function isReady({ instances }: Weighed): boolean {
  return instances.length > 0;
}
