import type { RouteDecision } from '@agent-reach/core';
import type { Admission } from '../policy/admit.ts';
import type { Decision } from '../routing/decision.ts';
import { explain } from '../routing/explain.ts';
import { questionText } from '../routing/meant.ts';
import type { Plan } from './plan.ts';
import type { RoadPorts } from './ports.ts';

/** Shows a decision to whoever watches; costs one look where nobody does. */
export function tellDecision(
  made: { by: RouteDecision['by']; admission: Admission; routeId: string; decision: Decision },
  ports: RoadPorts,
): void {
  const { admission, decision } = made;
  if (!ports.watch.isWatched(admission.tenant)) return;
  ports.watch.tell(subjectOf(admission, decision), () => ({
    ...about(made.by, admission, ports),
    route_id: made.routeId,
    outcome: decision.outcome,
    ...endOf(decision),
    candidates: explain(decision, ports.routing),
    warnings: decision.warnings,
  }));
}

/** The same of a task, for which an agent's queue is chosen; undefined: it waits for somebody. */
export function tellPlanned(
  admission: Admission,
  plan: Plan,
  agent: string | undefined,
  ports: RoadPorts,
): void {
  if (!ports.watch.isWatched(admission.tenant)) return;
  const decision: Decision = {
    outcome: 'none',
    code: 'no-reachable-agent',
    detail: plan.absence ?? `Nobody offers ${plan.capability}.`,
    facts: {},
    weighed: plan.weighed,
    warnings: plan.warnings,
  };
  ports.watch.tell(subjectOf(admission, decision), () => ({
    ...about('task', admission, ports),
    capability: plan.capability,
    ...(agent === undefined
      ? { outcome: 'none', reason: decision.detail }
      : { outcome: 'route', agent, strategy: plan.strategy }),
    candidates: explain(decision, ports.routing).map((view) =>
      view.agent === agent && view.verdict === 'eligible'
        ? { ...view, verdict: 'chosen', reason: 'the task is put into its queue' }
        : view,
    ),
    warnings: plan.warnings,
  }));
}

function subjectOf({ tenant, envelope }: Admission, { weighed }: Decision) {
  return {
    tenant,
    texts: [
      envelope.capability,
      envelope.intent,
      ...new Set(weighed.map((w) => w.provider.capability.name)),
    ],
    agents: () => weighed.map(({ provider }) => provider.agent.definition.agentId),
  };
}

function about(by: RouteDecision['by'], admission: Admission, { clock }: RoadPorts) {
  const { envelope, trace, requestId, principal } = admission;
  const { capability, intent, tags } = envelope;
  return {
    type: 'decision' as const,
    at: clock.now(),
    by,
    trace_id: trace.traceId,
    request_id: requestId,
    agent_from: principal,
    ...(intent === undefined ? {} : { intent }),
    ...(capability === undefined ? {} : { capability }),
    tags: { ...tags },
  };
}

function endOf(decision: Decision): Partial<RouteDecision> {
  switch (decision.outcome) {
    case 'none':
      return { reason: decision.detail };
    case 'ask':
      return { reason: questionText(decision) };
    case 'route':
      return {
        capability: decision.provider.capability.name,
        agent: decision.instance.row.agentId,
        instance: decision.instance.row.instanceId,
        strategy: decision.strategy,
        score: decision.score,
      };
  }
}
