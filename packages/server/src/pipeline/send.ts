import { formatTraceparent, ReachError } from '@agent-reach/core';
import type { Deadline } from '@agent-reach/core/kernel';
import { attemptOnce } from '../egress/egress.ts';
import type { Attempt, AttemptOutcome } from '../egress/link.ts';
import { signCallToken } from '../policy/call-token.ts';
import { withMargin } from '../resilience/timeouts.ts';
import type { Decision } from '../routing/decision.ts';
import type { RoadPorts } from './ports.ts';
import { type Run, tenth } from './run.ts';

type Routed = Extract<Decision, { outcome: 'route' }>;

/** A token outlives its call a little: a nested call may be on its way when the deadline strikes. */
const TOKEN_GRACE_MS = 5_000;

/** One attempt at what was decided: sent, read, checked against the declared result, noted. */
export async function sendOnce(
  run: Run,
  decision: Routed,
  deadline: Deadline,
  ports: RoadPorts,
): Promise<AttemptOutcome> {
  const attempt = attemptOf(run, decision, deadline, ports);
  const startedAt = ports.clock.monotonic();
  run.sentAt ??= startedAt;
  const raw = await attemptOnce(attempt, ports.link, ports.board);
  run.answeredAt = ports.clock.monotonic();
  const ms = run.answeredAt - startedAt;
  run.agentMs += ms;
  const outcome = raw.ok ? checkResult(raw, decision) : raw;
  run.attempts.push({
    agent: attempt.agentId,
    instance: attempt.instanceId,
    started_ms: tenth(startedAt - run.startedAt),
    ms: tenth(ms),
    status: outcome.status,
    ...(outcome.ok ? {} : { code: outcome.error.code }),
    executed: outcome.ok ? 'yes' : outcome.error.executed,
  });
  return outcome;
}

function attemptOf(run: Run, decision: Routed, deadline: Deadline, ports: RoadPorts): Attempt {
  const { admission } = run;
  const { envelope, trace } = admission;
  const { provider, instance } = decision;
  const capability = provider.capability.name;
  const remainingMs = deadline.remainingMs();
  const agentMs = Math.min(provider.capability.sla.timeout_ms, remainingMs);
  const gatewayMs = Math.min(withMargin(provider.capability.sla.timeout_ms), remainingMs);
  const step = `${instance.row.agentId}/${capability}`;
  return {
    tenant: admission.tenant,
    requestId: admission.requestId,
    caller: admission.principal,
    agentId: instance.row.agentId,
    instanceId: instance.row.instanceId,
    addrVersion: instance.addrVersion,
    baseUrl: instance.row.baseUrl ?? '',
    capability,
    params: envelope.params,
    number: run.attempts.length + 1,
    agentMs,
    gatewayMs,
    traceparent: formatTraceparent(trace),
    callToken: signCallToken(
      {
        tenant: admission.tenant,
        traceId: trace.traceId,
        spanId: trace.spanId,
        root: admission.root,
        path: [...admission.path, step],
      },
      ports.clock.now() + gatewayMs + TOKEN_GRACE_MS,
      ports.policy.tokenKey,
    ),
    idempotencyKey: admission.key?.key,
    onBehalfOf: envelope.onBehalfOf,
    userStamp: envelope.userStamp,
    sourceId: envelope.sourceId,
    // A read whose caller left is dropped. A write runs on, and its result is kept under its key.
    signal: provider.capability.effect === 'read' ? admission.signal : undefined,
  };
}

/** A result that breaks its own schema is not handed on: the caller was promised another form. */
function checkResult(
  outcome: Extract<AttemptOutcome, { ok: true }>,
  { provider }: Routed,
): AttemptOutcome {
  const faults = provider.checkOutput(outcome.result);
  const first = faults[0];
  if (first === undefined) return outcome;
  const agent = provider.agent.definition.agentId;
  const capability = provider.capability.name;
  return {
    ok: false,
    status: outcome.status,
    error: new ReachError(
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
    ),
  };
}
