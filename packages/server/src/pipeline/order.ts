import { createHash } from 'node:crypto';
import { type Asker, ReachError, type RouteRequest } from '@agent-reach/core';
import { Deadline } from '@agent-reach/core/kernel';
import { type Admission, admit } from '../policy/admit.ts';
import { spendTraceCall } from '../policy/chain.ts';
import type { Permits } from '../policy/grants.ts';
import { judgeRecord, type KeptOutcome } from '../policy/idempotency.ts';
import type { Declared } from '../resilience/stand-in.ts';
import type { RoadPorts } from './ports.ts';
import type { KeptSecrets } from './secrets.ts';

export type { Admission } from '../policy/admit.ts';
export type { Selector } from '../routing/decision.ts';

/**
 * What is kept of an admission, so that any gateway can send its work later: who asked, for what,
 * and where it stands in its trace. Stored as JSON with the task.
 */
export interface Order {
  capability?: string;
  intent?: string;
  tags: Readonly<Record<string, string>>;
  strictTags: boolean;
  agent?: string;
  version?: string;
  requestId: string;
  root: string;
  path: readonly string[];
  /** The span of the submission: the parent of every delivery. */
  spanId: string;
  legacyTraceId?: string;
  flags: number;
  onBehalfOf?: string;
  userStamp?: string;
  sourceId?: string;
  /** Set where `capability` stands in for what was asked for. */
  fallback?: OrderFallback;
  /** The confirmation that its submission used up. */
  confirmation?: string;
  /** Where the secrets of its result are; absent: those who could do it declared none. */
  secrets?: KeptSecrets;
}

/** What an order's capability stands in for, and whose effects it may not outdo, wherever it goes. */
export interface OrderFallback {
  of: string;
  effects: readonly Declared[];
}

/** A piece of work as it was stored, with what it needs to be sent. */
export interface Work {
  tenant: string;
  principal: string;
  taskId: string;
  traceId: string;
  order: Order;
  params: unknown;
  /** What is left of its own deadline; undefined: none. */
  remainingMs: number | undefined;
}

/**
 * The first step of the road for work that is done later. A request id stands in for a key unless
 * the task's own id does (`named`). Only nested submissions spend of their trace: a person who
 * submits a thousand tasks under one trace is no loop.
 */
export async function admitWork(
  request: RouteRequest & { idempotency_key?: string; confirmation_code?: string },
  asker: Asker,
  named: boolean,
  ports: RoadPorts,
): Promise<Admission> {
  return admit(request, asker, () => !named, ports.policy);
}

/** Takes one call out of what the trace may spend, if an agent submits within a call. */
export async function spendOfTrace(admission: Admission, ports: RoadPorts): Promise<void> {
  if (admission.path.length === 0) return;
  const { ledger, options, now } = ports.policy;
  const call = { tenant: admission.tenant, traceId: admission.trace.traceId, isNested: true };
  await spendTraceCall(call, options, ledger, now());
}

/** What the ledger keeps under the key of a submission: a call with that key is told the task. */
export function keyFor(admission: Admission, taskId: string, capability: string, ports: RoadPorts) {
  const { key } = admission;
  if (key === undefined) return undefined;
  const outcome: KeptOutcome = {
    ok: false,
    code: 'idempotency-key-reused',
    detail: `Key ${key.key} submitted task ${taskId}. Ask for that task.`,
    facts: { task_id: taskId },
  };
  return {
    ...key,
    pinned: JSON.stringify({ capability, requestId: admission.requestId }),
    answer: JSON.stringify(outcome),
    ttlMs: ports.policy.options.keyRetentionMs,
  };
}

/**
 * The task that a key stands for already; undefined: the key is new. Throws when it stands for
 * another request, for a call, or for a call that still runs.
 */
