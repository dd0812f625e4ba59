import {
  type Effect,
  formatTraceparent,
  type Issue,
  type Manifest,
  ReachError,
} from '@agent-reach/core';
import type { Deadline, EpochMs } from '@agent-reach/core/kernel';
import { attemptOnce } from '../egress/egress.ts';
import type { Attempt, AttemptOutcome } from '../egress/link.ts';
import type { Admission } from '../policy/admit.ts';
import { signCallToken } from '../policy/call-token.ts';
import { agentLimitMs, withMargin } from '../resilience/timeouts.ts';
import type { Routed } from '../routing/decision.ts';
import { askLeave, type Leave } from './gate.ts';
import type { RoadPorts } from './ports.ts';
import { type Run, tenth } from './run.ts';

/** A token outlives its call a little: a nested call may be on its way when the deadline strikes. */
const TOKEN_GRACE_MS = 5_000;

/** How an attempt ended; `isRefused`: here, before anything was sent. */
export type SendOutcome = AttemptOutcome & { isRefused?: true };

/**
 * One attempt at what was decided: let through, sent, read, checked against the declared result,
 * noted.
 */
export async function sendOnce(
  run: Run,
  decision: Routed,
  deadline: Deadline,
  ports: RoadPorts,
): Promise<SendOutcome> {
  let leave: Leave;
  try {
    run.answeredAt = undefined; // An earlier attempt's is none to this one.
    leave = await askLeave(run, decision, deadline, ports);
  } catch (thrown) {
    return refusedHere(run, decision, ReachError.from(thrown), ports);
  }
  try {
    return await sendWith(leave, { run, decision, deadline }, ports);
  } catch (thrown) {
    leave.unused();
    throw thrown;
  }
}

async function sendWith(
  leave: Leave,
  { run, decision, deadline }: { run: Run; decision: Routed; deadline: Deadline },
  ports: RoadPorts,
): Promise<SendOutcome> {
  const attempt = attemptOf(run, decision, deadline, ports);
  const startedAt = ports.clock.monotonic();
  const raw = await attemptOnce(attempt, ports.link, ports.board);
  run.answeredAt = ports.clock.monotonic();
  const ms = run.answeredAt - startedAt;
  run.agentMs += ms;
  const outcome = raw.ok ? checkResult(raw, decision) : raw;
  noteOutcome(outcome, { attempt, decision, leave, ms }, ports);
  run.attempts.push({
    agent: attempt.agentId,
    instance: attempt.instanceId,
    ...(run.fallback === undefined ? {} : { capability: attempt.capability }),
    started_ms: tenth(startedAt - run.startedAt),
    ms: tenth(ms),
    status: outcome.status,
    ...(outcome.ok ? {} : { code: outcome.error.code }),
    executed: outcome.ok
      ? outcome.isReceipt === true
        ? 'unknown'
        : 'yes'
      : outcome.error.executed,
  });
  return outcome;
}

/** The endpoint was not asked: the attempt is on record, and nothing is learned of anybody. */
function refusedHere(
  run: Run,
  { provider, instance }: Routed,
  error: ReachError,
  ports: RoadPorts,
): SendOutcome {
  run.attempts.push({
    agent: instance.row.agentId,
    instance: instance.row.instanceId,
    ...(run.fallback === undefined ? {} : { capability: provider.capability.name }),
    started_ms: tenth(ports.clock.monotonic() - run.startedAt),
    ms: 0,
    status: 0,
    code: error.code,
    executed: 'no',
  });
  return { ok: false, status: 0, error, isRefused: true };
}

/** Tells how the attempt speaks of its endpoint; of its work a receipt says nothing yet. */
function noteOutcome(
  outcome: AttemptOutcome,
  sent: { attempt: Attempt; decision: Routed; leave: Leave; ms: number },
  { board }: RoadPorts,
): void {
  const { provider, instance } = sent.decision;
  const { timeout_ms: declaredMs } = provider.capability.sla;
  const error = outcome.ok ? undefined : outcome.error;
  // A caller in a hurry proves nothing: he could ruin any agent's name.
  const hadItsTime = sent.attempt.gatewayMs >= withMargin(declaredMs);
  sent.leave.ended(error, { ms: sent.ms, hadItsTime });
  if (outcome.ok && outcome.isReceipt === true) return;
  const code = error?.code;
  if (code !== 'deadline-exceeded' || hadItsTime) {
    board.ended(instance.key, code, sent.ms > declaredMs);
  }
  const busyMs = code === 'agent-busy' ? error?.facts.retry_after_ms : undefined;
  if (busyMs !== undefined) board.refused(instance.key, busyMs);
}

