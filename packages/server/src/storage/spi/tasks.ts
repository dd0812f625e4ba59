import type { Effect, TaskCause, TaskState } from '@agent-reach/core';
import type { KeyRecord } from './ledger.ts';
import type { Now } from './now.ts';
import type { EditRow, HistoryRow, NewTask, OrphanRow, QueueCounts, TaskRow } from './task-rows.ts';

export type {
  EditRow,
  HistoryRow,
  NewTask,
  OrphanRow,
  QueueCounts,
  TaskRow,
} from './task-rows.ts';

/**
 * What a submission is answered. Only `accepted` stores anything.
 *
 * `accepted`: `ahead` queued tasks stand before it, or would if it were ready now. `same`: the id
 * and its fingerprint are known. `conflict`: the id is, with another one. `key-held`: the
 * idempotency key is in the ledger, whatever its fingerprint. `parent-cancelled`: what nobody wants
 * any more gets no children. `busy`: the queue is full.
 */
export type SubmitOutcome =
  | { outcome: 'accepted'; row: TaskRow; ahead: number }
  | { outcome: 'same' | 'conflict'; row: TaskRow }
  | { outcome: 'key-held'; record: KeyRecord }
  | { outcome: 'parent-cancelled'; parent: TaskRow }
  | { outcome: 'busy'; pending: number };

/** Names a task. */
export interface TaskName {
  tenant: string;
  taskId: string;
}

/** Names a lease: only its holder at its epoch may speak for the task. */
export interface LeaseName extends TaskName {
  epoch: number;
}

/**
 * What a holder's word is answered.
 *
 * `ok`: done; the lease is his, also if its time is up and nobody noticed yet. `late_ok`: the lease
 * had been taken away and the work given to nobody, so the verdict counts. `lost`: the same, for a
 * word that needs a lease; nothing changed. `stale`: another epoch is current; nothing changed.
 * `ended`: it had ended at this epoch; `result` is what is stored. `unknown`: no such task.
 *
 * `next` is the chain's next task, when this move gave it its turn.
 */
export type HolderOutcome =
  | { outcome: 'ok' | 'late_ok'; row: TaskRow; next?: TaskRow }
  | { outcome: 'stale' | 'lost'; row: TaskRow }
  | { outcome: 'ended'; row: TaskRow; result?: string }
  | { outcome: 'unknown' };

/** The same of one of many leases: `state` tells a holder whether to stop, and why. */
export type LeaseOutcome =
  | { outcome: 'ok'; state: TaskState; leaseEndsAt: number }
  | { outcome: 'stale' | 'lost' | 'ended'; state: TaskState }
  | { outcome: 'unknown' };

/** What a person's word is answered. `refused`: its state does not allow it; nothing changed. */
export type DeskOutcome =
  | { outcome: 'ok'; row: TaskRow; next?: TaskRow }
  | { outcome: 'refused'; row: TaskRow }
  | { outcome: 'unknown' };

/**
 * How a holder ends his work, or gives it back. `result` is JSON, of a failure too, and takes the
 * place of the one before.
 */
export type Settlement =
  | { end: 'complete'; result: string }
  /** Waits `delayMs` and runs again while attempts are left, else it is spent. */
  | {
      end: 'fail';
      retryable: true;
      reason: string;
      delayMs: number;
      result?: string;
      whenSpent?: WhenSpent;
    }
  | { end: 'fail'; retryable: false; reason: string; result?: string }
  /** It may have run and must not run twice: dead for a decision. A call has failed. */
  | { end: 'doubt'; reason: string; result?: string }
  /** Back to its old place, at once or after `delayMs`; burns neither delivery nor attempt. */
  | { end: 'release'; reason?: string; delayMs?: number };

/**
 * What becomes of a task whose attempts or deliveries are spent: it is parked (absent: `dead`), or it
 * has failed (`given-up`). A call always has. What needs a decision is dead all the same.
 */
export type WhenSpent = 'dead' | 'failed';

/** When an old task goes before a more urgent one. */
export interface Fairness {
  /** A task is aged when it has been ready for longer than this × (10 − its priority). */
  agingMs: number;
  /**
   * Of the tasks handed out of an agent's queue every n-th is an aged one, if there is any: the one
   * that has been ready longest, then the one that was stored first. It is nobody's turn then.
   * While a task of priority 10 is to be had, none is.
   */
  agingEvery: number;
}

