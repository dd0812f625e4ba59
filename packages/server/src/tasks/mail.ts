import { isTaskLeased } from '@agent-reach/core';
import { Deadline } from '@agent-reach/core/kernel';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { isOver, told } from './news.ts';
import { type TaskRoom, taskName } from './room.ts';

/** What the mailbox of calls is given of this room: who is woken, and how one waits for an end. */
export function callsOf(room: TaskRoom) {
  return {
    store: room.store,
    ids: room.road.ids,
    now: room.now,
    pendingMax: room.options.pendingMax,
    posted: (row: TaskRow) => told(row, 'none', room),
    over: (name: { tenant: string; taskId: string }, ms: number, signal?: AbortSignal) =>
      waitOver(name, { ms, signal }, room),
  };
}

/** When the gateway stops, a call that nobody has fetched is over; one that runs may end. */
async function waitOver(
  name: { tenant: string; taskId: string },
  { ms, signal }: { ms: number; signal: AbortSignal | undefined },
  room: TaskRoom,
): Promise<'ended' | 'waited' | 'stopping'> {
  const until = Deadline.in(room.clock, ms);
  using seat = room.callers.sit(taskName(name));
  for (;;) {
    const task = await room.store.get(name);
    if (task === undefined || isOver(task)) return 'ended';
    if (until.passed || signal?.aborted === true) return 'waited';
    if (!room.takers.isOpen && !isTaskLeased(task.state)) return 'stopping';
    await seat.rest(Math.min(room.options.repollMs, until.remainingMs()), signal);
  }
}
