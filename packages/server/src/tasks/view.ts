import { isTaskEnd, isTaskLeased, type TaskView } from '@agent-reach/core';
import { type EpochMs, iso } from '@agent-reach/core/kernel';
import type { TaskRow } from '../storage/spi/tasks.ts';
import type { Estimate } from './pace.ts';
import { etaFields } from './ticket.ts';
import { durabilityOf } from './two-stores.ts';
import { orderOrNone } from './work.ts';

/** What of a task is not in its row. */
export interface ViewExtras {
  payload?: string;
  result?: string | undefined;
  position?: number | undefined;
  eta?: Estimate | undefined;
  stalledSince?: EpochMs | undefined;
  resume?: string;
}

/** A task as it is shown. */
export function viewOf(row: TaskRow, extras: ViewExtras = {}): TaskView {
  const { payload, result, position, eta, stalledSince, resume } = extras;
  return {
    task_id: row.taskId,
    task_type: row.taskType,
    ...maybe('fallback_of', orderOrNone(row)?.fallback?.of),
    status: row.state,
    ...maybe('cause', row.cause),
    ...maybe('reason', row.reason),
    ...maybe('agent', row.agentId),
    ...(isTaskLeased(row.state) ? maybe('holder', row.holder) : {}),
    priority: row.priority,
    ...maybe('position', position),
    ...maybe('effect', row.effect),
    durability: durabilityOf(row.taskId),
    deliveries: row.deliveries,
    attempts: row.attempts,
    attempts_max: row.attemptsMax,
    ...(row.progress === undefined
      ? {}
      : { progress: { ...row.progress, at: iso(row.progress.at) } }),
    ...moment('stalled_since', stalledSince),
    ...(eta === undefined ? {} : etaFields(eta)),
    ...(payload === undefined ? {} : { payload: JSON.parse(payload) as unknown }),
    ...(result === undefined ? {} : { result: JSON.parse(result) as unknown }),
    trace_id: row.traceId,
    principal: row.principal,
    ...maybe('parent_id', row.parentId),
    ...maybe('source_id', sourceOf(row)),
    ...maybe('order_seq', row.chainSeq),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    ...moment('ended_at', row.endedAt),
    ...moment('due_at', isTaskEnd(row.state) ? undefined : row.dueAt),
    ...moment('deadline_at', row.deadlineAt),
    ...moment('lease_ends', isTaskLeased(row.state) ? row.leaseEndsAt : undefined),
    ...maybe('resume', resume),
  };
}

/** On whose behalf a task's order was kept; undefined also for an order that cannot be read. */
export function sourceOf(row: TaskRow): string | undefined {
  return orderOrNone(row)?.sourceId;
}

function maybe<const K extends string, V>(name: K, value: V | undefined): { [_ in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [_ in K]?: V });
}

function moment<const K extends string>(name: K, at: number | undefined): { [_ in K]?: string } {
  return maybe(name, at === undefined ? undefined : iso(at));
}
