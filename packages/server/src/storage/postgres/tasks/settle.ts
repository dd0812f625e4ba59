import { demandSettle } from '../../moves/demand.ts';
import { deniedOutcome, endedOutcome, standingOf } from '../../moves/hold.ts';
import { orphanIn, resultIn, settleBy, verdictOf } from '../../moves/settle.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { lockNamed } from './named.ts';
import { resultOf } from './hold.ts';

export const settle: Operation<TasksStore['settle']> = async (tx, move) => {
  demandSettle(move);
  const { settlement, epoch } = move;
  const { shelf, task, now } = await lockNamed(tx, move);
  if (task === undefined) return { outcome: 'unknown' };
  const standing = standingOf(task, move);
  const cause = verdictOf(task, standing, settlement);
  if (cause === undefined) {
    const orphan = orphanIn(settlement, task, standing);
    if (orphan !== undefined) {
      tx.put(KEEP_ORPHAN, [task.seq, epoch, orphan, now]);
      tx.put(DROP_ORPHANS, [task.seq]);
    }
    if (standing === 'ended') return endedOutcome(task, await resultOf(tx, task));
    return deniedOutcome(task, standing);
  }
  const result = resultIn(settlement);
  if (result !== undefined) tx.put(PUT_RESULT, [task.seq, result]);
  const outcome = settleBy(shelf, task, { cause, standing, settlement, now });
  shelf.write(tx);
  return outcome;
};

const PUT_RESULT = `
  INSERT INTO task_results VALUES ($1, $2) ON CONFLICT (seq) DO UPDATE SET body = excluded.body`;

/** Only of an epoch that was once given out. */
const KEEP_ORPHAN = `
  INSERT INTO task_orphans (seq, epoch, holder, result, at)
  SELECT seq, epoch, holder, $3::text, $4::bigint FROM task_history
  WHERE seq = $1 AND epoch = $2 AND cause = 'claimed'
  ON CONFLICT (seq, epoch) DO UPDATE SET result = excluded.result, at = excluded.at`;

const DROP_ORPHANS = `
  DELETE FROM task_orphans WHERE seq = $1 AND epoch NOT IN (
    SELECT epoch FROM task_orphans WHERE seq = $1 ORDER BY at DESC, epoch DESC LIMIT 3)`;
