import type { Log } from '@agent-reach/core/kernel';
import { silentLog } from '@agent-reach/core/kernel';
import type { NewTask } from '../../spi/tasks.ts';

/** A log that keeps its warnings. */
export function warnings(): { log: Log; told: string[] } {
  const told: string[] = [];
  return { log: { ...silentLog, warn: (_, message) => told.push(message) }, told };
}

/** A task for a test that wants any. */
export function anyTask(taskId: string, payload = '{}'): NewTask {
  return {
    tenant: 'acme',
    taskId,
    taskType: 'query.orders',
    kind: 'task',
    fingerprint: `f-${taskId}`,
    principal: 'shop',
    traceId: 'trace-1',
    agentId: 'crm',
    effect: 'read',
    priority: 4,
    attemptsMax: 4,
    selector: '{}',
    payload,
  };
}
