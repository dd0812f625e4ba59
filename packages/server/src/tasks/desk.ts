import {
  type Asker,
  type Input,
  type Output,
  ReachError,
  type TaskView,
  validationFailed,
} from '@agent-reach/core';
import type { DeskOutcome, TaskRow } from '../storage/spi/tasks.ts';
import { verdictOn } from './dead-letters.ts';
import { goesOn, logTask, recordOver, standsStill, told, toldTurn } from './news.ts';
import { payloadText } from './payload.ts';
import { demandTask } from './read.ts';
import type { TaskRoom } from './room.ts';
import { viewOf } from './view.ts';
import { orderOrNone, type StoredTask } from './work.ts';
import { taskNotFound } from './words.ts';

/**
 * Mends the payload of a parked task, which stays parked. It must fit the schema of whoever would
 * take it: looked at before anything is written.
 */
export async function edit(
  input: Input<'dead-letters.edit'>,
  { tenant, principal }: Asker,
  room: TaskRoom,
): Promise<Output<'dead-letters.edit'>> {
  const task = await demandDead({ tenant, taskId: input.task_id }, room);
  demandUnconfirmed(task);
  const payload = payloadText(input.payload, room);
  const { faults } = verdictOn(task, input.payload, room);
  if (faults.length > 0) throw validationFailed('The payload', faults);
  return replace(task, payload, { ...input, by: principal }, room);
}

/**
 * Puts back what was before the last edit, also if that breaks the schema: it was there. It is an
 * edit itself, so that nothing is lost and undoing it brings the edited payload back.
 */
export async function undo(
  input: Input<'dead-letters.undo'>,
  { tenant, principal }: Asker,
  room: TaskRoom,
): Promise<Output<'dead-letters.undo'>> {
  const task = await demandDead({ tenant, taskId: input.task_id }, room);
  const [last] = await room.store.edits(task);
  if (last === undefined) {
    throw new ReachError('task-conflict', `The payload of task ${task.taskId} was never edited.`, {
      task_id: task.taskId,
    });
  }
  const why = `undo of the edit by ${last.by}`;
  const reason = input.reason === undefined ? why : `${why}: ${input.reason}`;
  const { version } = task;
  return replace(task, last.payload, { version, reason, by: principal }, room);
}

async function replace(
  task: StoredTask,
  payload: string,
  said: { version?: number; reason?: string; by: string },
  room: TaskRoom,
): Promise<Output<'dead-letters.edit'>> {
  const { version, reason, by } = said;
  const answer = await room.store.edit({
    tenant: task.tenant,
    taskId: task.taskId,
    payload,
    ...(version === undefined ? {} : { version }),
    by,
    ...(reason === undefined ? {} : { reason }),
    now: room.now(),
  });
  const row = demandDone(answer, task, (now) =>
    now.state === 'dead'
      ? `Task ${now.taskId} was changed meanwhile: it is of version ${now.version}, not ${version}.`
      : notParked(now),
  );
  logTask('a dead letter was edited', row, room, { by });
  const { faults, isChecked } = verdictOn(row, JSON.parse(payload), room);
  const warning = `Nobody offers ${row.taskType} now: the payload was held to no schema.`;
  return {
    task: viewOf(row, { payload }),
    version: row.version,
    faults,
    warnings: isChecked ? [] : [warning],
  };
}

/**
 * Runs a parked task again from its first attempt. Its payload, a new one if one is given, must fit
 * the schema of whoever is to take it: looked at before anything is written.
 */
export async function redrive(
  input: Input<'dead-letters.redrive'>,
  { tenant, principal }: Asker,
  room: TaskRoom,
): Promise<TaskView> {
  const task = await demandDead({ tenant, taskId: input.task_id }, room);
  if (input.payload !== undefined) demandUnconfirmed(task);
  const payload = input.payload === undefined ? undefined : payloadText(input.payload, room);
  const { faults } = verdictOn(task, input.payload ?? JSON.parse(task.payload), room);
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
  const row = demandDone(answer, task, notParked);
  told(row, 'parked', room);
  logTask('a task was redriven', row, room, { by: principal });
  if (standsStill(task)) goesOn(row, 'redriven', room);
  return viewOf(row, { payload: payload ?? task.payload });
}

/** Lets the ordered tasks behind a parked one go on without it. */
export async function skip(
  input: Input<'dead-letters.skip'>,
  { tenant, principal }: Asker,
  room: TaskRoom,
): Promise<TaskView> {
  const task = await demandDead({ tenant, taskId: input.task_id }, room);
  const answer = await room.store.skip({
    tenant,
    taskId: task.taskId,
    by: principal,
    ...(input.reason === undefined ? {} : { reason: input.reason }),
    now: room.now(),
  });
  const row = demandDone(answer, task, (now) => {
    if (now.state !== 'dead') return notParked(now);
    return now.chain === undefined
      ? `Task ${now.taskId} is not ordered: nothing waits for it.`
      : `Task ${now.taskId} is skipped already: nothing waits for it.`;
  });
  toldTurn(answer.outcome === 'ok' ? answer.next : undefined, room);
  goesOn(row, 'skipped', room);
  return viewOf(row);
}

/** Parks a task that waits, by hand. What somebody holds is cancelled instead, or left to end. */
export async function parkByHand(
  input: Input<'tasks.park'>,
  { tenant, principal }: Asker,
  room: TaskRoom,
): Promise<TaskView> {
  const task = await demandTask({ tenant, taskId: input.task_id }, room);
  const answer = await room.store.kill({
    tenant,
    taskId: task.taskId,
    by: principal,
    reason: input.reason,
    now: room.now(),
  });
  const row = demandDone(
    answer,
    task,
    (now) => `Task ${now.taskId} is ${now.state}: only what is queued or waiting is parked.`,
  );
  told(row, task.state === 'queued' ? 'queued' : 'pending', room);
  toldTurn(answer.outcome === 'ok' ? answer.next : undefined, room);
  await recordOver(row, room);
  return viewOf(row);
}

async function demandDead(
  name: { tenant: string; taskId: string },
  room: TaskRoom,
): Promise<StoredTask> {
  const task = await demandTask(name, room);
  if (task.state !== 'dead') throw conflict(task, notParked(task));
  return task;
}

/** The row after a move; throws why it was refused. */
function demandDone(
  answer: DeskOutcome,
  { taskId }: TaskRow,
  why: (row: TaskRow) => string,
): TaskRow {
  if (answer.outcome === 'unknown') throw taskNotFound(taskId);
  if (answer.outcome === 'refused') throw conflict(answer.row, why(answer.row));
  return answer.row;
}

/** What somebody said yes to is done as it was shown, or not at all. */
function demandUnconfirmed(task: StoredTask): void {
  if (orderOrNone(task)?.confirmation === undefined) return;
  throw conflict(
    task,
    `Task ${task.taskId} was confirmed with the payload that it has. Submit another one, and have that confirmed.`,
  );
}

function notParked({ taskId, state }: TaskRow): string {
  return `Task ${taskId} is ${state}, not parked.`;
}

function conflict({ taskId, state }: TaskRow, detail: string): ReachError {
  return new ReachError('task-conflict', detail, { task_id: taskId, task_status: state });
}