export function taskUnderKey(
  admission: Admission,
  record?: Parameters<typeof judgeRecord>[0],
): string | undefined {
  const { key } = admission;
  if (key === undefined) return undefined;
  const found = record === undefined ? admission.kept : judgeRecord(record, key);
  if (found === undefined && admission.pinned === undefined) return undefined;
  const taskId =
    found !== undefined && 'ok' in found && !found.ok ? found.facts['task_id'] : undefined;
  if (typeof taskId === 'string') return taskId;
  throw new ReachError(
    'idempotency-key-reused',
    `Key ${key.key} was used with a call. Use a new key for a task.`,
  );
}

/**
 * What is kept of an admission. The plan says what it was bound to. If that is a fallback, the
 * agent and the version that were asked for are not its own.
 */
export function orderOf(
  admission: Admission,
  { capability, agent: pinned }: { capability: string; agent?: string | undefined },
  fallback: OrderFallback | undefined,
): Order {
  const { envelope, trace } = admission;
  const { agent = pinned, version } = fallback === undefined ? envelope : {};
  return {
    capability,
    ...(envelope.intent === undefined ? {} : { intent: envelope.intent }),
    tags: envelope.tags,
    strictTags: envelope.strictTags,
    ...(agent === undefined ? {} : { agent }),
    ...(version === undefined ? {} : { version }),
    ...(fallback === undefined ? {} : { fallback }),
    requestId: admission.requestId,
    root: admission.root,
    path: admission.path,
    spanId: trace.spanId,
    ...(trace.legacyTraceId === undefined ? {} : { legacyTraceId: trace.legacyTraceId }),
    flags: trace.flags,
    ...(envelope.onBehalfOf === undefined ? {} : { onBehalfOf: envelope.onBehalfOf }),
    ...(envelope.userStamp === undefined ? {} : { userStamp: envelope.userStamp }),
    ...(envelope.sourceId === undefined ? {} : { sourceId: envelope.sourceId }),
  };
}

/**
 * The admission of stored work, for its delivery number `epoch`. Grants are those of the principal
 * now, not those of the day it asked. The task's id is the idempotency key of every run.
 */
export function admissionOf(
  work: Work,
  epoch: number,
  signal: AbortSignal,
  { clock, policy }: Pick<RoadPorts, 'clock' | 'policy'>,
): Admission {
  const { order } = work;
  return {
    tenant: work.tenant,
    principal: work.principal,
    actsFor: work.principal,
    root: order.root,
    path: order.path,
    requestId: order.requestId,
    envelope: {
      capability: order.capability,
      intent: undefined, // It was read when the work was submitted.
      tags: order.tags,
      strictTags: order.strictTags,
      agent: order.agent,
      version: order.version,
      params: work.params,
      requestId: order.requestId,
      idempotencyKey: work.taskId,
      confirmationCode: undefined,
      patienceMs: work.remainingMs,
      askedMs: undefined, // A task's timeout is that of its whole life.
      onBehalfOf: order.onBehalfOf,
      userStamp: order.userStamp,
      sourceId: order.sourceId,
      fallback: [],
    },
    trace: {
      traceId: work.traceId,
      legacyTraceId: order.legacyTraceId,
      spanId: spanOf(work, epoch),
      parentSpanId: order.spanId,
      flags: order.flags,
      given: true,
    },
    deadline: work.remainingMs === undefined ? undefined : Deadline.in(clock, work.remainingMs),
    key: { scope: `${work.tenant}/${work.principal}`, key: work.taskId, fingerprint: '' },
    keyIsExplicit: true,
    kept: undefined,
    pinned: undefined,
    permits: permitsOf(work, policy),
    signal,
  };
}

/** What whoever submitted work may have now. */
export function permitsOf(
  { tenant, principal }: Pick<Work, 'tenant' | 'principal'>,
  { permitsFor }: RoadPorts['policy'],
): Permits {
  return permitsFor(tenant, principal);
}

/** The span of a delivery, the same for every gateway that speaks of it: nobody need remember it. */
function spanOf(work: Work, epoch: number): string {
  const text = `reach.span.v1\n${work.tenant}\n${work.taskId}\n${epoch}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
