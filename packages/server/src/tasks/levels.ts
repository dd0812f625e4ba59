import { agentPresence } from '../pipeline/plan.ts';
import type { QueueCounts } from '../storage/spi/tasks.ts';
import type { QueueName } from './book.ts';
import type { TaskRoom } from './room.ts';
import type { Fill, Level, Measure } from './watermarks.ts';

// Design. A queue is full by depth or by time: a short one of an agent that hangs is as bad for
// whoever joins it as a long one. Both have the same marks. Only the fuse, 503 at
// `flowcontrol.max-pending`, is depth's alone: a wait is no lack of room, and if it refused, one task
// that nobody fetches would shut its queue to all for ever, since refusing makes it no younger.
//
// A wait counts while somebody of the agent is there, and from when he came. One that is away is no
// slow one: what waits for it says nothing of its load, it is told as away, and to hold back what is
// not urgent would help nobody. The same holds after this gateway was away itself.

/** How full a queue is, and by what. */
export interface Standing {
  level: Level;
  by: Measure;
  fill: Fill;
  waitedMs: number;
}

/** Takes in the figures of all queues, and looks at each. */
export function lookAtQueues(counts: readonly QueueCounts[], room: TaskRoom): void {
  room.book.read(counts);
  for (const queue of room.book.all()) {
    if (isDeserted(queue, room)) room.book.noteAway(queue, room.clock.now());
    markLevel(queue, room);
  }
}

/** Takes in the figures of all queues after a while in which nobody could serve them. */
export function lookAgain(counts: readonly QueueCounts[], room: TaskRoom): void {
  room.book.read(counts);
  for (const queue of room.book.all()) room.book.noteAway(queue, room.clock.now());
}

/** Whether nobody is there for what waits in a queue. */
export function isDeserted({ tenant, agentId }: QueueName, room: TaskRoom): boolean {
  return (
    agentId === undefined || agentPresence({ tenant, agentId }, 1, room.road).places.length === 0
  );
}

/**
 * Marks a queue by how full it is, and tells the log when its level is another one than before. At
 * each submission, for a queue may fill between two looks, and at each look, for one that nobody
 * submits to any more gets calm as well. `joining`: tasks that would join it, and are not noted yet.
 */
export function markLevel(queue: QueueName, room: TaskRoom, joining = 0): Standing {
  const { pendingMax, warnPercent, dangerPercent, waitSloMs } = room.options;
  const marks = { warn: warnPercent / 100, danger: dangerPercent / 100 };
  const pending = room.book.of(queue).pending + joining;
  const waitedMs = room.book.waitedMs(queue, room.clock.now());
  const fill = { depth: pending / pendingMax, wait: waitSloMs === 0 ? 0 : waitedMs / waitSloMs };
  const { level, by, changed } = room.book.level(queue, fill, {
    now: room.clock.monotonic(),
    marks,
  });
  if (changed) {
    const { tenant, agentId, taskType } = queue;
    const depth = { pending, limit: pendingMax };
    const wait = { waitedMs, waitSloMs };
    const said = { tenant, agentId, taskType, fill: level, by, ...depth, ...wait };
    if (level === 'calm') room.log.info(said, 'a queue is calm again');
    else room.log.warn(said, by === 'depth' ? 'a queue fills up' : 'a queue falls behind');
  }
  return { level, by, fill, waitedMs };
}

/** Whether what is not urgent should not join this queue now. */
export function isPastDanger(queue: QueueName, room: TaskRoom): boolean {
  return room.book.markOf(queue).level === 'danger';
}

/** Why a queue is at its level, as part of a sentence. */
export function levelReason({ by, waitedMs }: Standing, { options }: TaskRoom): string {
  if (by === 'depth') return `is over ${options.dangerPercent} % full`;
  const [waitedS, sloS] = [Math.round(waitedMs / 1_000), options.waitSloMs / 1_000];
  return `is behind: its oldest task has waited ${waitedS} s, and ${sloS} s is what it may`;
}
