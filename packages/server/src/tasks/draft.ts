import { createHash } from 'node:crypto';
import {
  type Asker,
  canonicalize,
  ReachError,
  type TaskRequest,
  validationFailed,
} from '@agent-reach/core';
import { parseDurationMs } from '@agent-reach/core/kernel';
import {
  type Admission,
  admitWork,
  type OrderFallback,
  orderOf,
  type Selector,
  spendOfTrace,
  taskUnderKey,
} from '../pipeline/order.ts';
import { type Plan, planWork } from '../pipeline/plan.ts';
import { recordRefusal } from '../pipeline/record-task.ts';
import { contractsOf, secretsToKeep } from '../pipeline/secrets.ts';
import { drawOf, selectorOf, sensed } from '../pipeline/selector.ts';
import type { BudgetHold } from '../pipeline/spent.ts';
import { isPastDanger } from './levels.ts';
import { payloadText } from './payload.ts';
import type { TaskRoom } from './room.ts';
import { type Keeping, keepingOf } from './short.ts';
import { isShortId, SHORT_PREFIX } from './two-stores.ts';
import type { Degraded, Gap, StoredOrder } from './work.ts';

/** A submission that may be stored: admitted, measured and planned; nothing is written yet. */
export interface Draft {
  admission: Admission;
  taskId: string;
  /** The same where its submitter made it; else it is another one each time. */
  givenId: string | undefined;
  plan: Plan;
  /** It is kept in memory alone. */
  isShort: boolean;
  fingerprint: string;
  /** JSON. */
  payload: string;
  priority: number;
  deadlineMs: number;
  delayMs: number;
  attemptsMax: number;
  parentId: string | undefined;
  chain: string | undefined;
  chainSeq: number | undefined;
  stallMs: number | undefined;
  onDead: 'block' | 'skip' | undefined;
  /** Set where the one before it in its source has not come. */
  gap: Gap | undefined;
  /** Set where its plan is that of a capability which stands in for what was asked for. */
  fallback: OrderFallback | undefined;
  /** Set where it is taken otherwise than asked for. */
  degraded: Degraded | undefined;
  /** What budgets hold ready for it until it is stored. */
  hold: BudgetHold | undefined;
  /** The confirmation that was used up for it. */
  confirmation: string | undefined;
  warnings: string[];
}

const PRIORITY = 5;
const WAIT_MAX_MS = 2_592_000_000;

/**
 * Reads, admits and plans one submission. Throws everything that no waiting mends; answers the
 * task it repeats, if its key is known.
 */
export async function draftOf(
  request: TaskRequest,
  asker: Asker,
  room: TaskRoom,
): Promise<Draft | { repeats: string }> {
  demandOwnId(request);
  const who = demandWho(request, asker);
  const times = timesOf(request, room);
  const sourceId = sourceOf(request);
  const payload = payloadText(request.payload ?? request.params ?? {}, room);
  const admission = await admitWork(
    roadRequest(request, sourceId),
    who,
    request.task_id !== undefined,
    room.road,
  );
  const repeats = taskUnderKey(admission);
  if (repeats !== undefined) return { repeats };
  const givenId = request.task_id ?? room.road.ids.next('tsk');
  if (request.request_id === undefined) admission.requestId = givenId;
  const { plan, isShort, warnings } = await planOf(request, admission, room);
  const taskId = isShort ? room.road.ids.next(SHORT_PREFIX) : givenId;
  if (request.request_id === undefined) admission.requestId = taskId;
  return {
    admission,
    taskId,
    givenId: request.task_id,
    plan,
    isShort,
    fingerprint: fingerprintOf(request, admission),
    payload,
    priority: request.priority ?? PRIORITY,
    ...times,
    attemptsMax: 1 + (request.max_retry ?? room.options.retryMax),
    parentId: request.parent_id,
    chain: request.ordered === true ? sourceId : undefined,
    chainSeq: request.ordered === true ? request.order_seq : undefined,
    stallMs: durationOf('stall_after', request.stall_after, 0),
    onDead: request.ordered === true ? request.on_dead : undefined,
    gap: undefined,
    fallback: undefined,
    degraded: undefined,
    hold: undefined,
    confirmation: undefined,
    warnings: [...plan.warnings, ...warnings],
  };
}

