import type { NewTask } from './task-rows.ts';

/**
 * What a caller of the store must not get wrong. Rooms judge what comes from outside and tell it in
 * their own words; a value that is impossible here is a fault of this program. It is found before
 * the first write, so that no store is left with half of it.
 */
export function demandWhole(name: string, value: number, min: number, max = MAX): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} is ${value}; a whole number from ${min} to ${max} was due`);
}

export function demandOneOf(
  name: string,
  value: string | undefined,
  words: readonly string[],
): void {
  if (value === undefined || words.includes(value)) return;
  throw new RangeError(`${name} is ${value}; one of ${words.join(', ')} was due`);
}

export function demandAtMost(name: string, size: number, max: number): void {
  if (size <= max) return;
  throw new RangeError(`${size} ${name} at once; ${max} is the limit`);
}

/** A task that may be stored. */
export function demandNewTask(task: NewTask): void {
  demandWhole('priority', task.priority, 0, 10);
  demandWhole('attemptsMax', task.attemptsMax, 1);
  demandWhole('delayMs', task.delayMs ?? 0, 0);
  demandWhole('deadlineMs', task.deadlineMs ?? 0, 0);
  demandWhole('chainSeq', task.chainSeq ?? 0, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  demandWhole('ttlMs', task.key?.ttlMs ?? 0, 0);
  demandOneOf('kind', task.kind, ['task', 'call', 'event']);
  demandOneOf('onDead', task.onDead, ['block', 'skip']);
  demandOneOf('effect', task.effect, ['read', 'idempotent_write', 'write']);
}

/** A hundred years of milliseconds: a moment plus this is a number still. */
const MAX = 3_155_760_000_000;
