import type { TaskRequest } from '@agent-reach/core';

const TASKS_MAX = 1_000;
/** Half of what a gateway takes by default, for characters that are several bytes. */
const CHARS_MAX = 512 * 1024;

/** Tasks in order, in messages that a gateway takes. One that is too long goes alone, to be told so. */
export function batches(tasks: readonly TaskRequest[]): TaskRequest[][] {
  const all: TaskRequest[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const task of tasks) {
    const more = JSON.stringify(task).length;
    let last = all.at(-1);
    if (last === undefined || last.length >= TASKS_MAX || chars + more > CHARS_MAX) {
      all.push((last = []));
      chars = 0;
    }
    last.push(task);
    chars += more;
  }
  return all;
}
