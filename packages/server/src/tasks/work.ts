import { openDelivery } from '../pipeline/deliver.ts';
import type { Order, Work } from '../pipeline/order.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import type { Held } from './holds.ts';
import { signLease } from './lease-token.ts';
import type { TaskRoom } from './room.ts';
import type { Measure } from './watermarks.ts';

/** What of a call to an agent that pulls is known already when it becomes a task. */
export interface CallTicket {
  traceparent: string;
  callToken: string;
  idempotencyKey?: string;
}

/** A place that nobody had taken when the task behind it came. */
export interface Gap {
  /** The `order_seq` that was missing. */
  missing: number;
  /** How long it is waited for. */
  waitMs: number;
  /** The task's own delay, which stays when the missing one comes. */
  delayMs: number;
}

/** How a task was taken otherwise than it was asked for. */
export interface Degraded {
  /** The queue of whoever should have done it was at danger by this, or nobody was there. */
  by: Measure | 'absence';
}

/** What is stored with a task for its later deliveries. */
export type StoredOrder = Order & {
  /** Set where it was taken otherwise than asked for. */
  degraded?: Degraded;
  call?: CallTicket;
  /** Without a word of progress for so long it is stalled; absent: as the options say. */
  stallMs?: number;
  gap?: Gap;
};

/** The order of a stored task. Throws for one that cannot be read. */
export function orderIn(row: Pick<TaskRow, 'selector'>): StoredOrder {
  return JSON.parse(row.selector) as StoredOrder;
}

/** The same; undefined for one that cannot be read: it ends at its delivery, not in a list. */
export function orderOrNone(row: Pick<TaskRow, 'selector'>): StoredOrder | undefined {
  try {
    return orderIn(row);
  } catch {
    return undefined;
  }
}

/** A stored task as work of the road. Throws for one that cannot be read. */
export function workOf(row: TaskRow & { payload: string }, room: TaskRoom): Work {
  return {
    tenant: row.tenant,
    principal: row.principal,
    taskId: row.taskId,
    traceId: row.traceId,
    order: orderIn(row),
    params: JSON.parse(row.payload),
    remainingMs: remainingMs(row, room),
  };
}

/** What is left of a task's deadline, at least a millisecond; undefined: it has none. */
export function remainingMs({ deadlineAt }: TaskRow, room: TaskRoom): number | undefined {
  return deadlineAt === undefined ? undefined : Math.max(1, deadlineAt - room.clock.now());
}

/** Begins the run of a task that was just given to `holder`. Throws for one that cannot be read. */
export function hold(row: StoredTask, holder: string, room: TaskRoom): Held & { lease: string } {
  const held = runOf(row, holder, room);
  room.holds.add(held);
  return held;
}

/** A task with its payload. */
export type StoredTask = TaskRow & { payload: string };

/** The run of a task by its holder, as of now. */
export function runOf(row: StoredTask, holder: string, room: TaskRoom): Held & { lease: string } {
  const { payload: _, ...bare } = row;
  const { taskId, epoch } = row;
  // Of a run that another gateway handed out, or this one before it restarted: since its last word.
  const agoMs = Math.max(0, room.clock.now() - row.updatedAt);
  const abort = new AbortController();
  const lease = leaseFor(row, holder, room);
  const run = openDelivery(
    workOf(row, room),
    { taskId, attempt: row.attempts + 1, lease, leaseMs: leaseMsOf(row), epoch, agoMs },
    abort.signal,
    room.road,
  );
  // Since it was ready, or since it came when the store does not say.
  run.queueMs = Math.max(0, room.clock.now() - (row.readyAt ?? row.createdAt));
  return { row: bare, run, holder, abort, lease };
}

/** How long the lease was when it was given: by the store's own clock, whatever ours says. */
function leaseMsOf({ leaseEndsAt, updatedAt }: TaskRow): number {
  return Math.max(1, (leaseEndsAt ?? 0) - updatedAt);
}

/** The token with which `holder` speaks for the task as it stands. */
export function leaseFor(row: TaskRow, holder: string, room: TaskRoom): string {
  const { tenant, taskId, epoch } = row;
  return signLease({ tenant, taskId, epoch, holder }, room.road.policy.tokenKey);
}
