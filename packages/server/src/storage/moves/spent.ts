import type { TaskCause } from '@agent-reach/core/task-states';
import type { WhenSpent } from '../spi/tasks.ts';
import type { Stored } from './stored.ts';

/** Whether a task is parked when its attempts or deliveries are spent; else it has failed. */
export function isKeptWhenSpent({ kind }: Stored, whenSpent: WhenSpent | undefined): boolean {
  return kind !== 'call' && whenSpent !== 'failed';
}

/** What becomes of a task that may have run and must not run twice. Nobody decides about a call. */
export function inDoubt({ kind }: Stored): TaskCause {
  return kind === 'call' ? 'given-up' : 'needs-decision';
}
