import type { DeskOutcome, TaskName, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import { demandWhole } from './check.ts';
import { writeLine } from './history.ts';
import { move as moveTask, standsBehind } from './move.ts';
import { saveTask, findTask, type Stored, toRow } from './stored.ts';

export const kill: Operation<TasksStore['kill']> = (db, move) =>
  decide(db, move, ['queued', 'waiting'], (task) => {
    const { by, reason, now } = move;
    return moveTask(db, task, { cause: 'killed', now, by, reason });
  });

export const edit: Operation<TasksStore['edit']> = (db, move) =>
  decide(db, move, ['dead'], (task) => replacePayload(db, task, move));

export const redrive: Operation<TasksStore['redrive']> = (db, move) => {
  demandWhole('deadlineMs', move.deadlineMs ?? 0, 0);
  return decide(db, move, ['dead'], (task) => {
    const { payload, deadlineMs, now, by, reason } = move;
    if (payload !== undefined) replacePayload(db, task, { payload, by, reason, now });
    db.run('DELETE FROM task_results WHERE seq = :seq', task);
    task.attempts = 0;
    task.deliveries = 0;
    task.epoch += 1;
    task.holder = null;
    task.progress = null;
    task.deadlineAt = deadlineMs === undefined ? null : now + deadlineMs;
    // A dead task that its chain waits for has the turn itself.
    const isBehind = task.onDead === 'skip' && standsBehind(db, task, now);
    task.readyAt = isBehind ? null : now;
    moveTask(db, task, { cause: isBehind ? 'overtaken' : 'redriven', now, by, reason });
  });
};

/** Does what a person decided of a task, if its state allows it. */
function decide(
  db: Database,
  name: TaskName,
  states: readonly Stored['state'][],
  act: (task: Stored) => Stored | undefined | void,
): DeskOutcome {
  const task = findTask(db, name);
  if (task === undefined) return { outcome: 'unknown' };
  if (!states.includes(task.state)) return { outcome: 'refused', row: toRow(task) };
  const next = act(task);
  const row = toRow(task);
  return next ? { outcome: 'ok', row, next: toRow(next) } : { outcome: 'ok', row };
}

interface Edit {
  payload: string;
  by: string;
  reason?: string | undefined;
  now: number;
}

function replacePayload(db: Database, task: Stored, { payload, by, reason, now }: Edit): void {
  task.version += 1;
  task.updatedAt = now;
  saveTask(db, task);
  db.run(KEEP_PAYLOAD, { ...task, by, reason: reason ?? null, now });
  db.run('UPDATE task_payloads SET body = :payload WHERE seq = :seq', { seq: task.seq, payload });
  db.run(DROP_EDITS, task);
  writeLine(db, task, { from: task.state, cause: 'edited', by, reason });
}

const KEEP_PAYLOAD = `
  INSERT INTO task_edits
  SELECT seq, :version, :now, :by, :reason, body FROM task_payloads WHERE seq = :seq`;

const DROP_EDITS = `
  DELETE FROM task_edits WHERE seq = :seq AND version NOT IN (
    SELECT version FROM task_edits WHERE seq = :seq ORDER BY version DESC LIMIT 20)`;
