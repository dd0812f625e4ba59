import { isTaskLeased, type TaskTicket } from '@agent-reach/core';
import { agentPresence } from '../pipeline/plan.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { waitFor } from './book.ts';
import { isOver, queueOf } from './news.ts';
import type { Estimate } from './pace.ts';
import type { TaskRoom } from './room.ts';
import { durabilityOf } from './two-stores.ts';
import { orderOrNone, type StoredOrder } from './work.ts';

/** What a submitter is told of his task. */
export function ticketOf(
  row: TaskRow,
  about: { ahead: number; replayed: boolean; order: Taken; warnings: string[] },
  room: TaskRoom,
): TaskTicket {
  return {
    task_id: row.taskId,
    status: row.state,
    position: about.ahead,
    ...etaFields(etaOf(row, about.ahead, room)),
    ...(row.agentId === undefined ? {} : { agent: row.agentId }),
    durability: durabilityOf(row.taskId),
    ...degradedFields(row, about.order),
    trace_id: row.traceId,
    replayed: about.replayed,
    warnings: about.warnings,
  };
}

/** Of what was asked for, how the task was taken otherwise: as stored, or as about to be. */
interface Taken {
  degraded?: StoredOrder['degraded'] | undefined;
  fallback?: StoredOrder['fallback'] | undefined;
}

function degradedFields(
  { taskType }: TaskRow,
  { degraded, fallback }: Taken,
): Pick<TaskTicket, 'degraded' | 'degraded_by' | 'degraded_to'> {
  if (degraded === undefined) return {};
  return {
    degraded: true,
    ...(fallback === undefined ? {} : { degraded_to: taskType }),
    degraded_by: degraded.by,
  };
}

/** The ticket of a task that had been submitted before. */
export async function ticketAgain(row: TaskRow, room: TaskRoom): Promise<TaskTicket> {
  const ahead = await room.store.ahead(row);
  const order = orderOrNone(row) ?? {};
  return ticketOf(row, { ahead: ahead?.tasks ?? 0, replayed: true, order, warnings: [] }, room);
}

/**
 * When the task is likely delivered: its turn in the queue, and not before it is due. Undefined:
 * nobody who could do it is there.
 */
export function etaOf(row: TaskRow, ahead: number, room: TaskRoom): Estimate | undefined {
  if (isOver(row) || isTaskLeased(row.state)) return { p50Ms: 0, p90Ms: 0 };
  const dueMs = row.dueAt === undefined ? 0 : Math.max(0, row.dueAt - room.clock.now());
  const turn = waitFor(room.book.of(queueOf(row)), ahead, slotsOf(row, room));
  if (turn === undefined) return undefined;
  return { p50Ms: Math.max(dueMs, turn.p50Ms), p90Ms: Math.max(dueMs, turn.p90Ms) };
}

/** An estimate as it is shown; −1 where there is none. */
export function etaFields(estimate: Estimate | undefined): { eta_ms: number; eta_p90_ms: number } {
  return { eta_ms: estimate?.p50Ms ?? -1, eta_p90_ms: estimate?.p90Ms ?? -1 };
}

/** Runs at once that the task's agent takes now. */
export function slotsOf({ tenant, agentId }: TaskRow, room: TaskRoom): number {
  if (agentId === undefined) return 0;
  const { places } = agentPresence({ tenant, agentId }, room.options.pushConcurrency, room.road);
  return places.reduce((sum, { slots }) => sum + slots, 0);
}
