import type { TaskState } from '@agent-reach/core/task-states';
import type { HistoryRow } from '../spi/tasks.ts';
import type { Stored } from './stored.ts';

/**
 * Where a driver keeps tasks, as the moves that all drivers make alike see it. What is kept here is
 * found here afterwards; when it reaches the engine is the driver's affair.
 */
export interface Shelf {
  /** Keeps what moves may change of a task's row: not where it stands. */
  save(task: Stored): void;
  /** Adds the line of `task.version` to its history. */
  writeLine(task: Stored, line: Line): void;
  /** Notes in a lane that one of its tasks changed its state; a newcomer comes from nowhere. */
  recount(lane: number, from: TaskState | undefined, to: TaskState | undefined): void;
  /** The task of a chain that has its turn. */
  turnOf(tenant: string, chain: string): Stored | undefined;
  /** The first of a chain's blocked tasks, by (`chainSeq`, `seq`). */
  turnAfter(tenant: string, chain: string): Stored | undefined;
}

/** What a line of history says beyond what the task, after the move, says itself. */
export interface Line {
  from: TaskState | null;
  cause: HistoryRow['cause'];
  agentId?: string | null;
  by?: string | undefined;
  reason?: string | undefined;
}

/** How many lines a task keeps, and the first one, which says how it began. */
export const LINES_MAX = 255;
