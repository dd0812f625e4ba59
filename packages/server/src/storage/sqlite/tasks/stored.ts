import type { TaskName } from '../../spi/tasks.ts';
import { COLUMNS, fromList, PARTS, SELECT_TASK, type Stored } from '../../moves/stored.ts';
import type { Database } from '../database.ts';

const BY_NAME = `${SELECT_TASK} FROM tasks WHERE tenant = ? AND task_id = ?`;
const BY_SEQ = `${SELECT_TASK} FROM tasks WHERE seq = ?`;

/** Finds a task by its name. */
export function findTask(db: Database, { tenant, taskId }: TaskName): Stored | undefined {
  return taskOf(db, BY_NAME, tenant, taskId);
}

/** The task of a number that an index just gave. */
export function taskAt(db: Database, seq: number): Stored {
  const task = taskOf(db, BY_SEQ, seq);
  if (task === undefined) throw new Error(`an index names task ${seq}, which is not there`);
  return task;
}

/** The task that a text finds, if it finds one. */
export function taskOf(
  db: Database,
  text: string,
  ...values: (string | number)[]
): Stored | undefined {
  const found = db.list(text, ...values);
  return found && fromList(found);
}

/** All tasks that a text finds. */
export function tasksOf(db: Database, text: string, values: object): Stored[] {
  return db.lists(text, values).map(fromList);
}

/** Adds a newborn task, and under which idempotency key it came; answers its number. */
export function insertTask(
  db: Database,
  task: Stored,
  key: { scope: string; key: string; until: number } | undefined,
): number {
  return db.insert(
    INSERT,
    ...BORN_WITH.map((part) => task[part]),
    key?.scope ?? null,
    key?.key ?? null,
    key?.until ?? null,
  );
}

const BORN_WITH = PARTS.filter((part) => part !== 'seq');
const INSERTED = [...BORN_WITH.map((part) => COLUMNS[part]), 'key_scope', 'key', 'key_until'];
const INSERT = `
  INSERT INTO tasks (${INSERTED.join(', ')}) VALUES (${INSERTED.map(() => '?').join(', ')})`;

/**
 * Writes what moves may change. SQLite rewrites no index whose columns keep out of the SET list, so
 * what only a bind changes is not in it, nor, while a task lives, its end.
 */
export function saveTask(db: Database, task: Stored): void {
  const values = [
    task.state,
    task.cause,
    task.reason,
    task.version,
    task.epoch,
    task.deliveries,
    task.attempts,
    task.holder,
    task.leaseEndsAt,
    task.dueAt,
    task.readyAt,
    task.deadlineAt,
    task.progress,
    task.onDead,
    task.updatedAt,
  ];
  if (task.endedAt === null) db.write(SAVE, ...values, task.seq);
  else db.write(SAVE_END, ...values, task.endedAt, task.seq);
}

const MOVED = `
  state = ?, cause = ?, reason = ?, version = ?, epoch = ?, deliveries = ?, attempts = ?,
  holder = ?, lease_ends_at = ?, due_at = ?, ready_at = ?, deadline_at = ?, progress = ?,
  on_dead = ?, updated_at = ?`;

const SAVE = `UPDATE tasks SET ${MOVED} WHERE seq = ?`;

const SAVE_END = `UPDATE tasks SET ${MOVED}, ended_at = ? WHERE seq = ?`;
