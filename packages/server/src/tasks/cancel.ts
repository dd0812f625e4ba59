import { type Asker, type Input, type Output, ReachError } from '@agent-reach/core';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { goesOn, recordOver, standsStill, told, toldTurn } from './news.ts';
import { demandTask } from './read.ts';
import type { TaskRoom } from './room.ts';

/** What one move of the store cancels at most; a larger tree takes several. */
const TREE_MAX = 1_000;

/**
 * Cancels a task and everything that was started for it. What is being sent is broken off; a
 * holder who works elsewhere hears of it with his next word, and his result is not taken.
 */
export async function cancel(
  input: Input<'tasks.cancel'>,
  { tenant, principal, client }: Asker,
  room: TaskRoom,
): Promise<Output<'tasks.cancel'>> {
  const name = { tenant, taskId: input.task_id };
  const before = await demandTask(name, room);
  if (client?.onlyOwn === true && before.principal !== principal) {
    const detail = `Task ${input.task_id} was submitted by ${before.principal}: operators may cancel it.`;
    throw new ReachError('permission-denied', detail);
  }
  const ids: string[] = [];
  for (;;) {
    const { cancelled, next } = await room.store.cancel({
      ...name,
      tree: true,
      by: principal,
      ...(input.reason === undefined ? {} : { reason: input.reason }),
      now: room.now(),
    });
    for (const row of cancelled) stopped(row, room);
    for (const row of next) toldTurn(row, room);
    const isMended = standsStill(before) && cancelled.some((row) => row.taskId === name.taskId);
    if (isMended) goesOn(before, 'cancelled', room);
    ids.push(...cancelled.map(({ taskId }) => taskId));
    if (cancelled.length < TREE_MAX) return { cancelled: ids };
  }
}

function stopped(row: TaskRow, room: TaskRoom): void {
  const held = room.holds.drop(row);
  held?.abort.abort(new ReachError('cancelled', `Task ${row.taskId} was cancelled.`));
  told(row, held === undefined ? 'pending' : 'held', room);
  void recordOver(row, room);
}
