import type { TaskTicket } from '@agent-reach/core';
import { agentPresence } from '../pipeline/plan.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { etaMs } from './book.ts';
import { isOver, queueOf } from './news.ts';
import type { TaskRoom } from './room.ts';

/** What a submitter is told of his task. */
export function ticketOf(
  row: TaskRow,
  about: { ahead: number; replayed: boolean; warnings: string[] },
  room: TaskRoom,
): TaskTicket {
  return {
    task_id: row.taskId,
    status: row.state,
    position: about.ahead,
    eta_ms: etaOf(row, about.ahead, room),
    ...(row.agentId === undefined ? {} : { agent: row.agentId }),
    trace_id: row.traceId,
    replayed: about.replayed,
    warnings: about.warnings,
  };
}

/** The ticket of a task that had been submitted before. */
export async function ticketAgain(row: TaskRow, room: TaskRoom): Promise<TaskTicket> {
  const ahead = await room.store.ahead(row);
  return ticketOf(row, { ahead: ahead?.tasks ?? 0, replayed: true, warnings: [] }, room);
}

/** When the task is likely delivered: its turn in the queue, and not before it is due. */
export function etaOf(row: TaskRow, ahead: number, room: TaskRoom): number {
  if (isOver(row) || row.state === 'delivered' || row.state === 'running') return 0;
  const dueMs = row.dueAt === undefined ? 0 : Math.max(0, row.dueAt - room.clock.now());
  const slots = slotsOf(row, room);
  const turnMs = etaMs(room.book.of(queueOf(row)), ahead, slots);
  return turnMs < 0 ? -1 : Math.max(dueMs, turnMs);
}

/** Runs at once that the task's agent takes now. */
export function slotsOf({ tenant, agentId }: TaskRow, room: TaskRoom): number {
  if (agentId === undefined) return 0;
  const { places } = agentPresence({ tenant, agentId }, room.options.pushConcurrency, room.road);
  return places.reduce((sum, { slots }) => sum + slots, 0);
}
