import type { HistoryRow, NewTask, QueueCounts, TaskRow } from '../../spi/tasks.ts';
import { type Reply } from '../engine.ts';
import { items, json } from '../rows.ts';
import { FIXED, LINE, MOVING, PLACED } from './names.ts';

type Value = string | number | object | false;

/** Values of a task: such as Lua can read, too, which knows no half characters. */
export function valuesOf(
  task: NewTask,
  names: typeof FIXED | typeof PLACED,
): (string | number | false)[] {
  return names.map((name) => {
    const value = task[name] ?? false;
    return typeof value === 'string' ? value.toWellFormed() : value;
  });
}

/** A task of a reply that is its two texts. */
export function toTask(reply: Reply | undefined): TaskRow {
  const [fixed, moving] = items(reply);
  return toRow(json(fixed) as Value[], moving);
}

/** A task of what never changes of it, and of the text of the rest. */
export function toRow(fixed: readonly Value[], moving: Reply | undefined): TaskRow {
  const row: Partial<Written> = {};
  addValues(row, FIXED, fixed);
  addValues(row, MOVING, json(moving) as Value[]);
  const { progress } = row;
  if (progress === undefined) return row as TaskRow;
  return { ...row, progress: { ...progress, percent: Number(progress.percent) } } as TaskRow;
}

/** As scripts write it: the percent is a text once written, for more digits than Lua would write. */
type Written = Omit<TaskRow, 'progress'> & {
  progress?: { percent: string | number; note?: string; at: number };
};

/** A line of history, as scripts write it. */
export function toLine(reply: Reply): HistoryRow {
  const row: Partial<HistoryRow> = {};
  addValues(row, LINE, json(reply) as Value[]);
  return row as HistoryRow;
}

/** Puts values under their names; `false` is none. */
function addValues<Row>(
  row: Partial<Row>,
  names: readonly (keyof Row)[],
  values: readonly Value[],
) {
  for (const [n, name] of names.entries()) {
    const value = values[n];
    if (value !== undefined && value !== false) row[name] = value as Row[keyof Row];
  }
}

/** Tasks of a reply that is a list of them. */
export function toTasks(reply: Reply | undefined): TaskRow[] {
  return items(reply).map(toTask);
}

/** The figures of a queue: its name as Lua had written it, its counts, its oldest. */
export function toCounts(reply: Reply): QueueCounts {
  const [name, counts, oldest] = items(reply);
  const [tenant = '', agentId = '', taskType] = json(name) as string[];
  const [blocked = 0, queued = 0, waiting = 0, delivered = 0, running = 0, dead = 0] =
    items(counts).map(Number);
  return {
    tenant,
    ...(taskType === undefined ? { agentId } : { taskType }),
    blocked,
    queued,
    waiting,
    delivered,
    running,
    dead,
    ...(oldest === null ? {} : { oldestAt: Number(oldest) }),
  };
}
