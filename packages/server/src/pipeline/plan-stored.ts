import type { CandidateView } from '@agent-reach/core';
import { survey } from '../routing/decide.ts';
import { explain } from '../routing/explain.ts';
import { nobodyReachable } from '../routing/none.ts';
import { permitsOf, type Work } from './order.ts';
import { type Plan, planWork } from './plan.ts';
import type { RoadPorts } from './ports.ts';
import { barsOf, fallbackIn } from './run.ts';
import { selectorOfOrder } from './selector.ts';

type Stored = Pick<Work, 'tenant' | 'principal' | 'order' | 'params'>;

/** The plan of stored work as of now. Throws what no waiting mends, as `planWork` does. */
export function planStored(work: Stored, slotsEach: number, ports: RoadPorts): Plan {
  const { path } = work.order;
  const permits = permitsOf(work, ports.policy);
  return planWork(selectorOf(work), { path, slotsEach, permits, bars: barsIn(work) }, ports);
}

/** Why each candidate could or could not take stored work, for people. */
export function explainStored(work: Stored, { routing, policy }: RoadPorts): CandidateView[] {
  const selector = selectorOf(work);
  const permits = permitsOf(work, policy);
  const limits = { permits, tried: new Set<string>(), bars: barsIn(work) };
  const found = survey(selector, limits, routing);
  const decision =
    found.outcome === 'fitting'
      ? nobodyReachable(selector, found.weighed, found.fitting, routing)
      : found;
  return explain(decision, routing);
}

function selectorOf({ tenant, order, params }: Stored) {
  return selectorOfOrder(tenant, order, params);
}

function barsIn({ order }: Stored) {
  return barsOf({ fallback: fallbackIn(order) });
}
