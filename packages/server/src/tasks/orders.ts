import { type Asker, type Input, type Output, ReachError } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { standsStill } from './news.ts';
import { gapOf } from './order-gaps.ts';
import type { TaskRoom } from './room.ts';

const BLOCKED_MAX = 1_000;
const SKIPPED_MAX = 100;

/** The ordered tasks of a source: whose turn it is, who waits behind it since when, and why. */
export async function getOrder(
  input: Input<'orders.get'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'orders.get'>> {
  const chain = input.source_id;
  const name = { tenant, chain };
  const [turn, blocked, dead] = await Promise.all([
    room.store.chainHead(name),
    room.store.list({ ...name, states: ['blocked'], limit: BLOCKED_MAX }),
    room.store.list({ ...name, states: ['dead'], limit: SKIPPED_MAX }),
  ]);
  const skipped = dead.filter((row) => !standsStill(row));
  if (turn === undefined && skipped.length === 0) {
    const [known] = await room.store.list({ ...name, limit: 1 });
    if (known === undefined) {
      throw new ReachError('not-found', `No ordered task of source ${chain} is known.`);
    }
  }
  return {
    source_id: chain,
    says: saysOf(turn, blocked.length, room),
    is_blocked: turn !== undefined && standsStill(turn),
    ...(turn === undefined ? {} : { turn: placeOf(turn) }),
    blocked: blocked.toSorted(inOrder).map(placeOf),
    skipped: skipped.map(placeOf),
  };
}

function inOrder(a: TaskRow, b: TaskRow): number {
  return (a.chainSeq ?? 0) - (b.chainSeq ?? 0) || a.seq - b.seq;
}

function saysOf(turn: TaskRow | undefined, behind: number, room: TaskRoom): string[] {
  if (turn === undefined) return ['Nothing of it is under way, and nothing waits.'];
  const count = behind === BLOCKED_MAX ? `${behind} or more` : String(behind);
  const wait = `${count} ${behind === 1 ? 'task waits' : 'tasks wait'} behind it.`;
  const { taskId, state, cause } = turn;
  if (standsStill(turn)) {
    return [
      `Task ${taskId} has the turn and is parked (${cause}) since ${iso(turn.updatedAt)}: the source stands still. ${wait}`,
      'Redrive it, cancel it, or skip it: `reach dead-letters redrive`, `reach tasks cancel`, `reach dead-letters skip`.',
    ];
  }
  const held = turn.leaseEndsAt === undefined ? '' : `, held by ${turn.holder}`;
  return [`Task ${taskId} has the turn: it is ${state}${held}. ${wait}`, ...gapSays(turn, room)];
}

/** What a task that waits for a missing one waits for; nothing when it does not. */
export function gapSays(row: TaskRow, room: TaskRoom): string[] {
  const gap = gapOf(row);
  const { state, dueAt, chain } = row;
  const isWaiting = state === 'blocked' || state === 'waiting';
  if (gap === undefined || !isWaiting || row.attempts > 0) return [];
  if (dueAt === undefined || dueAt <= room.clock.now()) return [];
  return [
    `order_seq ${gap.missing} of source ${chain} has not come: it is waited for until ${iso(dueAt)}, then the order goes on without it.`,
  ];
}

function placeOf(row: TaskRow): Output<'orders.get'>['blocked'][number] {
  const { chainSeq, cause, reason, agentId, holder } = row;
  return {
    task_id: row.taskId,
    task_type: row.taskType,
    status: row.state,
    ...(chainSeq === undefined ? {} : { order_seq: chainSeq }),
    ...(cause === undefined ? {} : { cause }),
    ...(reason === undefined ? {} : { reason }),
    ...(agentId === undefined ? {} : { agent: agentId }),
    ...(holder === undefined || row.leaseEndsAt === undefined ? {} : { holder }),
    since: iso(row.updatedAt),
  };
}
