import type { Effect, TaskCause, TaskState } from '@agent-reach/core';

/**
 * A task as it is stored. Payload and result are kept apart (`payload`, `result` of the store):
 * rows that move often stay small.
 */
export interface TaskRow {
  tenant: string;
  taskId: string;
  /** The capability's name. */
  taskType: string;
  /** `call`: a call to an agent that pulls. `event`: the delivery of an event. */
  kind: 'task' | 'call' | 'event';
  /** Hash of all that makes the submission what it is: a repeated id must match it. */
  fingerprint: string;
  principal: string;
  traceId: string;
  parentId?: string;
  /** The agent whose queue it stands in; absent: nobody offers it yet (unbound). */
  agentId?: string;
  /** Version group within the agent's queue; absent: any. */
  group?: string;
  /** The one instance that should take it: others pass it over unless they stand in for it. */
  home?: string;
  /** Of the provider's version it is bound to; absent: undeclared, which counts as `write`. */
  effect?: Effect;
  /** 0 to 10, 10 first. */
  priority: number;
  /**
   * Its place among its caller's tasks of one priority, given at submit and kept through returns:
   * greater than that of every task there is. Not without gaps.
   */
  seq: number;
  /** Tasks of one chain (of a tenant, across queues) run one after the other. */
  chain?: string;
  /** Its place in the chain, absent: 0; equal ones go by `seq`. */
  chainSeq?: number;
  /** What the chain does while this task is dead: it waits (absent: `block`) or goes on. */
  onDead?: 'block' | 'skip';
  state: TaskState;
  /** What brought it here; absent: it was submitted. With a sentence about it, if there is one. */
  cause?: TaskCause;
  reason?: string;
  /** Rises with each line of its history: the number of the last one. */
  version: number;
  /** Rises whenever the work is given to somebody or taken away from him: the fence. */
  epoch: number;
  /** How often it was given to somebody; what came back unburnt does not count. */
  deliveries: number;
  /** How often somebody said that he began. */
  attempts: number;
  attemptsMax: number;
  /** Who holds it, in `delivered` and `running`; elsewhere, who was the last to, at this epoch. */
  holder?: string;
  leaseEndsAt?: number;
  /** The moment a `waiting` task waits for; of a `blocked` one, when it may start at the soonest. */
  dueAt?: number;
  /**
   * Since when it has been ready to run: what aging counts from. Kept while it is held and when it
   * comes back at once; set anew after a wait.
   */
  readyAt?: number;
  /** When it fails if it has not ended; a dead task does not. */
  deadlineAt?: number;
  /** Of the present epoch. */
  progress?: { percent: number; note?: string; at: number };
  /** What routing needs to choose anew at a redelivery. JSON; the store never looks inside. */
  selector: string;
  createdAt: number;
  updatedAt: number;
  endedAt?: number;
}

/** A task to be stored. The store counts `seq` and derives the first state. */
export type NewTask = Pick<
  TaskRow,
  | 'tenant'
  | 'taskId'
  | 'taskType'
  | 'kind'
  | 'fingerprint'
  | 'principal'
  | 'traceId'
  | 'parentId'
  | 'agentId'
  | 'group'
  | 'home'
  | 'effect'
  | 'priority'
  | 'chain'
  | 'chainSeq'
  | 'onDead'
  | 'attemptsMax'
  | 'selector'
> & {
  /** JSON. */
  payload: string;
  /** Starts no sooner than this long from now; absent or 0: at once. */
  delayMs?: number;
  /** Fails unless it ended this long from now. */
  deadlineMs?: number;
  /**
   * The idempotency key it was sent under: written to the ledger as `done` in the same move.
   * It stays for `ttlMs`, and never goes before the task does.
   */
  key?: {
    scope: string;
    key: string;
    fingerprint: string;
    pinned: string;
    answer: string;
    ttlMs: number;
  };
};

/** One line of a task's history. The first is kept for ever, of the others the last 255. */
export interface HistoryRow {
  /** The task's `version` from then on. */
  version: number;
  at: number;
  /** Absent in the first line. */
  from?: TaskState;
  /** The same as `from` when the line is about something else than its state. */
  to: TaskState;
  cause: TaskCause | 'submitted' | 'bound' | 'edited' | 'skipped' | 'hastened';
  /** After the move, as are those below. */
  epoch: number;
  agentId?: string;
  holder?: string;
  /** Who did it, where a person may. */
  by?: string;
  reason?: string;
}

/** A result that came too late to count: refused, and kept for people to look at. */
export interface OrphanRow {
  epoch: number;
  /** To whom that epoch was given. */
  holder?: string;
  result: string;
  at: number;
}

/** A payload that was replaced. */
export interface EditRow {
  /** The `version` of the edit. */
  version: number;
  at: number;
  by: string;
  reason?: string;
  /** As it was until then. */
  payload: string;
}

/** The figures of one queue: an agent's, or that of a task type nobody offers. */
export interface QueueCounts {
  tenant: string;
  /** Absent: the unbound queue of `taskType`. */
  agentId?: string;
  taskType?: string;
  blocked: number;
  queued: number;
  waiting: number;
  delivered: number;
  running: number;
  dead: number;
  /** `readyAt` of the queued task that has been ready longest; absent: none is queued. */
  oldestAt?: number;
}
