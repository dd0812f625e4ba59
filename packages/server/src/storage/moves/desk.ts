import type { DeskOutcome } from '../spi/tasks.ts';
import { move as moveTask, passTurn, standsBehind } from './move.ts';
import type { Line, Shelf } from './shelf.ts';
import { type Stored, toRow } from './stored.ts';

/** What a person says when he decides about a task. */
export interface Decision {
  by: string;
  reason?: string | undefined;
  now: number;
}

/**
 * Does what a person decided of a task, if its state and `act` allow it. `act` answers whose turn it
 * is now, and has changed nothing if it refuses.
 */
export function decide(
  task: Stored | undefined,
  states: readonly Stored['state'][],
  act: (task: Stored) => Stored | 'refused' | undefined,
): DeskOutcome {
  if (task === undefined) return { outcome: 'unknown' };
  if (!states.includes(task.state)) return { outcome: 'refused', row: toRow(task) };
  const next = act(task);
  const row = toRow(task);
  if (next === 'refused') return { outcome: 'refused', row };
  return next === undefined ? { outcome: 'ok', row } : { outcome: 'ok', row, next: toRow(next) };
}

/** Whether nothing happened to a task since it was of `version`; undefined: nobody asks. */
export function isAsSeen(task: Stored, version: number | undefined): boolean {
  return version === undefined || version === task.version;
}

/** Notes that a task has another payload now; the payloads themselves the caller moves. */
export function noteEdit(shelf: Shelf, task: Stored, decision: Decision): void {
  note(shelf, task, { ...decision, cause: 'edited' });
}

/** Lets the chain of a dead task go on without it. */
export function skipTask(
  shelf: Shelf,
  task: Stored,
  { by, reason, now }: Decision,
): Stored | 'refused' | undefined {
  const { tenant, chain } = task;
  if (chain === null || task.onDead === 'skip') return 'refused';
  task.onDead = 'skip';
  note(shelf, task, { by, reason, now, cause: 'skipped' });
  return passTurn(shelf, { tenant, chain }, now);
}

/** Lets a task that had to wait for longer start `delayMs` from now. */
export function hastenTask(
  shelf: Shelf,
  task: Stored,
  { delayMs, reason, now }: Omit<Decision, 'by'> & { delayMs: number },
): 'refused' | undefined {
  const sooner = now + delayMs;
  if (task.dueAt === null || task.dueAt <= sooner) return 'refused';
  task.dueAt = sooner;
  note(shelf, task, { reason, now, cause: 'hastened' });
  return undefined;
}

/** Runs a dead task again, as if for the first time. Its result the caller forgets. */
export function redriveTask(
  shelf: Shelf,
  task: Stored,
  { deadlineMs, ...decision }: Decision & { deadlineMs?: number | undefined },
): Stored | undefined {
  const { now } = decision;
  task.attempts = 0;
  task.deliveries = 0;
  task.epoch += 1;
  task.holder = null;
  task.progress = null;
  task.deadlineAt = deadlineMs === undefined ? null : now + deadlineMs;
  // A dead task that its chain waits for has the turn itself.
  const isBehind = task.onDead === 'skip' && standsBehind(shelf, task, now);
  task.readyAt = isBehind ? null : now;
  return moveTask(shelf, task, { ...decision, cause: isBehind ? 'overtaken' : 'redriven' });
}

/** Something about a task that leaves its state alone. */
function note(
  shelf: Shelf,
  task: Stored,
  { now, ...line }: { now: number } & Omit<Line, 'from' | 'agentId'>,
): void {
  task.version += 1;
  task.updatedAt = now;
  shelf.save(task);
  shelf.writeLine(task, { ...line, from: task.state });
}
