import type { Asker, Input, Output, TaskState, TaskView } from '@agent-reach/core';
import { Deadline, iso } from '@agent-reach/core/kernel';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { isOver } from './news.ts';
import { type TaskRoom, taskName } from './room.ts';
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
  const position = task.state === 'queued' ? (await room.store.ahead(task))?.tasks : undefined;
  return viewOf(task, { payload, result, position });
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
  const isWanted = (row: TaskRow) =>
    input.source_id === undefined || sourceOf(row) === input.source_id;
  const size = input.source_id === undefined ? limit : PAGE;
  const query = { tenant, ...filters(input), limit: size };
  const found: TaskRow[] = [];
  let before = input.cursor;
  for (let page = 0; page < PAGES_MAX; page++) {
    const rows = await room.store.list({ ...query, ...(before === undefined ? {} : { before }) });
    for (const row of rows) {
      before = row.seq;
      if (isWanted(row)) found.push(row);
      if (found.length === limit) return { tasks: found.map((one) => viewOf(one)), cursor: before };
    }
    if (rows.length < size) return { tasks: found.map((one) => viewOf(one)) };
  }
  return {
    tasks: found.map((one) => viewOf(one)),
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

/** TIMEOUT is no state of its own: it failed, and its deadline did it. */
function statusFilter(status: TaskState | 'TIMEOUT') {
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
  const lines = await room.store.history({ tenant, taskId: input.task_id });
  if (lines.length === 0) throw taskNotFound(input.task_id);
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
  };
}
