import type { DeskOutcome, TaskName, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import { demandWhole } from '../../spi/demand.ts';
import { type Line, writeLine } from './history.ts';
import { move as moveTask, passTurn, standsBehind } from './move.ts';
import { saveTask, findTask, type Stored, toRow } from './stored.ts';

export const kill: Operation<TasksStore['kill']> = (db, move) =>
  decide(db, move, ['queued', 'waiting'], (task) => {
    const { by, reason, now } = move;
    return moveTask(db, task, { cause: 'killed', now, by, reason });
  });

export const edit: Operation<TasksStore['edit']> = (db, move) =>
  decide(db, move, ['dead'], (task) => {
    if (move.version !== undefined && move.version !== task.version) return 'refused';
    replacePayload(db, task, move);
    return undefined;
  });

export const skip: Operation<TasksStore['skip']> = (db, move) =>
  decide(db, move, ['dead'], (task) => {
    if (task.chain === null || task.onDead === 'skip') return 'refused';
    task.onDead = 'skip';
    note(db, task, { ...move, cause: 'skipped' });
    return passTurn(db, task, move.now);
  });

export const hasten: Operation<TasksStore['hasten']> = (db, move) => {
  demandWhole('delayMs', move.delayMs, 0);
  return decide(db, move, ['blocked', 'waiting'], (task) => {
    const sooner = move.now + move.delayMs;
    if (task.dueAt === null || task.dueAt <= sooner) return 'refused';
    task.dueAt = sooner;
    note(db, task, { ...move, cause: 'hastened' });
    return undefined;
  });
};

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
    return moveTask(db, task, { cause: isBehind ? 'overtaken' : 'redriven', now, by, reason });
  });
};

/**
 * Does what a person decided of a task, if its state and `act` allow it. `act` answers whose turn it
 * is now, and has changed nothing if it refuses.
 */
function decide(
  db: Database,
  name: TaskName,
  states: readonly Stored['state'][],
  act: (task: Stored) => Stored | 'refused' | undefined,
): DeskOutcome {
  const task = findTask(db, name);
  if (task === undefined) return { outcome: 'unknown' };
  if (!states.includes(task.state)) return { outcome: 'refused', row: toRow(task) };
  const next = act(task);
  const row = toRow(task);
  if (next === 'refused') return { outcome: 'refused', row };
  return next === undefined ? { outcome: 'ok', row } : { outcome: 'ok', row, next: toRow(next) };
}

/** Something about a task that leaves its state alone. */
function note(
  db: Database,
  task: Stored,
  { now, cause, by, reason }: { now: number } & Omit<Line, 'from'>,
): void {
  task.version += 1;
  task.updatedAt = now;
  saveTask(db, task);
  writeLine(db, task, { from: task.state, cause, by, reason });
}

interface Edit {
  payload: string;
  by: string;
  reason?: string | undefined;
  now: number;
}

function replacePayload(db: Database, task: Stored, { payload, by, reason, now }: Edit): void {
  note(db, task, { now, cause: 'edited', by, reason });
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
