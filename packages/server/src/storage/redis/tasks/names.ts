import type { HistoryRow, NewTask, TaskRow } from '../../spi/tasks.ts';

// The rows of tasks are kept as values alone, in the order of these names. Lua that reads and writes
// them is made of the same lists (`scripts.ts`); to change one is to change the layout of the store.

/** What of a task never changes. The script that stores it adds the rest (`task.lua`). */
export const FIXED = [
  'tenant',
  'taskId',
  'taskType',
  'kind',
  'fingerprint',
  'principal',
  'traceId',
  'priority',
  'attemptsMax',
  'selector',
  'parentId',
  'chain',
  'chainSeq',
] as const satisfies (keyof NewTask)[];

/** What a submission says of the rest: what may change, or tells when. */
export const PLACED = [
  'agentId',
  'effect',
  'group',
  'home',
  'onDead',
  'delayMs',
  'deadlineMs',
] as const satisfies (keyof NewTask)[];

/** What moves may change, as scripts write it: what most tasks have comes first. */
export const MOVING = [
  'seq',
  'state',
  'version',
  'epoch',
  'deliveries',
  'attempts',
  'createdAt',
  'updatedAt',
  'agentId',
  'effect',
  'readyAt',
  'cause',
  'holder',
  'leaseEndsAt',
  'endedAt',
  'deadlineAt',
  'dueAt',
  'reason',
  'progress',
  'group',
  'home',
  'onDead',
] as const satisfies (keyof TaskRow)[];

/** What a line of history may say. */
export const LINE = [
  'version',
  'at',
  'to',
  'cause',
  'epoch',
  'from',
  'holder',
  'agentId',
  'reason',
  'by',
] as const satisfies (keyof HistoryRow)[];