/**
 * Tasks. Each method is one atomic move by `TASK_MOVES` and writes its line of history in the
 * same move. Protocol outcomes are answered, never thrown; an argument that cannot be (a priority
 * of 1.5, a lease of NaN) is a fault of this program, throws, and changes nothing.
 *
 * **Many at once.** What is asked of many tasks (submit, extend, expire, tick, grace, bind, cancel,
 * prune) is one atomic move for each of them, in the order that is told; a shared store takes them on
 * piece by piece. Whoever is told of a failure repeats it: what had happened is not done again.
 *
 * **Chains.** Of a chain's tasks one has its turn (it is queued, waiting, delivered, running or,
 * unless its `onDead` is `skip`, dead) and the others are blocked. When that one ends, the first of
 * the others by (`chainSeq`, `seq`) gets its turn in the same move. One that comes later but goes
 * before a task that has its turn and was given to nobody yet, overtakes it.
 *
 * **Fences.** The epoch rises at claim, bind, cancel and redrive, not when a lease expires: so a
 * late result counts until somebody else may be at work.
 */
export interface TasksStore {
  /**
   * Stores tasks, each by itself, in this order. `pendingMax` bounds blocked + queued + waiting of
   * the queue; priority 10 may use `reserve` more.
   */
  submit(move: {
    tasks: NewTask[];
    pendingMax: number;
    reserve: number;
    now: Now;
  }): Promise<SubmitOutcome[]>;

  /**
   * Leases up to `limit` (1 to 100) queued tasks of one agent's queue to `holder`, in the order
   * they are answered: the highest priority first, within it the callers in turn, within a caller
   * the lowest `seq`. Callers take turns by name (bytes of UTF-8), each (agent, priority) from the
   * one it served last. Counts a delivery each. What is past its deadline is handed out until a
   * tick has failed it.
   */
  claim(move: {
    tenant: string;
    agentId: string;
    /** Version groups this holder serves; tasks without one are anybody's. Absent: all. */
    groups?: string[];
    /** Task types this holder takes; absent: all. */
    taskTypes?: string[];
    /** The homes it stands in for: itself, and those gone for long. Absent: none. */
    homes?: string[];
    holder: string;
    limit: number;
    leaseMs: number;
    /** Absent: strictly by priority. */
    fairness?: Fairness;
    now: Now;
  }): Promise<(TaskRow & { payload: string })[]>;

  /**
   * The receipt: received and started. Counts an attempt, once per epoch; repeating it is `ok`.
   * Like every word of a holder it may lengthen the lease, and never shortens it.
   */
  ack(move: LeaseName & { leaseMs: number; now: Now }): Promise<HolderOutcome>;

  /** Keeps leases alive; answers each in the order asked. At most 1000. Leaves no history. */
  extend(move: { leases: LeaseName[]; leaseMs: number; now: Now }): Promise<LeaseOutcome[]>;

  /**
   * Notes progress (0 to 100, never falling) and keeps the lease alive. Who has progress has begun:
   * without a receipt it is one. Leaves no history by itself.
   */
  progress(
    move: LeaseName & { percent: number; note?: string; leaseMs: number; now: Now },
  ): Promise<HolderOutcome>;

  /**
   * Ends work, or gives it back. A verdict without a receipt counts as both. Completions and final
   * refusals may be `late_ok`; a retryable failure or a release of a lost lease is `lost`. A
   * result that was refused is kept as an orphan if its epoch was once given out: the last 3, one
   * an epoch.
   */
  settle(move: LeaseName & { settlement: Settlement; now: Now }): Promise<HolderOutcome>;

  /**
   * Ends leases whose time is up, the longest over first, at most `limit`; answers the tasks after
   * it, and those of their chains that got their turn. Not started: queued at once, or spent at
   * `deliveriesMax`. Started: `needs-decision` unless the effect allows another run; spent when
   * attempts or deliveries are; else waiting.
   */
  expire(move: {
    deliveriesMax: number;
    whenSpent?: WhenSpent;
    /** Waits by attempt: the first entry after the first attempt; the last repeats. */
    delaysMs: number[];
    limit: number;
    now: Now;
  }): Promise<{ expired: TaskRow[]; next: TaskRow[] }>;

