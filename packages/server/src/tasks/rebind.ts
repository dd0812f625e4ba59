import { type ErrorCode, ReachError } from '@agent-reach/core';
import { agentPresence, mayStay, offered, offerers, type Plan } from '../pipeline/plan.ts';
import { planStored } from '../pipeline/plan-stored.ts';
import type { TaskName, TaskRow } from '../storage/spi/tasks.ts';
import type { QueueView } from './book.ts';
import { inOrderOfQueues } from './choose.ts';
import { logTask, recordOver, told, toldBound } from './news.ts';
import type { TaskRoom } from './room.ts';
import { reasonOf } from './verdict.ts';
import { type StoredTask, workOf } from './work.ts';

/** Tasks looked at in one go; a longer queue is seen to in the next. */
const PAGE = 200;
const WAITING: TaskRow['state'][] = ['queued', 'waiting', 'blocked'];

/** Who does what the gateway decides by itself. */
export const GATEWAY = 'gateway';

/** A queue in which nothing could be moved is left alone so long: each look reads its tasks. */
const IN_VAIN_MS = 5_000;

/** What a sweep remembers of a queue until the next one. */
interface Noted {
  /** Since when its agent has been away. */
  awaySince: number | undefined;
  /** Not looked into before. */
  nextAt: number;
}

/** The memory of sweeps: forgotten for queues that are empty. */
export type SweepMemory = Map<string, Noted>;

/**
 * Looks at every queue in which tasks wait: unbound ones go to whoever is there for them by now,
 * those of an agent that has been away for long to another who offers the same; and whoever work
 * is sent to is asked.
 */
export async function sweepQueues(memory: SweepMemory, room: TaskRoom): Promise<void> {
  const now = room.clock.monotonic();
  const seen = new Set<string>();
  for (const queue of room.book.all()) {
    if (queue.pending === 0) continue;
    const name = `${queue.tenant}/${queue.agentId ?? `?/${queue.taskType}`}`;
    seen.add(name);
    const noted = memory.get(name) ?? { awaySince: undefined, nextAt: 0 };
    memory.set(name, noted);
    const isThere = isHome(queue, noted, now, room);
    if (noted.nextAt > now) continue;
    const moved = isThere ? await freeMisplaced(queue, room) : await emptyOut(queue, room);
    if (moved === 0) noted.nextAt = now + IN_VAIN_MS;
  }
  for (const name of memory.keys()) if (!seen.has(name)) memory.delete(name);
}

/** Whether the tasks of a queue stand where they should: somebody is there, or was lately. */
function isHome(queue: QueueView, noted: Noted, now: number, room: TaskRoom): boolean {
  const { tenant, agentId } = queue;
  if (agentId === undefined) return false;
  const { places, isKnown } = agentPresence({ tenant, agentId }, 1, room.road);
  if (places.length > 0) {
    noted.awaySince = undefined;
    if (queue.queued > 0 && places.some(({ isPushed }) => isPushed)) room.kick({ tenant, agentId });
    return true;
  }
  noted.awaySince ??= now;
  return isKnown && now - noted.awaySince < room.options.moveAfterMs;
}

/** An agent came, or came back: what waits for somebody like it is its own now. */
export async function welcome(
  at: { tenant: string; agentId: string },
  room: TaskRoom,
): Promise<void> {
  for (const queue of room.book.unbound(at.tenant)) {
    if (offered({ ...at, capability: queue.taskType }, room.road) === undefined) continue;
    await emptyOut(queue, room);
  }
  room.kick(at);
}

/**
 * Tasks that nobody of their agent may take any more are routed once more: their home has left for
 * good (while it is merely away, others stand in for it after a while), nobody of their version is
 * there or has a share, or a weight was set to 0.
 */
async function freeMisplaced(
  { tenant, agentId, queued }: QueueView,
  room: TaskRoom,
): Promise<number> {
  if (agentId === undefined || queued === 0) return 0;
  const rows = await room.store.list({ tenant, agentId, states: ['queued'], limit: PAGE });
  const misplaced = rows.filter(
    ({ home, group, taskType: capability }) =>
      !mayStay({ tenant, agentId, capability, home, group }, room.road),
  );
  return misplaced.length === 0 ? 0 : moveOn(misplaced.reverse(), room, true);
}

