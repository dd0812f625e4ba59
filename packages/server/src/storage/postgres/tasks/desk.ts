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
import type { Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { holdTurns } from './chains.ts';
import { lockNamed } from './named.ts';
import type { TaskShelf } from './shelf.ts';

export const kill: Operation<TasksStore['kill']> = async (tx, move) => {
  const { by, reason } = move;
  const { shelf, task, now } = await lockNamed(tx, move);
  const outcome = decide(task, ['queued', 'waiting'], (found) =>
    moveTask(shelf, found, { cause: 'killed', now, by, reason }),
  );
  shelf.write(tx);
  return outcome;
};

export const edit: Operation<TasksStore['edit']> = async (tx, move) => {
  const { payload, version, by, reason } = move;
  const { shelf, task, now } = await lockNamed(tx, move);
  const outcome = decide(task, ['dead'], (found) => {
    if (!isAsSeen(found, version)) return 'refused';
    replacePayload(tx, shelf, found, { payload, by, reason, now });
    return undefined;
  });
  shelf.write(tx);
  return outcome;
};

export const skip: Operation<TasksStore['skip']> = async (tx, move) => {
  const { by, reason } = move;
  const { shelf, task, now } = await lockNamed(tx, move);
  const outcome = decide(task, ['dead'], (found) => skipTask(shelf, found, { by, reason, now }));
  shelf.write(tx);
  return outcome;
};

export const hasten: Operation<TasksStore['hasten']> = async (tx, move) => {
  demandHasten(move);
  const { delayMs, reason } = move;
  const { shelf, task, now } = await lockNamed(tx, move);
  const outcome = decide(task, ['blocked', 'waiting'], (found) =>
    hastenTask(shelf, found, { delayMs, reason, now }),
  );
  shelf.write(tx);
  return outcome;
};

export const redrive: Operation<TasksStore['redrive']> = async (tx, move) => {
  demandRedrive(move);
  const { tenant, payload, deadlineMs, by, reason } = move;
  const { shelf, task, now } = await lockNamed(tx, move);
  // One that its chain did not wait for asks who has the turn now.
  if (task?.state === 'dead' && task.chain !== null && task.onDead === 'skip') {
    await holdTurns(tx, shelf, [{ tenant, chain: task.chain }]);
  }
  const outcome = decide(task, ['dead'], (found) => {
    if (payload !== undefined) replacePayload(tx, shelf, found, { payload, by, reason, now });
    tx.put('DELETE FROM task_results WHERE seq = $1', [found.seq]);
    return redriveTask(shelf, found, { by, reason, now, deadlineMs });
  });
  shelf.write(tx);
  return outcome;
};

function replacePayload(
  tx: Transaction,
  shelf: TaskShelf,
  task: Stored,
  { payload, ...decision }: Decision & { payload: string },
): void {
  noteEdit(shelf, task, decision);
  const { by, reason, now } = decision;
  tx.put(KEEP_PAYLOAD, [task.seq, task.version, now, by, reason ?? null]);
  tx.put('UPDATE task_payloads SET body = $2 WHERE seq = $1', [task.seq, payload]);
  tx.put(DROP_EDITS, [task.seq]);
}

const KEEP_PAYLOAD = `
  INSERT INTO task_edits (seq, version, at, by, reason, payload)
  SELECT seq, $2::bigint, $3::bigint, $4::text, $5::text, body FROM task_payloads WHERE seq = $1`;

const DROP_EDITS = `
  DELETE FROM task_edits WHERE seq = $1 AND version NOT IN (
    SELECT version FROM task_edits WHERE seq = $1 ORDER BY version DESC LIMIT 20)`;
