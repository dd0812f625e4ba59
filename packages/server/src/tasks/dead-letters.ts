import {
  type Asker,
  type Input,
  type Issue,
  type Output,
  ReachError,
  TASK_CAUSES,
  type TaskCause,
  type TaskView,
  validationFailed,
} from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import { offerers, payloadFaults } from '../pipeline/plan.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { logTask, told } from './news.ts';
import { demandTask } from './read.ts';
import type { TaskRoom } from './room.ts';
import { viewOf } from './view.ts';
import type { StoredTask } from './work.ts';
import { taskNotFound } from './words.ts';

const LIMIT = 100;
/** Parked tasks that are looked through for the causes: the newest of them. */
const COUNTED_MAX = 1_000;
const REASON_SHOWN = 200;

/** Parked tasks, newest first, and of which causes they are. */
export async function listDead(
  input: Input<'dead-letters.list'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'dead-letters.list'>> {
  const limit = input.limit ?? LIMIT;
  const query = {
    tenant,
    states: ['dead' as const],
    ...(input.agent === undefined ? {} : { agentId: input.agent }),
    ...(input.task_type === undefined ? {} : { taskType: input.task_type }),
    ...(input.cause === undefined ? {} : { causes: [demandCause(input.cause)] }),
  };
  const rows = await room.store.list({
    ...query,
    ...(input.cursor === undefined ? {} : { before: input.cursor }),
    limit,
  });
  const last = rows.length === limit ? rows.at(-1)?.seq : undefined;
  return {
    causes: causesOf(await room.store.list({ ...query, limit: COUNTED_MAX })),
    tasks: rows.map((row) => viewOf(row)),
    ...(last === undefined ? {} : { cursor: last }),
  };
}

function demandCause(cause: string): TaskCause {
  const known = TASK_CAUSES.find((one) => one === cause);
  if (known !== undefined) return known;
  throw validationFailed('The request', [
    { pointer: '#/cause', detail: `must be one of ${TASK_CAUSES.join(', ')}` },
  ]);
}

/** Groups by what went wrong: reasons that differ in their figures and ids alone are one. */
function causesOf(rows: readonly TaskRow[]): Output<'dead-letters.list'>['causes'] {
  const groups = new Map<string, Output<'dead-letters.list'>['causes'][number]>();
  for (const { taskType, cause = 'killed', reason = '' } of rows) {
    const key = `${taskType}\n${cause}\n${fingerprint(reason)}`;
    const group = groups.get(key);
    if (group !== undefined) group.count += 1;
    else {
      const shown = reason.slice(0, REASON_SHOWN).toWellFormed();
      groups.set(key, { task_type: taskType, cause, reason: shown, count: 1 });
    }
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** A reason without what differs from case to case. */
function fingerprint(reason: string): string {
  return reason.replaceAll(/\b[\w-]*\d[\w-]*\b/g, '#').slice(0, REASON_SHOWN);
}

/** One parked task with its payload, what of it breaks the present schema, and late results. */
export async function getDead(
  input: Input<'dead-letters.get'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<Output<'dead-letters.get'>> {
  const task = await demandTask({ tenant, taskId: input.task_id }, room);
  if (task.state !== 'dead') throw taskNotFound(input.task_id);
  const orphans = await room.store.orphans(task);
  return {
    task: viewOf(task, { payload: task.payload, result: task.result }),
    faults: faultsOf(task, JSON.parse(task.payload), room),
    orphans: orphans.map(({ epoch, at, result }) => ({
      epoch,
      at: iso(at),
      result: JSON.parse(result) as unknown,
    })),
  };
}

function faultsOf(task: TaskRow, payload: unknown, room: TaskRoom): Issue[] {
  const { tenant, agentId, taskType } = task;
  const agents =
    agentId === undefined ? offerers({ tenant, capability: taskType }, room.road) : [agentId];
  const faults = agents.map((one) =>
    payloadFaults({ tenant, agentId: one, capability: taskType }, payload, room.road),
  );
  // One who takes it is enough.
  const fewest = faults.find((found) => found.length === 0) ?? faults[0] ?? [];
  return fewest.map(({ pointer, detail }) => ({ pointer: `#/payload${pointer.slice(1)}`, detail }));
}

/**
 * Runs a parked task again from its first attempt. Its payload, a new one if one is given, must fit
 * the schema of whoever is to take it: checked before anything is written.
 */
export async function redrive(
  input: Input<'dead-letters.redrive'>,
  { tenant, principal }: Asker,
  room: TaskRoom,
): Promise<TaskView> {
  const task = await demandTask({ tenant, taskId: input.task_id }, room);
  if (task.state !== 'dead') throw notParked(task);
  const payload = input.payload === undefined ? undefined : demandSize(input.payload, room);
  const faults = faultsOf(task, input.payload ?? JSON.parse(task.payload), room);
  if (faults.length > 0) throw validationFailed('The payload', faults);
  const answer = await room.store.redrive({
    tenant,
    taskId: task.taskId,
    ...(payload === undefined ? {} : { payload }),
    deadlineMs: room.options.timeoutMs,
    by: principal,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
    now: room.now(),
  });
  if (answer.outcome === 'unknown') throw taskNotFound(task.taskId);
  if (answer.outcome === 'refused') throw notParked(answer.row);
  told(answer.row, 'parked', room);
  logTask('a task was redriven', answer.row, room, { by: principal });
  return shown(answer.row, { ...task, ...(payload === undefined ? {} : { payload }) });
}

function shown(row: TaskRow, { payload }: StoredTask): TaskView {
  return viewOf(row, { payload });
}

function demandSize(payload: unknown, room: TaskRoom): string {
  const text = JSON.stringify(payload);
  const size = Buffer.byteLength(text);
  const limit = room.options.payloadBytesMax;
  if (size <= limit) return text;
  throw new ReachError(
    'payload-too-large',
    `The payload has ${size} bytes, and ${limit} is the most.`,
    { limit, size },
  );
}

function notParked(row: TaskRow): ReachError {
  return new ReachError('task-conflict', `Task ${row.taskId} is ${row.state}, not parked.`, {
    task_id: row.taskId,
    task_status: row.state,
  });
}
