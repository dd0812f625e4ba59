import type { NewTask, TaskRow } from '../spi/tasks.ts';

/** What may be absent is null; `progress` is JSON. */
type InColumns<Row> = {
  [Name in keyof Row]-?: undefined extends Row[Name]
    ? Exclude<Row[Name], undefined> | null
    : Row[Name];
};

/** A task as its row holds it, with where it stands. Operations change it in place, then save it. */
export type Stored = InColumns<Omit<TaskRow, 'progress'>> & {
  progress: string | null;
  queue: number;
  lane: number;
};

/** The column in which each part of a row is kept, in the order in which `fromList` takes them. */
export const COLUMNS: Readonly<Record<keyof Stored, string>> = {
  seq: 'seq',
  tenant: 'tenant',
  taskId: 'task_id',
  taskType: 'task_type',
  kind: 'kind',
  fingerprint: 'fingerprint',
  principal: 'principal',
  traceId: 'trace_id',
  parentId: 'parent_id',
  agentId: 'agent_id',
  group: 'grp',
  home: 'home',
  effect: 'effect',
  priority: 'priority',
  chain: 'chain',
  chainSeq: 'chain_seq',
  onDead: 'on_dead',
  state: 'state',
  cause: 'cause',
  reason: 'reason',
  version: 'version',
  epoch: 'epoch',
  deliveries: 'deliveries',
  attempts: 'attempts',
  attemptsMax: 'attempts_max',
  holder: 'holder',
  leaseEndsAt: 'lease_ends_at',
  dueAt: 'due_at',
  readyAt: 'ready_at',
  deadlineAt: 'deadline_at',
  progress: 'progress',
  selector: 'selector',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  endedAt: 'ended_at',
  queue: 'queue',
  lane: 'lane',
};
export const PARTS: readonly (keyof Stored)[] = Object.keys(COLUMNS) as (keyof Stored)[];

/** The columns of a task, for whatever text names the table `tasks`; others may follow them. */
export const SELECT_TASK = `SELECT ${Object.values(COLUMNS)
  .map((column) => `tasks.${column}`)
  .join(', ')}`;

/**
 * A task of the values of its columns, in their order; what comes after them is passed over. By
 * hand, for an object of one known shape costs a third of one that is filled name by name.
 */
export function fromList(values: readonly unknown[]): Stored {
  const at = (n: number) => values[n] as never;
  return {
    seq: at(0),
    tenant: at(1),
    taskId: at(2),
    taskType: at(3),
    kind: at(4),
    fingerprint: at(5),
    principal: at(6),
    traceId: at(7),
    parentId: at(8),
    agentId: at(9),
    group: at(10),
    home: at(11),
    effect: at(12),
    priority: at(13),
    chain: at(14),
    chainSeq: at(15),
    onDead: at(16),
    state: at(17),
    cause: at(18),
    reason: at(19),
    version: at(20),
    epoch: at(21),
    deliveries: at(22),
    attempts: at(23),
    attemptsMax: at(24),
    holder: at(25),
    leaseEndsAt: at(26),
    dueAt: at(27),
    readyAt: at(28),
    deadlineAt: at(29),
    progress: at(30),
    selector: at(31),
    createdAt: at(32),
    updatedAt: at(33),
    endedAt: at(34),
    queue: at(35),
    lane: at(36),
  };
}

/** A task as it is answered: what is null is left out. By hand for the same reason. */
export function toRow(task: Stored): TaskRow {
  const row: TaskRow = {
    tenant: task.tenant,
    taskId: task.taskId,
    taskType: task.taskType,
    kind: task.kind,
    fingerprint: task.fingerprint,
    principal: task.principal,
    traceId: task.traceId,
    priority: task.priority,
    seq: task.seq,
    state: task.state,
    version: task.version,
    epoch: task.epoch,
    deliveries: task.deliveries,
    attempts: task.attempts,
    attemptsMax: task.attemptsMax,
    selector: task.selector,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
  };
  if (task.parentId !== null) row.parentId = task.parentId;
  if (task.agentId !== null) row.agentId = task.agentId;
  if (task.group !== null) row.group = task.group;
  if (task.home !== null) row.home = task.home;
  if (task.effect !== null) row.effect = task.effect;
  if (task.chain !== null) row.chain = task.chain;
  if (task.chainSeq !== null) row.chainSeq = task.chainSeq;
  if (task.onDead !== null) row.onDead = task.onDead;
  if (task.cause !== null) row.cause = task.cause;
  if (task.reason !== null) row.reason = task.reason;
  if (task.holder !== null) row.holder = task.holder;
  if (task.leaseEndsAt !== null) row.leaseEndsAt = task.leaseEndsAt;
  if (task.dueAt !== null) row.dueAt = task.dueAt;
  if (task.readyAt !== null) row.readyAt = task.readyAt;
  if (task.deadlineAt !== null) row.deadlineAt = task.deadlineAt;
  if (task.endedAt !== null) row.endedAt = task.endedAt;
  if (task.progress !== null) row.progress = JSON.parse(task.progress) as Progress;
  return row;
}

type Progress = NonNullable<TaskRow['progress']>;

type Birth = Pick<Stored, 'state' | 'dueAt'> & { now: number };

/** A task of its first moment. It has no number and stands in no lane yet. */
export function newborn(task: NewTask, { now, ...birth }: Birth): Stored {
  return {
    tenant: task.tenant,
    taskId: task.taskId,
    taskType: task.taskType,
    kind: task.kind,
    fingerprint: task.fingerprint,
    principal: task.principal,
    traceId: task.traceId,
    parentId: task.parentId ?? null,
    agentId: task.agentId ?? null,
    group: task.group ?? null,
    home: task.home ?? null,
    effect: task.effect ?? null,
    priority: task.priority,
    chain: task.chain ?? null,
    chainSeq: task.chainSeq ?? null,
    onDead: task.onDead ?? null,
    cause: null,
    reason: null,
    version: 1,
    epoch: 0,
    deliveries: 0,
    attempts: 0,
    attemptsMax: task.attemptsMax,
    holder: null,
    leaseEndsAt: null,
    readyAt: birth.state === 'queued' ? now : null,
    deadlineAt: task.deadlineMs === undefined ? null : now + task.deadlineMs,
    progress: null,
    selector: task.selector,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
    seq: 0,
    queue: 0,
    lane: 0,
    ...birth,
  };
}
