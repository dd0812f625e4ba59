import type { NewTask, QueueCounts, TaskRow } from '../../spi/tasks.ts';
import { type Reply } from '../engine.ts';
import { items, json } from '../rows.ts';

/** What of a task never changes. The script that stores it adds the rest (`task.lua`). */
const FIXED = [
  'tenant',
  'taskId',
  'taskType',
  'kind',
  'fingerprint',
  'principal',
  'traceId',
  'parentId',
  'priority',
  'chain',
  'chainSeq',
  'attemptsMax',
  'selector',
] as const satisfies (keyof NewTask)[];

/** The text of what never changes: JSON that Lua can read, too, which knows no half characters. */
export function fixedOf(task: NewTask): string {
  const fixed = Object.fromEntries(FIXED.map((name) => [name, task[name]]));
  return JSON.stringify(fixed, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
}

/** A task of a reply that is its two texts. */
export function toTask(reply: Reply | undefined): TaskRow {
  const [fixed, moving] = items(reply);
  const { progress, ...row } = { ...(json(fixed) as TaskRow), ...(json(moving) as Moving) };
  if (progress === undefined) return row;
  return { ...row, progress: { ...progress, percent: Number(progress.percent) } };
}

/** What scripts wrote: the percent is a text, for more digits than Lua would write. */
type Moving = Omit<Partial<TaskRow>, 'progress'> & {
  progress?: { percent: string; note?: string; at: number };
};

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