  /** Fails what is past its deadline, then queues what is due; at most `limit` of each. */
  tick(move: {
    limit: number;
    now: Now;
  }): Promise<{ overdue: TaskRow[]; due: TaskRow[]; next: TaskRow[] }>;

  /** Gives every lease at least `leaseMs` from now: after an outage of our own nobody is late. */
  grace(move: { leaseMs: number; now: Now }): Promise<number>;

  /**
   * Puts tasks that nobody holds into another queue (or into the unbound one), keeping their place.
   * Answers those that moved: not the ones that were leased, had ended or stood there already.
   */
  bind(move: {
    tasks: (TaskName & { agentId?: string; group?: string; home?: string; effect?: Effect })[];
    now: Now;
  }): Promise<TaskRow[]>;

  /**
   * Cancels a task and, with `tree`, its descendants, also of one that had ended. At most 1000 a
   * call, parents first: if that many came back, call again.
   */
  cancel(
    move: TaskName & { tree: boolean; by?: string; reason?: string; now: Now },
  ): Promise<{ cancelled: TaskRow[]; next: TaskRow[] }>;

  /** Parks a task that is queued or waiting, by hand. */
  kill(move: TaskName & { by: string; reason: string; now: Now }): Promise<DeskOutcome>;

  /**
   * Replaces the payload of a dead task; the one before is kept. With `version` only of one that
   * nothing happened to since it was of that version, else it is refused.
   */
  edit(
    move: TaskName & { payload: string; version?: number; by: string; reason?: string; now: Now },
  ): Promise<DeskOutcome>;

  /**
   * Lets the chain of a dead task go on without it: from now on its `onDead` is `skip`. Repeating
   * it, or saying it of a task without a chain, is `refused`.
   */
  skip(move: TaskName & { by: string; reason?: string; now: Now }): Promise<DeskOutcome>;

  /**
   * Lets a task that is blocked or waiting start `delayMs` from now, if it had to wait for longer;
   * else it is refused.
   */
  hasten(move: TaskName & { delayMs: number; reason?: string; now: Now }): Promise<DeskOutcome>;

  /**
   * Runs a dead task again from attempt 0, with another payload if one is given. Without
   * `deadlineMs` it has no deadline any more.
   */
  redrive(
    move: TaskName & {
      payload?: string;
      deadlineMs?: number;
      by: string;
      reason?: string;
      now: Now;
    },
  ): Promise<DeskOutcome>;

  get(query: TaskName): Promise<(TaskRow & { payload: string; result?: string }) | undefined>;

  /** Newest first, `limit` 1 to 1000; `before` is the `seq` to go on from. */
  list(query: {
    tenant: string;
    states?: TaskState[];
    causes?: TaskCause[];
    /** An agent's queue, or with `null` those of tasks that are unbound. */
    agentId?: string | null;
    taskType?: string;
    principal?: string;
    traceId?: string;
    parentId?: string;
    chain?: string;
    /** Those at this place of their chains. */
    chainSeq?: number;
    before?: number;
    limit: number;
  }): Promise<TaskRow[]>;

  /** Oldest first; empty: no such task. */
  history(query: TaskName): Promise<HistoryRow[]>;

  /** Newest first. */
  orphans(query: TaskName): Promise<OrphanRow[]>;

  /** Newest first, the last 20. */
  edits(query: TaskName): Promise<EditRow[]>;

  /**
   * The place of a queued task: how many of its queue are more urgent, or as urgent and ready for
   * longer. `atLeast`: more than 10,000 of those as urgent were not counted. Undefined: it is not
   * queued.
   */
  ahead(query: TaskName): Promise<{ tasks: number; atLeast: boolean } | undefined>;

  /** The task of a chain that has its turn: who the blocked ones wait for. */
  chainHead(query: { tenant: string; chain: string }): Promise<TaskRow | undefined>;

  /** The figures of every queue in which a task lives, by agent and type; absent: of all tenants. */
  counts(query: { tenant?: string }): Promise<QueueCounts[]>;

  /**
   * Forgets, with all that belongs to them, tasks that ended before `endedBefore`, then dead ones
   * nobody touched since `deadBefore`, whose chains go on; at most `limit`, the oldest first. Their
   * ids are free again. Queues in which no task lives are forgotten, too, with whose turn it was.
   */
  prune(move: {
    endedBefore: number;
    deadBefore: number;
    limit: number;
    now: Now;
  }): Promise<{ forgotten: number; next: TaskRow[] }>;
}
