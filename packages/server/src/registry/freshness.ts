import type { Clock } from '@agent-reach/core/kernel';
import type { Instance } from './directory.ts';

/**
 * Whether a lease was renewed so lately that it need not be now. By when it was, and not by when it
 * ends: here it may end later than in the store, where other gateways look.
 */
export function isFresh({ row }: Pick<Instance, 'row'>, clock: Pick<Clock, 'now'>): boolean {
  return clock.now() - row.lastHeartbeatAt < row.leaseMs / 2;
}
