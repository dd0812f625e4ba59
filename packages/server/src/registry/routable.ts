import { type Instance, protocolOf } from './directory.ts';

/**
 * How willingly a route takes an instance: 0 first, 1 when no better one is left, undefined
 * never. A single lost probe does not take anybody out.
 */
export function tierOf(instance: Instance): 0 | 1 | undefined {
  if (whyNotRoutable(instance) !== undefined) return undefined;
  return instance.observed === 'suspect' ? 1 : 0;
}

/** Why no route takes an instance; undefined when one would. */
export function whyNotRoutable(instance: Instance): string | undefined {
  const { row, observed } = instance;
  if (row.intent !== 'enabled') {
    const reason = row.intentReason === undefined ? '' : ` (${row.intentReason})`;
    return `it is ${row.intent} by ${row.intentBy}${reason}`;
  }
  if (!instance.isWilling) {
    return `its agent is not willing to be called by ${protocolOf(row.mode)}`;
  }
  // One that pulls is not probed: it is there as long as it beats.
  if (row.mode === 'pull' && observed === 'new') return undefined;
  switch (observed) {
    case 'up':
    case 'degraded':
    case 'suspect':
      return undefined;
    case 'new':
      return instance.failure ?? 'no probe has passed yet';
    case 'unreachable':
      return instance.failure ?? 'probes fail';
    case 'gone':
      return 'its heartbeats stopped and its lease is over';
  }
}
