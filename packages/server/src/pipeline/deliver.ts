import { type ErrorCode, formatTraceparent, type ReachError } from '@agent-reach/core';
import { Deadline } from '@agent-reach/core/kernel';
import type { AttemptOutcome } from '../egress/link.ts';
import { endpointKey } from '../resilience/board.ts';
import { decide, decisionError } from '../routing/decide.ts';
import type { Routed } from '../routing/decision.ts';
import { admissionOf, type Work } from './order.ts';
import type { RoadPorts } from './ports.ts';

import { barsOf, beginRun, fallbackIn, type Run, type RunDelivery, tenth } from './run.ts';
import { sendOnce, tokenFor } from './send.ts';
import { selectorOf } from './selector.ts';
import { noteFailure } from './walk.ts';
import { tellDecision } from './watch.ts';

export type { AttemptOutcome } from '../egress/link.ts';

/** A delivery that can be sent: the agent's instance is chosen, and the effect is known. */
export interface Aim {
  run: Run;
  decision: Routed;
}

/** Work that was handed out runs as long as its holder speaks; its token no longer than a day. */
const TOKEN_MS_MAX = 86_400_000;
/** More than any one attempt may take: the capability's own limit is the shorter one. */
const UNLIMITED_MS = 86_400_000;

/** One delivery of stored work, as a run of the road that began when it was handed out. */
export function openDelivery(
  work: Work,
  delivery: RunDelivery & { epoch: number; agoMs: number },
  signal: AbortSignal,
  ports: RoadPorts,
): Run {
  const { epoch, agoMs, ...rest } = delivery;
  const { clock } = ports;
  const admission = admissionOf(work, epoch, signal, ports);
  const began = { at: clock.now() - agoMs, startedAt: clock.monotonic() - agoMs };
  const run = beginRun(admission, ports.ids.next('rte'), began);
  run.delivery = rest;
  run.capability = work.order.capability;
  run.fallback = fallbackIn(work.order);
  const { confirmation: id } = work.order;
  if (id !== undefined) run.confirmed = { id, digest: undefined };
  run.strategy = 'exact_match';
  run.isHeld = true;
  return run;
}

/**
 * Routes a delivery within the agent in whose queue it stood: the instance is chosen now. The
 * error says why none is.
 */
export function aimWithin(
  run: Run,
  { agentId, group }: { agentId: string; group: string | undefined },
  ports: RoadPorts,
): Aim | { error: ReachError } {
  const selector = { ...selectorOf(run.admission), agent: agentId, group: { is: group } };
  const { permits } = run.admission;
  const limits = { permits, tried: new Set<string>(), addressed: true, bars: barsOf(run) };
  const decision = decide(selector, limits, ports.routing);
  tellDecision({ by: 'task', admission: run.admission, routeId: run.routeId, decision }, ports);
  if (decision.outcome !== 'route') return { error: decisionError(decision) };
  run.decision = decision;
  run.strategy = decision.strategy;
  run.score = decision.score;
  run.provider = {
    agent: agentId,
    instance: decision.instance.row.instanceId,
    version: decision.provider.agent.definition.manifestVersion,
  };
  return { run, decision };
}

/** One attempt, within what is left of the task's own deadline. */
export async function deliverOnce(
  { run, decision }: Aim,
  ports: RoadPorts,
): Promise<AttemptOutcome> {
  const { clock } = ports;
  const deadline = run.admission.deadline ?? Deadline.in(clock, UNLIMITED_MS);
  run.isHeld = false;
  const outcome = await sendOnce(run, decision, deadline, ports);
  if (!outcome.ok) {
    noteFailure(run.admission.tenant, { error: outcome.error, decision }, ports);
  }
  return outcome;
}

/** What a holder who comes for his work is told beside the work itself. */
export function handOver(
  run: Run,
  at: { agentId: string; instanceId: string; capability: string },
  ports: RoadPorts,
): { traceparent: string; callToken: string } {
  run.provider = { agent: at.agentId, instance: at.instanceId, version: 0 };
  const step = `${at.agentId}/${at.capability}`;
  const { trace, deadline } = run.admission;
  const lastsMs = Math.min(TOKEN_MS_MAX, deadline?.remainingMs() ?? TOKEN_MS_MAX);
  return {
    traceparent: formatTraceparent(trace),
    callToken: tokenFor(run.admission, step, ports.clock.now() + lastsMs, ports),
  };
}

/** Notes for the board how a holder's run ended: with this error, or with none. */
export function noteHolder(
  { tenant, agentId, instanceId }: { tenant: string; agentId: string; instanceId: string },
  code: ErrorCode | undefined,
  { board }: RoadPorts,
): void {
  board.ended(endpointKey(tenant, agentId, instanceId), code);
}

/** Notes how a holder who spoke for himself ended his run. */
export function noteHeld(
  run: Run,
  end: { status: number; error: ReachError | undefined },
  ports: RoadPorts,
): void {
  run.answeredAt = ports.clock.monotonic();
  const ms = run.answeredAt - run.startedAt;
  run.agentMs = ms;
  // Work that was pushed and answered with a receipt has its entry already: it is the same run.
  run.attempts = [
    {
      agent: run.provider?.agent ?? '',
      instance: run.provider?.instance ?? '',
      started_ms: run.attempts[0]?.started_ms ?? 0,
      ms: tenth(ms),
      status: end.status,
      ...(end.error === undefined ? {} : { code: end.error.code }),
      executed: end.error?.executed ?? 'yes',
    },
  ];
}
