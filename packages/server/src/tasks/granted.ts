import { permitsOf } from '../pipeline/order.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { told } from './news.ts';
import { park } from './rebind.ts';
import type { TaskRoom } from './room.ts';

/**
 * Whether whoever submitted a task may still have it done, as the grants stand now: asked whenever it
 * leaves its queue. A call of somebody who waits was asked a moment ago.
 */
export function isGranted(row: TaskRow, { road }: TaskRoom): boolean {
  if (row.kind === 'call') return true;
  const { tenant, principal, taskType: capability } = row;
  return permitsOf({ tenant, principal }, road.policy)({ capability });
}

/** Longer than parking takes; if the gateway dies between the two, it is asked again after that. */
const AWAY_MS = 60_000;

/**
 * Parks a task that was claimed and may not be done any more, unburnt. A person may let it go on:
 * with a grant, and a redrive.
 */
export async function parkUngranted(row: TaskRow, room: TaskRoom): Promise<void> {
  const { tenant, taskId, epoch, principal, taskType } = row;
  const reason = `permission-denied: no grant lets ${principal} have ${taskType} any more.`;
  // Not to the head of its queue, from where it would be claimed again before it is parked.
  const settlement = { end: 'release', reason, delayMs: AWAY_MS } as const;
  const answer = await room.store.settle({ tenant, taskId, epoch, settlement, now: room.now() });
  if (answer.outcome !== 'ok') return;
  told(answer.row, 'held', room);
  await park(answer.row, reason, room, 'pending');
}
