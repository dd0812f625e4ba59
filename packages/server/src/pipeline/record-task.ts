import type { AuditRecord, Executed, ReachError } from '@agent-reach/core';
import type { EpochMs } from '@agent-reach/core/kernel';
import type { Admission } from '../policy/admit.ts';
import { forAudit } from '../telemetry/redact.ts';
import type { OrderFallback } from './order.ts';
import type { RoadPorts } from './ports.ts';
import { hop } from './record.ts';
import { beginRun, fallbackIn, type Run } from './run.ts';
import { contractsOf, type KeptSecrets, secretsIn, underField } from './secrets.ts';
import type { Plan } from './plan.ts';

/** What became of a submission. */
export interface Submission {
  taskId: string;
  plan: Plan;
  agentId: string | undefined;
  fallback: OrderFallback | undefined;
  confirmation: string | undefined;
  at: EpochMs;
}

/**
 * The last step of a submission: its line in the audit, which is awaited, and its hop, under which
 * the deliveries hang. What was accepted is stored by then: a store that fails here is told in the
 * log and not to the submitter, who would submit again.
 */
export async function recordSubmission(
  admission: Admission,
  submission: Submission,
  ports: RoadPorts,
): Promise<void> {
  const { taskId, plan, agentId, fallback, confirmation, at } = submission;
  const { tenant } = admission;
  const { capability } = plan;
  const run = beginRun(admission, ports.ids.next('rte'), {
    at,
    startedAt: ports.clock.monotonic() - (ports.clock.now() - at),
  });
  run.capability = capability;
  run.fallback = fallbackIn(fallback === undefined ? {} : { fallback });
  run.strategy = admission.envelope.capability === undefined ? 'tag_match' : 'exact_match';
  if (agentId !== undefined) run.provider = { agent: agentId, instance: '', version: 0 };
  ports.recorder.trace(hop(run, { status: 202, executed: 'no', replayed: false }, ports));
  try {
    await ports.recorder.audit({
      ...lineOf(admission, at),
      operation: 'tasks.submit',
      ...(agentId === undefined ? {} : { target: agentId }),
      capability,
      ...(fallback === undefined ? {} : { fallback_of: fallback.of }),
      ...(confirmation === undefined ? {} : { confirmation }),
      outcome: 'ok',
      params: forAudit(
        { task_id: taskId, payload: admission.envelope.params },
        underField(
          'payload',
          secretsIn(
            { tenant, names: [capability, fallback?.of], seen: contractsOf(plan) },
            'input',
            ports,
          ),
        ),
      ),
    });
  } catch (error) {
    ports.log.error({ err: error, task: taskId }, 'the line of a submission could not be kept');
  }
}

/** The line of a submission that was refused; `plan`: it had come so far as to have one. */
export function recordRefusal(
  admission: Admission,
  error: ReachError,
  plan: Plan | undefined,
  ports: RoadPorts,
): void {
  const { capability } = admission.envelope;
  ports.recorder.auditSoon({
    ...lineOf(admission, ports.clock.now()),
    operation: 'tasks.submit',
    ...(capability === undefined ? {} : { capability }),
    outcome: error.code,
    params: paramsOf(admission, plan, ports),
  });
}

/** The line of a submission that was answered by asking for a word. */
export async function recordAsked(
  admission: Admission,
  { plan, confirmation }: { plan: Plan; confirmation: string },
  ports: RoadPorts,
): Promise<void> {
  await ports.recorder.audit({
    ...lineOf(admission, ports.clock.now()),
    operation: 'tasks.submit',
    capability: plan.capability,
    confirmation,
    outcome: 'needs-confirmation',
    params: paramsOf(admission, plan, ports),
  });
}

function paramsOf(admission: Admission, plan: Plan | undefined, ports: RoadPorts): string {
  const { tenant, envelope } = admission;
  const names = [envelope.capability, plan?.capability];
  const seen = plan === undefined ? [] : contractsOf(plan);
  return forAudit(envelope.params, secretsIn({ tenant, names, seen }, 'input', ports));
}

function lineOf(
  { tenant, principal, envelope, requestId, trace }: Admission,
  at: EpochMs,
): Omit<AuditRecord, 'operation' | 'outcome'> {
  return {
    at,
    tenant,
    principal,
    ...(envelope.onBehalfOf === undefined ? {} : { on_behalf_of: envelope.onBehalfOf }),
    request_id: requestId,
    trace_id: trace.traceId,
    executed: 'no',
  };
}

/** The hop of one delivery of a task, once it is over. */
export function recordDelivery(
  run: Run,
  end: { status: number; error?: ReachError; executed: Executed },
  ports: RoadPorts,
): void {
  ports.recorder.trace(hop(run, { ...end, replayed: false }, ports));
}

/** How a task ended, or was parked. */
export interface TaskEnd {
  tenant: string;
  principal: string;
  taskId: string;
  traceId: string;
  capability: string;
  agentId: string | undefined;
  /** `ok`, or in one word why not. */
  outcome: string;
  executed: Executed;
  result?: unknown;
  /** Of its order. */
  secrets: KeptSecrets | undefined;
}

/** The line of a task's end. Resolves when it is as durable as the store; never throws. */
export async function recordEnd(end: TaskEnd, ports: RoadPorts): Promise<void> {
  try {
    await ports.recorder.audit({
      at: ports.clock.now(),
      tenant: end.tenant,
      principal: end.principal,
      operation: 'tasks.end',
      ...(end.agentId === undefined ? {} : { target: end.agentId }),
      capability: end.capability,
      request_id: end.taskId,
      trace_id: end.traceId,
      outcome: end.outcome,
      executed: end.executed,
      ...(end.result === undefined
        ? {}
        : { result: forAudit(end.result, secretsOfEnd(end, ports)) }),
    });
  } catch (error) {
    ports.log.error({ err: error, task: end.taskId }, 'the line of an end could not be kept');
  }
}

function secretsOfEnd({ tenant, capability, secrets: kept = [] }: TaskEnd, ports: RoadPorts) {
  return secretsIn({ tenant, names: [capability], kept }, 'output', ports);
}