/** What is sent to whom was decided for. */
export function attemptOf(
  run: Run,
  decision: Routed,
  deadline: Deadline,
  ports: RoadPorts,
): Attempt {
  const { admission } = run;
  const { envelope, trace } = admission;
  const { provider, instance } = decision;
  const capability = provider.capability.name;
  const remainingMs = deadline.remainingMs();
  const limitMs = agentLimitMs(provider.capability.sla, envelope.askedMs);
  const agentMs = Math.min(limitMs, remainingMs);
  const gatewayMs = Math.min(withMargin(limitMs), remainingMs);
  const step = `${instance.row.agentId}/${capability}`;
  return {
    tenant: admission.tenant,
    requestId: admission.requestId,
    caller: admission.principal,
    agentId: instance.row.agentId,
    instanceId: instance.row.instanceId,
    addrVersion: instance.addrVersion,
    fenceEpoch: instance.fence?.epoch,
    // None for one that pulls: what has no address is left in its mailbox.
    baseUrl: instance.row.mode === 'pull' ? '' : (instance.row.baseUrl ?? ''),
    capability,
    params: envelope.params,
    number: run.delivery?.attempt ?? run.attempts.length - (run.fallback?.sentBefore ?? 0) + 1,
    agentMs,
    gatewayMs,
    traceparent: formatTraceparent(trace),
    callToken: tokenFor(admission, step, ports.clock.now() + gatewayMs + TOKEN_GRACE_MS, ports),
    idempotencyKey: admission.key?.key,
    ...contextFor(provider.agent.definition.manifest, envelope),
    ...(run.confirmed === undefined ? {} : { confirmation: run.confirmed.id }),
    ...(run.delivery === undefined
      ? {}
      : { task: { ...run.delivery, deadlineMs: admission.deadline?.remainingMs() } }),
    // A read whose caller left is dropped. A write runs on, and its result is kept under its key.
    // A task is dropped only when somebody cancelled it: nobody's leaving does.
    signal: dropped(run, provider.capability.effect) ? admission.signal : undefined,
  };
}

/** What of the request's context its agent wants to be told. */
function contextFor(
  { context }: Manifest,
  { onBehalfOf, userStamp, sourceId }: Admission['envelope'],
): Pick<Attempt, 'onBehalfOf' | 'userStamp' | 'sourceId'> {
  if (context === undefined) return { onBehalfOf, userStamp, sourceId };
  return {
    onBehalfOf: context.includes('on_behalf_of') ? onBehalfOf : undefined,
    userStamp: context.includes('user_stamp') ? userStamp : undefined,
    sourceId: context.includes('source_id') ? sourceId : undefined,
  };
}

function dropped(run: Run, effect: Effect | undefined): boolean {
  return run.delivery !== undefined || effect === 'read';
}

/** The token with which whoever runs `step` may call on. */
export function tokenFor(
  admission: Admission,
  step: string,
  expiresAt: EpochMs,
  ports: RoadPorts,
): string {
  const { tenant, trace, root, path } = admission;
  const chain = { tenant, traceId: trace.traceId, spanId: trace.spanId, root };
  return signCallToken({ ...chain, path: [...path, step] }, expiresAt, ports.policy.tokenKey);
}

/** A result that breaks its own schema is not handed on: the caller was promised another form. */
function checkResult(
  outcome: Extract<AttemptOutcome, { ok: true }>,
  { provider }: Routed,
): AttemptOutcome {
  const drift = driftOf(provider.checkOutput(outcome.result), {
    agent: provider.agent.definition.agentId,
    capability: provider.capability.name,
  });
  return drift === undefined || outcome.isReceipt === true
    ? outcome
    : { ok: false, status: outcome.status, error: drift };
}

/** The error of a result that breaks the schema which its agent declared for it. */
export function driftOf(
  faults: readonly Issue[],
  { agent, capability }: { agent: string; capability: string },
): ReachError | undefined {
  const first = faults[0];
  if (first === undefined) return undefined;
  return new ReachError(
    'schema-drift',
    `${agent} answered ${capability} with a result that breaks its own schema: ${first.pointer} ${first.detail}.`,
    {
      agent,
      capability,
      errors: faults.map(({ pointer, detail }) => ({
        pointer: `#/result${pointer.slice(1)}`,
        detail,
      })),
    },
  );
}
