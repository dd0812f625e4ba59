import { type Executed, isTaskEnd, isTaskLeased, ReachError } from '@agent-reach/core';
import { noteHolder } from '../pipeline/deliver.ts';
import { recordEnd } from '../pipeline/record-task.ts';
import type { TaskName, TaskRow } from '../storage/spi/tasks.ts';
import { reachRate } from './reach-rate.ts';
import { agentName, type TaskRoom, taskName } from './room.ts';
import { orderOrNone } from './work.ts';

/** How a task stood before a move: what its queue's figures counted it as. */
type Before = 'none' | 'pending' | 'queued' | 'held' | 'parked';

/** The queue in which a task stands. */
export function queueOf({ tenant, agentId, taskType }: TaskRow) {
  return { tenant, agentId, taskType };
}

/** Tells the room that a task that nobody holds went from one queue to another. */
export function toldBound(row: TaskRow, from: TaskRow, room: TaskRoom): void {
  const is = figures(standing(row));
  room.book.move(queueOf(from), { pending: -is.pending, queued: -is.queued });
  room.book.move(queueOf(row), { pending: is.pending, queued: is.queued });
  if (row.state === 'queued') ready(row, room);
}

/** Tells the room that a task moved: figures, those who wait, the log. */
export function told(row: TaskRow, before: Before, room: TaskRoom): void {
  const was = figures(before);
  const is = figures(standing(row));
  room.book.move(queueOf(row), {
    pending: is.pending - was.pending,
    queued: is.queued - was.queued,
    held: is.held - was.held,
  });
  if (row.state === 'queued') ready(row, room);
  if (!isOver(row)) return;
  wakeWaiting(row, room);
  tellTask(row, room);
}

/** Those who wait for the end of a task look again. */
export function wakeWaiting(task: TaskName, room: TaskRoom): void {
  room.watchers.wake(taskName(task));
  room.callers.wake(taskName(task));
}

/** Other gateways may have handed it out, or hold somebody who waits for it. */
function tellTask({ tenant, taskId, epoch }: TaskRow, room: TaskRoom): void {
  room.peers.tell({ kind: 'task', tenant, taskId, epoch });
}

/** A task may be taken: wakes one who waits for it, and whoever sends. */
export function ready(row: TaskRow, room: TaskRoom, count = takersFor(row)): void {
  const { tenant, agentId } = row;
  if (agentId === undefined) return;
  const woken = room.takers.wake(agentName({ tenant, agentId }), count);
  room.kick({ tenant, agentId });
  // Whoever was woken here takes it: to wake somebody elsewhere as well would be a claim in vain.
  if (woken < count) room.peers.tell({ kind: 'work', tenant, agentId });
}

/** What only some of an agent may take wakes all who wait: nobody here knows which one may. */
function takersFor({ group, home }: TaskRow): number {
  return group === undefined && home === undefined ? 1 : Number.POSITIVE_INFINITY;
}

/** A holder's hands are free: if he is one to whom work is sent, and there is some, he gets it. */
export function freed(row: TaskRow, room: TaskRoom): void {
  const { tenant, agentId } = row;
  if (agentId !== undefined && room.book.of(queueOf(row)).queued > 0)
    room.kick({ tenant, agentId });
}

/** Nobody came back with it: that counts against whoever had it. */
export function noteLapsed({ tenant, agentId, holder }: TaskRow, { road }: TaskRoom): void {
  if (agentId === undefined || holder === undefined) return;
  noteHolder({ tenant, agentId, instanceId: holder }, 'deadline-exceeded', road);
}

/** The next of a chain got its turn. */
export function toldTurn(next: TaskRow | undefined, room: TaskRoom): void {
  if (next !== undefined) told(next, 'pending', room);
}

function standing(row: TaskRow): Before {
  if (isTaskLeased(row.state)) return 'held';
  if (row.state === 'queued') return 'queued';
  return row.state === 'blocked' || row.state === 'waiting' ? 'pending' : 'parked';
}

