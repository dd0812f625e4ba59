import { demandHasten, demandRedrive } from '../../moves/demand.ts';
import {
  type Decision,
  decide,
  hastenTask,
  isAsSeen,
  noteEdit,
  redriveTask,
  skipTask,
} from '../../moves/desk.ts';
import { move as moveTask } from '../../moves/move.ts';
import type { Stored } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import { shelfOn } from './shelf.ts';
import { findTask } from './stored.ts';

export const kill: Operation<TasksStore['kill']> = (db, move) =>
  decide(findTask(db, move), ['queued', 'waiting'], (task) => {
    const { by, reason, now } = move;
    return moveTask(shelfOn(db), task, { cause: 'killed', now, by, reason });
  });

export const edit: Operation<TasksStore['edit']> = (db, move) =>
  decide(findTask(db, move), ['dead'], (task) => {
    if (!isAsSeen(task, move.version)) return 'refused';
    replacePayload(db, task, move);
    return undefined;
  });

export const skip: Operation<TasksStore['skip']> = (db, move) =>
  decide(findTask(db, move), ['dead'], (task) => skipTask(shelfOn(db), task, move));

export const hasten: Operation<TasksStore['hasten']> = (db, move) => {
  demandHasten(move);
  return decide(findTask(db, move), ['blocked', 'waiting'], (task) =>
    hastenTask(shelfOn(db), task, move),
  );
};

export const redrive: Operation<TasksStore['redrive']> = (db, move) => {
  demandRedrive(move);
  return decide(findTask(db, move), ['dead'], (task) => {
    const { payload, deadlineMs, now, by, reason } = move;
    if (payload !== undefined) replacePayload(db, task, { payload, by, reason, now });
    db.run('DELETE FROM task_results WHERE seq = :seq', task);
    return redriveTask(shelfOn(db), task, { by, reason, now, deadlineMs });
  });
};

function replacePayload(db: Database, task: Stored, edit: Decision & { payload: string }): void {
  const { payload, by, reason, now } = edit;
  noteEdit(shelfOn(db), task, { by, reason, now });
  db.run(KEEP_PAYLOAD, { ...task, by, reason: reason ?? null, now });
  db.run('UPDATE task_payloads SET body = :payload WHERE seq = :seq', { seq: task.seq, payload });
  db.run(DROP_EDITS, task);
}

const KEEP_PAYLOAD = `
  INSERT INTO task_edits
  SELECT seq, :version, :now, :by, :reason, body FROM task_payloads WHERE seq = :seq`;

const DROP_EDITS = `
  DELETE FROM task_edits WHERE seq = :seq AND version NOT IN (
    SELECT version FROM task_edits WHERE seq = :seq ORDER BY version DESC LIMIT 20)`;