/** The plan of what was admitted, and where it is kept. A refusal leaves its line in the audit. */
async function planOf(
  request: TaskRequest,
  admission: Admission,
  room: TaskRoom,
): Promise<Keeping & { plan: Plan }> {
  const { pushConcurrency: slotsEach } = room.options;
  const { tenant, path, permits } = admission;
  const isFull = (agentId: string) => isPastDanger({ tenant, agentId, taskType: '' }, room);
  try {
    await inherit(admission, request.parent_id, room);
    const plan = planWork(
      await sensed(selectorOfDraft(request, admission), room.road),
      { path, slotsEach, permits, isPastDanger: isFull },
      room.road,
    );
    const keeping = keepingOf(request, plan, room);
    await spendOfTrace(admission, room.road);
    return { ...keeping, plan };
  } catch (thrown) {
    const error = asSaid(ReachError.from(thrown), request);
    recordRefusal(admission, error, undefined, room.road);
    throw error;
  }
}

/** A summary tells people what it is; it sends no task elsewhere than where its name says. */
function selectorOfDraft({ intent }: TaskRequest, admission: Admission): Selector {
  const selector = selectorFor(admission);
  return selector.capability === undefined ? selector : { ...selector, intent };
}

/** What routing is asked for a submission. */
export function selectorFor(admission: Admission): Selector {
  const { envelope, requestId } = admission;
  return { ...selectorOf(admission), draw: drawOf(envelope.sourceId, requestId) };
}

