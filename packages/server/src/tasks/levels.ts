import type { QueueName } from './book.ts';
import type { TaskRoom } from './room.ts';
import type { Level } from './watermarks.ts';

/**
 * Marks a queue by how full it is, and tells the log when its level is another one than before. At
 * each submission, for a queue may fill between two looks, and at each look, for one that nobody
 * submits to any more gets calm as well.
 */
export function markLevel(queue: QueueName, room: TaskRoom): Level {
  const { pendingMax, warnPercent, dangerPercent } = room.options;
  const marks = { warn: warnPercent / 100, danger: dangerPercent / 100 };
  const at = { pendingMax, now: room.clock.monotonic(), marks };
  const { level, changed } = room.book.level(queue, at);
  if (!changed) return level;
  const { tenant, agentId, taskType } = queue;
  const { pending } = room.book.of(queue);
  const said = { tenant, agentId, taskType, fill: level, pending, limit: pendingMax };
  if (level === 'calm') room.log.info(said, 'a queue is calm again');
  else room.log.warn(said, 'a queue fills up');
  return level;
}
