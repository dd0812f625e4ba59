import { needsWord } from '../pipeline/confirm-work.ts';
import { permitsOf } from '../pipeline/order.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { told } from './news.ts';
import { park } from './rebind.ts';
import type { TaskRoom } from './room.ts';
import { orderOrNone } from './work.ts';

/**
 * Why a task may not be done as things stand now, undefined if it may: asked whenever it leaves its
 * queue. Whoever submitted it may have lost his grant; what nobody had to confirm then, because nobody
 * offered it yet or the rules were others, may need a word now. A call of somebody who waits was
 * asked a moment ago.
 */
export function whyNotDone(row: TaskRow, { road }: TaskRoom): string | undefined {
  if (row.kind === 'call') return undefined;
  const { tenant, principal, agentId = '', taskType: capability } = row;
  if (!permitsOf({ tenant, principal }, road.policy)({ capability })) {
    return `permission-denied: no grant lets ${principal} have ${capability} any more.`;
  }
  if (!needsWord({ tenant, agentId, capability }, road)) return undefined;
  if (orderOrNone(row)?.confirmation !== undefined) return undefined;
  return `confirmation-invalid: ${capability} needs a confirmation, and nobody was asked for one when it was submitted. Submit it anew.`;
}

/** Longer than parking takes; if the gateway dies between the two, it is asked again after that. */
const AWAY_MS = 60_000;

/**
 * Parks a task that was claimed and may not be done any more, unburnt. A person may let it go on:
 * with a grant, and a redrive.
 */
export async function parkUndone(row: TaskRow, reason: string, room: TaskRoom): Promise<void> {
  const { tenant, taskId, epoch } = row;
  // Not to the head of its queue, from where it would be claimed again before it is parked.
  const settlement = { end: 'release', reason, delayMs: AWAY_MS } as const;
  const answer = await room.store.settle({ tenant, taskId, epoch, settlement, now: room.now() });
  if (answer.outcome !== 'ok') return;
  told(answer.row, 'held', room);
  await park(answer.row, reason, room, 'pending');
}
