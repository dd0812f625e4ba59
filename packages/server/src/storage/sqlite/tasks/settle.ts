import type { TaskCause } from '@agent-reach/core/task-states';
import type { HolderOutcome, Settlement, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation, Timed } from '../operation.ts';
import { demandWhole } from '../../spi/demand.ts';
import { endedOutcome, type Standing, standingOf } from './hold.ts';
import { move as moveTask } from './move.ts';
import { findTask, type Stored, toRow } from './stored.ts';

type Settle = Timed<Parameters<TasksStore['settle']>[0]>;

export const settle: Operation<TasksStore['settle']> = (db, move) => {
  const { settlement, now } = move;
  if ('delayMs' in settlement) demandWhole('delayMs', settlement.delayMs ?? 0, 0);
  const task = findTask(db, move);
  if (task === undefined) return { outcome: 'unknown' };
  const standing = standingOf(task, move);
  const cause = verdictOf(task, standing, settlement);
  if (cause === undefined) return refuse(db, task, { ...move, standing });

  const reason = settlement.end === 'complete' ? undefined : settlement.reason;
  if ('result' in settlement && settlement.result !== undefined) {
    db.write(PUT_RESULT, task.seq, settlement.result);
  }
  if (standing === 'holds') count(task, settlement);
  task.dueAt = dueAtOf(settlement, now);
  const next = moveTask(db, task, { cause, now, reason });
  const outcome = standing === 'late' ? 'late_ok' : 'ok';
  const row = toRow(task);
  return next === undefined ? { outcome, row } : { outcome, row, next: toRow(next) };
};

/** What a settlement does to a task; undefined: nothing, its holder has no say any more. */
function verdictOf(
  task: Stored,
  standing: Standing,
  settlement: Settlement,
): TaskCause | undefined {
  if (standing !== 'holds' && standing !== 'late') return undefined;
  const isLate = standing === 'late';
  if (settlement.end === 'complete') return isLate ? 'completed-late' : 'completed';
  if (settlement.end === 'release') {
    if (isLate) return undefined;
    return (settlement.delayMs ?? 0) > 0 ? 'postponed' : 'released';
  }
  if (settlement.end === 'fail' && !settlement.retryable) {
    return isLate ? 'refused-late' : 'refused';
  }
  if (isLate) return undefined;
  if (settlement.end === 'doubt') return task.kind === 'call' ? 'given-up' : 'needs-decision';
  const attempts = task.attempts + (task.state === 'delivered' ? 1 : 0);
  if (attempts < task.attemptsMax) return 'retry';
  const isKept = task.kind !== 'call' && settlement.whenSpent !== 'failed';
  return isKept ? 'attempts-spent' : 'given-up';
}

/** What the lease cost: a verdict is a receipt too, and what is given back cost nothing. */
function count(task: Stored, settlement: Settlement): void {
  if (settlement.end === 'release') {
    task.deliveries -= 1;
    if (task.state === 'running') task.attempts -= 1;
  } else if (task.state === 'delivered') task.attempts += 1;
}

function dueAtOf(settlement: Settlement, now: number): number | null {
  return 'delayMs' in settlement ? now + (settlement.delayMs ?? 0) : null;
}

/** Nothing moves. A result that somebody worked for is kept, but that of a repeated word. */
function refuse(db: Database, task: Stored, move: Settle & { standing: Standing }): HolderOutcome {
  const { settlement, standing } = move;
  const isRepeat = standing === 'ended' && task.state === 'succeeded';
  if (settlement.end === 'complete' && !isRepeat) keepOrphan(db, task, move, settlement.result);
  if (standing === 'ended') return endedOutcome(db, task);
  return { outcome: standing === 'stale' ? 'stale' : 'lost', row: toRow(task) };
}

function keepOrphan(db: Database, { seq }: Stored, move: Settle, result: string): void {
  const given = db.first<{ holder: string | null }>(GIVEN, seq, move.epoch);
  if (given === undefined) return;
  db.write(KEEP_ORPHAN, seq, move.epoch, given.holder, result, move.now);
  db.write(DROP_ORPHANS, seq, seq);
}

const PUT_RESULT = 'INSERT OR REPLACE INTO task_results VALUES (?, ?)';

const GIVEN = `
  SELECT holder FROM task_history WHERE seq = ? AND epoch = ? AND cause = 'claimed'`;

const KEEP_ORPHAN = 'INSERT OR REPLACE INTO task_orphans VALUES (?, ?, ?, ?, ?)';

const DROP_ORPHANS = `
  DELETE FROM task_orphans WHERE seq = ? AND epoch NOT IN (
    SELECT epoch FROM task_orphans WHERE seq = ? ORDER BY at DESC, epoch DESC LIMIT 3)`;