/** Faults of the parameters, where the request calls them its payload. */
function asSaid(error: ReachError, request: TaskRequest): ReachError {
  const { errors } = error.facts;
  if (request.payload === undefined || errors === undefined) return error;
  const renamed = errors.map(({ pointer, detail }) => ({
    pointer: pointer.replace(/^#\/params/, '#/payload'),
    detail,
  }));
  const text = error.message
    .replace('#/params', '#/payload')
    .replace('parameters do', 'payload does');
  return new ReachError(error.code, text, { ...error.facts, errors: renamed });
}

/** In a bulk each row may say who it is from; in open mode that is believed, and no tenant is. */
function demandWho(request: TaskRequest, asker: Asker): Asker {
  if (request.tenant !== undefined && request.tenant !== asker.tenant) {
    throw new ReachError(
      'tenant-mismatch',
      `The task is one of tenant ${request.tenant}, and the request is of ${asker.tenant}.`,
    );
  }
  const self = asker.client && (asker.client.actsAs ?? asker.principal);
  if (self !== undefined && request.agent_id !== undefined && request.agent_id !== self) {
    throw new ReachError('permission-denied', `The credential speaks for ${self} alone.`);
  }
  if (asker.principal !== 'anonymous' || request.agent_id === undefined) return asker;
  return Object.create(asker, {
    principal: { value: request.agent_id, enumerable: true },
  }) as Asker;
}

function demandOwnId({ task_id: id }: TaskRequest): void {
  if (id === undefined || !isShortId(id)) return;
  throw validationFailed('The task', [
    { pointer: '#/task_id', detail: `begins with ${SHORT_PREFIX}_, as those that gateways make` },
  ]);
}

function timesOf(request: TaskRequest, room: TaskRoom): { deadlineMs: number; delayMs: number } {
  const given = durationOf('timeout', request.timeout, 1);
  const inherited = request.context?.deadline_ms;
  return {
    deadlineMs: Math.min(given ?? inherited ?? room.options.timeoutMs, inherited ?? WAIT_MAX_MS),
    delayMs: durationOf('delay', request.delay, 0) ?? 0,
  };
}

function durationOf(
  name: 'timeout' | 'delay' | 'stall_after',
  given: number | string | undefined,
  min: number,
): number | undefined {
  if (given === undefined) return undefined;
  const ms = parseDurationMs(given);
  if (ms === undefined || ms < min || ms > WAIT_MAX_MS) {
    const detail = `must be a number of seconds or a text like 250ms, 90s or 2h, up to 30d, is ${String(given).slice(0, 40)}`;
    throw validationFailed('The task', [{ pointer: `#/${name}`, detail }]);
  }
  return ms;
}

function sourceOf(request: TaskRequest): string | undefined {
  const inContext = request.context?.source_id;
  if (
    request.source_id !== undefined &&
    inContext !== undefined &&
    request.source_id !== inContext
  ) {
    throw validationFailed('The task', [
      { pointer: '#/source_id', detail: 'says other than context.source_id' },
    ]);
  }
  const sourceId = request.source_id ?? inContext;
  for (const name of ['order_seq', 'on_dead'] as const) {
    if (request.ordered === true || request[name] === undefined) continue;
    throw validationFailed('The task', [
      { pointer: `#/${name}`, detail: 'says something of an order; the task is not `ordered`' },
    ]);
  }
  if (request.ordered === true && sourceId === undefined) {
    throw validationFailed('The task', [
      { pointer: '#/source_id', detail: 'is missing: tasks are ordered per source' },
    ]);
  }
  return sourceId;
}

/** The submission in the words of the road. */
function roadRequest(request: TaskRequest, sourceId: string | undefined) {
  const { task_type: taskType, capability } = request;
  if (taskType !== undefined && capability !== undefined && taskType !== capability) {
    throw validationFailed('The task', [
      { pointer: '#/task_type', detail: `says ${taskType}, but capability says ${capability}` },
    ]);
  }
  const {
    context,
    request_id,
    idempotency_key,
    confirmation_code,
    intent,
    summary,
    tags,
    strict_tags,
    agent,
    version,
  } = request;
  const name = capability ?? taskType;
  if (summary !== undefined && intent !== undefined && summary !== intent) {
    throw validationFailed('The task', [
      { pointer: '#/summary', detail: 'says other than intent; they are two words for one thing' },
    ]);
  }
  const meaning = intent ?? summary;
  return {
    ...(name === undefined ? {} : { capability: name }),
    ...(request_id === undefined ? {} : { request_id }),
    ...(idempotency_key === undefined ? {} : { idempotency_key }),
    ...(confirmation_code === undefined ? {} : { confirmation_code }),
    ...(meaning === undefined ? {} : { intent: meaning }),
    ...(tags === undefined ? {} : { tags }),
    ...(strict_tags === undefined ? {} : { strict_tags }),
    ...(agent === undefined ? {} : { agent }),
    ...(version === undefined ? {} : { version }),
    ...(request.params === undefined ? {} : { params: request.params }),
    ...(request.payload === undefined ? {} : { payload: request.payload }),
    context: { ...context, ...(sourceId === undefined ? {} : { source_id: sourceId }) },
  };
}

/** A child is of its parent's trace, unless it says another one. */
async function inherit(
  admission: Admission,
  parentId: string | undefined,
  room: TaskRoom,
): Promise<void> {
  if (parentId === undefined) return;
  const parent = await room.store.get({ tenant: admission.tenant, taskId: parentId });
  if (parent === undefined) {
    throw new ReachError('task-not-found', `No task is called ${parentId}, the parent.`, {
      task_id: parentId,
    });
  }
  if (!admission.trace.given) admission.trace.traceId = parent.traceId;
}

/** What makes a submission the one it is: all that a caller may say of it, and who he is. */
function fingerprintOf(request: TaskRequest, { principal }: Admission): string {
  const {
    request_id: _,
    context,
    agent_id: __,
    idempotency_key: ___,
    confirmation_code: ____,
    wait: _____,
    ...said
  } = request;
  const text = canonicalize({ ...said, principal, for: context?.on_behalf_of ?? '' });
  return createHash('sha256').update(`reach.task.v1\n${text}`).digest('base64url');
}

/** What is stored of a draft's admission, for the deliveries. */
export function orderText(draft: Draft): string {
  const { admission, plan, stallMs, gap, fallback, degraded, confirmation } = draft;
  const secrets = secretsToKeep(contractsOf(plan), 'output');
  const order: StoredOrder = {
    ...orderOf(admission, plan, fallback),
    ...(confirmation === undefined ? {} : { confirmation }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(stallMs === undefined ? {} : { stallMs }),
    ...(gap === undefined ? {} : { gap }),
    ...(degraded === undefined ? {} : { degraded }),
  };
  return JSON.stringify(order);
}
