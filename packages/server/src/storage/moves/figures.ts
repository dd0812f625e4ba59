import type { QueueCounts } from '../spi/tasks.ts';

/** The figures of a queue as SQL gives them: an empty agent is the unbound queue of the type. */
export type Counted = Omit<QueueCounts, 'oldestAt' | 'agentId' | 'taskType'> & {
  agentId: string;
  taskType: string;
  oldestAt: number | null;
};

export function toCounts({ agentId, taskType, oldestAt, ...figures }: Counted): QueueCounts {
  const name = agentId === '' ? { taskType } : { agentId };
  return { ...name, ...figures, ...(oldestAt === null ? {} : { oldestAt }) };
}

/** A walk over ten thousand entries of an index takes milliseconds; nobody needs to know more. */
export const AHEAD_MAX = 10_000;

/** The place of a task behind those more urgent, and those as urgent and ready for longer. */
export function placeBehind({ urgent, alike }: { urgent: number; alike: number }) {
  return { tasks: urgent + Math.min(alike, AHEAD_MAX), atLeast: alike > AHEAD_MAX };
}
