import type { TaskCause } from '@agent-reach/core/task-states';
import type { HolderOutcome, Settlement } from '../spi/tasks.ts';
import type { Standing } from './hold.ts';
import { move as moveTask } from './move.ts';
import type { Shelf } from './shelf.ts';
import { inDoubt, isKeptWhenSpent } from './spent.ts';
import { type Stored, toRow } from './stored.ts';

/** What a settlement does to a task; undefined: nothing, its holder has no say any more. */
export function verdictOf(
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
  if (settlement.end === 'doubt') return inDoubt(task);
  const attempts = task.attempts + (task.state === 'delivered' ? 1 : 0);
  if (attempts < task.attemptsMax) return 'retry';
  return isKeptWhenSpent(task, settlement.whenSpent) ? 'attempts-spent' : 'given-up';
}

/** Settles a task by a verdict that counts. Its result, if there is one, the caller keeps. */
export function settleBy(
  shelf: Shelf,
  task: Stored,
  verdict: { cause: TaskCause; standing: Standing; settlement: Settlement; now: number },
): HolderOutcome {
  const { cause, standing, settlement, now } = verdict;
  if (standing === 'holds') count(task, settlement);
  task.dueAt = 'delayMs' in settlement ? now + (settlement.delayMs ?? 0) : null;
  const reason = settlement.end === 'complete' ? undefined : settlement.reason;
  const next = moveTask(shelf, task, { cause, now, reason });
  const outcome = standing === 'late' ? 'late_ok' : 'ok';
  const row = toRow(task);
  return next === undefined ? { outcome, row } : { outcome, row, next: toRow(next) };
}

/** The result that came with a settlement, if one did. */
export function resultIn(settlement: Settlement): string | undefined {
  return 'result' in settlement ? settlement.result : undefined;
}

/**
 * The result of a settlement that was refused, where somebody worked for it in vain: a repeated
 * word is none.
 */
export function orphanIn(
  settlement: Settlement,
  { state }: Stored,
  standing: Standing,
): string | undefined {
  const isRepeat = standing === 'ended' && state === 'succeeded';
  return settlement.end === 'complete' && !isRepeat ? settlement.result : undefined;
}

/** What the lease cost: a verdict is a receipt too, and what is given back cost nothing. */
function count(task: Stored, settlement: Settlement): void {
  if (settlement.end === 'release') {
    task.deliveries -= 1;
    if (task.state === 'running') task.attempts -= 1;
  } else if (task.state === 'delivered') task.attempts += 1;
}
