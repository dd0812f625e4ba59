import {
  type Answer,
  type AuditRecord,
  type Executed,
  type ReachError,
  type TraceRecord,
} from '@agent-reach/core';
import type { Binding } from '../policy/bind.ts';
import { settleBudgets } from '../policy/budgets/spend.ts';
import { type KeptOutcome, settleKey } from '../policy/idempotency.ts';
import { forAudit } from '../telemetry/redact.ts';
import type { RoadPorts } from './ports.ts';
import { type Run, timingOf } from './run.ts';
import { repeatedSecrets, secretsIn } from './secrets.ts';

/** How a run ended. */
export type RunOutcome = { ok: true; answer: Answer } | { ok: false; error: ReachError };

/**
 * The last step: key and budgets are settled, the hop and the audit line are written. Only what may have
 * changed something waits for its line. Never throws, since what happened has happened; answers
 * with a warning if it could not be kept.
 */
export async function record(
  run: Run,
  binding: Binding | undefined,
  outcome: RunOutcome,
  ports: RoadPorts,
): Promise<string[]> {
  const waits: Promise<boolean | void>[] = [];
  const spent = settleSpent(run, binding, outcome, ports);
  if (spent !== undefined) waits.push(spent);
  if (binding?.claim !== undefined) {
    waits.push(settleKey(binding.claim, toKeep(outcome), { ...ports.policy, token: () => '' }));
  }
  const audit = auditLine(run, outcome, ports);
  const hasAsked = run.asked !== undefined;
  const changed = hasAsked || (run.attempts.length > 0 && effectOf(run) !== 'read');
  if (changed) waits.push(ports.recorder.audit(audit));
  else ports.recorder.auditSoon(audit);
  const kept = waits.length === 0 || (await allDone(waits, audit, ports));
  ports.recorder.trace(hop(run, hopEnd(run, outcome), ports));
  return kept ? [] : [NOT_KEPT];
}

/**
 * Settles what budgets hold: what provably did not run is given back, and that is waited for, so that
 * whoever is told to come again finds it there. What was used is nobody's hurry.
 */
function settleSpent(
  run: Run,
  binding: Binding | undefined,
  outcome: RunOutcome,
  { policy }: RoadPorts,
): Promise<void> | undefined {
  if (binding?.hold === undefined) return undefined;
  const isUsed = executedOf(run, outcome) !== 'no';
  const settled = settleBudgets(binding.hold, isUsed, policy);
  return isUsed ? undefined : settled;
}

async function allDone(
  waits: Promise<boolean | void>[],
  audit: AuditRecord,
  ports: RoadPorts,
): Promise<boolean> {
  try {
    // False: while we worked the claim lapsed and another holds the key.
    return !(await Promise.all(waits)).includes(false);
  } catch (error) {
    ports.log.error({ err: error, request: audit.request_id }, 'an outcome could not be kept');
    return false;
  }
}

const NOT_KEPT =
  'The store failed after the agent had answered: this answer may not be there for a repeat of the key.';

function effectOf(run: Run) {
  return run.decision?.outcome === 'route' ? run.decision.provider.capability.effect : undefined;
}

/** What is kept under the key follows from `executed` alone. */
function toKeep(outcome: RunOutcome): KeptOutcome | 'unknown' | 'free' {
  if (outcome.ok) return outcome;
  const { code, message, facts, executed } = outcome.error;
  if (executed === 'no') return 'free';
  if (executed === 'unknown') return 'unknown';
  return { ok: false, code, detail: message, facts };
}

function wordOf(run: Run, outcome: RunOutcome): string {
  if (!outcome.ok) return outcome.error.code;
  return run.asked === undefined ? 'ok' : 'needs-confirmation';
}

function executedOf(run: Run, outcome: RunOutcome): Executed {
  if (run.asked !== undefined) return 'no';
  if (outcome.ok) return 'yes';
  return run.attempts.length === 0 ? 'no' : outcome.error.executed;
}

