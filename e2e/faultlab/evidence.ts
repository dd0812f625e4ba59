import type { TaskCause, TaskState } from '@agent-reach/core';
import type { RunNote } from './work.ts';

/** Lines that are about something else than the state. */
export const STAYS = ['bound', 'edited', 'skipped', 'hastened'] as const;

/** A line of a task's history, as far as it is judged. */
export interface KeptLine {
  version: number;
  from?: TaskState;
  to: TaskState;
  cause: TaskCause | 'submitted' | (typeof STAYS)[number];
  holder?: string;
}

/** A task as the store has it in the end. */
export interface KeptTask {
  state: TaskState;
  version: number;
  deliveries: number;
  attempts: number;
  /** The run whose result is stored; absent: there is none, or of no run. */
  run?: string;
  history: readonly KeptLine[];
}

/** A task's end as a caller saw it while everything went on. */
export interface SeenEnd {
  task: string;
  state: TaskState;
  run?: string;
}

/** What is left of a round, each part from whoever cannot be wrong about it. */
export interface Evidence {
  /** Submissions that were answered 2xx: from the submitters' books. */
  acked: ReadonlySet<string>;
  /** From the agents' books. */
  runs: readonly RunNote[];
  /** Every task in the store, read when all else had ended. */
  kept: ReadonlyMap<string, KeptTask>;
  /** From callers that waited. */
  seen: readonly SeenEnd[];
  /** How many unended tasks the store itself counts, by state. */
  counts: Readonly<Partial<Record<TaskState, number>>>;
  /** What the engine finds wrong with its own files. */
  damage: readonly string[];
}
