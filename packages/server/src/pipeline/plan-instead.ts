import { ReachError } from '@agent-reach/core';
import type { Selector } from '../routing/decision.ts';
import { barsFor, fallbacksOf, insteadOf, type StandIn } from '../routing/fallbacks.ts';
import type { OrderFallback } from './order.ts';
import { type Plan, type PlanLimits, planWork } from './plan.ts';
import type { RoadPorts } from './ports.ts';

/** A plan for what is declared to stand in for planned work. */
export interface PlanInstead {
  plan: Plan;
  /** Who declares it. */
  from: StandIn['from'];
  fallback: OrderFallback;
}

/**
 * Plans of what is declared to stand in for planned work, in the order of the declarations, made as
 * they are asked for. What fits nobody is passed over.
 */
export function* plansInstead(
  asked: Plan,
  about: { selector: Selector; requested: readonly string[]; limits: PlanLimits },
  ports: RoadPorts,
): Generator<PlanInstead> {
  const { selector, requested, limits } = about;
  const { standIns, effects } = fallbacksOf(
    { ...selector, capability: asked.capability },
    requested,
    asked.weighed,
  );
  for (const { capability, from } of standIns) {
    try {
      const plan = planWork(
        insteadOf(selector, capability),
        { ...limits, bars: barsFor(effects) },
        ports,
      );
      yield { plan, from, fallback: { of: asked.capability, effects } };
    } catch (thrown) {
      if (!ReachError.is(thrown)) throw thrown; // It takes other parameters, or closes a circle.
    }
  }
}