function auditLine(run: Run, outcome: RunOutcome, ports: RoadPorts): AuditRecord {
  const { admission } = run;
  const isQuestion = run.asked !== undefined;
  const confirmation = run.asked ?? run.confirmed?.id;
  const what = capabilityOf(run);
  const names = [what.capability, what.fallback_of];
  const holders = { tenant: admission.tenant, names, seen: run.seen };
  const resultSecrets = () =>
    run.decision === undefined && run.provider !== undefined
      ? repeatedSecrets(holders, run.provider, ports)
      : secretsIn(holders, 'output', ports);
  return {
    at: run.at,
    tenant: admission.tenant,
    principal: admission.principal,
    ...(admission.envelope.onBehalfOf === undefined
      ? {}
      : { on_behalf_of: admission.envelope.onBehalfOf }),
    operation: 'calls.invoke',
    ...(run.provider === undefined ? {} : { target: run.provider.agent }),
    ...what,
    request_id: admission.requestId,
    trace_id: admission.trace.traceId,
    ...(confirmation === undefined ? {} : { confirmation }),
    outcome: wordOf(run, outcome),
    executed: executedOf(run, outcome),
    params: forAudit(admission.envelope.params, secretsIn(holders, 'input', ports)),
    ...(outcome.ok && !isQuestion
      ? { result: forAudit(outcome.answer.result, resultSecrets()) }
      : {}),
  };
}

/** What was to be done, and what was asked for where that is something else. */
function capabilityOf({ capability: done, admission, fallback }: Run): {
  capability?: string;
  fallback_of?: string;
} {
  const capability = done ?? admission.envelope.capability;
  return {
    ...(capability === undefined ? {} : { capability }),
    ...(fallback === undefined ? {} : { fallback_of: fallback.asked }),
  };
}

/** How a hop ended: with which status, and the error if it was one. */
export interface HopEnd {
  status: number;
  error?: ReachError;
  executed: Executed;
  replayed: boolean;
}

function hopEnd(run: Run, outcome: RunOutcome): HopEnd {
  if (run.asked !== undefined) return { status: 202, executed: 'no', replayed: false };
  if (outcome.ok) return { status: 200, executed: 'yes', replayed: outcome.answer.replayed };
  const { error } = outcome;
  return {
    status: error.status,
    error,
    executed: executedOf(run, outcome),
    replayed: error.facts['replayed'] === true,
  };
}

/** The record of a run, for its trace. */
export function hop(run: Run, end: HopEnd, ports: RoadPorts): TraceRecord {
  const { admission, provider, strategy } = run;
  const { trace } = admission;
  const { cause } = run.fallback ?? {};
  const { total_ms: executeMs, ...timing } = timingOf(run, ports.clock);
  return {
    trace_id: trace.traceId,
    ...(trace.legacyTraceId === undefined ? {} : { legacy_trace_id: trace.legacyTraceId }),
    span_id: trace.spanId,
    ...(trace.parentSpanId === undefined ? {} : { parent_span_id: trace.parentSpanId }),
    request_id: admission.requestId,
    route_id: run.routeId,
    tenant: admission.tenant,
    at: run.at,
    hop: admission.path.length + 1,
    agent_from: admission.principal,
    ...(provider === undefined ? {} : { agent_to: provider.agent, instance: provider.instance }),
    ...capabilityOf(run),
    ...(cause === undefined ? {} : { fallback_code: cause.code }),
    ...(strategy === undefined ? {} : { route_strategy: strategy }),
    status_code: end.status,
    ...(end.error === undefined ? {} : { code: end.error.code }),
    executed: end.executed,
    retry_count: Math.max(0, (run.delivery?.attempt ?? run.attempts.length) - 1),
    replayed: end.replayed,
    execute_ms: executeMs,
    ...timing,
    attempts: run.attempts,
  };
}