function figures(standing: Before): { pending: number; queued: number; held: number } {
  return {
    pending: standing === 'pending' || standing === 'queued' ? 1 : 0,
    queued: standing === 'queued' ? 1 : 0,
    held: standing === 'held' ? 1 : 0,
  };
}

/** Whether whoever waits for a task has what he waits for: its end, or that it is parked. */
export function isOver({ state }: Pick<TaskRow, 'state'>): boolean {
  return isTaskEnd(state) || state === 'dead';
}

/** A line of the log about a task, with its trace. */
export function logTask(
  message: string,
  row: TaskRow,
  room: TaskRoom,
  more: Record<string, unknown> = {},
): void {
  room.log.info(
    {
      task: row.taskId,
      trace_id: row.traceId,
      agent: row.agentId,
      state: row.state,
      attempts: row.attempts,
      ...(row.holder === undefined ? {} : { holder: row.holder }),
      ...(row.reason === undefined ? {} : { reason: row.reason }),
      ...more,
    },
    message,
  );
}

/**
 * Writes the audit line of a task that ended or was parked. Awaited by those whose word ended a
 * write; the others need not wait.
 */
export async function recordOver(row: TaskRow, room: TaskRoom, result?: unknown): Promise<void> {
  logTask(row.state === 'dead' ? 'a task is parked' : 'a task ended', row, room, {
    cause: row.cause,
  });
  if (standsStill(row)) {
    room.log.warn(
      { source: row.chain, task: row.taskId, cause: row.cause },
      'the ordered tasks of a source stand still behind a parked one',
    );
  }
  if (row.kind === 'call') return; // Its line is written where it was made.
  await recordEnd(
    {
      tenant: row.tenant,
      principal: row.principal,
      taskId: row.taskId,
      traceId: row.traceId,
      capability: row.taskType,
      agentId: row.agentId,
      outcome: row.state === 'succeeded' ? 'ok' : (row.cause ?? row.state),
      executed: executedBy(row),
      result,
      secrets: result === undefined ? undefined : orderOrNone(row)?.secrets,
    },
    room.road,
  );
}

/** Whether a task that is over has run. */
function executedBy(row: TaskRow): Executed {
  if (row.state === 'succeeded' || row.cause === 'refused' || row.cause === 'refused-late') {
    return 'yes';
  }
  return row.attempts === 0 ? 'no' : 'unknown';
}

/** Whether a task keeps those behind it from their turn until a person decides. */
export function standsStill({ state, chain, onDead }: TaskRow): boolean {
  return state === 'dead' && chain !== undefined && onDead !== 'skip';
}

/** The end of a standstill. */
export function goesOn(row: TaskRow, by: string, room: TaskRoom): void {
  const said = { source: row.chain, task: row.taskId, by };
  room.log.info(said, 'the ordered tasks of a source go on');
}

/** A delivery ended, with or without a receipt; tells when an agent is reached worse than it should. */
export function reached(row: TaskRow, isReceipt: boolean, room: TaskRoom): void {
  const rate = room.book.reached(queueOf(row), isReceipt);
  if (rate === undefined) return;
  const said = { tenant: row.tenant, agent: row.agentId, rate: reachRate(rate) };
  if (rate.isLow) room.log.warn(said, 'deliveries without a receipt: an agent is hard to reach');
  else room.log.info(said, 'an agent is reached again');
}

/** Forgets the run of a task whose lease is over; whoever else handed it out forgets it, too. */
export function recall(row: TaskRow, room: TaskRoom): void {
  if (room.holds.drop(row) === undefined) tellTask(row, room);
}

/**
 * Another gateway says that a task ended or lost its lease. What this one sends of it is broken off,
 * unless it was taken again since: a later lease has a later epoch.
 */
export function heardOfTask(task: TaskName & { epoch: number }, room: TaskRoom): void {
  wakeWaiting(task, room);
  const held = room.holds.peek(task);
  if (held === undefined || held.row.epoch > task.epoch) return;
  room.holds.drop(task);
  held.abort.abort(new ReachError('cancelled', `Task ${task.taskId} is not ours any more.`));
}
