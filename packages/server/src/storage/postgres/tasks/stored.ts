import { COLUMNS, fromList, PARTS, SELECT_TASK, type Stored } from '../../moves/stored.ts';
import type { TaskName } from '../../spi/tasks.ts';
import { type Columns, columnsOf, rowsText } from '../bulk.ts';
import type { Transaction } from '../transaction.ts';
import type { Value } from '../values.ts';

/** The tasks that a text finds. */
export async function tasksOf(
  tx: Transaction,
  text: string,
  values: readonly Value[],
): Promise<Stored[]> {
  return (await tx.lists(text, values)).map(fromList);
}

/** A task as it is, for who only wants to know. */
export async function findTask(
  tx: Transaction,
  { tenant, taskId }: TaskName,
): Promise<Stored | undefined> {
  const [task] = await tasksOf(tx, BY_NAME, [tenant, taskId]);
  return task;
}

/** The values of names, for a text that takes them as its first two parameters. */
export function namesOf(names: readonly TaskName[]): Value[] {
  return columnsOf<TaskName>({ tenant: 'text', taskId: 'text' }, names);
}

const NAMED = rowsText({ tenant: 'text', taskId: 'text' }, 'named');

/**
 * Tasks by their names, each with its `nth`. Looked up one by one: a limit is what keeps the planner
 * from walking through a table that seems small, by a plan that is kept until it is large.
 */
export const NAMED_TASKS = `
  ${NAMED} CROSS JOIN LATERAL (
    SELECT * FROM tasks
    WHERE tasks.tenant = named.tenant AND tasks.task_id = named."taskId" LIMIT 1) AS tasks`;

/**
 * The order in which tasks are locked. Not `seq` itself: with sorts off, a walk through all tasks
 * in that order would seem cheaper than to sort a few.
 */
export const IN_ORDER = 'ORDER BY tasks.seq + 0';

/** Locks tasks by their names, in the order of their numbers. */
export const lockNamed = (strength: 'SHARE' | 'NO KEY UPDATE') => `
  ${SELECT_TASK} FROM (SELECT tasks.seq FROM ${NAMED_TASKS} ${IN_ORDER}) AS known
  CROSS JOIN LATERAL (
    SELECT * FROM tasks WHERE tasks.seq = known.seq LIMIT 1 FOR ${strength}) AS tasks`;

export const LOCK_NAMED = lockNamed('NO KEY UPDATE');

/** Locks a task by its name. */
export const LOCK = `
  ${SELECT_TASK} FROM tasks WHERE tenant = $1 AND task_id = $2 FOR NO KEY UPDATE`;

const BY_NAME = `${SELECT_TASK} FROM tasks WHERE tenant = $1 AND task_id = $2`;

/** A task of its first moment, and under which idempotency key it came. */
export interface Newborn {
  task: Stored;
  key: { scope: string; key: string; until: number } | undefined;
}

/** Where the row of a task is, looked up as in `NAMED_TASKS`. */
export function placeOf(seq: string): string {
  return `(SELECT ctid AS place FROM tasks WHERE tasks.seq = ${seq} LIMIT 1)`;
}

/** Adds newborn tasks. */
export function insertTasks(tx: Transaction, born: readonly Newborn[]): void {
  const rows = born.map(({ task, key }) => ({
    ...task,
    keyScope: key?.scope ?? null,
    key: key?.key ?? null,
    keyUntil: key?.until ?? null,
  }));
  if (rows.length > 0) tx.put(INSERT, columnsOf(BORN_COLUMNS, rows));
}

/** Writes what moves may change. */
export function saveTasks(tx: Transaction, tasks: readonly Stored[]): void {
  if (tasks.length > 0) tx.put(SAVE, columnsOf(SAVED_COLUMNS, tasks));
}

const NUMBERS: ReadonlySet<keyof Stored> = new Set<keyof Stored>([
  'seq',
  'priority',
  'chainSeq',
  'version',
  'epoch',
  'deliveries',
  'attempts',
  'attemptsMax',
  'leaseEndsAt',
  'dueAt',
  'readyAt',
  'deadlineAt',
  'createdAt',
  'updatedAt',
  'endedAt',
  'queue',
  'lane',
]);

const SAVED: readonly (keyof Stored)[] = [
  'agentId',
  'group',
  'home',
  'effect',
  'queue',
  'lane',
  'state',
  'cause',
  'reason',
  'version',
  'epoch',
  'deliveries',
  'attempts',
  'holder',
  'leaseEndsAt',
  'dueAt',
  'readyAt',
  'deadlineAt',
  'progress',
  'onDead',
  'updatedAt',
  'endedAt',
];

function typesOf(parts: readonly (keyof Stored)[]): Columns<Stored> {
  const types = parts.map((part) => [part, NUMBERS.has(part) ? 'bigint' : 'text']);
  return Object.fromEntries(types) as Columns<Stored>;
}

const SAVED_COLUMNS = typesOf(['seq', ...SAVED]);

const SAVE = `
  UPDATE tasks SET ${SAVED.map((part) => `${COLUMNS[part]} = rows."${part}"`).join(', ')}
  FROM ${rowsText(SAVED_COLUMNS)} CROSS JOIN LATERAL ${placeOf('rows.seq')} AS stored
  WHERE tasks.ctid = stored.place`;

const BORN_COLUMNS = {
  ...typesOf(PARTS),
  keyScope: 'text',
  key: 'text',
  keyUntil: 'bigint',
} as const;

const INSERT = `
  INSERT INTO tasks (${Object.values(COLUMNS).join(', ')}, key_scope, key, key_until)
  SELECT ${Object.keys(BORN_COLUMNS)
    .map((part) => `"${part}"`)
    .join(', ')}
  FROM ${rowsText(BORN_COLUMNS)} ORDER BY nth`;
