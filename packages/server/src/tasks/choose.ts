import { type Candidate, inOrderOfPlan, type Plan } from '../pipeline/plan.ts';
import type { TaskRoom } from './room.ts';

/** What of a candidate's queue matters for the choice. */
export interface Load {
  pending: number;
  held: number;
}

/** A candidate with what its queue holds, as the plan's method sees it. */
export interface Choice {
  id: string;
  weight: number;
  standing: number;
  reliability: number;
  load: number;
  candidate: Candidate;
}

/** What the choice must know beside the candidates. */
export interface ChoiceRule {
  pendingMax: number;
  load: (candidate: Candidate) => Load;
  /** Those whose queues take more, the one who gets the task first. */
  order: (choices: Choice[]) => Choice[];
}

/** The candidates of a plan in the order in which they are offered a task, by the queues' figures. */
export function inOrderOfQueues(
  plan: Pick<Plan, 'candidates' | 'capability' | 'method'>,
  tenant: string,
  room: TaskRoom,
): Candidate[] {
  return inOrderOfChoice(plan.candidates, {
    pendingMax: room.options.pendingMax,
    load: ({ agentId }) => room.book.of({ tenant, agentId, taskType: plan.capability }),
    order: (choices) => inOrderOfPlan(choices, plan, tenant, room.road),
  });
}

/**
 * What waits and runs at each is measured against what it takes at once, by its weight. A full one
 * comes last: it is for the store to say that it really is. One that is away is offered only what
 * it keeps a place for.
 */
export function inOrderOfChoice(candidates: readonly Candidate[], rule: ChoiceRule): Candidate[] {
  const open: Choice[] = [];
  const full: Choice[] = [];
  for (const candidate of candidates) {
    if (candidate.slots === 0 && !candidate.isKept) continue;
    const { pending, held } = rule.load(candidate);
    const { agentId: id, capacity: weight, standing, reliability } = candidate;
    const choice = { id, weight, standing, reliability, load: pending + held, candidate };
    (pending >= rule.pendingMax ? full : open).push(choice);
  }
  full.sort((a, b) => a.load - b.load);
  return [...rule.order(open), ...full].map((choice) => choice.candidate);
}
