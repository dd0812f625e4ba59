import type { CandidateView } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { Instance } from '../registry/directory.ts';
import { whyNotRoutable } from '../registry/routable.ts';
import type { Board } from '../resilience/board.ts';
import type { Decision, Ranked, Weighed } from './decision.ts';

/** More candidates than a person reads; the bound of the answer's size. */
const CANDIDATES_MAX = 50;

/** Why each candidate was taken or left. Rendered only when asked for: it costs more than the choice. */
export function explain(decision: Decision, board: Board): CandidateView[] {
  const chosen = decision.outcome === 'route' ? decision.instance : undefined;
  const views: CandidateView[] = [];
  for (const candidate of decision.weighed) {
    for (const view of viewsOf(candidate, chosen, board)) {
      if (views.length === CANDIDATES_MAX) return views;
      views.push(view);
    }
  }
  return views;
}

function viewsOf(
  { provider, out, instances }: Weighed,
  chosen: Instance | undefined,
  board: Board,
): CandidateView[] {
  const agent = provider.agent.definition.agentId;
  const capability = provider.capability.name;
  const all = [...provider.agent.instances.values()];
  if (out !== undefined || all.length === 0) {
    return [{ agent, capability, verdict: 'excluded', reason: out ?? 'it has no instance' }];
  }
  return all.map((instance) => ({
    agent,
    instance: instance.row.instanceId,
    capability,
    ...judgement(instance, instances, chosen, board),
    observed: instance.observed,
    intent: instance.row.intent,
    inflight: board.of(instance.key).inflight,
    last_seen: iso(instance.seenAt),
  }));
}

function judgement(
  instance: Instance,
  eligible: readonly Ranked[],
  chosen: Instance | undefined,
  board: Board,
): Pick<CandidateView, 'verdict' | 'reason'> {
  if (instance === chosen) {
    const alone = eligible.length === 1 ? 'the only one' : 'least in flight of two drawn at random';
    return { verdict: 'chosen', reason: `${alone} (${board.of(instance.key).inflight} in flight)` };
  }
  const why = whyNotRoutable(instance);
  if (why !== undefined) return { verdict: 'excluded', reason: why };
  if (eligible.some((one) => one.instance === instance)) {
    return { verdict: 'eligible', reason: 'not drawn, or more in flight' };
  }
  const reason =
    instance.row.mode === 'pull'
      ? 'it pulls its work: nothing goes to it direct, or its tags do not match'
      : 'tried already, in doubt, or its tags do not match';
  return { verdict: 'excluded', reason };
}
