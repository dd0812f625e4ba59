/**
 * The states of a task. `succeeded`, `failed` and `cancelled` are for ever. `dead` is parked: a
 * person redrives it, or a late result ends it. `blocked` stands behind another task of its chain,
 * `waiting` for a moment, `queued` for somebody to take it. `delivered` is held by somebody who has
 * not said that it began, `running` by one who has.
 */
export const TASK_STATES = [
  'blocked',
  'queued',
  'waiting',
  'delivered',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'dead',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** States that nothing leaves. */
export const TASK_ENDS = ['succeeded', 'failed', 'cancelled'] as const satisfies TaskState[];

/** States in which somebody holds the task, under a lease. */
export const TASK_LEASED = ['delivered', 'running'] as const satisfies TaskState[];

/**
 * What happens to a task. Receipt (`acked`) and result are two messages. `timeout`
 * is the task's own deadline, and is shown as TIMEOUT.
 */
export const TASK_CAUSES = [
  'unblocked',
  'delayed',
  'overtaken',
  'due',
  'claimed',
  'acked',
  'released',
  'postponed',
  'completed',
  'completed-late',
  'retry',
  'refused',
  'refused-late',
  'lease-lost',
  'deliveries-spent',
  'attempts-spent',
  'needs-decision',
  'given-up',
  'timeout',
  'cancelled',
  'killed',
  'redriven',
] as const;
export type TaskCause = (typeof TASK_CAUSES)[number];

/**
 * The legal moves: `[from, cause, to]`. Stores make exactly these; a contract test makes each and
 * tries every other one. The reference page is drawn from here.
 *
 * - `unblocked`, `delayed`: its turn in the chain came; `delayed` when its moment has not.
 * - `overtaken`: one that goes before it in the chain came later, and it was given to nobody yet;
 *   or it is redriven, and the chain has gone on without it.
 * - `released`, `postponed`: given back, the latter for a while. Burns nothing.
 * - `lease-lost`: before the receipt it costs a delivery and no wait; after it, an attempt and a
 *   wait, if the effect allows another run (else `needs-decision`).
 * - `given-up`: it would be dead, but it is a call (kind `call`), which nobody redrives, or the
 *   gateway keeps no dead letters.
 * - `completed-late`, `refused-late`: the lease had expired and nobody took the work since, so the
 *   verdict counts.
 */
export const TASK_MOVES = [
  ['blocked', 'unblocked', 'queued'],
  ['blocked', 'delayed', 'waiting'],
  ['blocked', 'timeout', 'failed'],
  ['blocked', 'cancelled', 'cancelled'],
  ['waiting', 'due', 'queued'],
  ['waiting', 'overtaken', 'blocked'],
  ['waiting', 'completed-late', 'succeeded'],
  ['waiting', 'refused-late', 'failed'],
  ['waiting', 'timeout', 'failed'],
  ['waiting', 'cancelled', 'cancelled'],
  ['waiting', 'killed', 'dead'],
  ['queued', 'claimed', 'delivered'],
  ['queued', 'overtaken', 'blocked'],
  ['queued', 'completed-late', 'succeeded'],
  ['queued', 'refused-late', 'failed'],
  ['queued', 'timeout', 'failed'],
  ['queued', 'cancelled', 'cancelled'],
  ['queued', 'killed', 'dead'],
  ['delivered', 'acked', 'running'],
  ['delivered', 'released', 'queued'],
  ['delivered', 'postponed', 'waiting'],
  ['delivered', 'lease-lost', 'queued'],
  ['delivered', 'deliveries-spent', 'dead'],
  ['delivered', 'completed', 'succeeded'],
  ['delivered', 'retry', 'waiting'],
  ['delivered', 'attempts-spent', 'dead'],
  ['delivered', 'needs-decision', 'dead'],
  ['delivered', 'given-up', 'failed'],
  ['delivered', 'refused', 'failed'],
  ['delivered', 'timeout', 'failed'],
  ['delivered', 'cancelled', 'cancelled'],
  ['running', 'released', 'queued'],
  ['running', 'postponed', 'waiting'],
  ['running', 'completed', 'succeeded'],
  ['running', 'retry', 'waiting'],
  ['running', 'lease-lost', 'waiting'],
  ['running', 'attempts-spent', 'dead'],
  ['running', 'deliveries-spent', 'dead'],
  ['running', 'needs-decision', 'dead'],
  ['running', 'given-up', 'failed'],
  ['running', 'refused', 'failed'],
  ['running', 'timeout', 'failed'],
  ['running', 'cancelled', 'cancelled'],
  ['dead', 'completed-late', 'succeeded'],
  ['dead', 'refused-late', 'failed'],
  ['dead', 'cancelled', 'cancelled'],
  ['dead', 'redriven', 'queued'],
  ['dead', 'overtaken', 'blocked'],
] as const satisfies readonly (readonly [TaskState, TaskCause, TaskState])[];

/** Where `cause` takes a task that stands in `from`; undefined where it may not happen. */
export function moveTask(from: TaskState, cause: TaskCause): TaskState | undefined {
  return MOVES_BY_CAUSE.get(`${from} ${cause}`);
}

const MOVES_BY_CAUSE: ReadonlyMap<string, TaskState> = new Map(
  TASK_MOVES.map(([from, cause, to]) => [`${from} ${cause}`, to]),
);

/** Whether nothing leaves `state` any more. */
export function isTaskEnd(state: TaskState): state is (typeof TASK_ENDS)[number] {
  return (TASK_ENDS as readonly TaskState[]).includes(state);
}

/** Whether somebody holds a task that stands in `state`. */
export function isTaskLeased(state: TaskState): state is (typeof TASK_LEASED)[number] {
  return (TASK_LEASED as readonly TaskState[]).includes(state);
}
