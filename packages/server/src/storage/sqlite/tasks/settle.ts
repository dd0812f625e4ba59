import { demandSettle } from '../../moves/demand.ts';
import { deniedOutcome, endedOutcome, standingOf } from '../../moves/hold.ts';
import { orphanIn, resultIn, settleBy, verdictOf } from '../../moves/settle.ts';
import type { Stored } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation, Timed } from '../operation.ts';
import { resultOf } from './hold.ts';
import { shelfOn } from './shelf.ts';
import { findTask } from './stored.ts';

type Settle = Timed<Parameters<TasksStore['settle']>[0]>;

export const settle: Operation<TasksStore['settle']> = (db, move) => {
  demandSettle(move);
  const { settlement, now } = move;
  const task = findTask(db, move);
  if (task === undefined) return { outcome: 'unknown' };
  const standing = standingOf(task, move);
  const cause = verdictOf(task, standing, settlement);
  if (cause === undefined) {
    const orphan = orphanIn(settlement, task, standing);
    if (orphan !== undefined) keepOrphan(db, task, move, orphan);
    if (standing === 'ended') return endedOutcome(task, resultOf(db, task));
    return deniedOutcome(task, standing);
  }
  const result = resultIn(settlement);
  if (result !== undefined) db.write(PUT_RESULT, task.seq, result);
  return settleBy(shelfOn(db), task, { cause, standing, settlement, now });
};

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
