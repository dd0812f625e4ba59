import type { Asker, Input, Output, TaskState, TaskView } from '@agent-reach/core';
import { Deadline, iso } from '@agent-reach/core/kernel';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { isOver, queueOf } from './news.ts';
import { gapWarning } from './order-gaps.ts';
import { type Estimate, remainingOf } from './pace.ts';
import { type TaskRoom, taskName } from './room.ts';
import { stalledSince } from './stalls.ts';
import { etaOf } from './ticket.ts';
import { sourceOf, viewOf } from './view.ts';
import type { StoredTask } from './work.ts';
import { taskNotFound } from './words.ts';

/**
 * Shows a task. With `wait` the request is held until the task is over: the seat is taken before
 * the first look. When the time is up first, the answer says where to go on waiting; the task
 * itself is not touched by anybody's coming or leaving.
 */
export async function get(
  input: Input<'tasks.get'>,
  asker: Asker,
  room: TaskRoom,
): Promise<TaskView> {
  const name = { tenant: asker.tenant, taskId: input.task_id };
  const waitMs = (input.wait ?? 0) * 1_000;
  const until = Deadline.in(room.clock, waitMs);
  using seat = waitMs > 0 ? room.watchers.sit(taskName(name)) : undefined;
  for (;;) {
    const task = await demandTask(name, room);
    if (seat === undefined || isOver(task)) return whole(task, room);
    if (until.passed || asker.signal.aborted || !room.watchers.isOpen) {
      const resume = `/v1/tasks/${encodeURIComponent(task.taskId)}?wait=${input.wait}`;
      return { ...(await whole(task, room)), resume };
    }
    await seat.rest(Math.min(room.options.repollMs, until.remainingMs()), asker.signal);
  }
}

/** A task with its payload and result. Throws `task-not-found`. */
export async function demandTask(
  name: { tenant: string; taskId: string },
  room: TaskRoom,
): Promise<StoredTask & { result?: string }> {
  const task = await room.store.get(name);
  if (task === undefined) throw taskNotFound(name.taskId);
  return task;
}

async function whole(task: StoredTask & { result?: string }, room: TaskRoom): Promise<TaskView> {
  const { payload, result } = task;
  const shown = { payload, result, stalledSince: stalledSince(task, room) };
  if (task.state === 'queued' || task.state === 'waiting') {
    const position = task.state === 'queued' ? (await room.store.ahead(task))?.tasks : undefined;
    return viewOf(task, { ...shown, position, eta: etaOf(task, position ?? 0, room) });
  }
  return viewOf(task, { ...shown, eta: await remaining(task, room) });
}

/** What is left of a running task, by its own progress and by what others took. */
async function remaining(task: StoredTask, room: TaskRoom): Promise<Estimate | undefined> {
  if (task.state !== 'running') return undefined;
  const lines = await room.store.history(task);
  const receipt = lines.findLast(({ cause }) => cause === 'acked');
  const now = room.clock.now();
  const { progress } = task;
  const course = {
    elapsedMs: now - (receipt?.at ?? task.updatedAt),
    progress: progress && { percent: progress.percent, agoMs: now - progress.at },
  };
  return remainingOf(course, room.book.paceOf(queueOf(task)));
}

const LIMIT = 100;
/** Pages read for one answer when a filter is not the store's own. */
const PAGES_MAX = 10;
const PAGE = 500;

/** Lists tasks, newest first; `cursor` goes on from an earlier answer. */
export async function list(
  input: Input<'tasks.list'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'tasks.list'>> {
  const limit = input.limit ?? LIMIT;
  const shown = (row: TaskRow) => viewOf(row, { stalledSince: stalledSince(row, room) });
  const isWanted = (row: TaskRow) =>
    (input.source_id === undefined || sourceOf(row) === input.source_id) &&
    (input.status !== 'STALLED' || stalledSince(row, room) !== undefined);
  const isSifted = input.source_id !== undefined || input.status === 'STALLED';
  const size = isSifted ? PAGE : limit;
  const query = { tenant, ...filters(input), limit: size };
  const found: TaskRow[] = [];
  let before = input.cursor;
  for (let page = 0; page < PAGES_MAX; page++) {
    const rows = await room.store.list({ ...query, ...(before === undefined ? {} : { before }) });
    for (const row of rows) {
      before = row.seq;
      if (isWanted(row)) found.push(row);
      if (found.length === limit) return { tasks: found.map(shown), cursor: before };
    }
    if (rows.length < size) return { tasks: found.map(shown) };
  }
  return {
    tasks: found.map(shown),
    ...(before === undefined ? {} : { cursor: before }),
  };
}

function filters(input: Input<'tasks.list'>) {
  const { status } = input;
  return {
    ...(status === undefined ? {} : statusFilter(status)),
    ...(input.agent === undefined ? {} : { agentId: input.agent }),
    ...(input.task_type === undefined ? {} : { taskType: input.task_type }),
    ...(input.principal === undefined ? {} : { principal: input.principal }),
    ...(input.trace_id === undefined ? {} : { traceId: input.trace_id }),
    ...(input.parent_id === undefined ? {} : { parentId: input.parent_id }),
  };
}

/** No states of their own: TIMEOUT failed, and its deadline did it; STALLED is running. */
function statusFilter(status: TaskState | 'TIMEOUT' | 'STALLED') {
  if (status === 'STALLED') return { states: ['running' as const] };
  return status === 'TIMEOUT'
    ? { states: ['failed' as const], causes: ['timeout' as const] }
    : { states: [status] };
}

/** Every move that a task has made. */
export async function history(
  input: Input<'tasks.history'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'tasks.history'>> {
  const name = { tenant, taskId: input.task_id };
  const [task, lines] = await Promise.all([demandTask(name, room), room.store.history(name)]);
  const warning = await gapWarning(task, lines, room);
  return {
    task_id: input.task_id,
    moves: lines.map(({ at, from, to, cause, holder, agentId, by, reason }) => ({
      at: iso(at),
      ...(from === undefined ? {} : { from }),
      to,
      cause,
      ...(agentId === undefined ? {} : { agent: agentId }),
      ...(holder === undefined ? {} : { holder }),
      ...(by === undefined ? {} : { by }),
      ...(reason === undefined ? {} : { reason }),
    })),
    warnings: warning === undefined ? [] : [warning],
  };
}
