import { type Log, silentLog } from '@agent-reach/core/kernel';

/** A log that keeps its warnings. */
export function warnings(): { log: Log; told: string[] } {
  const told: string[] = [];
  return { log: { ...silentLog, warn: (_, message) => told.push(message) }, told };
}