/** Routes the tasks of a queue once more; answers how many left it. */
async function emptyOut({ tenant, agentId, taskType }: QueueView, room: TaskRoom): Promise<number> {
  const isUnbound = agentId === undefined;
  if (isUnbound && offerers({ tenant, capability: taskType }, room.road).length === 0) return 0;
  const rows = await room.store.list({
    tenant,
    agentId: agentId ?? null,
    ...(isUnbound ? { taskType } : {}),
    states: WAITING,
    limit: PAGE,
  });
  return moveOn(rows.reverse(), room);
}

/**
 * Routes tasks that nobody holds once more, and puts them into the queue of whoever is chosen.
 * One for whom there is nobody better stays where it is; one whose agent does not offer it any
 * more waits unbound; one whose payload nobody takes is parked, for a person to mend. Answers how
 * many moved. `sameToo`: the same agent is as good as another, for tasks that are merely misplaced.
 */
export async function moveOn(
  tasks: readonly TaskName[],
  room: TaskRoom,
  sameToo = false,
): Promise<number> {
  const from = new Map<string, TaskRow>();
  const moves: Parameters<TaskRoom['store']['bind']>[0]['tasks'] = [];
  for (const { tenant, taskId } of tasks) {
    const row = await room.store.get({ tenant, taskId });
    if (row === undefined || !WAITING.includes(row.state)) continue;
    const goal = await goalOf(row, sameToo, room);
    if (goal === undefined) continue;
    from.set(taskId, row);
    moves.push({ tenant, taskId, ...goal });
    // Noted at once, so that many who move together share; the next reading puts it right.
    if (goal.agentId !== undefined) {
      room.book.move({ tenant, agentId: goal.agentId, taskType: row.taskType }, { pending: 1 });
    }
  }
  if (moves.length === 0) return 0;
  const moved = await room.store.bind({ tasks: moves, now: room.now() });
  for (const row of moved) {
    const before = from.get(row.taskId);
    if (before === undefined) continue;
    if (row.agentId !== undefined)
      room.book.move({ ...row, agentId: row.agentId }, { pending: -1 });
    toldBound(row, before, room);
    logTask('a task changed its queue', row, room, { from: before.agentId ?? null });
  }
  return moved.length;
}

/** What a person must mend: the payload, or who may have it. */
const NO_WAITING_MENDS: ReadonlySet<ErrorCode> = new Set([
  'validation-failed',
  'permission-denied',
]);

type Goal = Pick<TaskRow, 'agentId' | 'group' | 'home' | 'effect'>;

/** Where a waiting task should stand; undefined: where it is. */
async function goalOf(
  row: StoredTask,
  sameToo: boolean,
  room: TaskRoom,
): Promise<Goal | undefined> {
  const { tenant, agentId } = row;
  let plan: Plan;
  try {
    plan = planStored(workOf(row, room), room.options.pushConcurrency, room.road);
  } catch (thrown) {
    const error = ReachError.from(thrown);
    if (NO_WAITING_MENDS.has(error.code)) await park(row, reasonOf(error), room);
    return undefined;
  }
  const own = plan.candidates.find((c) => c.agentId === agentId);
  if (own?.isKept === true) return undefined;
  const others = plan.candidates.filter(
    (c) => (sameToo || c !== own) && !room.isPaused({ tenant, agentId: c.agentId }),
  );
  const [best] = inOrderOfQueues({ ...plan, candidates: others }, tenant, room);
  if (best !== undefined && !isFull(tenant, best.agentId, room)) {
    const { home, group, effect } = best;
    return {
      agentId: best.agentId,
      ...(group === undefined ? {} : { group }),
      ...(home === undefined ? {} : { home }),
      ...(effect === undefined ? {} : { effect }),
    };
  }
  return agentId === undefined || own !== undefined ? undefined : {};
}

function isFull(tenant: string, agentId: string, room: TaskRoom): boolean {
  return room.book.of({ tenant, agentId, taskType: '' }).pending >= room.options.pendingMax;
}

/** Parks a waiting task whose payload fits nobody: a person mends it and redrives it. */
export async function park(
  task: TaskName,
  reason: string,
  room: TaskRoom,
  was: 'queued' | 'pending' = 'queued',
): Promise<void> {
  const { tenant, taskId } = task;
  const answer = await room.store.kill({ tenant, taskId, by: GATEWAY, reason, now: room.now() });
  if (answer.outcome !== 'ok') return;
  told(answer.row, was, room);
  if (answer.next !== undefined) told(answer.next, 'pending', room);
  void recordOver(answer.row, room);
}
